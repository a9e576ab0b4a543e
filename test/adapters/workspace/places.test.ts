import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { createWorkspace } from '../../../src/adapters/workspace/workspace';
import { manifestsOf } from '../../../src/adapters/workspace/manifest/place';
import type { BaselineFacts, DifferenceRequest } from '../../../src/engine/ports/workspace';
import { asNobody } from './asNobody';
import { Bed, summary } from './bed';

/** Kinds of workspaces, names and files. */
describe('workspace: places and names', () => {
  let bed: Bed;
  afterEach(() => bed.remove());

  it('without git is walked plainly, build folders included', async () => {
    bed = new Bed();
    bed.write('src/a.txt', 'a\n');
    bed.write('build/x.txt', 'x\n');
    bed.write('node_modules/p/index.js', 'p\n');
    assert.equal(await bed.workspace.head(), null);
    await bed.baseline();
    bed.write('src/a.txt', 'changed\n');
    bed.write('build/x.txt', 'changed\n');
    bed.write('node_modules/p/index.js', 'changed\n');
    const judged = await bed.judge();
    assert.deepEqual(summary(judged.changes), ['modified build/x.txt', 'modified src/a.txt']);
    assert.ok(
      judged.not_observed.some(
        (sentence) => sentence.includes('dependency and build folders') && sentence.includes('node_modules'),
      ),
    );
    assert.ok(judged.not_observed.every((sentence) => !sentence.includes('.git')));
  });

  it('can become a repository during the attempt', async () => {
    bed = new Bed();
    bed.write('build/x.txt', 'x\n');
    await bed.baseline();
    bed.git('init', '-q', '--template=');
    const judged = await bed.judge();
    assert.deepEqual(summary(judged.changes), ['git .git/HEAD', 'git .git/config']);
    assert.equal(judged.verdict.kind, 'scope_violation');
  });

  it('compares tracked and addable files, and task paths, inside build folders', async () => {
    bed = Bed.repository();
    bed.write('build/tracked.txt', 'x\n');
    bed.write('dist/ignored.txt', 'x\n');
    bed.write('dist/forced.txt', 'x\n');
    bed.git('add', '-f', 'build/tracked.txt', 'dist/forced.txt');
    await bed.baseline(['dist/mine']);
    bed.write('build/tracked.txt', 'changed\n');
    bed.write('build/addable.txt', 'new\n');
    bed.write('dist/ignored.txt', 'changed\n');
    bed.write('dist/forced.txt', 'changed\n');
    bed.write('dist/mine/result.txt', 'in scope\n');
    const { changes } = await bed.judge();
    assert.deepEqual(
      changes.map((change) => [change.kind, change.path, change.in_scope]),
      [
        ['added', 'build/addable.txt', false],
        ['modified', 'build/tracked.txt', false],
        ['modified', 'dist/forced.txt', false],
        ['added', 'dist/mine/result.txt', true],
      ],
    );
  });

  it('does not lose files of a build folder when the worker makes git ignore them', async () => {
    bed = Bed.repository();
    bed.write('build/x.txt', 'x\n');
    bed.write('build/y.txt', 'y\n');
    await bed.baseline(['.gitignore']);
    appendFileSync(bed.at('.gitignore'), 'build/\n');
    bed.write('build/x.txt', 'changed\n');
    const { changes } = await bed.judge();
    assert.deepEqual(summary(changes), ['modified .gitignore', 'modified build/x.txt']);
  });

  it('can be a linked worktree', async () => {
    bed = Bed.repository();
    const linked = path.join(bed.scratch, 'linked');
    bed.git('worktree', 'add', '-q', '-b', 'side', linked);
    const run_dir = path.join(linked, '.mission-control/runs/1');
    mkdirSync(run_dir, { recursive: true });
    const workspace = createWorkspace(linked, bed.kept);
    const head = await workspace.head();
    assert.equal(head, bed.git('rev-parse', 'HEAD').trim());
    const baseline = await workspace.baseline({ mission_id: 'm', forbidden_paths: [] });
    assert.ok(baseline.ok && baseline.value.git && baseline.value.head === head);
    bed.gitIn(linked, 'commit', '-q', '--allow-empty', '-m', 'in the worktree');
    bed.gitIn(linked, 'update-index', '--assume-unchanged', 'README.md');
    bed.write('.git/hooks/pre-commit', '#!/bin/sh\n');
    const found = await workspace.difference(of(baseline.value, run_dir));
    assert.ok(found.ok);
    assert.deepEqual(summary(found.value.changes), [
      'git .git/hooks/pre-commit',
      'git .git/refs/heads/side',
      'index_flag README.md',
    ]);
    assert.notEqual(found.value.head, head);
  });

  it('can be a folder of a larger repository', async () => {
    bed = Bed.repository();
    const folder = bed.at('src');
    const run_dir = path.join(folder, '.mission-control/runs/1');
    mkdirSync(run_dir, { recursive: true });
    const workspace = createWorkspace(folder, bed.kept);
    const baseline = await workspace.baseline({ mission_id: 'm', forbidden_paths: [] });
    assert.ok(baseline.ok);
    bed.write('src/a.txt', 'changed\n');
    bed.write('README.md', 'outside of the workspace\n');
    bed.git('update-index', '--assume-unchanged', 'src/b.txt', 'README.md');
    bed.write('.git/hooks/pre-commit', '#!/bin/sh\n');
    const found = await workspace.difference(of(baseline.value, run_dir));
    assert.ok(found.ok);
    assert.deepEqual(summary(found.value.changes), ['git .git/hooks/pre-commit', 'modified a.txt', 'index_flag b.txt']);
  });

  it('can be opened through a link', async () => {
    bed = Bed.repository();
    const link = path.join(bed.scratch, 'link');
    symlinkSync(bed.root, link);
    const workspace = createWorkspace(link, bed.kept);
    const run_dir = path.join(link, '.mission-control/runs/1');
    mkdirSync(run_dir, { recursive: true });
    const baseline = await workspace.baseline({ mission_id: 'm', forbidden_paths: [] });
    assert.ok(baseline.ok);
    bed.write('src/a.txt', 'changed\n');
    const found = await workspace.difference(of(baseline.value, run_dir));
    assert.ok(found.ok);
    assert.deepEqual(summary(found.value.changes), ['modified src/a.txt']);
  });

  it('has names with spaces, line ends, quotes, other scripts, line separators', async () => {
    bed = Bed.repository();
    const names = [
      'with space',
      'line\nend',
      'tab\tand"quote\\',
      'grüße',
      '文件',
      'e\u0301',
      '\u00e9',
      'a\u2028b',
      '-rf',
      ':(glob)x',
      '{"kind":1}',
    ];
    for (const name of names) {
      bed.write(`src/${name}/file`, 'x\n');
      bed.write(`build/${name}`, 'x\n');
    }
    bed.git('add', 'build');
    bed.git('update-index', '--assume-unchanged', `build/${names[1] ?? ''}`);
    await bed.baseline();
    for (const name of names) {
      bed.write(`src/${name}/file`, 'changed\n');
      bed.write(`build/${name}`, 'changed\n');
    }
    const { changes } = await bed.judge();
    const expected = [...names.map((name) => `build/${name}`), ...names.map((name) => `src/${name}/file`)].sort(
      byCodeUnit,
    );
    assert.deepEqual(
      changes.map((change) => change.path),
      expected,
    );
    assert.ok(changes.every((change) => change.kind === 'modified'));
  });

  it('has names that are not valid UTF-8', async () => {
    bed = Bed.repository();
    const raw = (name: number[]): Buffer => Buffer.concat([Buffer.from(`${bed.at('src')}/`), Buffer.from(name)]);
    try {
      writeFileSync(raw([0x61, 0xff]), 'x\n');
    } catch {
      return; // A file system that only holds text has no such names.
    }
    mkdirSync(raw([0xfe]));
    writeFileSync(Buffer.concat([raw([0xfe]), Buffer.from('/inner')]), 'x\n');
    mkdirSync(bed.at('build'));
    writeFileSync(Buffer.concat([Buffer.from(`${bed.at('build')}/`), Buffer.from([0xfd])]), 'x\n');
    await bed.baseline(['docs']);
    assert.deepEqual((await bed.judge()).changes, []);
    await bed.baseline(['docs']);
    writeFileSync(raw([0x61, 0xff]), 'changed\n');
    writeFileSync(Buffer.concat([Buffer.from(`${bed.at('build')}/`), Buffer.from([0xfd])]), 'changed\n');
    rmSync(Buffer.concat([raw([0xfe]), Buffer.from('/inner')]));
    writeFileSync(raw([0x62, 0xff]), 'new\n');
    const judged = await bed.judge();
    assert.deepEqual(
      summary(judged.changes),
      ['modified build/\\xfd', 'modified src/a\\xff', 'added src/b\\xff', 'deleted src/\\xfe/inner'].sort(
        (left, right) => byCodeUnit(left.slice(left.indexOf(' ')), right.slice(right.indexOf(' '))),
      ),
    );
    assert.equal(judged.verdict.kind, 'scope_violation');
  });

  it('states files that cannot be read, and reports those that no longer can', function () {
    bed = Bed.repository();
    return asNobody(this, 'places', 'places and names states files', async () => {
      bed.write('closed/x.txt', 'x\n');
      bed.write('secret.txt', 'x\n');
      bed.write('later.txt', 'x\n');
      bed.write('later/x.txt', 'x\n');
      chmodSync(bed.at('secret.txt'), 0);
      chmodSync(bed.at('closed'), 0);
      await bed.baseline();
      assert.deepEqual((await bed.judge()).changes, []);
      await bed.baseline();
      chmodSync(bed.at('later.txt'), 0);
      chmodSync(bed.at('later'), 0);
      const judged = await bed.judge();
      for (const name of ['closed', 'later']) chmodSync(bed.at(name), 0o755);
      assert.deepEqual(summary(judged.changes), ['mode_changed later', 'mode_changed later.txt']);
      const sentence = judged.not_observed.find((text) => text.startsWith('Could not be read')) ?? '';
      for (const name of ['closed', 'secret.txt', 'later', 'later.txt'])
        assert.ok(sentence.includes(`${name} (EACCES)`), sentence);
    });
  });

  it('compares large files by size, times and inode, and says so', async () => {
    bed = new Bed({ large_file_bytes: 1000 });
    bed.write('large.bin', '');
    truncateSync(bed.at('large.bin'), 5000);
    bed.write('small.bin', 'x');
    await bed.baseline([]);
    assert.deepEqual((await bed.judge()).changes, []);
    await bed.baseline([]);
    truncateSync(bed.at('large.bin'), 6000);
    const judged = await bed.judge();
    assert.deepEqual(
      judged.changes.map((change) => [change.path, change.after_sha256, change.detail]),
      [['large.bin', null, 'compared by size, times and inode only (too_large)']],
    );
    assert.ok(judged.not_observed.some((sentence) => sentence.includes('large.bin')));
    const old = new Date('2020-01-01T00:00:00Z');
    utimesSync(bed.at('large.bin'), old, old);
    await bed.baseline([]);
    assert.deepEqual((await bed.judge()).changes, []);
    writeFileSync(bed.at('large.bin'), 'x', { flag: 'r+' });
    utimesSync(bed.at('large.bin'), old, old);
    assert.deepEqual(summary((await bed.judge()).changes), ['modified large.bin']);
  });

  it('has links that lead to too much, to the file system, in circles', async () => {
    bed = Bed.repository();
    for (let index = 0; index < 2_100; index++) writeFileSync(path.join(bed.outside, `${index}`), '');
    symlinkSync(bed.outside, bed.at('src/much'));
    symlinkSync('/', bed.at('src/everything'));
    symlinkSync('circle', bed.at('src/circle'));
    symlinkSync('..', bed.at('src/up'));
    await bed.baseline();
    const judged = await bed.judge();
    assert.deepEqual(judged.changes, []);
    const sentence = judged.not_observed.find((text) => text.startsWith('Links whose targets')) ?? '';
    assert.ok(sentence.includes('src/much') && sentence.includes('src/everything'), sentence);
    assert.ok(!sentence.includes('src/up') && !sentence.includes('src/circle'), sentence);
  });

  it('may vanish during a look, which is reported and not thrown', async () => {
    bed = Bed.repository();
    for (let index = 0; index < 3_000; index++) bed.write(`src/many/${index % 50}/${index}.txt`, `${index}`);
    await bed.baseline();
    const looking = bed.difference();
    await new Promise((resolve) => setImmediate(resolve));
    renameSync(bed.at('src/many'), path.join(bed.scratch, 'gone'));
    const { changes } = await looking;
    assert.ok(changes.every((change) => change.kind === 'deleted'));
  });

  it('holds 20,000 files without blocking the event loop', async function () {
    bed = Bed.repository();
    for (let folder = 0; folder < 200; folder++) {
      mkdirSync(bed.at(`src/f${folder}`));
      for (let file = 0; file < 100; file++) writeFileSync(bed.at(`src/f${folder}/${file}.txt`), `${folder}-${file}`);
    }
    let turns = 0;
    // As often as the event loop comes round, however long each of its rounds takes.
    const turn = (): NodeJS.Immediate =>
      setImmediate(() => {
        turns++;
        turning = turn();
      });
    let turning = turn();
    await bed.baseline();
    clearImmediate(turning);
    assert.ok(turns > 20, `${turns} turns`);
    bed.write('src/f7/7.txt', 'changed');
    bed.write('other.txt', 'new');
    assert.deepEqual(summary((await bed.judge()).changes), ['added other.txt', 'modified src/f7/7.txt']);
  });

  it('refuses a baseline that is gone, torn, or not the recorded one', async () => {
    bed = Bed.repository();
    await bed.baseline();
    const folder = manifestsOf(bed.kept.user_state, bed.root, 'm');
    const [name = ''] = readdirSync(folder);
    const file = path.join(folder, name);
    const text = readFileSync(file, 'utf8');
    const difference = async (change: Partial<DifferenceRequest> = {}): Promise<string | null> => {
      // As the next owner finds it: this one does not read what it has just written.
      const found = await createWorkspace(bed.root, bed.kept).difference({ ...bed.request, ...change });
      return found.ok ? null : found.refusal.code;
    };
    assert.equal(await difference(), null);
    const other = text.replace('"src/a.txt"', '"src/A.txt"');
    assert.notEqual(other, text);
    for (const broken of [
      text.slice(0, text.length / 2),
      '',
      '{"header":{}}',
      'null\n',
      `${text.slice(0, 100)}\u0000`,
      other,
    ]) {
      writeFileSync(file, broken);
      assert.equal(await difference(), 'STATE_STORE_CORRUPT');
    }
    writeFileSync(file, text);
    assert.equal(await difference(), null);
    assert.equal(await difference({ baseline_sha256: 'A'.repeat(64) }), 'STATE_STORE_CORRUPT');
    assert.equal(await difference({ baseline_sha256: '../m' }), 'STATE_STORE_CORRUPT');
    assert.equal(await difference({ mission_id: '../m' }), 'STATE_STORE_CORRUPT');
    rmSync(file);
    assert.equal(await difference(), 'STATE_STORE_CORRUPT');
  });

  it('writes observed.json with exactly the digest it answers', async () => {
    bed = Bed.repository();
    await bed.baseline();
    bed.write('src/a.txt', 'changed\n');
    const facts = await bed.difference();
    const { createHash } = await import('node:crypto');
    const bytes = readFileSync(path.join(bed.runDirectory, 'observed.json'));
    assert.equal(createHash('sha256').update(bytes).digest('hex').toUpperCase(), facts.observed_sha256);
    const observed = JSON.parse(bytes.toString('utf8')) as { changes: unknown; not_observed: unknown };
    assert.deepEqual(observed.changes, facts.changes);
    assert.deepEqual(readdirSync(bed.runDirectory), ['observed.json']);
  });
});

function of({ manifest_sha256 }: BaselineFacts, run_dir: string): DifferenceRequest {
  return { mission_id: 'm', run_dir, forbidden_paths: [], baseline_sha256: manifest_sha256 };
}

function byCodeUnit(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
