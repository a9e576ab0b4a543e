import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { sha256Of } from '../../../src/adapters/files/bytes/sha256';
import { createContents } from '../../../src/adapters/workspace/contents';
import { copiesOf } from '../../../src/adapters/workspace/manifest/place';
import { createWorkspace } from '../../../src/adapters/workspace/workspace';
import type { BeforeQuery, Contents, FileContent } from '../../../src/engine/ports/contents';
import { Bed } from './bed';

const megabyte = 1024 * 1024;

/** Where the left side of a difference comes from: git where it has the same bytes, else a copy, else words. */
describe('contents before a task', () => {
  let bed: Bed;
  let root: string;
  let contents: Contents;
  let taken: { readonly manifest_sha256: string; readonly head: string | null };
  beforeEach(() => {
    bed = Bed.repository();
    use(bed.root);
  });
  afterEach(() => bed.remove());

  const use = (folder: string): void => {
    root = realpathSync(folder);
    contents = createContents(folder, bed.kept);
  };
  const take = async (keep: readonly string[] = ['src']): Promise<void> => {
    const workspace = createWorkspace(root, bed.kept);
    const facts = await workspace.baseline({ mission_id: 'm', forbidden_paths: [], paths: keep, keep });
    assert(facts.ok);
    taken = facts.value;
  };
  /** Takes one baseline after the other, as the owner of a mission does. */
  const owner = (): (() => Promise<void>) => {
    const workspace = createWorkspace(root, bed.kept);
    return async () => {
      const request = { mission_id: 'm', forbidden_paths: [], paths: ['src'], keep: ['src'] };
      const facts = await workspace.baseline(request);
      assert(facts.ok);
      taken = facts.value;
    };
  };
  const copies = (): readonly string[] => {
    const folder = copiesOf(bed.kept.user_state, root, 'm');
    return existsSync(folder) ? readdirSync(folder).filter((name) => !name.endsWith('.json')) : [];
  };
  const query = (file: string, bytes: string | Uint8Array, kept = true): BeforeQuery => ({
    path: file,
    sha256: sha256Of(bytes),
    heads: taken.head === null ? [] : [taken.head],
    baselines: [taken.manifest_sha256],
    kept,
  });
  const before = async (file: string, bytes: string | Uint8Array, kept = true): Promise<FileContent> => {
    const [found] = await contents.before('m', [query(file, bytes, kept)]);
    assert(found);
    return found;
  };
  const text = (content: FileContent): string => {
    assert(content.kind === 'text', JSON.stringify(content));
    return content.text;
  };
  /** So that git's index can be trusted: it was written after the files. */
  const settle = (folder = bed.root): void => {
    const old = new Date(Date.now() - 60_000);
    for (const file of bed.gitIn(folder, 'ls-files', '-z').split('\0').filter(Boolean))
      if (statSync(path.join(folder, file)).isFile()) utimesSync(path.join(folder, file), old, old);
    bed.gitIn(folder, 'update-index', '-q', '--really-refresh');
  };

  it('come from git where it has the same bytes, and nothing is copied', async () => {
    settle();
    await take();
    assert.deepEqual(copies(), []);
    bed.write('src/a.txt', 'other\n');
    assert.equal(text(await before('src/a.txt', 'a\n')), 'a\n');
    assert.deepEqual(
      await contents.lines('m', [
        { before: query('src/a.txt', 'a\n'), after: { path: 'src/a.txt', sha256: sha256Of('other\n') } },
        { before: query('src/a.txt', 'a\n'), after: { path: 'src/a.txt', sha256: sha256Of('not these\n') } },
        { before: null, after: { path: 'src/b.txt', sha256: sha256Of('b\n') } },
        { before: query('src/b.txt', 'b\n'), after: null },
      ]),
      [{ added: 1, removed: 1 }, null, { added: 1, removed: 0 }, { added: 0, removed: 1 }],
    );
  });

  it('are found in git without a copy where its index has forgotten the files', async () => {
    const old = new Date(Date.now() - 3_600_000);
    utimesSync(bed.at('src/a.txt'), old, old);
    await take();
    assert.deepEqual(copies(), []);
  });

  it('are a copy where git has other bytes: never those, whatever the names say', async () => {
    bed.write('src/a.txt', 'not committed\n');
    bed.write('src/new.txt', 'untracked\n');
    bed.write('.env', 'TOKEN=not approved\n');
    await take();
    bed.write('src/a.txt', 'done\n');
    rmSync(bed.at('src/new.txt'));
    assert.deepEqual([...copies()].sort(), [sha256Of('not committed\n'), sha256Of('untracked\n')].sort());
    assert.equal(text(await before('src/a.txt', 'not committed\n')), 'not committed\n');
    assert.equal(text(await before('src/new.txt', 'untracked\n')), 'untracked\n');
    const folder = copiesOf(bed.kept.user_state, root, 'm');
    if (process.platform !== 'win32') {
      for (const name of copies()) assert.equal(statSync(path.join(folder, name)).mode & 0o777, 0o600);
      assert.equal(statSync(folder).mode & 0o777, 0o700);
    }
    assert.equal(path.relative(root, folder).startsWith('..'), true);
  });

  it('are not those of git where it changes line ends; what is staged and not committed is kept too', async () => {
    bed.git('config', 'core.autocrlf', 'true');
    bed.write('.gitattributes', '*.txt text eol=crlf\n');
    bed.write('src/a.txt', 'one\r\ntwo\r\n');
    bed.write('src/staged.txt', 'staged\n');
    bed.git('add', '--renormalize', '.');
    bed.git('commit', '-qm', 'line ends');
    bed.write('src/staged.md', 'only staged\n');
    bed.git('add', 'src/staged.md');
    settle();
    assert.equal(bed.git('cat-file', 'blob', 'HEAD:src/a.txt'), 'one\ntwo\n');
    await take();
    bed.write('src/a.txt', 'x');
    rmSync(bed.at('src/staged.md'));
    assert.equal(text(await before('src/a.txt', 'one\r\ntwo\r\n')), 'one\r\ntwo\r\n');
    assert.equal(text(await before('src/staged.md', 'only staged\n')), 'only staged\n');
    // No baseline holds these bytes: git's own must not stand for them.
    const lost = await before('src/a.txt', 'three\r\n');
    assert.equal(lost.kind, 'unknown');
  });

  it('are not those of a filter that keeps the length, and no filter is started', async () => {
    const started = path.join(bed.scratch, 'started');
    bed.write('.gitattributes', '*.sec filter=flip\n');
    bed.git('config', 'filter.flip.clean', 'tr a-z n-za-m');
    bed.git('config', 'filter.flip.smudge', 'tr a-z n-za-m');
    bed.write('src/x.sec', 'hello\n');
    bed.git('add', '.');
    bed.git('commit', '-qm', 'secret');
    settle();
    bed.git('config', 'filter.flip.clean', `touch ${started}; cat`);
    await take();
    bed.write('src/x.sec', 'changed\n');
    const found = await before('src/x.sec', 'hello\n');
    assert.notEqual(found.kind === 'text' ? found.text : '', 'uryyb\n');
    assert.equal(existsSync(started), false);
  });

  it('are copies without git, in a folder with blanks and letters of all kinds', async () => {
    const folder = path.join(bed.scratch, 'ohne git é');
    mkdirSync(path.join(folder, 'src/ü b'), { recursive: true });
    writeFileSync(path.join(folder, 'src/ü b/日本 .txt'), 'first\n');
    use(folder);
    await take(['src']);
    writeFileSync(path.join(folder, 'src/ü b/日本 .txt'), 'second\n');
    assert.equal(text(await before('src/ü b/日本 .txt', 'first\n')), 'first\n');
  });

  it('come from git in a linked worktree and in a folder below the top of a repository', async () => {
    const linked = path.join(bed.scratch, 'linked');
    bed.git('worktree', 'add', '-q', '--detach', linked);
    settle(linked);
    use(linked);
    await take();
    assert.deepEqual(copies(), []);
    writeFileSync(path.join(linked, 'src/a.txt'), 'x\n');
    assert.equal(text(await before('src/a.txt', 'a\n')), 'a\n');
    settle();
    use(path.join(bed.root, 'src'));
    await take(['.']);
    assert.deepEqual(copies(), []);
    bed.write('src/b.txt', 'x\n');
    assert.equal(text(await before('b.txt', 'b\n')), 'b\n');
  });

  it('of a submodule are kept, and found in its own repository when the copies are gone', async () => {
    const inner = path.join(bed.scratch, 'inner');
    mkdirSync(inner);
    writeFileSync(path.join(inner, 'lib.js'), 'export const a = 1;\n');
    writeFileSync(path.join(inner, 'package.json'), '{ "type": "module" }\n');
    bed.gitIn(inner, 'init', '-q');
    bed.gitIn(inner, 'add', '.');
    bed.gitIn(inner, 'commit', '-qm', 'inner');
    bed.git('submodule', 'add', '-q', inner, 'src/inner');
    bed.git('commit', '-qm', 'with it');
    await take();
    bed.write('src/inner/lib.js', 'export const a = 2;\n');
    assert.equal(text(await before('src/inner/lib.js', 'export const a = 1;\n')), 'export const a = 1;\n');
    rmSync(copiesOf(bed.kept.user_state, root, 'm'), { recursive: true });
    assert.equal(text(await before('src/inner/lib.js', 'export const a = 1;\n')), 'export const a = 1;\n');
  });

  it('are copied up to a limit, the smallest first; the reason is given for each that is missing', async () => {
    const large = Buffer.alloc(10 * megabyte - 10, 'x');
    bed.write('src/large.txt', large);
    bed.write('src/small.txt', 'small, and more than ten\n');
    bed.write('other.txt', 'outside\n');
    await take();
    assert.deepEqual(copies(), [sha256Of('small, and more than ten\n')]);
    bed.write('src/large.txt', 'x');
    rmSync(bed.at('other.txt'));
    assert.match(JSON.stringify(await before('src/large.txt', large)), /limited to 10 MB/);
    assert.match(JSON.stringify(await before('other.txt', 'outside\n', false)), /only approved paths are copied/);
    rmSync(copiesOf(bed.kept.user_state, root, 'm'), { recursive: true });
    bed.write('src/small.txt', 'y');
    assert.match(JSON.stringify(await before('src/small.txt', 'small, and more than ten\n')), /mission clean/);
  });

  it('are never bytes that a copy holds in their place', async () => {
    bed.write('src/new.txt', 'first\n');
    await take();
    bed.write('src/new.txt', 'x\n');
    const copy = path.join(copiesOf(bed.kept.user_state, root, 'm'), sha256Of('first\n'));
    assert.equal(readFileSync(copy, 'utf8'), 'first\n');
    writeFileSync(copy, 'forged');
    assert.equal((await before('src/new.txt', 'first\n')).kind, 'unknown');
    rmSync(copy);
    writeFileSync(path.join(bed.outside, 'private'), 'first\n');
    symlinkSync(path.join(bed.outside, 'private'), copy);
    assert.equal((await before('src/new.txt', 'first\n')).kind, 'unknown');
  });

  it('are described in words where they are no text or very large', async () => {
    const binary = Buffer.from([1, 2, 0, 3]);
    const large = Buffer.alloc(megabyte + 1, 'y');
    bed.write('src/a.bin', binary);
    bed.write('src/big.txt', large);
    bed.git('add', '.');
    bed.git('commit', '-qm', 'more');
    await take();
    bed.write('src/a.bin', '');
    bed.write('src/big.txt', '');
    assert.deepEqual(await before('src/a.bin', binary), { kind: 'binary', size: 4, sha256: sha256Of(binary) });
    assert.deepEqual(await before('src/big.txt', large), { kind: 'large', size: large.length });
  });

  it('keep a byte order mark, which is a change where a task adds or removes it', async () => {
    bed.write('src/a.txt', '\uFEFFa\n');
    await take();
    bed.write('src/a.txt', 'a\n');
    assert.equal(text(await before('src/a.txt', '\uFEFFa\n')), '\uFEFFa\n');
  });

  it('are never said to be what git holds there of other bytes, however large', async () => {
    bed.write('big.txt', Buffer.alloc(megabyte + 1, 'y'));
    bed.git('add', '.');
    bed.git('commit', '-qm', 'more');
    bed.write('big.txt', 'not committed\n');
    await take();
    bed.write('big.txt', 'done\n');
    assert.match(JSON.stringify(await before('big.txt', 'not committed\n', false)), /git does not hold these bytes/);
  });

  it('are copies where git cannot be asked for a name', async function () {
    if (process.platform === 'win32') this.skip(); // no such names there
    bed.write('src/two\nlines.txt', 'first\n');
    bed.git('add', '.');
    bed.git('commit', '-qm', 'more');
    settle();
    await take();
    bed.write('src/two\nlines.txt', 'second\n');
    assert.equal(text(await before('src/two\nlines.txt', 'first\n')), 'first\n');
  });

  it('are copies where HEAD has others of the same length, whatever the index and the times of the file say', async () => {
    bed.write('src/a.txt', 'x\n');
    bed.git('add', 'src/a.txt');
    settle();
    const { mtime } = statSync(bed.at('README.md'));
    bed.write('README.md', readFileSync(bed.at('README.md'), 'utf8').replace(/./g, 'z'));
    const readme = readFileSync(bed.at('README.md'), 'utf8');
    utimesSync(bed.at('README.md'), mtime, mtime);
    await take(['.']);
    bed.write('src/a.txt', 'y\n');
    bed.git('add', 'src/a.txt');
    bed.write('README.md', 'new\n');
    assert.equal(text(await before('src/a.txt', 'x\n')), 'x\n');
    assert.equal(text(await before('README.md', readme)), readme);
  });

  it('are copies once HEAD has them no more, and the file itself as long as it has them', async () => {
    settle();
    const next = owner();
    await next();
    const bytes = readFileSync(bed.at('src/a.txt'), 'utf8');
    bed.git('rm', '-q', '--cached', 'src/a.txt');
    bed.git('commit', '-qm', 'kept here only');
    await next();
    bed.write('src/a.txt', 'by the task\n');
    assert.equal(text(await before('src/a.txt', bytes)), bytes);
    bed.write('outside.txt', 'as it was\n');
    assert.equal(text(await before('outside.txt', 'as it was\n', false)), 'as it was\n');
  });

  it('are kept where a task moved or copied what git holds elsewhere, for the task after it', async () => {
    settle();
    const next = owner();
    await next();
    const bytes = readFileSync(bed.at('src/a.txt'), 'utf8');
    renameSync(bed.at('src/a.txt'), bed.at('src/moved.txt'));
    await next();
    bed.write('src/moved.txt', 'by the second\n');
    assert.equal(text(await before('src/moved.txt', bytes)), bytes);
    assert.deepEqual(copies(), [sha256Of(bytes)]);
  });

  it('survive a second baseline and another owner, without copying again', async () => {
    bed.write('src/new.txt', 'first\n');
    await take();
    const folder = copiesOf(bed.kept.user_state, root, 'm');
    const inode = statSync(path.join(folder, sha256Of('first\n'))).ino;
    bed.write('src/new.txt', 'second\n');
    await take();
    assert.equal(statSync(path.join(folder, sha256Of('first\n'))).ino, inode);
    assert.deepEqual([...copies()].sort(), [sha256Of('first\n'), sha256Of('second\n')].sort());
  });

  it('never fail a baseline: a folder that cannot be written is reported', async function () {
    if (process.platform === 'win32') this.skip();
    bed.write('src/new.txt', 'first\n');
    const folder = copiesOf(bed.kept.user_state, root, 'm');
    mkdirSync(path.dirname(folder), { recursive: true });
    writeFileSync(folder, 'a file where the folder should be');
    await take();
    bed.write('src/new.txt', 'x');
    assert.equal((await before('src/new.txt', 'first\n')).kind, 'unknown');
  });

  it('ask git for no name that leads elsewhere', async () => {
    await take();
    writeFileSync(path.join(bed.outside, 'private'), 'private\n');
    for (const name of ['../outside/private', '/etc/passwd', 'src/../../outside/private', 'a\nb', ''])
      assert.equal((await before(name, 'private\n')).kind, 'unknown', name);
  });
});

