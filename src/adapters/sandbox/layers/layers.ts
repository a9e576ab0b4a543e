import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  statfs,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { parsedJson, valueAt } from '../../../base/json';
import { errorWords } from '../../../base/outcome';
import { runFiles, type LaunchLayers, type TreeLayer } from '../../../contracts/launch';
import type { LayerTurn } from '../../../engine/ports/sandbox';
import { joinNative, nativeOf } from '../../files/entry';
import { removeTree } from '../../files/removeTree';
import { findExecutable } from '../../processes/commandLine';
import { inside, type LayerMeans, type LayerMount, type Environment } from '../facts/facts';
import { saidBy, tryOut, type Tried } from '../bubblewrap/tryOut';

/**
 * Mounts the layers that its arguments name, a list of lower folders and a folder each, up to `--`; then runs the rest.
 * Its `$0` is the program `mount`. A comma or a colon has a meaning in options, so they name links in the layer's folder.
 */
const mountLayers = `while [ "$1" != -- ]; do
  (cd "$2" && exec "$0" -t overlay mission-layer -o "lowerdir=$1,upperdir=up,workdir=work,userxattr" view) || exit 1
  shift 2
done
shift
exec "$@"`;

/** By what layers are mounted. */
interface Mounting {
  readonly bwrap: string;
  readonly means: LayerMeans | null;
  readonly root: boolean;
}

/** Returns the command line that mounts the layers, up to the bubblewrap of the launch; empty if that mounts them. */
export function aroundLayers(layers: readonly LayerMount[], { bwrap, means, root }: Mounting): readonly string[] {
  if (means?.by !== 'around' || layers.length === 0) return [];
  return [
    ...[bwrap, '--die-with-parent', ...(root ? [] : ['--unshare-user', '--uid', '0', '--gid', '0'])],
    ...['--cap-add', 'ALL', '--dev-bind', '/', '/', '--', '/bin/sh', '-c', mountLayers, means.mount],
    ...layers.flatMap(({ own, lowers }) => [lowers.map((_, index) => `lower${index}`).join(':'), own]),
    '--',
  ];
}

/** Returns bubblewrap's arguments that show a layer; a read-only one gets `--remount-ro` when all is mounted. */
export function layerArguments({ at, own, lowers }: LayerMount, means: LayerMeans | null): readonly string[] {
  if (means?.by !== 'own') return ['--bind', path.posix.join(own, 'view'), at];
  // bubblewrap takes the lowest first.
  const sources = lowers.toReversed().flatMap((lower) => ['--overlay-src', lower]);
  return [...sources, '--overlay', path.posix.join(own, 'up'), path.posix.join(own, 'work'), at];
}

/** Returns the command line, up to the program's own, of one that sees the machine with a layer. */
function insideLayer(mount: LayerMount, by: Mounting): readonly string[] {
  const user = by.root ? [] : ['--unshare-user'];
  const shown = ['--dev-bind', '/', '/', ...layerArguments(mount, by.means)];
  return [...aroundLayers([mount], by), by.bwrap, ...user, ...shown, '--'];
}

type Tree = NonNullable<LaunchLayers['tree']>;

interface TreeAsked extends Pick<Tree, 'lands' | 'since' | 'waits' | 'below'> {
  readonly workspace: string;
  readonly folder: string;
  /** The folder of the layer that several launches share. Absent: the layer is its own. */
  readonly shared?: { readonly folder: string; readonly goes_on: boolean };
}

