import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { killTree } from '../../src/adapters/processes/tree';
import { processRecordSchema, runFiles } from '../../src/contracts/launch';
import type { ProcessRecord } from '../../src/contracts/launch';
import { taskEvidenceSchema } from '../../src/contracts/taskEvidence';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import type { AgentName } from '../../src/contracts/vocabulary/workers';
import type { MissionEvent } from '../../src/core/model/events';
import { agentEnvironment, agentExecutable, agentExtraArgs } from './homes';
import type { AgentPlace } from './homes';
import { planFor, planId } from './plans';
import type { PlanChanges } from './plans';

export const missionProgram = path.resolve(process.cwd(), 'dist/cli.js');

/** How one call of `mission` ended. */
export interface ProgramEnd {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The one document of `--json`, or null when there was none. */
  readonly answer: Readonly<Record<string, unknown>> | null;
}

export interface MissionOptions extends PlanChanges {
  /** Another plan altogether, as its bytes. */
  readonly plan?: { readonly id: string; readonly text: string };
  /** Another folder to make the place in. */
  readonly base?: string;
  /** Variables of the surrounding session, on top of what the CLI needs. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Text of a shell script that stands for the CLI; `$CLI` in it is the real one with its arguments. */
  readonly wrapper?: string;
  /** Gemini CLI is to refuse the folder at first, as it does where no person has set anything. */
  readonly refusesFolder?: boolean;
}

/** A workspace with one approved plan for one agent, and the built `mission` in an environment made for it. */
export interface MissionBed {
  readonly planFile: string;
  /** `mission ... --workspace W --json`; never rejects for an exit code. */
  mission(...args: string[]): Promise<ProgramEnd>;
  run(...args: string[]): Promise<ProgramEnd>;
  /** `mission plan validate` of the plan file. */
  validate(): Promise<ProgramEnd>;
  verify(): Promise<ProgramEnd>;
  /** `docs/ops/executions/<plan_id>/TASK_<task>.json`, or null when it was not written. */
  task(taskId?: string): Promise<TaskEvidence | null>;
  /** The journal of the plan's newest mission, as `mission journal export` prints it. */
  events(): Promise<readonly MissionEvent[]>;
  /** Run directories of all missions here, in order. */
  runDirs(): Promise<readonly string[]>;
  /** Who runs in the newest run directory, once its worker was started. */
  worker(): Promise<ProcessRecord | null>;
  /** Ends a worker that a failed test left behind, by its identity. */
  endLeftovers(): Promise<void>;
}

/** Milliseconds; a call of `mission` that takes longer is ended and fails its test. */
const callLimit = 150_000;

/** Commands that start workers. */
const starting = ['run', 'retry', 'resume', 'grant', 'answer'];
/** Without this option each mission loads Gemini CLI once in vain, because it does not trust the folder. */
const trusting = ['--cli-arg', 'gemini=--skip-trust'];
/** Gemini CLI is a script of many megabytes, which Node compiles anew for each launch without this variable. */
const cached = ['--cli-env', 'gemini=NODE_COMPILE_CACHE'];

/** @param modelUrl where the CLI finds its model */
export async function makeMission(
  agent: AgentName,
  place: AgentPlace,
  modelUrl: string,
  options: MissionOptions = {},
): Promise<MissionBed> {
  const plan = options.plan ?? {
    id: planId,
    text: `${JSON.stringify(planFor(agent, options), null, 2)}\n`,
  };
  const planFile = path.join(place.workspace, 'docs', 'plans', `PLAN_${plan.id}.json`);
  await mkdir(path.dirname(planFile), { recursive: true });
  await mkdir(path.join(place.workspace, 'src'), { recursive: true });
  await writeFile(path.join(place.workspace, 'src', 'existing.txt'), 'here before\n');
  await writeFile(planFile, plan.text);
  const environment = {
    ...agentEnvironment(agent, place.home, modelUrl),
    ...(await wrapped(agent, place, modelUrl, options.wrapper)),
    ...options.environment,
  };
  await commitAll(place, environment);

  const program: MissionBed['mission'] = async (...args) => {
    const end = await call(place, environment, [...args, '--json']);
    return { ...end, answer: jsonObject(end.stdout) };
  };
  const settings = plan.text.includes('"gemini"')
    ? [...cached, ...(options.refusesFolder === true ? [] : trusting)]
    : [];
  const mission: MissionBed['mission'] = (...args) => {
    const more = starting.includes(args[0] ?? '') ? settings : [];
    return program(...args, ...more, '--workspace', place.workspace);
  };
  const runDirs: MissionBed['runDirs'] = () => runDirsOf(place.workspace);
  return {
    planFile,
    mission,
    run: (...args) => mission('run', planFile, ...args),
    validate: () => program('plan', 'validate', planFile),
    verify: () => mission('evidence', 'verify', plan.id),
    async task(taskId = 'T1') {
      const file = path.join(place.workspace, 'docs', 'ops', 'executions', plan.id, `TASK_${taskId}.json`);
      return existsSync(file) ? taskEvidenceSchema.parse(JSON.parse(await readFile(file, 'utf8'))) : null;
    },
    async events() {
      const { answer, stdout, stderr } = await mission('journal', 'export', plan.id);
      const lines = answer?.['lines'];
      if (!Array.isArray(lines)) throw new Error(`no journal: ${stdout}\n${stderr}`);
      return lines.map((line) => (JSON.parse(String(line)) as { event: MissionEvent }).event);
    },
    runDirs,
    async worker() {
      const newest = (await runDirs()).at(-1);
      return newest === undefined ? null : workerIn(newest);
    },
    async endLeftovers() {
      for (const runDir of await runDirs()) {
        const record = existsSync(path.join(runDir, runFiles.exit)) ? null : await workerIn(runDir);
        if (record !== null) await killTree({ root: record.worker, nonce: record.nonce }, { graceMs: 0 });
      }
    },
  };
}

