import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { MissionEvent } from '../../src/core/model/events';
import { compileCache } from '../support/compileCache';
import { machineNode, machinePath, searchedOutside } from '../support/machine';
import { missionHere, onlyReads } from './inProcess';
import { gitIn, repository } from './repository';

export const cliFile = path.resolve('dist/cli.js');

/** How a `mission` process ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The one JSON document on stdout; a test reads the fields its command prints. */
  readonly json: Printed;
}

/** Fields of the documents that commands print and evidence holds, together. */
export interface Printed {
  readonly accepted: boolean;
  readonly valid: boolean;
  readonly ok: boolean;
  readonly code: string;
  readonly reason: string;
  readonly next: readonly string[];
  readonly id: string;
  readonly queued: boolean;
  readonly needs: readonly string[];
  readonly signer: string | null;
  readonly waits: string | null;
  readonly priority: number;
  readonly served: readonly object[];
  readonly mission_id: string;
  readonly path: string;
  readonly plan_id: string;
  readonly plan_path: string;
  readonly plan_sha256: string;
  readonly plan_sha256_observed: string;
  readonly state: string;
  readonly status: string;
  readonly outcome: string;
  readonly executor: string;
  readonly owner: string;
  readonly approved_by: string;
  readonly approval_source: string;
  readonly recorded: boolean;
  readonly commit_sha: string;
  readonly task_id: string;
  readonly first_bad: number | null;
  readonly cli: string;
  readonly session_id: string;
  readonly usage: { readonly input_tokens: number };
  readonly permission_matches: readonly unknown[];
  readonly signals: readonly { readonly kind: string }[];
  readonly deleted: boolean;
  readonly repaired: readonly string[];
  readonly lines: readonly string[];
  readonly directories: readonly { readonly path: string }[];
  readonly commands: readonly { readonly name: string }[];
  readonly checks: readonly {
    readonly id: string;
    readonly ok: boolean;
    readonly required: boolean;
    readonly detail: string;
    readonly fix: string;
  }[];
  readonly findings: readonly PrintedFinding[];
  readonly files: readonly {
    readonly code: string;
    readonly plan_sha256: string;
    readonly findings: readonly PrintedFinding[];
  }[];
  readonly tasks: readonly { readonly task_id: string; readonly status: string; readonly attempts: number }[];
  readonly packets: readonly {
    readonly packet_id: string;
    readonly task_id: string;
    readonly category: string;
    readonly state: string;
    readonly path: string;
  }[];
  readonly attempts: readonly { readonly decided_by: { readonly actor: { readonly name: string } } }[];
  /** The document of a human verb that ran the mission. */
  readonly mission: Printed;
  readonly missions: readonly (Printed & {
    readonly interrupted: boolean;
    readonly ending: unknown;
    readonly live: { readonly task_id: string } | null;
    readonly lanes: readonly { readonly pid: number | null; readonly left?: { readonly state: string } }[];
  })[];
}
export interface PrintedFinding {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly pointer: string;
  readonly line: number;
  readonly column: number;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

export interface TaskOptions {
  readonly task_id?: string;
  /** Text of an ES module that is the task's command. */
  readonly script?: string;
  readonly [field: string]: unknown;
}

/** A workspace on disk with a git repository, and `mission` as real processes in it. */
export class CliBed {
  readonly scratch: string;
  readonly root: string;
  private readonly running = new Set<ChildProcess>();

  constructor(place = tmpdir()) {
    this.scratch = realpathSync(mkdtempSync(path.join(place, 'mission-cli-')));
    this.root = path.join(this.scratch, 'wörk dir');
    cpSync(repository(), this.root, { recursive: true });
  }

  at(relative: string): string {
    return path.join(this.root, relative);
  }
  write(relative: string, content: string): void {
    mkdirSync(path.dirname(this.at(relative)), { recursive: true });
    writeFileSync(this.at(relative), content);
  }
  read(relative: string): string {
    return readFileSync(this.at(relative), 'utf8');
  }
  exists(relative: string): boolean {
    return existsSync(this.at(relative));
  }
  json(relative: string): Printed {
    return JSON.parse(this.read(relative)) as Printed;
  }

  /** Writes an approved plan; each task's `script` becomes its command. Returns the path of the plan. */
  plan(
    planId: string,
    tasks: readonly TaskOptions[],
    execution: Record<string, unknown> = {},
    more: Record<string, unknown> = {},
  ): string {
    const file = `docs/plans/PLAN_${planId}.json`;
    const plan = {
      contract_version: 'S2-B-05.v1',
      plan_id: planId,
      goal_id: 'GOAL-1',
      created_at: '2026-01-01T00:00:00Z',
      planner: 'tests',
      status: 'APPROVED',
      risk: { level: 1, notes: 'none' },
      scope: { allowed: ['docs_update'], forbidden: [] },
      tasks: tasks.map(({ script, ...task }, index) => {
        const task_id = task.task_id ?? `T${index + 1}`;
        if (script !== undefined) this.write(`tools/${planId}-${task_id}.mjs`, script);
        return {
          task_id,
          description: `Task ${task_id}`,
          type: 'automation',
          paths: ['docs/out/'],
          worker: 'command',
          ...(script === undefined ? {} : { command: ['node', `tools/${planId}-${task_id}.mjs`] }),
          heartbeat_interval_seconds: 5,
          ...task,
        };
      }),
      execution: { mode: 'sequential', ...execution },
      approval: { required: true, approved_by: 'Ada', approved_at: '2026-01-02T00:00:00Z' },
      success_criteria: ['validator_passes', 'no_scope_violation'],
      ...more,
    };
    this.write(file, `${JSON.stringify(plan, null, 2)}\n`);
    return file;
  }