/** Makes a layer over a workspace, in the folder of a launch. `tree`: how to see what it hides. */
export async function makeTreeLayer(
  { workspace, folder, lands = [], since, shared, waits, below }: TreeAsked,
  by: Mounting,
): Promise<{ readonly mount: LayerMount; readonly tree: Tree }> {
  const own = shared?.folder ?? path.posix.join(folder, 'tree');
  // It is looked at as long as what it holds waits.
  const look = path.posix.join(waits ? own : folder, 'look');
  const up = path.posix.join(own, 'up');
  const lowers = [...(below ? [below.up] : []), workspace];
  await makeLayer(own, lowers);
  const marked = path.posix.join(look, probe);
  await mkdir(marked, { recursive: true, mode: 0o700 });
  await makeLayer(look, [up, marked]);
  const made = path.posix.join(own, madeFile);
  if (waits && (await readFile(made, 'utf8').catch(() => null)) !== String(since)) await writeFile(made, String(since));
  // The kernel shows the layer's own mode for the folder itself.
  await chmod(up, (await stat(workspace)).mode & 0o7777);
  const seen_at = path.posix.join(look, 'at');
  await mkdir(seen_at, { recursive: true, mode: 0o700 });
  const seen: LayerMount = { at: seen_at, kind: 'layer', own: look, lowers: [up, marked], access: 'read' };
  return {
    mount: {
      ...{ at: workspace, kind: 'layer', own, lowers, access: 'write' },
      ...(lands.length > 0 && { lands: lands.map(({ name }) => path.posix.join(workspace, name)) }),
      ...((waits ?? below) && { waits: true as const }),
    },
    tree: {
      ...{ at: workspace, up, seen_by: insideLayer(seen, by), seen_at },
      ...(shared?.goes_on && { goes_on: true as const }),
      ...(lands.length > 0 && { lands }),
      ...(since !== undefined && { since }),
      ...(waits && { waits }),
      ...(below && { below }),
    },
  };
}

/** Holds `since` of a layer in which work waits, because a later one may lie in the same folder. */
export const madeFile = 'made';

/** A path below a layer, as it is shown. */
export interface LayerName {
  readonly path: string;
  /** Hex of its bytes, where they are not UTF-8. */
  readonly raw?: string;
}

/**
 * Returns which folders of a layer hide those of the workspace. A file with a new name is put into each folder of
 * another tree. A mount of the layer over that tree shows it, or not. So nothing that a person does meanwhile decides.
 *
 * @throws Error where the mount shows nothing at all, or not all of the folders
 */
export async function hidesBelow(
  { seen_by, seen_at }: TreeLayer,
  folders: readonly LayerName[],
  run: (line: readonly string[]) => Promise<Tried> = ([file = '', ...args]) => tryOut(file, args),
): Promise<readonly boolean[]> {
  const marker = `mark-${randomUUID()}`;
  const tree = path.posix.join(path.posix.dirname(seen_at), probe);
  // The top hides nothing, so it says whether the mount shows what it should.
  const marked = [{ path: '.' }, ...folders];
  const files = marked.map((one) => joinNative(nativeOf(tree, one.path, one.raw), marker, null));
  try {
    for (const [index, { path: at, raw }] of marked.entries()) {
      mkdirSync(nativeOf(tree, at, raw), { recursive: true });
      writeFileSync(files[index] ?? '', '');
    }
    const hides: boolean[] = [];
    for (let from = 0; from < folders.length; from += foldersAtOnce) {
      const asked = [marked[0], ...folders.slice(from, from + foldersAtOnce)].map((one) =>
        wordOf(one ?? { path: '.' }),
      );
      const { code, stdout, stderr } = await run([...seen_by, '/bin/sh', '-ec', showsEach, seen_at, marker, ...asked]);
      if (code !== 0 || stdout.length !== asked.length) throw new Error(saidBy({ stderr, code }, 'a trial'));
      if (!stdout.startsWith('1')) throw new Error('its mount shows nothing');
      hides.push(...Array.from(stdout.slice(1), (one) => one === '0'));
    }
    return hides;
  } finally {
    for (const file of files) rmSync(file, { force: true });
  }
}

/** The tree that lies below a layer in place of the workspace. */
const probe = 'probe';

