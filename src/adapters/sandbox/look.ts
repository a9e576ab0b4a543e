import { lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { SandboxBoundary } from '../../engine/ports/sandbox';
import { repositoryAt } from '../git/locate';
import { homeFolder } from '../system/machine';
import { findBoundary } from './boundary';
import { inside, type DiskFacts, type Link } from './facts';
import { findHome } from './home';
import { trace, type Traced } from './resolve';
import { findSockets } from './sockets';
import { leadingVariables } from './variables';

export interface LookOptions {
  readonly bwrap: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folders that nothing in the sandbox may look into. */
  readonly secret?: readonly string[];
  /** The person's home; default: this user's. */
  readonly home?: string | null;
  readonly root?: boolean;
}

/**
 * Looks at the disk for one boundary, and makes the folders of the run that are mounted.
 *
 * @throws Error where workspace or run directory are not what they have to be; the file system's own errors.
 */
export async function look(boundary: SandboxBoundary, options: LookOptions): Promise<DiskFacts> {
  const { environment, bwrap, root = process.geteuid?.() === 0 } = options;
  const home = options.home === undefined ? homeFolder() : options.home;
  const found = await findBoundary(boundary, home);
  const { workspace, run, granted, open } = found;

  const tmp = await folderOrNull('/tmp');
  const hidden = await hiddenFolders(environment, [workspace, run, ...(home === null ? [] : [home])]);
  const needed = await neededPlaces(boundary, environment, home);
  const secret = (await Promise.all((options.secret ?? []).map(folderOrNull))).filter((one) => one !== null);
  const everywhere = [...hidden, ...(tmp === null ? [] : [tmp]), '/dev'];
  const isHidden = (at: string): boolean => everywhere.some((folder) => inside(at, folder) && at !== folder);

  const visible = needed.flatMap(({ exists, path: at }) => (exists && isHidden(at) ? [at] : []));
  const isSeen = (at: string): boolean => !isHidden(at) || visible.some((one) => inside(at, one));

  const places = needed.map(({ path: at }) => at);
  const homes = await findHome(boundary.home, {
    environment,
    home,
    privateFolder: path.posix.join(run, 'work/home'),
    needed: [workspace, run, ...places, ...open],
    isHidden: (at) => !isSeen(at),
  });
  const isOwn = (at: string): boolean => inside(at, path.posix.join(run, 'work'));
  return {
    ...{
      bwrap,
      root,
      network: boundary.network,
      namespaces: boundary.namespaces === true,
      tmp,
      emptied: [...hidden, ...secret],
      workspace,
      run,
    },
    visible: [...new Set([...visible, ...(await nameService(hidden))])],
    links: [...needed, ...granted].flatMap(({ links }) => links).filter(unique),
    writable: found.writable,
    sealed: [...new Set([...found.sealed, ...found.nested])],
    absent: found.absent,
    granted: granted.flatMap(({ exists, path: at }) => (exists ? [at] : [])),
    home: homes.mounts,
    sockets: await findSockets(environment, home, (at) => !isOwn(at) && isSeen(at)),
    kernel: root ? await existing(kernelFiles) : [],
    unset: leadingVariables(environment),
    notes: [
      ...found.notes,
      ...homes.notes,
      ...(root && boundary.namespaces === true
        ? ['Root may make namespaces in it, and write control groups there.']
        : []),
      ...(boundary.network ? ['With a network, listeners on this machine that have no path can be reached.'] : []),
    ],
  };
}

/** Where sockets of the session and of services lie. */
async function hiddenFolders(
  environment: LookOptions['environment'],
  needed: readonly string[],
): Promise<readonly string[]> {
  const session = environment['XDG_RUNTIME_DIR'];
  const wanted = ['/run', '/var/run', '/mnt/wslg', ...(session?.startsWith('/') === true ? [session] : [])];
  const real = await Promise.all(wanted.map(folderOrNull));
  const found = [...new Set(real.flatMap((one) => (one === null || one === '/' ? [] : [one])))];
  const outer = found.filter((one) => !found.some((other) => other !== one && inside(one, other)));
  // The session's folder may be any folder.
  return outer.filter((one) => one === '/run' || !needed.some((place) => inside(place, one)));
}

/** What has to be found wherever it lies, and the links on the way to it. */
async function neededPlaces(
  boundary: SandboxBoundary,
  environment: LookOptions['environment'],
  home: string | null,
): Promise<readonly Traced[]> {
  const places = [boundary.workspace_dir, boundary.run_dir, ...(home === null ? [] : [home])];
  const repository = await repositoryAt(boundary.workspace_dir).catch(() => null);
  if (repository !== null) places.push(repository.gitDir, repository.commonDir);
  const folders = (environment['PATH'] ?? '').split(':').filter((one) => one.startsWith('/'));
  const traced = await Promise.all([...places, ...folders, ...(boundary.reads ?? [])].map(trace));
  // A program brings what lies beside its folder: bin/tool leads to lib/node_modules/tool.
  const around = traced.slice(places.length).flatMap(({ path: at }) => programFolders(at));
  return [...traced, ...(await Promise.all([...new Set(around)].map(trace)))];
}

/** `/tmp/a/bin` and `/tmp/a/bin/tool` bring `/tmp/a`, `/tmp/a/lib/node_modules/b/c.js` brings `/tmp/a/lib/node_modules`. */
function programFolders(at: string): readonly string[] {
  const parts = at.split('/');
  const packages = parts.indexOf('node_modules');
  if (packages > 0) return deepEnough(parts.slice(0, packages + 1));
  const programs = parts.findIndex((part) => part === 'bin' || part === 'sbin' || part === '.bin');
  return programs > 0 ? deepEnough(parts.slice(0, programs)) : [];
}

/** `/tmp` and `/run` themselves stay hidden, and what holds everything of one user. */
function deepEnough(parts: readonly string[]): readonly string[] {
  return parts.length > 2 && !(parts[1] === 'run' && parts.length < 5) ? [parts.join('/')] : [];
}

/** What /etc/resolv.conf leads to, where it lies in a hidden folder: without it no name is found. */
async function nameService(hidden: readonly string[]): Promise<readonly string[]> {
  const { path: at, exists } = await trace('/etc/resolv.conf');
  return exists && hidden.some((folder) => inside(at, folder)) ? [at] : [];
}

async function folderOrNull(folder: string): Promise<string | null> {
  const real = await realpath(folder).catch(() => null);
  return real !== null && (await stat(real)).isDirectory() ? real : null;
}

async function existing(files: readonly string[]): Promise<readonly string[]> {
  const there = await Promise.all(
    files.map((file) =>
      lstat(file).then(
        () => true,
        () => false,
      ),
    ),
  );
  return files.filter((_, index) => there[index]);
}

function unique({ path: at }: Link, index: number, all: readonly Link[]): boolean {
  return all.findIndex((other) => other.path === at) === index;
}

/**
 * Root may write these without any capability; through /proc/sys/kernel/core_pattern a program runs outside. bubblewrap
 * leaves /proc/sys to real root.
 */
const kernelFiles = ['acpi', 'bus', 'driver', 'dynamic_debug', 'fs', 'irq', 'mtrr', 'scsi', 'sys', 'sysrq-trigger'].map(
  (name) => `/proc/${name}`,
);
