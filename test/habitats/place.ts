import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Printed } from '../cli/cliBed';
import { compileCache } from '../support/compileCache';
import { machinePath, putNode } from '../support/machine';
import { planFile } from './planFile';
import { workProgram } from './workProgram';

/** How a program ended that was started in a habitat. */
export interface Ended {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The one document of `mission ... --json`; null where it printed none. */
  readonly json: Printed | null;
}

/**
 * Where one habitat is made: a fresh folder with a workspace, a HOME and a MISSION_CONTROL_HOME of its own. A row
 * changes what makes it that habitat before it writes anything: the folder, the environment, what programs are started
 * through.
 */
export class Place {
  readonly scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'mission-habitat-')));
  /** Outside the workspace: gates that workers wait for, and marks that something ran. */
  readonly outside = path.join(this.scratch, 'outside');
  workspace = path.join(this.scratch, 'work');
  /** Folder the commands are typed in. */
  cwd: string | null = null;
  /** Starts a program as another user or in another file system: put before its name. */
  enter: readonly string[] = [];
  /** What a person types for `mission`. */
  program: readonly string[] = [process.execPath, path.resolve('dist/cli.js')];
  /** How the test itself reaches a path of the habitat. */
  private prefix = '';
  private readonly started = new Set<ChildProcess>();

  readonly env: Record<string, string> = {
    PATH: [path.join(this.scratch, 'bin'), machinePath()].join(path.delimiter),
    HOME: path.join(this.scratch, 'home'),
    MISSION_CONTROL_HOME: path.join(this.scratch, 'state'),
    TMPDIR: path.join(this.scratch, 'tmp'),
    LANG: 'C.UTF-8',
    ...compileCache,
  };

  /** @param plans ids and texts of the plans in its workspace, given the folder outside */
  constructor(private readonly plans: (outside: string) => readonly (readonly [id: string, text: string])[]) {
    chmodSync(this.scratch, 0o755);
    for (const folder of ['bin', 'home', 'outside', 'tmp']) mkdirSync(path.join(this.scratch, folder));
    putNode(path.join(this.scratch, 'bin'));
    chmodSync(this.outside, 0o777);
  }

  get home(): string {
    return this.env['HOME'] ?? '';
  }
  /** Puts a folder in front of what is searched for programs. */
  search(folder: string): void {
    this.env['PATH'] = `${folder}${path.delimiter}${this.env['PATH'] ?? ''}`;
  }

  /** Writes a file of the habitat; relative to the workspace. */
  write(name: string, content: string, mode?: number): void {
    const file = this.here(name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    if (mode !== undefined) chmodSync(file, mode);
  }
  read(name: string): string {
    return readFileSync(this.here(name), 'utf8');
  }
  exists(name: string): boolean {
    return existsSync(this.here(name));
  }
  names(name: string): readonly string[] {
    return this.exists(name) ? readdirSync(this.here(name)) : [];
  }
  private here(name: string): string {
    return this.prefix + path.resolve(this.workspace, name);
  }

  /** The files every workspace has: something to leave alone, the program that tasks run, and plans. */
  files(): void {
    for (const [id, text] of this.plans(this.outside)) this.write(planFile(id), text);
    this.write('kept.txt', 'Not to be touched.\n');
    this.write('tools/work.mjs', workProgram);
  }

  /** The files in a repository with one commit; `prepare` is a script that runs before the commit. */
  async repository(prepare = ':'): Promise<void> {
    this.files();
    await this.sh(`git init -q -b main && ${prepare} && git add -A && git commit -q -m first`);
  }

  /** Runs a shell script in the workspace as the person who has this habitat. */
  async sh(script: string): Promise<string> {
    mkdirSync(this.prefix + this.workspace, { recursive: true });
    // Git and the like, also where the habitat has none of them on PATH.
    const PATH = `${this.env['PATH'] ?? ''}${path.delimiter}${machinePath()}`;
    const env = { ...this.env, ...identity, PATH, SCRATCH: this.scratch, WORK: this.workspace, OUTSIDE: this.outside };
    const ended = await this.spawn(['/bin/bash', '-ec', script], env, this.workspace).ended;
    assert.equal(ended.exit, 0, `${script}\n${ended.stdout}${ended.stderr}`);
    return ended.stdout.trim();
  }

  /** From now on everything runs in a mount namespace of its own, with what the script has mounted. */
  async mount(script: string): Promise<void> {
    mkdirSync(this.workspace, { recursive: true });
    const env = { ...this.env, SCRATCH: this.scratch, WORK: this.workspace };
    // It holds the namespace until its input ends.
    const holder = spawn('unshare', ['-rm', '/bin/bash', '-ec', `${script}\necho ready; exec cat`], {
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.started.add(holder);
    let said = '';
    await new Promise<void>((resolve, reject) => {
      holder.stdout.on('data', (data: Buffer) => data.includes('ready') && resolve());
      holder.stderr.on('data', (data: Buffer) => (said += data.toString()));
      holder.once('error', reject);
      holder.once('exit', () => reject(new Error(`${script}\n${said}`)));
    });
    const pid = String(holder.pid);
    this.enter = ['nsenter', '-t', pid, '-U', '-m', '--preserve-credentials'];
    this.prefix = `/proc/${pid}/root`;
  }

  /** Starts `mission ... --json`. */
  start(...args: readonly string[]): { readonly pid: number | undefined; readonly ended: Promise<Ended> } {
    return this.spawn([...this.program, ...args, '--json'], this.env, this.cwd ?? this.workspace);
  }
  mission(...args: readonly string[]): Promise<Ended> {
    return this.start(...args).ended;
  }

  private spawn(
    argv: readonly string[],
    env: Readonly<Record<string, string>>,
    cwd: string,
  ): { readonly pid: number | undefined; readonly ended: Promise<Ended> } {
    // Entering a mount namespace forgets the folder; a name may begin with a dash.
    const line = [...this.enter, '/bin/sh', '-c', 'cd -- "$1" && shift && exec "$@"', 'sh', cwd, ...argv];
    const child = spawn(line[0] ?? '', line.slice(1), { cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.started.add(child);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (exit) => {
        this.started.delete(child);
        resolve({ exit, stdout, stderr, json: documentOf(stdout) });
      });
    });
    return { pid: child.pid, ended };
  }

  /** Lets workers go that still wait, ends what still runs, then removes everything. */
  async dispose(): Promise<void> {
    for (const name of readdirSync(this.outside))
      if (name.endsWith('.waits')) writeFileSync(path.join(this.outside, name.slice(0, -'.waits'.length)), '');
    for (const child of this.started) child.kill('SIGKILL');
    await rm(this.scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns whether a program can be started here and ends well. */
export function succeeds(file: string, ...args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => execFile(file, args, (error) => resolve(error === null)));
}

/** What a person has configured for git, without a file that the habitat's HOME would have to hold. */
const identity = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.invalid',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.invalid',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_COUNT: '4',
  GIT_CONFIG_KEY_0: 'protocol.file.allow',
  GIT_CONFIG_VALUE_0: 'always',
  GIT_CONFIG_KEY_1: 'advice.detachedHead',
  GIT_CONFIG_VALUE_1: 'false',
  // Git packs a large repository beside the test.
  GIT_CONFIG_KEY_2: 'gc.auto',
  GIT_CONFIG_VALUE_2: '0',
  GIT_CONFIG_KEY_3: 'maintenance.auto',
  GIT_CONFIG_VALUE_3: 'false',
};

function documentOf(stdout: string): Printed | null {
  try {
    return JSON.parse(stdout) as Printed;
  } catch {
    return null;
  }
}
