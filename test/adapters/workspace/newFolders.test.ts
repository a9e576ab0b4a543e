import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { Bed, summary, type Judged } from './bed';

/** Folders of dependencies and builds: what was there is left out, what a worker makes is not. */
describe('workspace: folders of kinds that are left out', () => {
  let bed: Bed;
  afterEach(() => bed.remove());

  for (const [place, make] of [
    ['a repository', () => Bed.repository()],
    ['a folder without git', () => new Bed()],
  ] as const) {
    it(`are seen when they are new and ignore themselves, in ${place}`, async () => {
      bed = make();
      await bed.baseline();
      for (const name of ['build', 'node_modules', '.venv', 'lib/dist', 'lib/__pycache__']) {
        bed.write(`${name}/.gitignore`, '*\n');
        bed.write(`${name}/evil.js`, 'evil\n');
      }
      const folders = ['.venv', 'build', 'lib/__pycache__', 'lib/dist', 'node_modules'];
      violates(
        await bed.judge(),
        folders.flatMap((name) => [`added ${name}/.gitignore`, `added ${name}/evil.js`]),
      );
    });
  }

  it('are seen in a nested repository and in a new one', async () => {
    bed = Bed.repository();
    mkdirSync(bed.at('sub'));
    bed.gitIn(bed.at('sub'), 'init', '-q');
    await bed.baseline();
    bed.write('sub/node_modules/evil.js', 'evil\n');
    bed.write('sub/node_modules/.gitignore', '*\n');
    bed.write('sub/build/evil.js', 'evil\n');
    violates(await bed.judge(), [
      'added sub/build/evil.js',
      'added sub/node_modules/.gitignore',
      'added sub/node_modules/evil.js',
    ]);
  });

  it('hold files that a submodule or another nested repository tracks or would add, which are compared', async () => {
    bed = Bed.repository();
    bed.gitIn(bed.scratch, 'init', '-q', 'inner');
    mkdirSync(`${bed.scratch}/inner/.cargo`);
    writeFileSync(`${bed.scratch}/inner/.cargo/config.toml`, 'before\n');
    writeFileSync(`${bed.scratch}/inner/a~`, 'before\n');
    writeFileSync(`${bed.scratch}/inner/.gitignore`, '.cargo/*\n!.cargo/new\n');
    bed.gitIn(`${bed.scratch}/inner`, 'add', '--force', '.');
    bed.gitIn(`${bed.scratch}/inner`, 'commit', '-q', '-m', 'inner');
    bed.git('submodule', '--quiet', 'add', `${bed.scratch}/inner`, 'vendor/lib');
    bed.git('commit', '-q', '-m', 'submodule');
    bed.gitIn(bed.root, 'clone', '-q', `${bed.scratch}/inner`, 'nested');
    const places = ['nested', 'vendor/lib'];
    for (const place of places) bed.write(`${place}/.cargo/bin/tool`, 'before\n');
    await bed.baseline();
    for (const place of places)
      for (const file of ['.cargo/config.toml', '.cargo/bin/tool', '.cargo/new', 'a~', 'b~'])
        bed.write(`${place}/${file}`, 'after\n');
    const { changes } = await bed.judge();
    assert.deepEqual(
      summary(changes.filter(({ violation }) => violation !== null)),
      places.flatMap((place) => [
        `modified ${place}/.cargo/config.toml`,
        `added ${place}/.cargo/new`,
        `modified ${place}/a~`,
      ]),
    );
  });

  it('are reported as one change each, but file by file where the task may write', async () => {
    bed = Bed.repository();
    await bed.baseline(['dist/mine']);
    for (let file = 0; file < 300; file += 1) bed.write(`node_modules/p${file % 10}/${file}.js`, `${file}`);
    for (let file = 0; file < 300; file += 1) bed.write(`dist/${file}.js`, `${file}`);
    bed.write('dist/mine/result.js', 'x');
    const judged = await bed.judge();
    assert.deepEqual(
      judged.changes.map((change) => [change.kind, change.path, change.violation === null]),
      [
        ['added', 'dist', false],
        ['added', 'dist/mine/result.js', true],
        ['added', 'node_modules', false],
      ],
    );
    assert.match(judged.changes[2]?.detail ?? '', /^new folder of 300 files.*[0-9A-F]{64}$/);
    // The digest is that of what is in there.
    const again = await bed.judge();
    assert.equal(again.changes[2]?.detail, judged.changes[2]?.detail);
    bed.write('node_modules/p1/one-more.js', '');
    assert.notEqual((await bed.judge()).changes[2]?.detail, judged.changes[2]?.detail);
  });

  it('are left out by the next baseline, which names them', async () => {
    bed = Bed.repository();
    await bed.baseline();
    bed.write('node_modules/p/index.js', 'installed\n');
    violates(await bed.judge(), ['added node_modules/p/index.js']);
    await bed.baseline();
    bed.write('node_modules/p/index.js', 'rebuilt\n');
    const judged = await bed.judge();
    assert.deepEqual(judged.changes, []);
    assert.ok(
      judged.not_observed.some((sentence) => /that were there at the baseline.*: node_modules\./.test(sentence)),
      judged.not_observed.join('\n'),
    );
  });

  it('are observed while git does not ignore them, also when they begin to ignore themselves', async () => {
    bed = Bed.repository();
    bed.write('build/x.txt', 'x\n');
    bed.write('node_modules/p/index.js', 'p\n');
    bed.write('.gitignore', '.mission-control/\n');
    await bed.baseline();
    bed.write('build/.gitignore', '*\n');
    bed.write('build/evil.js', 'evil\n');
    bed.write('node_modules/p/index.js', 'evil\n');
    const expected = ['added build/.gitignore', 'added build/evil.js', 'modified node_modules/p/index.js'];
    violates(await bed.judge(), expected);
    // Decided once for the mission: a worker that has git ignore them afterwards hides nothing.
    await bed.baseline();
    bed.write('build/more.js', 'evil\n');
    violates(await bed.judge(), ['added build/more.js']);
  });

  it('are left out where they ignore themselves', async () => {
    bed = Bed.repository();
    bed.write('.venv/.gitignore', '*\n');
    bed.write('.venv/lib/x.py', 'x\n');
    bed.write(':(glob)/node_modules/x.js', 'x\n');
    await bed.baseline();
    bed.write('.venv/lib/x.py', 'changed\n');
    bed.write(':(glob)/node_modules/x.js', 'changed\n');
    assert.deepEqual((await bed.judge()).changes, []);
  });

  it('are a change when something else takes their place', async () => {
    bed = Bed.repository();
    bed.write('node_modules/p/index.js', 'p\n');
    bed.write('dist/x.js', 'x\n');
    await bed.baseline();
    rmSync(bed.at('node_modules'), { recursive: true });
    symlinkSync(bed.outside, bed.at('node_modules'));
    rmSync(bed.at('dist'), { recursive: true });
    writeFileSync(bed.at('dist'), 'a file');
    violates(await bed.judge(), ['added dist', 'added node_modules']);
  });
});

function violates({ changes, verdict }: Judged, expected: readonly string[]): void {
  assert.deepEqual(summary(changes), expected);
  assert.deepEqual(verdict.kind === 'scope_violation' ? summary(verdict.violations) : verdict.kind, expected);
}
