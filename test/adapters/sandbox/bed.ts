import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { folderNames, joinNative, type NativePath } from '../../../src/adapters/files/entry';
import process from 'node:process';
import type { Writable } from 'node:stream';
import type { Context } from 'mocha';
import { createSandboxes, type SandboxOptions } from '../../../src/adapters/sandbox/sandboxes';
import type { SandboxBoundary, SandboxLine, Sandboxes } from '../../../src/engine/ports/sandbox';
import { needsBubblewrap, needsNewerBubblewrap } from '../../support/bubblewrap';
import { skipWithReason } from '../../support/skip';
import type { User } from '../../support/users';
import { filterDescriptor, systemCallFilter } from '../../../src/adapters/sandbox/bubblewrap/systemCalls';
import { withoutVanished } from '../../../src/adapters/sandbox/bubblewrap/dropMissingMounts';

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

export type Asked = Partial<Omit<SandboxBoundary, 'workspace_dir' | 'run_dir'>> & {
  readonly workspace_dir?: string;
  readonly run_dir?: string;
};

/** A workspace, a run directory and a home, and a way to run a shell script in the sandbox around them. */
export class Bed {
  readonly workspace: string;
  readonly run: string;
  readonly home: string;
  readonly outside: string;
  /** Beside the folder, in which nothing may change. */
  readonly state: string;
  /** State folders of this user's workspaces. */
  states: readonly string[] = [];
  environment: Record<string, string>;

  constructor(
    readonly user: User,
    readonly folder: string,
    programs: string,
    workspace = path.join(folder, 'ws'),
  ) {
    this.workspace = workspace;
    this.run = path.join(this.workspace, '.mission-control/missions/m1/runs/1-a');
    this.home = path.join(folder, 'home');
    this.outside = path.join(folder, 'outside');
    this.state = `${folder}-state`;
    for (const one of [this.run, this.home, this.outside, this.state]) mkdirSync(one, { recursive: true });
    this.environment = {
      PATH: `${programs}:${process.env['PATH'] ?? ''}`,
      HOME: this.home,
      LC_ALL: 'C.UTF-8',
    };
  }

  /** Files by their path in the workspace (absolute ones as they are); a name that ends in / is a folder. */
  put(files: Readonly<Record<string, string>>): void {
    for (const [name, content] of Object.entries(files)) {
      const at = path.resolve(this.workspace, name);
      mkdirSync(name.endsWith('/') ? at : path.dirname(at), { recursive: true });
      if (!name.endsWith('/')) writeFileSync(at, content);
    }
  }

  async line(asked: Asked): Promise<SandboxLine> {
    const answer = await sandboxesOf(this).line(this.boundary(asked));
    assert.ok(answer.ok, JSON.stringify(answer));
    if (this.user === 'nobody') for (const one of [this.folder, this.state]) own(one);
    return answer.value;
  }

  /** The command line around a worker, with what mounts its layers. */
  async command(asked: Asked): Promise<readonly string[]> {
    const { argv, layers } = await this.line(asked);
    return [...(layers?.around ?? []), ...withoutVanished(argv)];
  }

  boundary(asked: Asked): SandboxBoundary {
    return {
      workspace_dir: this.workspace,
      run_dir: this.run,
      writable: [],
      sealed: ['docs/plans', 'docs/ops/executions', '.mission-control', '.git'],
      granted: [],
      home: [],
      network: false,
      ...asked,
    };
  }

  /** Runs a script of the shell in the workspace, confined. `composed` runs before it starts. */
  async confined(asked: Asked, script: string, composed?: () => void): Promise<Ran> {
    const { argv, layers } = await this.line(asked);
    composed?.();
    // As the supervisor does: other tests on this machine make and remove sockets all the time.
    for (;;) {
      const standing = withoutVanished(argv);
      const ran = await this.spawn([...(layers?.around ?? []), ...standing, '/bin/sh', '-c', script]);
      if (!ran.output.startsWith('bwrap: ') || withoutVanished(argv).length === standing.length) return ran;
    }
  }

  /** The same script with nothing that holds it back. */
  async free(script: string): Promise<Ran> {
    if (this.user === 'nobody') own(this.folder);
    return this.spawn(['/bin/sh', '-c', script]);
  }

  /** Starts a command line in the workspace, with the filter where it reads one. */
  start(argv: readonly string[]): ChildProcess {
    const [file = '', ...args] = argv;
    const identity = this.user === 'nobody' ? { uid: 65534, gid: 65534 } : {};
    const child: ChildProcess = spawn(file, args, {
      cwd: this.workspace,
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe', 'ignore', 'ignore', 'ignore', argv.includes('--seccomp') ? 'pipe' : 'ignore'],
      ...identity,
    });
    const filter = child.stdio.at(filterDescriptor) as Writable | null | undefined;
    filter?.on('error', () => undefined).end(systemCallFilter());
    return child;
  }

