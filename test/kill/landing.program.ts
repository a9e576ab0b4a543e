import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { finishReplacing, isSame, heldBelow, replaceIn } from '../../src/adapters/files/replacing';
import { endTree, landWork, type Landed } from '../../src/adapters/sandbox/layers/landing';
import { runFiles, type HeldState, type LaunchLayers, type Strays } from '../../src/contracts/launch';
import { pointsOfTheFiles } from './points';

/**
 * Ends one layer, or replaces paths of a folder, again and again, each time disturbed at another point: by a person
 * (`person`), by one who puts a link in place of a folder (`link`), or by kill -9, after which it is done once more
 * (`kill`). Prints what was wrong, as JSON.
 *
 *   landing.program.js FILE person | link | kill | once EVERY
 *
 * FILE   { layers, own, kept }: the layer of an ended launch, the landing's folder, and copies `up` and `real` of both;
 *        or { paths, own, kept }: what is replaced, and what it is replaced by
 * EVERY  takes each so-manieth round
 */
const [file = '', mode = '', every = '1'] = process.argv.slice(2);
const { layers, paths, own, kept } = JSON.parse(fs.readFileSync(file, 'utf8')) as {
  readonly layers?: LaunchLayers & { readonly tree: NonNullable<LaunchLayers['tree']> };
  /** `empties`: folders that go with what is in them. */
  readonly paths?: { readonly at: string; readonly up: string; readonly names: string[]; readonly empties: string[] };
  readonly own: string;
  readonly kept: string;
};
const { at: real, up } = layers?.tree ?? paths ?? { at: '', up: '' };
const names = paths?.names ?? layers?.tree.lands?.map(({ name }) => name) ?? [];
/** The calls as they are, for what a person does at a point. */
const { writeFileSync, renameSync, rmSync, chmodSync, mkdirSync, symlinkSync } = fs;

async function end(): Promise<Strays | null> {
  if (layers?.tree.waits) return landed(await landWork(layers.tree, path.dirname(own), () => Promise.resolve([])));
  if (layers) return endTree(layers, own, true);
  const folder: HeldState = { kind: 'folder' };
  const wanted = [
    ...names.map((name) => ({ name, was: heldBelow(path.join(kept, 'real'), name), from: path.join(up, name) })),
    ...(paths?.empties ?? []).map((name) => ({ name, was: folder, from: path.join(up, name) })),
  ].map((one) => ({ ...one, from: fs.lstatSync(one.from, { throwIfNoEntry: false }) ? one.from : null }));
  finishReplacing(real, own);
  const left = wanted.filter(({ name, was }) => isSame(heldBelow(real, name), was));
  const troubles = replaceIn(real, own, left).flatMap(({ trouble }) => trouble ?? []);
  const differ = names.filter((name) => !isSame(heldBelow(real, name), heldBelow(path.join(kept, 'up'), name)));
  const changes = differ.map((name) => ({ path: name, kind: 'modified', what: 'file' }) as Strays['changes'][number]);
  return { changes, more: 0, ignored: [], more_ignored: 0, trouble: troubles[0] ?? null };
}

/** Work that waited lands without its fifo, which its launch named when it ended. */
function landed(found: Landed): Strays {
  const changes = [
    {
      path: 'made/pipe',
      kind: 'added',
      what: 'fifo',
    } as Strays['changes'][number],
  ];
  return {
    changes,
    more: 0,
    ignored: [],
    more_ignored: 0,
    trouble: found.kind === 'landed' ? null : JSON.stringify(found),
  };
}

let reached: (point: string) => void = () => undefined;
pointsOfTheFiles((point) => reached(point));

/** What a person does with a name, where it can be done. */
const acts: Readonly<Record<string, (at: string) => void>> = {
  saves: (at) => writeFileSync(isFolder(at) ? path.join(at, 'of') : at, 'of the person\n'),
  'saves by rename': (at) => {
    const next = path.join(path.dirname(own), 'next');
    writeFileSync(next, 'of the person\n');
    if (isFolder(at)) rmSync(at, { recursive: true });
    renameSync(next, at);
  },
  removes: (at) => rmSync(at, { recursive: true, force: true }),
  chmods: (at) => fs.existsSync(at) && chmodSync(at, 0o711),
  'makes a folder': (at) => {
    rmSync(at, { recursive: true, force: true });
    mkdirSync(at);
    writeFileSync(path.join(at, 'of'), 'of the person\n');
  },
};

