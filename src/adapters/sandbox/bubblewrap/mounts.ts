import type { SandboxReach } from '../../../contracts/launchEvidence';
import path from 'node:path';
import { mostSiblings } from '../../../contracts/vocabulary/confinement';
import { tooManyToScan } from '../links/hardLinks';
import { inside, written, type Mount, type PlaceFacts, type WritableFact } from '../facts/facts';

export interface Layout {
  /** Each place once, a folder before its content. */
  readonly mounts: readonly Mount[];
  readonly coarser: readonly string[];
  readonly unheld: readonly string[];
  /** Read-only places, because hard links there lead out; in the form of evidence. */
  readonly heldLinks: readonly string[];
  /** Undefined: not known for sure. */
  readonly reach: SandboxReach | undefined;
}

/**
 * Everything is read-only unless named, and the deeper mount counts. Sealed wins over writable. A mount point must
 * exist, except in folders of the run itself, because bubblewrap would create it on the disk.
 */
export function layOut(facts: PlaceFacts): Layout {
  const mounts = new Map<string, Mount>();
  const put = (mount: Mount): void => void mounts.set(mount.at, mount);
  const bind = (at: string, kind: 'read' | 'write'): void => put({ at, kind, from: at });
  const sealed = (place: string): boolean => facts.sealed.some((one) => inside(place, one));

  bind('/', 'read');
  for (const at of ['dev', 'proc'] as const) put({ at: `/${at}`, kind: at });
  for (const at of facts.devices ?? []) put({ at, kind: 'device' });
  for (const at of facts.kernel) bind(at, 'read');
  for (const at of facts.emptied) put({ at, kind: 'empty' });
  for (const at of facts.masked ?? []) put({ at, kind: 'masked' });
  if (facts.tmp !== null) put({ at: facts.tmp, kind: 'write', from: path.posix.join(facts.run, 'work/tmp') });

  for (const at of [facts.workspace, facts.run, ...facts.visible]) bind(at, 'read');
  for (const at of facts.granted) bind(at, 'write');
  const open = facts.writable.filter((one) => !sealed(one.kind === 'folder' ? one.path : one.folder));
  const { coarser, unheld } = putWritable(open, bind);
  putHome(facts, mounts, put);
  for (const at of [...facts.sealed].sort(byDepth)) putSealed(at, mounts, bind);
  for (const at of statesOf(facts)) {
    put({ at, kind: 'closed' });
    // Without this file git would show the folder as untracked.
    const ignored = path.posix.join(at, '.gitignore');
    put({ at: ignored, kind: 'held', from: ignored });
  }
  bind(path.posix.join(facts.run, 'work'), 'write');
  // The folders above need no mounts, because a mount moves along when a folder around it is renamed.
  const { places = [], complete = true } = facts.hardLinks.kind === 'held' ? facts.hardLinks : {};
  for (const { at, from } of places) put({ at, kind: 'held', from });
  const unseen = complete ? [] : [tooManyToScan];

  for (const { path: at, target } of facts.links) if (isHidden(at, mounts)) put({ at, kind: 'link', target });
  putSockets(facts, mounts, put);
  return {
    mounts: [...mounts.values()].filter((mount) => !isUseless(mount, mounts)).sort((a, b) => byDepth(a.at, b.at)),
    coarser: [...facts.notes, ...coarser, ...unseen, ...absentNotes(facts, mounts)],
    unheld: [...unheld, ...unseen],
    heldLinks: places.map(({ at }) => written(at, facts.workspace)),
    reach: reachOf([...mounts.values()], facts),
  };
}

/**
 * State folders of Mission Control: the one around the run directory, and those in approved folders. A worker needs no
 * other file of them. A process that may read a lock file can hold a lock on it.
 */