/** Writes a name as `printf %b` reads it, because an argument of Node is text. */
function wordOf({ path: at, raw }: LayerName): string {
  const bytes = raw === undefined ? Buffer.from(at) : Buffer.from(raw, 'hex');
  return Array.from(bytes, (byte) =>
    /[\w./-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `\\0${byte.toString(8).padStart(3, '0')}`,
  ).join('');
}

/** Ends where a folder cannot be looked into, because that says nothing of what it hides. */
const showsEach = `LC_ALL=C; export LC_ALL; cd "$0"; marker=$1; shift
for at; do
  case $at in *\\\\*) at=$(printf '%b.' "$at"); at=\${at%.} ;; esac
  [ -x "./$at" ] || exit 1
  if [ -e "./$at/$marker" ]; then printf 1; else printf 0; fi
done`;
/** A command line is limited. */
const foldersAtOnce = 300;

/**
 * Makes the folder of one layer. `lowers`: the folders below it, the topmost first. An earlier launch may have left it:
 * then it goes on with what that wrote.
 */
export async function makeLayer(own: string, lowers: readonly string[]): Promise<void> {
  await removeTree(path.posix.join(own, 'work'));
  for (const name of ['up', 'work', 'view']) await mkdir(path.posix.join(own, name), { recursive: true, mode: 0o700 });
  for (const [index, lower] of lowers.entries()) {
    const link = path.posix.join(own, `lower${index}`);
    await rm(link, { force: true });
    await symlink(lower, link);
  }
}

/** The folder, in the caches of a workspace, of layers that several launches share: work waits in them. */
export const sharedLayers = 'shared';
/** Each of its folders belongs to one launch. */
export const ownLayers = 'launches';

/** Finds the folder of a layer that several launches share. The first of them begins anew. */
export async function sharedFolder(caches: string, { layer, isFirst }: LayerTurn): Promise<string> {
  const name = createHash('sha256').update(layer).digest('hex').slice(0, 24);
  const own = path.posix.join(caches, sharedLayers, name);
  // An owner may end between two launches, and a person goes on later.
  await turnFolder(own, { isFirst, unusedMs: 30 * 24 * 3_600_000 });
  return own;
}

/** What stands behind the name of such a folder in that of its lock. */
export const lockEnding = '.lock';

/** Makes a folder that launches share, anew for the first of them. Removes those beside it that none has used. */
export async function turnFolder(
  own: string,
  { isFirst, unusedMs }: { readonly isFirst: boolean; readonly unusedMs: number },
): Promise<void> {
  if (isFirst) await removeTree(own);
  const all = path.posix.dirname(own);
  for (const name of await readdir(all).catch(() => [])) {
    const left = path.posix.join(all, name);
    // Its time says nothing, because no process writes into it.
    if (left.endsWith(lockEnding)) continue;
    // Another launch may remove it meanwhile.
    const found = await stat(left).catch(() => null);
    if (left !== own && found !== null && Date.now() - found.mtimeMs > unusedMs)
      await removeTree(left).catch(() => undefined); // the next one removes it
  }
  await mkdir(own, { recursive: true, mode: 0o700 });
  const now = new Date();
  await utimes(own, now, now);
}

/**
 * Makes the folder for the layers of one launch. Removes those of launches that have ended without their supervisor.
 *
 * @param folder the caches of a workspace
 */
export async function launchFolder(folder: string, run: string): Promise<string> {
  const launches = path.posix.join(folder, ownLayers);
  const own = path.posix.join(launches, createHash('sha256').update(run).digest('hex').slice(0, 24));
  await mkdir(launches, { recursive: true, mode: 0o700 });
  const ended = await endedLaunches(launches);
  for (const found of [own, ...ended]) await removeTree(found).catch(() => undefined); // its supervisor removes it too
  await mkdir(own, { mode: 0o700 });
  await symlink(run, path.posix.join(own, 'run'));
  return own;
}

/** Finds the folders of launches that have ended without their supervisor. */
export async function endedLaunches(launches: string): Promise<readonly string[]> {
  const ended: string[] = [];
  for (const name of await readdir(launches).catch(() => [])) {
    const found = path.posix.join(launches, name);
    const of = await readlink(path.posix.join(found, 'run')).catch(() => null);
    if (of === null ? await isOld(found) : await hasEnded(of)) ended.push(found);
  }
  return ended;
}

/** A folder of a launch that is just made is empty for a moment. */
async function isOld(folder: string): Promise<boolean> {
  const stats = await stat(folder).catch(() => null);
  return stats !== null && Date.now() - stats.mtimeMs > 60_000;
}

async function hasEnded(run: string): Promise<boolean> {
  if ((await stat(run).catch(() => null)) === null) return true;
  const exit = path.posix.join(run, runFiles.exit);
  const ended = await stat(exit).catch(() => null);
  // Its supervisor removes it, and a second removal would only keep the next launch waiting.
  if (ended === null || Date.now() - ended.mtimeMs < 60_000) return false;
  // A process that may be alive may still write into its layer.
  return !mayLive(await readFile(exit, 'utf8').catch(() => ''));
}

function mayLive(exit: string): boolean {
  return valueAt(parsedJson(exit), 'tree_gone') === false;
}

/** Returns the mount points strictly below a folder: a layer cannot show them. */
async function mountsBelow(folder: string): Promise<readonly string[]> {
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  const points = text.split('\n').flatMap((line) => {
    const [, , , , at] = line.split(' ');
    return at === undefined
      ? []
      : [at.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(parseInt(code, 8)))];
  });
  return points.filter((at) => at !== folder && inside(at, folder));
}