/** Returns whether it can be done: what is done in place to a link is done to another file. */
function act(verb: string, name: string): boolean {
  const at = path.join(real, name);
  const isLink = fs.lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (verb === '' || (isLink && (verb === 'saves' || verb === 'chmods'))) return false;
  if (!isFolder(path.dirname(at))) mkdirSync(path.dirname(at), { recursive: true });
  acts[verb]?.(at);
  return true;
}

function isFolder(at: string): boolean {
  return fs.lstatSync(at, { throwIfNoEntry: false })?.isDirectory() === true;
}

function reset(): void {
  for (const one of [own, path.join(path.dirname(own), runFiles.landed)]) rmSync(one, { recursive: true, force: true });
  mkdirSync(path.dirname(up), { recursive: true });
  for (const [from, to] of [
    ['up', up],
    ['real', real],
  ] as const) {
    rmSync(to, { recursive: true, force: true });
    const { status, stderr } = spawnSync('cp', ['-a', path.join(kept, from), to], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }
}

/** What a name holds, with all below it. */
function shown(at: string): string {
  const stats = fs.lstatSync(at, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isCharacterDevice() && stats.rdev === 0)) return 'nothing';
  const mode = (stats.mode & 0o7777).toString(8);
  if (stats.isSymbolicLink()) return `link ${fs.readlinkSync(at)}`;
  if (stats.isFile()) return `file ${mode} ${Math.round(stats.mtimeMs)} ${fs.readFileSync(at, 'utf8')}`;
  if (!stats.isDirectory()) return 'special';
  const below = fs.readdirSync(at).map((name) => [name, shown(path.join(at, name))] as const);
  // A fifo is never put into the workspace.
  return `folder ${mode} ${below.flatMap(([name, one]) => (one === 'special' ? [] : [`${name}: ${one}`])).join('; ')}`;
}

const contents = (folder: string): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [name, shown(path.join(folder, name))]));

const problems: string[] = [];
let rounds = 0;

/** What holds after each end. `touched`: the name at which a person was. */
function check(
  round: string,
  strays: Strays | null,
  touched: { name: string; verb: string; late: boolean } | null,
): void {
  const said = (what: string): void => void problems.push(`${round}: ${what}`);
  const [now, before, after] = [contents(real), contents(path.join(kept, 'real')), written];
  if (strays?.trouble) said(`trouble: ${strays.trouble}`);
  const isNear = (name: string): boolean =>
    touched !== null && (touched.name.startsWith(`${name}/`) || name.startsWith(`${touched.name}/`));
  const isNamed = (name: string): boolean =>
    strays?.changes.some((one) => one.path === name || one.path.startsWith(`${name}/`)) ?? false;
  for (const name of names) {
    const [is, was, is_to_be] = [now.get(name) ?? '', before.get(name) ?? '', after.get(name) ?? ''];
    if (touched?.name !== name) {
      if (isNear(name)) continue;
      if (is !== is_to_be) said(`${name} is ${is}`);
      continue;
    }
    const { verb, late } = touched;
    if (verb.startsWith('saves') || verb === 'makes a folder') {
      if (!is.includes('of the person')) said(`what the person wrote to ${name} is gone: ${is}`);
    } else if (verb === 'removes') {
      if (is !== 'nothing' && is !== is_to_be) said(`${name} is ${is}`);
    } else if (is !== 'nothing' && !/^\w+ 711 /.test(is) && is !== is_to_be) said(`${name} is ${is}, and was ${was}`);
    if (verb === 'chmods' && was !== 'nothing' && is !== 'nothing' && !/^\w+ 711 /.test(is))
      said(`the mode of ${name} is ${is}`);
    if (is !== is_to_be && !late && !isNamed(name)) said(`${name} is named nowhere`);
  }
  if (layers && !strays?.changes.some((one) => one.path === 'made/pipe') && touched?.name !== 'made')
    said('the fifo is named nowhere');
  if (fs.existsSync(own)) said(`${own} was left`);
  const extra = fs
    .readdirSync(real)
    .filter(
      (name) => !fs.existsSync(path.join(kept, 'real', name)) && !names.some((one) => one.split('/')[0] === name),
    );
  if (extra.length > 0) said(`beside: ${extra.join()}`);
}

const written = contents(path.join(kept, 'up'));

/** The points of one end that nothing disturbs. */
async function allPoints(): Promise<readonly string[]> {
  const points: string[] = [];
  reset();
  reached = (point) => points.push(point);
  const strays = await end();
  reached = () => undefined;
  check('undisturbed', strays, null);
  for (const name of paths?.empties ?? []) if (fs.existsSync(path.join(real, name))) problems.push(`${name} is left`);
  return points;
}

