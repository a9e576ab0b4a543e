// Random operations of a worker in the merged view of a layer, and of a person in the real tree below it.
//   node randomTree.mjs play SEED REAL MERGED COUNT [alone]   prints the paths that the worker wrote
//   node randomTree.mjs list FOLDER                   prints what is there: path, kind, content and mode
import { createHash } from 'node:crypto';
import files from 'node:fs';
import path from 'node:path';
import process from 'node:process';

// A character of a name is a byte here.
const folders = ['.', 'a', 'b', 'a/c', 'a/c/d', 'b/e', 'g', 'g/\xfe'];
const names = ['f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6', '\xc3\xbc n', 'g\xff'];

const native = (at) => (typeof at === 'string' ? Buffer.from(at, 'latin1') : at);
const onPaths =
  (call) =>
  (at, ...args) =>
    call(native(at), ...args);
const fs = {
  ...Object.fromEntries(
    ['lstatSync', 'readFileSync', 'writeFileSync', 'appendFileSync', 'utimesSync', 'unlinkSync', 'mkdirSync', 'rmSync']
      .concat(['chmodSync'])
      .map((name) => [name, onPaths(files[name])]),
  ),
  renameSync: (from, to) => files.renameSync(native(from), native(to)),
  linkSync: (from, to) => files.linkSync(native(from), native(to)),
  symlinkSync: (target, to) => files.symlinkSync(native(target), native(to)),
  readlinkSync: (at) => files.readlinkSync(native(at), 'latin1'),
  readdirSync: (at) => files.readdirSync(native(at), 'latin1'),
};

/** Shows a path as the product does. */
function shown(at) {
  return at
    .split('/')
    .map((name) => {
      const text = native(name).toString();
      if (Buffer.from(text).equals(native(name))) return text;
      return name.replace(/[\x80-\xff]/g, (one) => `\\x${one.charCodeAt(0).toString(16)}`);
    })
    .join('/');
}

/** A small generator with a seed (mulberry32). */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function kindAt(at) {
  const stats = fs.lstatSync(at, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  return stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'fifo';
}

function below(folder) {
  if (kindAt(folder) !== 'folder') return [folder];
  return [folder, ...fs.readdirSync(folder).flatMap((name) => below(path.join(folder, name)))];
}

function play(seed, real, merged, count, isAlone) {
  const random = randomOf(seed);
  const pick = (all) => all[Math.floor(random() * all.length)];
  const wrote = new Set();
  const act = (who, root) => {
    // No such name lands.
    const some = isAlone ? names.slice(0, -1) : names;
    const at = (folder) => path.join(root, isAlone && folder.startsWith('g/') ? 'g' : folder, pick(some));
    const [one, other, folder] = [
      at(pick(folders)),
      at(pick(folders)),
      path.join(root, pick(folders.slice(1, isAlone ? -1 : undefined))),
    ];
    const text = `${who} ${pick(['', 'same', `${random()}`, 'x\n'.repeat(2000)])}`;
    const took = [];
    const write = (to, content) => {
      took.push(to);
      fs.writeFileSync(to, content);
    };
    const operations = {
      write: () => write(one, text),
      append: () => kindAt(one) === 'file' && (took.push(one), fs.appendFileSync(one, `+${who}`)),
      save: () => kindAt(one) !== 'folder' && (write(`${one}~`, text), took.push(one), fs.renameSync(`${one}~`, one)),
      same: () => kindAt(one) === 'file' && write(one, fs.readFileSync(one)),
      touch: () => kindAt(one) === 'file' && (took.push(one), fs.utimesSync(one, 1, 2)),
      remove: () => (took.push(one), fs.unlinkSync(one)),
      make: () => (took.push(folder), fs.mkdirSync(folder)),
      removeAll: () => random() < 0.4 && (took.push(...below(folder)), fs.rmSync(folder, { recursive: true })),
      anew: () =>
        random() < 0.4 &&
        (took.push(...below(folder)),
        fs.rmSync(folder, { recursive: true }),
        fs.mkdirSync(folder),
        write(path.join(folder, pick(some)), text)),
      move: () =>
        kindAt(one) === 'file' && kindAt(other) !== 'folder' && (took.push(one, other), fs.renameSync(one, other)),
      moveAll: () => {
        const to = path.join(root, pick(folders), `m${Math.floor(random() * 3)}`);
        if (random() < 0.5 || to.startsWith(`${folder}/`) || kindAt(to) !== null) return;
        took.push(...below(folder).flatMap((from) => [from, to + from.slice(folder.length)]));
        fs.renameSync(folder, to);
      },
      link: () => (took.push(one), fs.symlinkSync(pick(['f0', 'f1']), one)),
      // A later write to the one is a write to the other.
      hardLink: () => kindAt(one) === 'file' && (took.push(one, other), fs.linkSync(one, other)),
      mode: () => kindAt(one) === 'file' && (took.push(one), fs.chmodSync(one, pick([0o644, 0o755, 0o600]))),
      folderMode: () => (took.push(folder), fs.chmodSync(folder, pick([0o755, 0o750]))),
      toFile: () =>
        random() < 0.2 && (took.push(...below(folder)), fs.rmSync(folder, { recursive: true }), write(folder, text)),
      read: () => fs.readFileSync(one),
      list: () => fs.readdirSync(folder),
    };
    try {
      operations[pick(Object.keys(operations))]();
    } catch (error) {
      // Most operations are impossible where they are tried, also because a person took away what the view knew.
      if (error instanceof TypeError || error instanceof ReferenceError) throw error;
    }
    if (who === 'worker') for (const each of took) wrote.add(shown(path.relative(root, each)));
  };
  for (let done = 0; done < count; done += 1)
    act(...(isAlone || random() < 0.5 ? ['worker', merged] : ['person', real]));
  return [...wrote];
}

function list(root, at = '.') {
  return fs.readdirSync(path.join(root, at)).flatMap((name) => {
    const inner = path.join(at, name);
    const whole = path.join(root, inner);
    const kind = kindAt(whole);
    const content =
      kind === 'file'
        ? createHash('sha256').update(fs.readFileSync(whole)).digest('hex').toUpperCase()
        : kind === 'link'
          ? fs.readlinkSync(whole)
          : '';
    const mode = kind === 'link' ? 0 : fs.lstatSync(whole).mode & 0o7777;
    return [[shown(inner), kind, content, mode], ...(kind === 'folder' ? list(root, inner) : [])];
  });
}

const [task, ...args] = process.argv.slice(2);
const answer =
  task === 'play' ? play(Number(args[0]), args[1], args[2], Number(args[3]), args[4] === 'alone') : list(args[0]);
process.stdout.write(JSON.stringify(answer));