describe('contents now', () => {
  let bed: Bed;
  beforeEach(() => {
    bed = Bed.repository();
  });
  afterEach(() => bed.remove());
  const now = async (...paths: readonly string[]): Promise<readonly FileContent[]> =>
    createContents(bed.root, bed.kept).now(paths.map((path) => ({ path })));

  it('follow no link, at the end or on the way, and never leave the workspace', async () => {
    writeFileSync(path.join(bed.outside, 'private'), 'private\n');
    symlinkSync(path.join(bed.outside, 'private'), bed.at('src/link'));
    renameSync(bed.at('src/b.txt'), bed.at('b.txt'));
    symlinkSync(bed.outside, bed.at('folder'));
    const [link, way, above, absolute, inside] = await now(
      'src/link',
      'folder/private',
      '../outside/private',
      '/etc/passwd',
      'b.txt',
    );
    assert.deepEqual(link, { kind: 'link', target: path.join(bed.outside, 'private') });
    assert.deepEqual(way?.kind, 'unknown');
    assert.match(JSON.stringify(way), /folder is a symbolic link/);
    assert.equal(above?.kind, 'unknown');
    assert.equal(absolute?.kind, 'unknown');
    assert.deepEqual(inside, { kind: 'text', text: 'b\n', sha256: sha256Of('b\n') });
  });

  it('say of a name that is no UTF-8 text that it is there', async function () {
    if (process.platform !== 'linux') this.skip(); // no such names there
    const folder = Buffer.concat([Buffer.from(bed.at('src/')), Buffer.from([0x64, 0xff])]);
    mkdirSync(folder);
    writeFileSync(Buffer.concat([folder, Buffer.from([0x2f, 0x66, 0xfe])]), 'x');
    const found = await now('src/d\\xff/f\\xfe', 'src/d\\xff/f\\xfd', 'src/g\\xff');
    assert.deepEqual(
      found.map(({ kind }) => kind),
      ['unknown', 'absent', 'absent'],
    );
    assert.match(JSON.stringify(found[0]), /no UTF-8 text/);
  });

  it('say what is absent, a folder, unreadable, binary or very large', async () => {
    appendFileSync(bed.at('src/a.txt'), Buffer.from([0]));
    bed.write('src/big', Buffer.alloc(megabyte + 1));
    const found = await now('src/gone', 'src/a.txt/below', 'src', 'src/a.txt', 'src/big');
    assert.deepEqual(
      found.map(({ kind }) => kind),
      ['absent', 'absent', 'unknown', 'binary', 'large'],
    );
    if (process.platform !== 'win32' && process.geteuid?.() !== 0) {
      chmodSync(bed.at('README.md'), 0);
      assert.equal((await now('README.md'))[0]?.kind, 'unknown');
    }
  });
});