async function persons(): Promise<void> {
  const points = await allPoints();
  const all = points.flatMap((_, index) =>
    names.flatMap((name) => Object.keys(acts).map((verb) => ({ index, name, verb }))),
  );
  for (const [n, { index, name, verb }] of all.entries()) {
    if (n % Number(every) !== 0) continue;
    const point = (points[index] ?? '').replace(/#\d+/, '');
    // Node has no renameat2: between the last look and this call lie microseconds.
    if (point === `fs.renameSync(${path.basename(name)}):before` && verb !== 'saves' && verb !== 'chmods') continue;
    reset();
    let [at, late, acted] = [0, false, false];
    reached = () => {
      if (at++ !== index) return;
      late = shown(path.join(real, name)) === written.get(name);
      acted = act(verb, name);
    };
    const strays = await end();
    reached = () => undefined;
    rounds += 1;
    check(`a person ${verb} ${name} at ${points[index] ?? ''}`, strays, acted ? { name, verb, late } : null);
  }
}

/** A folder on the way becomes a link that leads out. Nothing may be written there, and each file stays whole. */
async function links(): Promise<void> {
  const points = await allPoints();
  const before = contents(path.join(kept, 'real'));
  const outside = path.join(path.dirname(own), 'outside');
  const folders = [...new Set(names.map((name) => path.dirname(name)).filter((name) => name !== '.'))];
  for (const [index, point] of points.entries()) {
    if (index % Number(every) !== 0) continue;
    for (const folder of folders) {
      reset();
      rmSync(outside, { recursive: true, force: true });
      const { status } = spawnSync('cp', ['-a', path.join(kept, 'real'), outside]);
      if (status !== 0) throw new Error('cp');
      const [at, aside] = [path.join(real, folder), path.join(path.dirname(own), 'moved')];
      rmSync(aside, { recursive: true, force: true });
      let [n, moved] = [0, false];
      reached = () => {
        if (n++ !== index) return;
        moved = isFolder(at);
        if (moved) renameSync(at, aside);
        else mkdirSync(path.dirname(at), { recursive: true });
        symlinkSync(path.join(outside, folder), at);
      };
      await end();
      reached = () => undefined;
      rounds += 1;
      const round = `${folder} became a link at ${point}`;
      for (const [name, is] of contents(outside))
        if (is !== before.get(name)) problems.push(`${round}: outside, ${name} is ${is}`);
      if (!fs.lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) problems.push(`${round}: the link is gone`);
      rmSync(at, { force: true });
      if (moved) renameSync(aside, at);
      for (const [name, is] of contents(real))
        if (is !== before.get(name) && is !== written.get(name) && moved) problems.push(`${round}: ${name} is ${is}`);
      if (fs.existsSync(own)) problems.push(`${round}: ${own} was left`);
    }
  }
}

async function kills(): Promise<void> {
  const points = await allPoints();
  const before = contents(path.join(kept, 'real'));
  for (const [index, point] of points.entries()) {
    if (index % Number(every) !== 0) continue;
    const verbs = Object.keys(acts);
    // A person at work that waits stops all of it.
    for (const verb of layers?.tree.waits ? [''] : ['', verbs[index % verbs.length] ?? '']) {
      const name = names[(index >> 1) % names.length] ?? '';
      reset();
      if (die(index + 1) !== 'SIGKILL') problems.push(`no kill at ${point}`);
      for (const [one, is] of contents(real)) {
        const fits = is === before.get(one) || is === written.get(one);
        const isAside = is === 'nothing' && written.get(one) === 'nothing';
        if (!fits && !isAside) problems.push(`killed at ${point}: ${one} is ${is}`);
      }
      const late = shown(path.join(real, name)) === written.get(name);
      const acted = act(verb, name);
      // The next one is killed as well.
      die((index % 5) + 1);
      const strays = await end();
      rounds += 1;
      check(`killed at ${point}, then a person ${verb} ${name}`, strays, acted ? { name, verb, late } : null);
    }
  }
}

function die(at: number): NodeJS.Signals | null {
  const { signal, stderr } = spawnSync(process.execPath, [process.argv[1] ?? '', file, 'once'], {
    encoding: 'utf8',
    env: { ...process.env, KILL_AT: String(at) },
  });
  if (signal === null && stderr !== '') problems.push(stderr);
  return signal;
}

async function once(): Promise<void> {
  let at = 0;
  reached = () => {
    at += 1;
    if (String(at) === process.env['KILL_AT']) process.kill(process.pid, 'SIGKILL');
  };
  await end();
}

async function main(): Promise<void> {
  if (mode === 'once') return once();
  await (mode === 'kill' ? kills() : mode === 'link' ? links() : persons());
  console.log(JSON.stringify({ rounds, problems }));
}

void main();