  /** Text of a module that says it is there and waits until `open(gate)`; the gate is outside the workspace. */
  waitAt(gate: string): string {
    const file = JSON.stringify(this.gateFile(gate));
    return `fs.writeFileSync('docs/out/waits-at-${gate}', String(process.pid)); while (!fs.existsSync(${file})) await new Promise((go) => setTimeout(go, 20));`;
  }
  /** Resolves with the process id of the task once it waits there. */
  async waitsAt(gate: string): Promise<number> {
    const file = `docs/out/waits-at-${gate}`;
    // It is there before it is written.
    return until(() => (this.exists(file) ? Number(this.read(file)) || null : null));
  }
  open(gate: string): void {
    writeFileSync(this.gateFile(gate), '');
  }
  gateFile(gate: string): string {
    return path.join(this.scratch, gate);
  }

  /** Runs `mission ... --json` to its end: what only reads in this process, everything else in one of its own. */
  async mission(...args: string[]): Promise<Ended> {
    if (!onlyReads(args, this.env)) return this.start(...args).ended;
    const { code, stdout, stderr } = await missionHere([...args, '--json'], this.root, this.env);
    return endedWith(code, null, stdout, stderr);
  }

  start(...args: string[]): Running {
    return this.spawn(process.execPath, [cliFile, ...args, '--json']);
  }

  spawn(
    file: string,
    args: readonly string[],
    options: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string } = {},
  ): Running {
    const child = spawn(file, args, {
      cwd: options.cwd ?? this.root,
      env: options.env ?? this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.running.add(child);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        this.running.delete(child);
        resolve(endedWith(code, signal, stdout, stderr));
      });
    });
    return { child, ended };
  }

  /** A shell command on a terminal of its own (util-linux `script`). */
  terminal(command: string): {
    shows(text: string): Promise<unknown>;
    press(keys: string): void;
    screen(): string;
    readonly code: Promise<number | null>;
  } {
    const child = spawn('/usr/bin/script', ['-qfec', `exec ${command}`, '/dev/null'], {
      cwd: this.root,
      env: { ...this.env, SHELL: '/bin/sh', TERM: 'xterm' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.running.add(child);
    let screen = '';
    child.stdout.on('data', (data: Buffer) => (screen += data.toString()));
    const code = new Promise<number | null>((resolve) => {
      child.once('close', (status) => {
        this.running.delete(child);
        resolve(status);
      });
    });
    return {
      shows: (text) =>
        until(() => screen.includes(text)).catch(() =>
          assert.fail(`the terminal does not show ${JSON.stringify(text)}:\n${screen}`),
        ),
      press: (keys) => void child.stdin.write(keys),
      screen: () => screen,
      code,
    };
  }

  /** No sandbox, no agent CLI and no variable of a surrounding session is visible. */
  get env(): NodeJS.ProcessEnv {
    const bin = path.join(this.scratch, 'bin');
    if (!existsSync(bin)) {
      mkdirSync(bin);
      symlinkSync(machineNode(), path.join(bin, 'node'));
    }
    return {
      PATH: `${bin}${path.delimiter}${machinePath()}`,
      HOME: this.scratch,
      LANG: 'C.UTF-8',
      TMPDIR: tmpdir(),
      GIT_CONFIG_NOSYSTEM: '1',
      ...compileCache,
    };
  }

  git(...args: string[]): string {
    return gitIn(this.root, this.scratch, args);
  }

  /** What the journal holds of a mission, or of the newest one of a plan. */
  async events(id: string): Promise<readonly MissionEvent[]> {
    const { json } = await this.mission('journal', 'export', id);
    return json.lines.map((line) => (JSON.parse(line) as { event: MissionEvent }).event);
  }

  /** The id of the only mission, once there is one. */
  async missionId(): Promise<string> {
    return until(async () => {
      const { json } = await this.mission('list');
      return json.missions[0]?.mission_id;
    });
  }

  /** Ends what a failed test left running, then removes everything. */
  async dispose(): Promise<void> {
    for (const child of this.running) child.kill('SIGKILL');
    // Workers outlive their owners on purpose: those that still live are stopped the way a person would.
    const listed = existsSync(this.at('.mission-control')) ? (await this.mission('list')).json : null;
    const missions = (listed as Partial<Printed> | null)?.missions ?? [];
    for (const mission of missions) {
      if (mission.ending === null && mission.live !== null)
        await this.mission('cancel', mission.mission_id, '--by', 'tests', '--reason', 'end of the test');
    }
    // A supervisor may still remove layers of a launch that has ended.
    rmSync(this.scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

function endedWith(code: number | null, signal: NodeJS.Signals | null, stdout: string, stderr: string): Ended {
  return {
    code,
    signal,
    stdout,
    stderr,
    get json() {
      try {
        return JSON.parse(stdout) as Printed;
      } catch {
        return assert.fail(`not one JSON document: ${stdout}\n${stderr}`);
      }
    },
  };
}

/** Waits for a condition on the world, looking again until it holds. */
export async function until<T>(
  look: () => T | undefined | false | null | Promise<T | undefined | false | null>,
  limitMs = 90_000,
): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found;
    if (performance.now() > deadline) assert.fail(`waited in vain for: ${look.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A zombie is gone for every process but its parent.
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}

/** Beginning of a task's module. */
export const start = `import fs from 'node:fs'; fs.mkdirSync('docs/out', { recursive: true });\n`;
export const decision = ['--by', 'Grace', '--reason', 'because'] as const;

/** A Node on PATH that has no SQLite. */
export function olderNode(): string | null {
  for (const folder of searchedOutside().split(path.delimiter)) {
    const file = path.join(folder, 'node');
    if (!existsSync(file)) continue;
    const version = execFileSync(file, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim();
    if (Number(version.split('.')[0]) < 22) return file;
  }
  return null;
}