function statesOf({ run, sealed }: PlaceFacts): readonly string[] {
  const name = '.mission-control';
  const [around = '', ...below] = run.split(`/${name}/`);
  const own = below.length === 0 ? [] : [`${around}/${name}`];
  return [...new Set([...own, ...sealed.filter((at) => path.posix.basename(at) === name)])];
}

type Bind = (at: string, kind: 'read' | 'write') => void;

/** Mounts folders, then files; a file's folder is writable, and what else is in it is not. */
function putWritable(open: readonly WritableFact[], bind: Bind): Pick<Layout, 'coarser' | 'unheld'> {
  const coarser: string[] = [];
  const unheld: string[] = [];
  const all = open.flatMap((one) => (one.kind === 'folder' ? [one.path] : []));
  // Skips a folder inside another, because a mount of its own would keep files from being moved out of it.
  const folders = all.filter((at) => !all.some((other) => other !== at && inside(at, other)));
  for (const at of folders) bind(at, 'write');

  const files = open.flatMap((one) => (one.kind === 'file' ? [one] : []));
  const alone = files.filter(({ folder }) => !folders.some((one) => inside(folder, one)));
  const parents = new Map(alone.map(({ folder, siblings }) => [folder, siblings]));
  for (const at of parents.keys()) bind(at, 'write');
  for (const [folder, siblings] of parents) {
    const own = new Set(alone.flatMap((one) => (one.folder === folder ? [one.path] : [])));
    const others = siblings.filter(({ path: at }) => !own.has(at) && !folders.includes(at) && !parents.has(at));
    const entries = others.filter(({ link }) => !link);
    const links = others.filter(({ link }) => link).map(({ path: at }) => path.posix.basename(at));
    const names = [...own].map((at) => path.posix.basename(at)).join(', ');
    if (entries.length > mostSiblings) {
      const text = `All of the folder of ${names} is writable: its ${entries.length} other entries are more than ${mostSiblings}.`;
      coarser.push(text);
      unheld.push(text);
    } else {
      for (const { path: at } of entries) bind(at, 'read');
      coarser.push(`The folder of ${names} is writable: a new entry in it can be made.`);
    }
    if (links.length > 0) coarser.push(`Links beside ${names} can be replaced: ${links.slice(0, 10).join(', ')}.`);
  }
  return { coarser, unheld };
}

function putHome(facts: PlaceFacts, mounts: ReadonlyMap<string, Mount>, put: (mount: Mount) => void): void {
  for (const mount of facts.home) {
    const there = mounts.get(mount.at);
    // A read-only entry of the home may be the workspace or an approved folder, which stays writable, or hidden.
    if (mount.kind === 'read' && (there?.kind === 'write' || there?.kind === 'empty')) continue;
    // An entry of a stand-in shows the host's file; an earlier decision about the place stays.
    if (mount.kind === 'held' && there !== undefined) continue;
    put(mount);
  }
}

/**
 * Mounts each folder between writable and sealed, because a mount cannot be renamed. A plain folder with a mount in it
 * can be, and another made in its place.
 */
function putSealed(at: string, mounts: ReadonlyMap<string, Mount>, bind: Bind): void {
  const around = enclosing(at, mounts);
  const isLayer = around.kind === 'layer' && around.access === 'write';
  if (around.kind !== 'write' && !isLayer && mounts.get(at)?.kind !== 'write') return;
  bind(at, 'read');
  if (around.kind !== 'write') return;
  for (let above = path.posix.dirname(at); above !== around.at; above = path.posix.dirname(above)) bind(above, 'write');
}