  spawn(argv: readonly string[]): Promise<Ran> {
    const child = this.start(argv);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve({ code, signal, output }));
    });
  }

  /** Every name below a folder, sorted; folders end in /. */
  names(folder = this.workspace): readonly string[] {
    const all = readdirSync(folder, { recursive: true, withFileTypes: true });
    return all
      .map((one) => path.relative(folder, path.join(one.parentPath, one.name)) + (one.isDirectory() ? '/' : ''))
      .sort();
  }
}

const made: string[] = [];
/** The bubblewrap of all beds below the checkout. */
const shared: { programs?: string } = {};
const asked = new Map<string, { options: SandboxOptions; sandboxes: Sandboxes }>();

/** The user that a launch runs as. */
export function idsOf(user: User): { readonly uid: number; readonly gid: number } {
  if (user === 'nobody') return { uid: 65534, gid: 65534 };
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}

/** Looks for what this bed has, as each call does, by a bubblewrap that was tried out once for each user and PATH. */
function sandboxesOf({ user, environment, home, state, states }: Bed): Sandboxes {
  const key = `${user} ${environment['PATH'] ?? ''}`;
  const before = asked.get(key);
  const options = {
    environment,
    home,
    user: idsOf(user),
    state,
    caches: () => path.join(state, 'caches'),
    secret: [state],
    states: () => Promise.resolve(states),
  };
  if (before !== undefined) {
    Object.assign(before.options, options);
    return before.sandboxes;
  }
  const sandboxes = createSandboxes(options);
  asked.set(key, { options, sandboxes });
  return sandboxes;
}

/**
 * A bed in a fresh folder: below the folder for temporary files, which the sandbox hides, or below the checkout, which
 * it does not.
 */
export function makeBed(context: Context, user: User, where: 'tmp' | 'checkout' = 'checkout', inner = 'ws'): Bed {
  const bwrapFolder = needsBubblewrap(context);
  const parent = where === 'tmp' ? os.tmpdir() : path.resolve('.artifacts/sandbox');
  mkdirSync(parent, { recursive: true });
  if (user === 'nobody' && !reachable(parent)) skipWithReason(context, `an unprivileged user cannot enter ${parent}`);
  const folder = makeFolder(parent, 'bed-');
  made.push(folder);
  const programs =
    where === 'tmp' ? copied(bwrapFolder, folder) : (shared.programs ??= sharedCopy(bwrapFolder, parent));
  return new Bed(user, folder, programs, path.join(folder, inner));
}

/** The same with a bubblewrap that mounts layers by itself (`newer`), or with the one of this machine. */
export function makeLayersBed(context: Context, user: User, by: LayersBy): Bed {
  const bed = makeBed(context, user);
  if (by === 'newer')
    bed.environment['PATH'] =
      `${copied(needsNewerBubblewrap(context), bed.folder)}${path.delimiter}${bed.environment['PATH'] ?? ''}`;
  return bed;
}

export type LayersBy = 'newer' | 'this machine';

/** Each user with each bubblewrap; in the quick tier with that of this machine. */
export function layersOf(users: readonly User[]): readonly { readonly user: User; readonly by: LayersBy }[] {
  const all: readonly LayersBy[] =
    process.env['MISSION_TESTS_TIER'] === 'quick' ? ['this machine'] : ['this machine', 'newer'];
  return users.flatMap((user) => all.map((by) => ({ user, by })));
}

export function removeBeds(): void {
  for (const folder of made.splice(0)) {
    // The kernel leaves a empty folder in each layer, which its user may not open.
    spawnSync('chmod', ['-R', 'u+rwX', `${folder}-state`]);
    for (const one of [folder, `${folder}-state`]) rmSync(one, { recursive: true, force: true });
  }
}

function makeFolder(parent: string, prefix: string): string {
  const folder = mkdtempSync(path.join(parent, prefix));
  chmodSync(folder, 0o755);
  return folder;
}

/** The folder inside `folder` that holds a copy of bubblewrap, which another user can start too. */
function copied(bwrapFolder: string, folder: string): string {
  const programs = path.join(folder, 'programs');
  mkdirSync(programs);
  copyFileSync(path.join(bwrapFolder, 'bwrap'), path.join(programs, 'bwrap'));
  return programs;
}

function sharedCopy(bwrapFolder: string, parent: string): string {
  const folder = makeFolder(parent, 'shared-');
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return copied(bwrapFolder, folder);
}

const reachableFolders = new Map<string, boolean>();

function reachable(folder: string): boolean {
  const known = reachableFolders.get(folder);
  if (known !== undefined) return known;
  const looked = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { uid: 65534, gid: 65534, cwd: '/' });
  reachableFolders.set(folder, looked.status === 0);
  return looked.status === 0;
}

/** Gives a folder to the unprivileged user. A folder that passes its group on keeps it. */
export function own(folder: NativePath): void {
  const { mode, gid } = lstatSync(folder);
  chownSync(folder, 65534, (mode & 0o2000) === 0 ? 65534 : gid);
  for (const { name, bytes, isFolder } of folderNames(folder)) {
    const at = joinNative(folder, name, bytes);
    if (isFolder) own(at);
    else if (!lstatSync(at).isSymbolicLink()) chownSync(at, 65534, 65534);
  }
}
