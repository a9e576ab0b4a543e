import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CliBed, decision, start, until, type Ended } from './cliBed';

interface Diff {
  readonly live: boolean;
  readonly notes: readonly string[];
  readonly files: readonly {
    readonly path: string;
    readonly before_path?: string;
    readonly tasks: readonly string[];
    readonly doubted?: readonly string[];
    readonly unannounced?: readonly string[];
    readonly violation: string | null;
    readonly since: string | null;
    readonly patch: string | null;
    readonly why_no_patch: string | null;
  }[];
}

// Put together here, so that no scanner takes this file for a leak.
const secret = ['ghp', 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAbCdE'].join('_');

describe('mission diff', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const diff = async (...args: string[]): Promise<Diff> => {
    const ended = await bed.mission('diff', ...args);
    assert.equal(ended.code, 0, ended.stderr);
    const told = JSON.parse(ended.stdout) as Diff;
    for (const { path: file, patch, why_no_patch } of told.files)
      assert.equal(typeof (patch === null ? why_no_patch : patch), 'string', `${file} says neither`);
    return told;
  };
  const copiesAt = async (run: Ended): Promise<string> => {
    const listed = await bed.mission('clean');
    const manifests = listed.json.directories.map((one) => one.path).find((one) => one.endsWith('manifests')) ?? '';
    assert.ok(manifests.includes(run.json.mission_id), listed.stdout);
    return path.join(path.dirname(manifests), 'copies');
  };
  const change = (before: string, after: string): string =>
    ['@@ -1,1 +1,1 @@', `-${before}`, `+${after}`, ''].join('\n');

  it('shows what a mission changed: from git, from copies, moved, deleted, added and in more than one attempt', async () => {
    bed.write('docs/out/committed.txt', 'committed\n');
    bed.write('docs/out/moved.txt', 'as it is\n');
    bed.write('docs/out/gone.txt', 'gone soon\n');
    bed.git('add', '.');
    bed.git('commit', '-qm', 'more');
    bed.write('docs/out/own.txt', 'never committed\n');
    const script = `${start}
      const write = (name, text) => fs.writeFileSync('docs/out/' + name, text);
      if (!fs.existsSync('docs/out/first.txt')) {
        write('first.txt', 'first\\n'); write('committed.txt', 'one\\n'); write('own.txt', 'one\\n');
        process.exit(1);
      }
      write('committed.txt', 'two\\n'); write('own.txt', 'two\\n'); write('first.txt', 'second\\n');
      fs.rmSync('docs/out/gone.txt'); fs.renameSync('docs/out/moved.txt', 'docs/out/to.txt');`;
    const first = await bed.mission('run', bed.plan('shown', [{ script }]));
    const id = first.json.mission_id;
    const retried = await bed.mission('retry', id, 'T1', ...decision);
    assert.equal(retried.code, 0, retried.stderr);
    const shown = await diff(id);
    assert.deepEqual(
      shown.files.map(({ path: file, before_path }) => [file, before_path]),
      [
        ['docs/out/committed.txt', undefined],
        ['docs/out/first.txt', undefined],
        ['docs/out/gone.txt', undefined],
        ['docs/out/own.txt', undefined],
        ['docs/out/to.txt', 'docs/out/moved.txt'],
      ],
    );
    const patch = (file: string): string => shown.files.find((one) => one.path === file)?.patch ?? '';
    assert.ok(patch('docs/out/committed.txt').endsWith(change('committed', 'two')), patch('docs/out/committed.txt'));
    assert.ok(patch('docs/out/own.txt').endsWith(change('never committed', 'two')), patch('docs/out/own.txt'));
    assert.match(
      patch('docs/out/first.txt'),
      /^--- \/dev\/null.*\n\+\+\+ b\/docs\/out\/first\.txt.*\n@@ -0,0 \+1,1 @@\n\+second\n$/m,
    );
    assert.match(patch('docs/out/gone.txt'), /\+\+\+ \/dev\/null.*\n@@ -1,1 \+0,0 @@\n-gone soon\n$/);
    assert.ok(shown.files.every(({ since, tasks }) => since === null && tasks.join() === 'T1'));
    assert.deepEqual((await diff('shown', 'T1')).files, shown.files);
    bed.write('docs/out/own.txt', 'a person went on\n');
    const later = (await diff(id)).files.find(({ path: file }) => file === 'docs/out/own.txt');
    assert.match(later?.since ?? '', /^is not as the task left it$/);
    assert.match(later?.patch ?? '', /\+a person went on/);
  });

  it('shows changes of invisible bytes: at the end of a line, and where the text is no UTF-8', async () => {
    bed.write('docs/out/end.txt', 'a\n');
    writeFileSync(bed.at('docs/out/latin.txt'), Buffer.from('caf\u00e9\n', 'latin1'));
    const script = `${start}fs.writeFileSync('docs/out/end.txt', 'a\\uFEFF \\r\\n');
      fs.writeFileSync('docs/out/latin.txt', Buffer.from('caf\\u00e8\\n', 'latin1'));
      fs.writeFileSync('docs/out/tab.txt', 'a\\tb\\n');`;
    const run = await bed.mission('run', bed.plan('unseen', [{ script }]));
    assert.equal(run.json.status, 'completed', run.stderr);
    const printed = await bed.spawn(process.execPath, [path.resolve('dist/cli.js'), 'diff', 'unseen']).ended;
    assert.match(printed.stdout, /^-a\n\+a\\ufeff \\r$/m);
    assert.match(printed.stdout, /^\+a\tb$/m);
    assert.match(
      printed.stdout,
      /^docs\/out\/latin\.txt, changed while T1 ran; observed, not announced\nIts bytes differ where they are no UTF-8 text/m,
    );
  });

  it('says why there is no patch: no text on a side, or too much that differs', async () => {
    bed.write('docs/out/many.txt', 'before\n'.repeat(30_000));
    const script = `${start}fs.writeFileSync('docs/out/bytes.bin', Buffer.from([0, 1, 2]));
      fs.writeFileSync('docs/out/many.txt', Array.from({ length: 30_000 }, (_, line) => line + '\\n').join(''));`;
    const run = await bed.mission('run', bed.plan('why', [{ script }]));
    assert.equal(run.json.status, 'completed', run.stderr);
    assert.deepEqual(
      (await diff('why')).files.map(({ patch, why_no_patch }) => [patch, why_no_patch?.slice(0, 33)]),
      [
        [null, 'now: Binary file of 3 bytes, SHA-'],
        [null, 'The two differ in too many lines,'],
      ],
    );
  });

  it('shows what was changed out of scope first, and why that was wrong', async () => {
    const script = `${start}fs.writeFileSync('docs/out/a.txt', 'a'); fs.writeFileSync('zz.txt', 'not mine\\n');`;
    const run = await bed.mission('run', bed.plan('strays', [{ script }]));
    assert.equal(run.json.status, 'blocked');
    const { files } = await diff(run.json.mission_id);
    assert.deepEqual(
      files.map(({ path: file, violation }) => [file, violation !== null]),
      [
        ['zz.txt', true],
        ['docs/out/a.txt', false],
      ],
    );
    assert.deepEqual(
      files.map(({ doubted, unannounced }) => [doubted, unannounced]),
      [
        [['T1'], ['T1']],
        [undefined, ['T1']],
      ],
    );
    const printed = await bed.spawn(process.execPath, [path.resolve('dist/cli.js'), 'diff', 'strays']).ended;
    assert.match(
      printed.stdout,
      /^zz\.txt, found during T1; nothing shows who changed it\nOut of scope: it lies outside the approved paths/,
    );
    assert.match(printed.stdout, /^\+not mine$/m);
  });

  it('credits no worker with a file that a person put into its approved folder meanwhile', async () => {
    const script = `${start}fs.writeFileSync('docs/out/own.txt', 'own\\n'); ${bed.waitAt('gate')}`;
    const running = bed.start('run', bed.plan('beside', [{ script }]));
    await bed.waitsAt('gate');
    bed.write('docs/out/person.txt', 'mine\n');
    bed.open('gate');
    const run = await running.ended;
    assert.equal(run.json.status, 'completed', run.stderr);
    const summary = bed.read('docs/ops/executions/beside/EXECUTION_SUMMARY.md');
    assert.match(
      summary,
      /`docs\/out\/person\.txt` \| added \| worker, by its time \| in scope; observed, not announced \|/,
    );
    const shown = await bed.spawn(process.execPath, [path.resolve('dist/cli.js'), 'diff', 'beside']).ended;
    assert.match(shown.stdout, /^docs\/out\/person\.txt, changed while T1 ran; observed, not announced$/m);
    assert.doesNotMatch(shown.stdout, /changed by/);
  });

  it('shows what a task has changed by now while it runs, and writes nothing of it', async () => {
    bed.write('docs/out/a.txt', 'before\n');
    const script = `${start}fs.writeFileSync('docs/out/a.txt', 'half done\\n'); ${bed.waitAt('gate')} fs.writeFileSync('docs/out/a.txt', 'done\\n');`;
    const running = bed.start('run', bed.plan('live', [{ script }]));
    await bed.waitsAt('gate');
    const id = await bed.missionId();
    const shown = await until(async () => {
      const found = await diff(id, 'T1');
      return found.files.some(({ path: file }) => file === 'docs/out/a.txt') && found;
    });
    assert.equal(shown.live, true);
    assert.match(shown.files.find(({ path: file }) => file === 'docs/out/a.txt')?.patch ?? '', /-before\n\+half done/);
    assert.equal(bed.exists('observed.json'), false);
    bed.open('gate');
    const run = await running.ended;
    assert.equal(run.json.status, 'completed', run.stderr);
    assert.match((await diff(id)).files.find(({ path: file }) => file === 'docs/out/a.txt')?.patch ?? '', /\+done/);
  });

  it('keeps exact bytes in the copies alone, which mission clean removes', async () => {
    bed.write('docs/out/config.txt', `token ${secret}\n`);
    const script = `${start}fs.writeFileSync('docs/out/config.txt', 'token gone\\n');`;
    const run = await bed.mission('run', bed.plan('secret', [{ script }]));
    assert.equal(run.json.status, 'completed', run.stderr);
    const copies = await copiesAt(run);
    const held = readdirSync(copies).map((name) => readFileSync(path.join(copies, name), 'latin1'));
    assert.ok(held.includes(`token ${secret}\n`));
    const places = [bed.at('.mission-control'), bed.at('docs/ops'), path.dirname(copies)];
    for (const place of places)
      for (const entry of readdirSync(place, { recursive: true, withFileTypes: true })) {
        const file = path.join(entry.parentPath, entry.name);
        if (entry.isFile() && path.dirname(file) !== copies)
          assert.equal(readFileSync(file, 'latin1').includes(secret), false, file);
      }
    assert.match((await diff('secret')).files[0]?.patch ?? '', /\+token gone/);
    assert.equal((await bed.mission('clean', '--yes')).code, 0);
    assert.equal(existsSync(copies), false);
    const [left] = (await diff('secret')).files;
    assert.equal(left?.patch, null);
    assert.match(left.why_no_patch ?? '', /^before: No baseline kept: .*mission clean/);
    const printed = await bed.spawn(process.execPath, [path.resolve('dist/cli.js'), 'diff', 'secret']).ended;
    assert.match(printed.stdout, /before: No baseline kept: .*mission clean/);
    assert.equal((await bed.mission('evidence', 'verify', 'secret')).code, 0);
  });

  it('follows no link that took the place of a file or folder, and refuses unknown names', async () => {
    const script = `${start}fs.mkdirSync('docs/out/inner'); fs.writeFileSync('docs/out/a.txt', 'a'); fs.writeFileSync('docs/out/inner/b.txt', 'b');`;
    const run = await bed.mission('run', bed.plan('linked', [{ script }]));
    assert.equal(run.json.status, 'completed', run.stderr);
    const elsewhere = path.join(bed.scratch, 'elsewhere');
    writeFileSync(elsewhere, 'private\n');
    rmSync(bed.at('docs/out/a.txt'));
    symlinkSync(elsewhere, bed.at('docs/out/a.txt'));
    rmSync(bed.at('docs/out/inner'), { recursive: true });
    symlinkSync(bed.scratch, bed.at('docs/out/inner'));
    const ended = await bed.mission('diff', 'linked');
    assert.equal(ended.stdout.includes('private'), false);
    const { files } = JSON.parse(ended.stdout) as Diff;
    assert.deepEqual(
      files.map(({ since, patch, why_no_patch }) => [since?.slice(0, 18), patch, why_no_patch?.slice(0, 15)]),
      [
        ['is a symbolic link', null, 'now: Symbolic l'],
        ['cannot be read now', null, 'now: Not shown:'],
      ],
    );
    const unknown = await bed.mission('diff', 'linked', 'T9');
    assert.deepEqual([unknown.code === 0, unknown.json.code], [false, 'TASK_UNKNOWN']);
    const nobody = await bed.mission('diff', 'nobody');
    assert.deepEqual([nobody.code === 0, nobody.json.code], [false, 'MISSION_UNKNOWN']);
  });
});
