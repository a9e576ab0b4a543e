import { stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { errorWords } from '../../base/outcome';
import type { LaunchLayers } from '../../contracts/launch';
import type { SandboxBoundary } from '../../engine/ports/sandbox';
import { statsOf } from '../files/regular';
import { repositoryAt } from '../git/locate';
import { homeFolder } from '../system/machine';
import { findBoundary, type FoundBoundary } from './places/boundary';
import { emptyCaches, findCaches, keptByNone, keptFolder, otherGroup } from './layers/caches';
import {
  inside,
  noHardLinks,
  type DiskFacts,
  type HomeMount,
  type LaunchUser,
  type LayerMeans,
  type Link,
  type WritableFact,
  written,
  type Environment,
} from './facts/facts';
import { findHardLinks } from './links/findHardLinks';
import { findPrivate, folderOrNull, signInsOf, socketFolders } from './places/hidden';
import { findHome } from './places/home';
import { landingAt } from './layers/landing';
import { launchFolder, makeLayer, makeTreeLayer, sharedFolder } from './layers/layers';
import { pnpmVariables } from './places/pnpmStore';
import { findPrograms } from './places/programs';
import { trace, type Traced } from './places/symlinkTrace';
import { opensNothing, type OpenedPlaces } from './places/services';
import { findSockets, keptIn } from './places/sockets';
import { whyUnfiltered } from './bubblewrap/systemCalls';
import { leadingVariables } from './bubblewrap/variables';

/** Further variables for temporary files, which nix-shell and pam set beside TMPDIR. */
const otherTemporaryVariables = ['TMP', 'TEMP', 'TEMPDIR'] as const;

export interface LookOptions {
  readonly bwrap: string;
  /** Programs are searched and sockets are named in it. Folders that a worker can write are left out. */
  readonly environment: Environment;
  /** Folders that no process in the sandbox may read. */
  readonly secret?: readonly string[];
  /** State folders of this user's workspaces; that of the launch has a cover of its own. */
  readonly states?: readonly string[];
  /** The person's home; default: this user's. */
  readonly home?: string | null;
  readonly user: LaunchUser;
  /** Returns the folder with the caches of a workspace. Absent: caches are read-only. */
  readonly caches?: (workspace: string) => string;
  readonly layering: Layering;
  /** The services that the plan opens, as found on the disk. */
  readonly opened?: OpenedPlaces;
}

/** How layers are mounted on this machine, or why none are. */
export type Layering =
  | {
      readonly means: LayerMeans;
      /** Returns why no layer can lie over a folder; null: one can. */
      readonly whyNot: (over: string) => Promise<string | null>;
    }
  | { readonly means: null; readonly why: string };

/**
 * Looks at the disk for one boundary, and makes the folders of the run that are mounted.
 *
 * @throws Error where workspace or run directory are not what they must be; the file system's own errors.
 */
export async function look(boundary: SandboxBoundary, options: LookOptions): Promise<DiskFacts> {
  const { environment, bwrap, user, opened = opensNothing } = options;
  const home = options.home === undefined ? homeFolder() : options.home;
  const found = await findBoundary(boundary, home);
  const { workspace, run, granted, open } = found;

  const tmp = await folderOrNull('/tmp');
  const hidden = await socketFolders(environment, [workspace, run, ...(home === null ? [] : [home])]);
  const secret = (await Promise.all((options.secret ?? []).map(folderOrNull))).filter((one) => one !== null);
  const needed = await neededPlaces(boundary, home);
  const own = await findPrivate(home, {
    ...{ seen: boundary.secrets ?? 'none', needed: [...needed.map(({ path: at }) => at), ...open] },
    isOwn: signInsOf(boundary, environment),
  });
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

  const states = (await Promise.all((options.states ?? []).map(folderOrNull))).flatMap((at) =>
    at !== null && isSeen(at) && !inside(run, at) ? [at] : [],
  );
  const places = [...needed.map(({ path: at }) => at), ...programs.visible];
  const ownHome = home === null ? null : trace(home).path;
  const layers = await layersOf(boundary, { ...found, home, ownHome, isSeen, places }, options);
  const layered = layers.launch?.home ?? null;
  const homes = await findHome(boundary.home, {
    environment,
    home,
    privateFolder: path.posix.join(run, 'work/home'),
    needed: [workspace, run, ...places, ...open, ...emptied, ...secret, ...states],
    isHidden: (at) => !isSeen(at) || (layered !== null && inside(at, layered)),
  });
  const isOwn = (at: string): boolean => inside(at, path.posix.join(run, 'work'));
  const unfiltered = whyUnfiltered();
  const facts: DiskFacts = {
    ...{
      bwrap,
      user,
      layerMeans: options.layering.means,
      layers: layers.launch,
      noTree: layers.noTree,
      network: boundary.network,
      namespaces: boundary.namespaces === true,
      filtered: unfiltered === null,
      tmp,
      emptied: [...new Set([...emptied, ...secret, ...kept.states, ...states]), firstProcess],
      workspace,
      run,
    },
    visible: [...new Set([...visible, ...nameService(hidden)])],
    links: unique([...[...needed, ...granted].flatMap(({ links }) => links), ...programs.links]),
    writable: found.writable.filter((one) => layers.launch?.tree === undefined || !isLanded(one, boundary, workspace)),
    sealed: [...new Set([...found.sealed, ...found.nested])],
    absent: found.absent,
    granted: granted.flatMap(({ exists, path: at }) => (exists ? [at] : [])),
    home: [
      ...layers.mounts.filter(({ at }) => at === layered),
      ...homes.mounts,
      ...layers.mounts.filter(({ at }) => at !== layered),
    ],
    sockets: [
      ...own.files.map((at) => ({ path: at, alone: false })),
      ...(await findSockets({
        environment,
        folders: [workspace, ...(home === null || layered !== null ? [] : [home])],
        concerns: (at) => !isOwn(at) && isSeen(at) && !opened.sockets.includes(at),
        found: kept.sockets,
      })),
    ],
    devices: opened.devices,
    kernel: user.uid === 0 ? kernelFiles.filter((file) => statsOf(file) !== null) : [],
    masked: keyLists.filter((file) => statsOf(file) !== null),
    named: programs.named,
    unset: [...leadingVariables(environment, opened.sockets), ...otherTemporaryVariables],
    // A long path leaves no room for a socket, and the person's own folder does not exist inside.
    variables: {
      TMPDIR: tmp === null ? path.posix.join(run, 'work/tmp') : '/tmp',
      ...layers.variables,
    },
    notes: [
      ...found.notes,
      ...homes.notes,
      ...layers.notes,
      ...(own.complete ? [] : ['HOME has too many files to look through for keys: not all are hidden.']),
      ...(unfiltered === null ? [] : [unfiltered]),
      ...(user.uid === 0 && boundary.namespaces === true
        ? ['Root may make namespaces in it, and write control groups there.']
        : []),
      ...(boundary.network ? ['With a network, listeners on this machine that have no path can be reached.'] : []),
    ],
    hardLinks: noHardLinks,
  };
  return { ...facts, hardLinks: await findHardLinks(facts) };
}

interface Layers {
  readonly mounts: readonly HomeMount[];
  readonly launch: LaunchLayers | null;
  readonly noTree: string | null;
  readonly variables: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

interface LayersAsked extends FoundBoundary {
  readonly home: string | null;
  /** The same, resolved. */
  readonly ownHome: string | null;
  readonly places: readonly string[];
  readonly isSeen: (at: string) => boolean;
}

/** Makes HOME a read-only layer, and each cache of a command one that it writes. */
async function layersOf(
  boundary: SandboxBoundary,
  { workspace, run, open, writable, home, ownHome, places, isSeen }: LayersAsked,
  { environment, layering, user, bwrap, caches: cachesOf }: LookOptions,
): Promise<Layers> {
  const nothing: Layers = { mounts: [], launch: null, noTree: null, variables: {}, notes: [] };
  if (cachesOf === undefined) return nothing;
  const all = cachesOf(workspace);
  if (layering.means === null) {
    const notes = [`HOME is no layer, because ${layering.why}: its sockets are closed by their names.`];
    const noTree = boundary.layered === true ? layering.why : null;
    if (boundary.caches === undefined) return { ...nothing, noTree, notes };
    const empty = await keptFolder(path.posix.join(all, 'empty'), boundary.caches, boundary);
    const variables = await emptyCaches(empty, { environment, home, workspace, platform: 'linux' });
    const mounts = [...new Set(Object.values(variables))].map((at): HomeMount => ({ at, kind: 'private', from: at }));
    return { ...nothing, mounts, noTree, variables, notes };
  }
  const folder = await launchFolder(all, run);
  const notes: string[] = [];
  const mounts: HomeMount[] = [];
  const isPerson =
    ownHome !== null && ownHome !== '/' && ![workspace, run, ...open].some((one) => inside(ownHome, one));
  const why = isPerson ? await layering.whyNot(ownHome).catch(errorWords) : null;
  const layered = isPerson && why === null ? ownHome : null;
  if (why !== null) notes.push(`HOME is no layer, because ${why}: its sockets are closed by their names.`);
  if (layered !== null) {
    const own = path.posix.join(folder, 'home');
    await makeLayer(own, [layered]);
    mounts.push({ at: layered, kind: 'layer', own, lowers: [layered], access: 'read' });
  }
  const landed = writable.filter((one) => isLanded(one, boundary, workspace));
  const around = open.filter((one) => one !== workspace);
  const noTree =
    boundary.layered === true
      ? ((await whyNoTree({ workspace, open: around, user, state: all }, layering.whyNot)) ??
        // What a check writes there is not kept anyway.
        (await keptByNone(boundary.work ? [] : landed.map(({ path: at }) => at), user)))
      : null;
  const tree =
    boundary.layered === true && noTree === null
      ? await makeTreeLayer(
          {
            workspace,
            folder,
            ...(await landing({ workspace, run }, boundary, landed)),
            ...(await sharedLayer(boundary, all)),
          },
          { bwrap, means: layering.means, root: user.uid === 0 },
        )
      : null;
  if (tree !== null) mounts.push(tree.mount);
  const shelf = path.posix.join(all, 'kept');
  const launch = { folder, kept: shelf, home: layered, caches: [], ...(tree && { tree: tree.tree }) };
  if (boundary.caches === undefined) return { ...nothing, mounts, launch, noTree, notes };
  const kept = await keptFolder(shelf, boundary.caches, boundary);
  const keptIf = boundary.caches.shared.kept_if;
  const found = await findCaches({
    ...{ environment, home, folder, kept, layered, user, whyNot: layering.whyNot },
    others: [workspace, run, ...open, ...places.filter((at) => at !== ownHome)],
    isHidden: (at) => !isSeen(at),
  });
  return {
    mounts: [...mounts, ...found.mounts],
    launch: { ...launch, kept, ...(keptIf && { kept_if: keptIf }), caches: found.caches },
    noTree,
    variables: await pnpmVariables({ environment, home, workspace, layers: found.mounts }),
    notes: [...notes, ...found.notes],
  };
}

async function sharedLayer(
  { turn }: SandboxBoundary,
  caches: string,
): Promise<{ readonly shared?: { readonly folder: string; readonly goes_on: boolean } }> {
  if (turn === undefined || (turn.isFirst && turn.isLast)) return {};
  return { shared: { folder: await sharedFolder(caches, turn), goes_on: !turn.isLast } };
}

/** Returns whether the layer takes an approved path. It takes each single file at the top, and what may become one. */
function isLanded(one: WritableFact, { lands = [] }: SandboxBoundary, workspace: string): boolean {
  return (one.kind === 'file' && one.folder === workspace) || lands.includes(written(one.path, workspace));
}

/**
 * Looks at what will be put from the layer into the workspace. Touches a folder of the run for the time of its disk.
 * What lands after the end of the launch waits.
 */
async function landing(
  { workspace, run }: Pick<FoundBoundary, 'workspace' | 'run'>,
  { work, waits }: SandboxBoundary,
  landed: readonly WritableFact[],
): Promise<Pick<NonNullable<LaunchLayers['tree']>, 'lands' | 'since' | 'waits' | 'below'>> {
  if (work !== undefined)
    return waits ? { lands: work.lands, since: work.since, waits } : { lands: work.lands, below: work };
  const own = path.posix.join(run, 'work/tmp');
  const now = new Date();
  await utimes(own, now, now);
  const { ctimeMs } = await stat(own);
  const lands = landingAt(
    workspace,
    landed.map((one) => written(one.path, workspace)),
  );
  return { lands, since: ctimeMs, ...(lands.length > 0 && waits && { waits }) };
}

/** Says why no layer can lie over the workspace of a launch, the end of a sentence; null: one can. */
export async function whyNoTree(
  {
    workspace,
    open,
    user,
    state,
  }: Pick<FoundBoundary, 'workspace' | 'open'> & Pick<LookOptions, 'user'> & { readonly state: string },
  whyNot: (over: string) => Promise<string | null>,
): Promise<string | null> {
  // The kernel puts no layer above a folder that holds the layer itself.
  if (inside(state, workspace)) return 'the state of Mission Control lies in it';
  if (open.some((one) => inside(workspace, one))) return 'a granted folder holds it';
  return (await whyNot(workspace).catch(errorWords)) ?? otherGroup(workspace, user);
}

/** Returns the places, apart from programs, that must be visible wherever they lie, and the links on the way. */
async function neededPlaces(boundary: SandboxBoundary, home: string | null): Promise<readonly Traced[]> {
  const places = [boundary.workspace_dir, boundary.run_dir, ...(home === null ? [] : [home])];
  places.push(...(boundary.readable ?? []));
  const repository = await repositoryAt(boundary.workspace_dir).catch(() => null);
  if (repository !== null) places.push(repository.gitDir, repository.commonDir);
  return places.map(trace);
}

/** Returns the target of /etc/resolv.conf if it lies in a hidden folder, because no name is found without it. */
function nameService(hidden: readonly string[]): readonly string[] {
  const { path: at, exists } = trace('/etc/resolv.conf');
  return exists && hidden.some((folder) => inside(at, folder)) ? [at] : [];
}

function unique(links: readonly Link[]): readonly Link[] {
  return [...new Map(links.map((link) => [link.path, link])).values()];
}

/**
 * The sandbox's own first process. A worker could write into its memory how the launch ended. Root could change
 * bubblewrap's file on the host through its `exe`.
 */
const firstProcess = '/proc/1';

/**
 * Root may write these without any capability, and through /proc/sys/kernel/core_pattern it could run a program
 * outside. bubblewrap leaves /proc/sys to real root.
 */
const kernelFiles = ['acpi', 'bus', 'driver', 'dynamic_debug', 'fs', 'irq', 'mtrr', 'scsi', 'sys', 'sysrq-trigger'].map(
  (name) => `/proc/${name}`,
);

/** They name the keys of this user, which no process inside may use. */
const keyLists = ['/proc/keys', '/proc/key-users'];