/** Tries layers on this machine. */
export interface LayerTrial {
  readonly bwrap: string;
  readonly root: boolean;
  readonly environment: Environment;
  /** A folder of this user's, in which layers will lie. */
  readonly folder: string;
}

/** Finds the means to mount layers by mounting one and writing into it; else says why it cannot. */
export async function findLayerMeans(trial: LayerTrial): Promise<LayerMeans | { readonly why: string }> {
  const own = await tryLayer(trial, { by: 'own' }, null);
  if (own === null) return { by: 'own' };
  const mount = await findExecutable('mount', {
    ...trial.environment,
    PATH: `${trial.environment['PATH'] ?? ''}:/usr/bin:/bin`,
  });
  if (mount === null) return { why: 'the program mount is missing' };
  const why = await tryLayer(trial, { by: 'around', mount }, null);
  if (why === null) return { by: 'around', mount };
  const isOverlay = (await statfs(trial.folder).catch(() => null))?.type === overlayMagic;
  return { why: isOverlay ? `${trial.folder} lies on overlayfs itself, as the disk of a container does` : why };
}

/** The kernel's number for overlayfs, above which it puts no further layer. */
const overlayMagic = 0x794c7630;

/** Returns why no layer can lie over a folder; null: one can. Tries one folder of each file system. */
export function layerJudge(trial: LayerTrial, means: LayerMeans): (over: string) => Promise<string | null> {
  const tried = new Map<number, Promise<string | null>>();
  return async (over) => {
    const [mount] = await mountsBelow(over);
    if (mount !== undefined) return `${mount} is mounted in it`;
    const { dev } = await stat(over);
    const known = tried.get(dev) ?? tryLayer(trial, means, over);
    tried.set(dev, known);
    return known;
  };
}

/** Appends, deletes, renames and makes files in a layer, and looks for them where they belong. `over` is only read. */
async function tryLayer(
  { bwrap, root, folder }: LayerTrial,
  means: LayerMeans,
  over: string | null,
): Promise<string | null> {
  let place: string | null = null;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    place = mkdtempSync(path.posix.join(folder, 'layer-trial-'));
    const [real, layer] = [path.posix.join(place, 'real'), path.posix.join(place, 'layer')];
    await mkdir(real);
    for (const name of ['appended', 'deleted', 'renamed']) await writeFile(path.posix.join(real, name), 'real\n');
    const lower = over ?? real;
    await makeLayer(layer, [lower]);
    const mount: LayerMount = { at: real, kind: 'layer', own: layer, lowers: [lower], access: 'write' };
    const line = [
      ...insideLayer(mount, { bwrap, means, root }),
      ...['/bin/sh', '-ec'],
      over === null
        ? 'cd "$0"; echo layer >> appended; rm deleted; mv renamed new; mkdir made; cat appended'
        : 'cd "$0"; ls > /dev/null; echo real; echo layer',
      real,
    ];
    const { code, stdout, stderr } = await tryOut(line[0] ?? bwrap, line.slice(1));
    if (code !== 0 || stdout !== 'real\nlayer\n') return saidBy({ stderr, code }, 'a trial');
    if (over !== null) return null;
    const [below, above] = await Promise.all([readdir(real), readdir(path.posix.join(layer, 'up'))]);
    const isRight =
      below.join() === 'appended,deleted,renamed' && ['appended', 'made', 'new'].every((name) => above.includes(name));
    return isRight ? null : 'a trial wrote elsewhere than into its layer';
  } catch (error) {
    return errorWords(error);
  } finally {
    if (place !== null) await removeTree(place).catch(() => undefined); // a leftover is recognised by its name
  }
}