async function workerIn(runDir: string): Promise<ProcessRecord | null> {
  const file = path.join(runDir, runFiles.process);
  if (!existsSync(file)) return null;
  const record = processRecordSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  return record.worker === null ? null : record;
}

/** A person's own script of the CLI's name, first on PATH; the real CLI is what it starts. */
async function wrapped(
  agent: AgentName,
  place: AgentPlace,
  modelUrl: string,
  wrapper: string | undefined,
): Promise<{ PATH?: string }> {
  const args = agentExtraArgs(agent, modelUrl);
  if (args.length === 0 && wrapper === undefined) return {};
  const file = path.join(place.root, 'bin', agent);
  await writeWrapper(file, agent, modelUrl, wrapper ?? 'exec $CLI "$@"');
  return { PATH: [path.dirname(file), agentEnvironment(agent, place.home, modelUrl)['PATH'] ?? ''].join(':') };
}

/** @param script `$CLI` is replaced by the real CLI and the arguments that lead it to the model */
export async function writeWrapper(file: string, agent: AgentName, modelUrl: string, script: string): Promise<void> {
  const quoted = [agentExecutable(agent), ...agentExtraArgs(agent, modelUrl)].map(
    (arg) => `'${arg.replaceAll("'", `'\\''`)}'`,
  );
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${script.replaceAll('$CLI', quoted.join(' '))}\n`);
  await chmod(file, 0o755);
}

async function commitAll(place: AgentPlace, environment: Record<string, string>): Promise<void> {
  const identity = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.invalid'];
  for (const args of [
    ['add', '--all'],
    [...identity, 'commit', '--quiet', '--message', 'start'],
  ]) {
    await promisify(execFile)('git', args, { cwd: place.workspace, env: environment });
  }
}

function call(
  place: AgentPlace,
  environment: Record<string, string>,
  args: readonly string[],
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const options = {
      cwd: place.workspace,
      env: environment,
      timeout: callLimit,
      killSignal: 'SIGKILL' as const,
      maxBuffer: 64 * 1024 * 1024,
    };
    execFile(process.execPath, [missionProgram, ...args], options, (error, stdout, stderr) => {
      if (error === null) resolve({ exitCode: 0, stdout, stderr });
      else if (typeof error.code === 'number') resolve({ exitCode: error.code, stdout, stderr });
      else reject(new Error(`mission ${args.join(' ')}: ${error.message}\n${stdout}\n${stderr}`));
    });
  });
}

async function runDirsOf(workspace: string): Promise<readonly string[]> {
  const missions = path.join(workspace, '.mission-control', 'missions');
  if (!existsSync(missions)) return [];
  const found = (await readdir(missions)).map((mission) => path.join(missions, mission, 'runs'));
  const runs = await Promise.all(
    found.filter(existsSync).map(async (runsDir) => (await readdir(runsDir)).map((run) => path.join(runsDir, run))),
  );
  return runs.flat().sort();
}

function jsonObject(text: string): Readonly<Record<string, unknown>> | null {
  const trimmed = text.trim();
  return trimmed.startsWith('{') ? (JSON.parse(trimmed) as Readonly<Record<string, unknown>>) : null;
}