/** Empties a folder of sockets if nothing in it is needed; else covers each socket with a file. */
function putSockets(facts: PlaceFacts, mounts: Map<string, Mount>, put: (mount: Mount) => void): void {
  const places = [...mounts.keys()];
  const needed = (folder: string): boolean => places.some((at) => at !== '/' && inside(at, folder));
  const masked = facts.sockets.flatMap(({ path: at, alone }) => {
    const folder = path.posix.dirname(at);
    const covers = alone && !isHidden(at, mounts) && !needed(folder) && !inside(folder, facts.workspace);
    if (covers) put({ at: folder, kind: 'empty' });
    return [...(covers || isHidden(at, mounts) ? [] : [at]), ...otherWays(at, mounts)];
  });
  for (const at of facts.emptied.flatMap((one) => otherWays(one, mounts))) put({ at, kind: 'empty' });
  for (const at of masked) put({ at, kind: 'masked' });
}

/** Finds where else mounts show a place of the host. A large folder of a CLI has such a view. */
function otherWays(place: string, mounts: ReadonlyMap<string, Mount>): readonly string[] {
  return [...mounts.values()].flatMap((mount) =>
    'from' in mount && mount.from !== mount.at && inside(place, mount.from)
      ? [path.posix.join(mount.at, path.posix.relative(mount.from, place))]
      : [],
  );
}

/** Returns whether the host's files at a place are hidden. */
function isHidden(at: string, mounts: ReadonlyMap<string, Mount>): boolean {
  const around = mounts.get(at) ?? enclosing(at, mounts);
  if (around.kind === 'layer') return false;
  if (around.kind === 'read' || around.kind === 'write' || around.kind === 'held') return around.from !== around.at;
  return true;
}

/** Returns whether the place is read-only already, because a mount of its own would only cost time. */
function isUseless(mount: Mount, mounts: ReadonlyMap<string, Mount>): boolean {
  if (mount.kind !== 'read' || mount.at === '/' || mount.from !== mount.at || mount.at.startsWith('/proc/'))
    return false;
  const around = enclosing(mount.at, mounts);
  return around.kind === 'read' && around.from === around.at;
}

function enclosing(at: string, mounts: ReadonlyMap<string, Mount>): Mount {
  for (let above = path.posix.dirname(at); ; above = path.posix.dirname(above)) {
    const found = mounts.get(above);
    if (found !== undefined) return found;
    if (above === '/') throw new Error('nothing is mounted at /');
  }
}

function absentNotes(facts: PlaceFacts, mounts: ReadonlyMap<string, Mount>): readonly string[] {
  const open = facts.absent.filter(({ path: at }) => {
    const around = enclosing(at, mounts);
    return around.kind === 'write' || (around.kind === 'layer' && around.lands?.some((one) => inside(at, one)));
  });
  if (open.length === 0) return [];
  return [`Not there yet, so they can be made: ${open.map(({ written }) => written).join(', ')}.`];
}

function byDepth(left: string, right: string): number {
  const depth = (at: string): number => (at === '/' ? 0 : at.split('/').length);
  return depth(left) - depth(right) || (left < right ? -1 : left > right ? 1 : 0);
}

/**
 * Finds the places that a launch can write, by which attribution judges what the launch could not have changed.
 * Undefined if hard links may lead out, because not everything was searched. A `held` place counts like its folder,
 * because it may be gone when the launch starts.
 */
function reachOf(
  mounts: readonly Mount[],
  { workspace, run, hardLinks }: Pick<PlaceFacts, 'workspace' | 'run' | 'hardLinks'>,
): SandboxReach | undefined {
  if (hardLinks.kind !== 'held' || !hardLinks.complete) return undefined;
  const named = (at: string): string => (at === workspace ? '.' : written(at, workspace));
  const writable = mounts.flatMap((mount) => {
    if (mount.kind === 'layer') return mount.waits ? [] : (mount.lands ?? []);
    return mount.kind === 'write' && !inside(mount.from, path.posix.join(run, 'work')) ? [mount.from] : [];
  });
  const read_only = mounts.flatMap(({ at, kind }) =>
    kind !== 'write' && kind !== 'held' && writable.some((one) => one !== at && inside(at, one)) ? [at] : [],
  );
  return { writable: [...new Set(writable)].map(named), read_only: [...new Set(read_only)].map(named) };
}
