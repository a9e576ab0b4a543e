import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { otherTemporaryVariables } from '../../contracts/vocabulary/temporary';
import type { SandboxBoundary } from '../../engine/ports/sandbox';
import { repositoryAt } from '../git/locate';
import { homeFolder } from '../system/machine';
import { findBoundary } from './boundary';
import { findCaches } from './caches';
import { inside, noHardLinks, type DiskFacts, type Link } from './facts';
import { findHardLinks } from './findHardLinks';
import { findPrivate, folderOrNull, socketFolders } from './hidden';
import { findHome } from './home';
import { pnpmVariables } from './pnpmStore';
import { findPrograms } from './programs';
import { trace, type Traced } from './resolve';
import { opensNothing, type OpenedPlaces } from './services';
import { findSockets } from './sockets';
import { whyUnfiltered } from './systemCalls';
import { keptIn } from './uncovered';
import { leadingVariables } from './variables';

export interface LookOptions {
  readonly bwrap: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folders that no process in the sandbox may read. */
  readonly secret?: readonly string[];
  /** The person's home; default: this user's. */
  readonly home?: string | null;
  readonly root?: boolean;
  /** Returns the folder with the private caches of a workspace. Absent: caches are read-only. */
  readonly caches?: (workspace: string) => string;
  /** The services that the plan opens, as found on the disk. */
  readonly opened?: OpenedPlaces;
}

/**
 * Looks at the disk for one boundary, and makes the folders of the run that are mounted.
 *
 * @throws Error where workspace or run directory are not what they must be; the file system's own errors.
 */
export async function look(boundary: SandboxBoundary, options: LookOptions): Promise<DiskFacts> {
  const { environment, bwrap, root = process.geteuid?.() === 0, opened = opensNothing } = options;
  const home = options.home === undefined ? homeFolder() : options.home;
  const found = await findBoundary(boundary, home);
  const { workspace, run, granted, open } = found;

  const tmp = await folderOrNull('/tmp');
  const hidden = await socketFolders(environment, [workspace, run, ...(home === null ? [] : [home])]);
  const secret = (await Promise.all((options.secret ?? []).map(folderOrNull))).filter((one) => one !== null);
  const needed = await neededPlaces(boundary, home);
  const own = await findPrivate(home, boundary.secrets ?? 'none', [...needed.map(({ path: at }) => at), ...open]);
  const emptied = [...hidden, ...own.folders];
  const roots = [...emptied, ...(tmp === null ? [] : [tmp]), '/dev'];
  const isHidden = (at: string): boolean => roots.some((folder) => inside(at, folder) && at !== folder);

  const shown = needed.flatMap(({ exists, path: at }) => (exists && isHidden(at) ? [at] : []));
  const programs = await findPrograms({
    environment,
    programWords: boundary.programWords ?? [],
    own: boundary.own ?? [],
    workspace,
    places: { roots: [...roots, ...secret], shown, secret },
  });
  const visible = [...shown, ...programs.visible, ...opened.sockets];
  const kept = await keptIn([...own.listening, ...programs.visible]);
  const isSeen = (at: string): boolean => !isHidden(at) || visible.some((one) => inside(at, one));

  const places = [...needed.map(({ path: at }) => at), ...programs.visible];
  const homes = await findHome(boundary.home, {
    environment,
    home,
    privateFolder: path.posix.join(run, 'work/home'),
    needed: [workspace, run, ...places, ...open, ...emptied, ...secret],
    isHidden: (at) => !isSeen(at),
  });
  const ownCaches = boundary.caches === true && options.caches !== undefined;
  const ownHome = home === null ? null : (await trace(home)).path;
  const caches = ownCaches
    ? await findCaches({
        environment,
        home,
        folder: options.caches(workspace),
        privateFolder: path.posix.join(run, 'work/home'),
        kept: [workspace, run, ...open, ...places.filter((at) => at !== ownHome)],
        isHidden: (at) => !isSeen(at),
      })
    : { mounts: [], notes: [] };
  const isOwn = (at: string): boolean => inside(at, path.posix.join(run, 'work'));
  const unfiltered = whyUnfiltered();
  const facts: DiskFacts = {
    ...{
      bwrap,
      root,
      network: boundary.network,
      namespaces: boundary.namespaces === true,
      filtered: unfiltered === null,
      tmp,
      emptied: [...emptied, ...secret, ...kept.states, ...(root ? [firstProcess] : [])],
      workspace,
      run,
    },
    visible: [...new Set([...visible, ...(await nameService(hidden))])],
    links: unique([...[...needed, ...granted].flatMap(({ links }) => links), ...programs.links]),
    writable: found.writable,
    sealed: [...new Set([...found.sealed, ...found.nested])],
    absent: found.absent,
    granted: granted.flatMap(({ exists, path: at }) => (exists ? [at] : [])),
    home: [...homes.mounts, ...caches.mounts],
    sockets: [
      ...own.files.map((at) => ({ path: at, alone: false })),
      ...(await findSockets({
        environment,
        folders: [workspace, ...(home === null ? [] : [home])],
        concerns: (at) => !isOwn(at) && isSeen(at) && !opened.sockets.includes(at),
        found: kept.sockets,
      })),
    ],
    devices: opened.devices,
    kernel: root ? await existing(kernelFiles) : [],
    named: programs.named,
    unset: [...leadingVariables(environment, opened.sockets), ...otherTemporaryVariables],
    // A long path leaves no room for a socket, and the person's own folder does not exist inside.
    variables: {
      TMPDIR: tmp === null ? path.posix.join(run, 'work/tmp') : '/tmp',
      ...(await pnpmVariables({ environment, home, workspace, layers: caches.mounts })),
    },
    notes: [
      ...found.notes,
      ...homes.notes,
      ...caches.notes,
      ...(unfiltered === null ? [] : [unfiltered]),
      ...(root && boundary.namespaces === true
        ? ['Root may make namespaces in it, and write control groups there.']
        : []),
      ...(boundary.network ? ['With a network, listeners on this machine that have no path can be reached.'] : []),
    ],
    hardLinks: noHardLinks,
  };
  return { ...facts, hardLinks: await findHardLinks(facts) };
}

/** Returns the places, apart from programs, that must be visible wherever they lie, and the links on the way. */
async function neededPlaces(boundary: SandboxBoundary, home: string | null): Promise<readonly Traced[]> {
  const places = [boundary.workspace_dir, boundary.run_dir, ...(home === null ? [] : [home])];
  const repository = await repositoryAt(boundary.workspace_dir).catch(() => null);
  if (repository !== null) places.push(repository.gitDir, repository.commonDir);
  return Promise.all(places.map(trace));
}

/** Returns the target of /etc/resolv.conf if it lies in a hidden folder, because no name is found without it. */
async function nameService(hidden: readonly string[]): Promise<readonly string[]> {
  const { path: at, exists } = await trace('/etc/resolv.conf');
  return exists && hidden.some((folder) => inside(at, folder)) ? [at] : [];
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

function unique(links: readonly Link[]): readonly Link[] {
  return [...new Map(links.map((link) => [link.path, link])).values()];
}

/** The sandbox's own first process, because root could change bubblewrap's file on the host through its `exe`. */
const firstProcess = '/proc/1';

/**
 * Root may write these without any capability, and through /proc/sys/kernel/core_pattern it could run a program
 * outside. bubblewrap leaves /proc/sys to real root.
 */
const kernelFiles = ['acpi', 'bus', 'driver', 'dynamic_debug', 'fs', 'irq', 'mtrr', 'scsi', 'sys', 'sysrq-trigger'].map(
  (name) => `/proc/${name}`,
);
