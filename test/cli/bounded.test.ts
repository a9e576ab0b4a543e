import assert from 'node:assert/strict';
import { rmSync, statSync } from 'node:fs';
import { CliBed, decision, start } from './cliBed';

interface Found {
  readonly attempts: readonly {
    readonly reason: string;
    readonly changes: readonly unknown[];
    readonly verify_changes?: { readonly changes: readonly unknown[] };
  }[];
  readonly outstanding?: readonly unknown[];
}
interface Viewed {
  readonly missions: readonly {
    readonly tasks: readonly { readonly details: readonly string[] }[];
    readonly blocks: readonly {
      readonly packet_path: string;
      readonly details: readonly string[];
      readonly acceptable: readonly unknown[];
    }[];
  }[];
}

/** However many files a worker leaves: one file holds them all, and what people read names the first hundred. */
describe('evidence of very many changes', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const folder = 'docs/ops/executions/many';
  const evidence = (): Found => bed.json(`${folder}/TASK_T1.json`) as unknown as Found;
  const size = (file: string): number => statSync(bed.at(file)).size;
  const linesWith = (text: string, part: string): number =>
    text.split('\n').filter((line) => line.includes(part)).length;

  it('names a hundred of them in what people read, and keeps the whole list, which verifies', async () => {
    const script = `${start} fs.mkdirSync('stray'); for (let i = 0; i < 3000; i++) fs.writeFileSync('stray/file-' + i, 'x');`;
    const run = await bed.mission('run', bed.plan('many', [{ script }]));
    assert.equal(run.json.code, 'CONCURRENCY_CONFLICT');
    const status = await bed.mission('status');
    assert.ok(status.stdout.length < 60_000, `mission status printed ${status.stdout.length}`);
    const details = (status.json as unknown as Viewed).missions[0]?.blocks[0]?.details ?? [];
    assert.deepEqual([details.length, details[100]], [102, 'and 2,900 more; the whole list is in TASK_T1.json']);
    await bed.mission('cancel', run.json.mission_id, ...decision);
    assert.ok(run.stdout.length < 20_000, `mission run printed ${run.stdout.length}`);
    assert.equal(evidence().attempts[0]?.changes.length, 3000);
    assert.equal(evidence().attempts[0]?.reason.split('\n').length, 103, 'the step as well');
    const summary = bed.read(`${folder}/EXECUTION_SUMMARY.md`);
    assert.ok(summary.length < 60_000, `the summary has ${summary.length}`);
    assert.ok(linesWith(summary, '| added |') === 100, `${linesWith(summary, '| added |')} rows`);
    assert.match(summary, /3000 in all/);
    assert.match(summary, /and 2,900 more; the whole list is in TASK/);
    for (const extra of [[], ['--no-journal']]) {
      const verified = await bed.mission('evidence', 'verify', 'many', ...extra);
      assert.deepEqual(
        [verified.code, verified.json.findings.filter(({ code }) => code !== 'JOURNAL_ABSENT')],
        [0, []],
      );
    }
    rmSync(bed.at('stray'), { recursive: true });
    const after = await bed.mission('evidence', 'verify', 'many');
    const told = after.json.findings.map((finding) => (finding as unknown as { readonly message: string }).message);
    assert.deepEqual([after.code, told.length], [0, 101]);
    assert.match(told.at(-1) ?? '', /2,900 more/);
  });

  it('bounds packets and status of what blocked, and keeps the whole list', async () => {
    const count = 300;
    for (let index = 0; index < count; index += 1) bed.write(`src/file-${index}`, 'tracked');
    bed.git('add', '.');
    bed.git('commit', '-q', '-m', 'many files');
    bed.write(
      'tools/check.mjs',
      `import fs from 'node:fs'; for (let i = 0; i < ${count}; i++) fs.writeFileSync('src/file-' + i, 'changed');`,
    );
    const plan = bed.plan('many', [
      { script: `${start} fs.writeFileSync('docs/out/a.txt', 'a');`, verify: [['node', 'tools/check.mjs']] },
    ]);
    const run = await bed.mission('run', plan);
    assert.equal(run.code, 3, run.stdout);
    const { stdout, json } = await bed.mission('status');
    assert.ok(stdout.length < 60_000, `mission status printed ${stdout.length}`);
    const [block] = (json as unknown as Viewed).missions[0]?.blocks ?? [];
    // A hundred, how many more, and what else the worker is judged by.
    assert.ok((block?.details.length ?? 0) <= 102, `${block?.details.length} details`);
    assert.equal(block?.acceptable.length, 100);
    const packet = block.packet_path.replace(/\.json$/, '');
    assert.ok(size(`${packet}.json`) < 40_000, `the packet has ${size(`${packet}.json`)}`);
    assert.ok(size(`${packet}.md`) < 40_000, `its twin has ${size(`${packet}.md`)}`);
    const mission = await bed.missionId();
    const by = ['--by', 'Grace', '--reason', 'because'];
    const wrong = await bed.mission('accept', mission, 'T1', 'no-such-file', ...by);
    assert.equal(wrong.json.code, 'CHANGE_UNKNOWN');
    assert.ok(wrong.stdout.length < 10_000, `the refusal has ${wrong.stdout.length}`);
    // All of them count: to accept the hundred that are named is not enough.
    const names = Array.from({ length: count }, (_, index) => `src/file-${index}`);
    const some = await bed.mission('accept', mission, 'T1', ...names.slice(1), ...by);
    assert.deepEqual([some.code, some.json.accepted], [0, true], some.stdout);
    const still = ((await bed.mission('status')).json as unknown as Viewed).missions[0]?.blocks[0];
    assert.deepEqual(still?.acceptable, [{ name: 'src/file-0', why: 'is tracked by git' }]);
    await bed.mission('cancel', mission, ...by);
    assert.equal(evidence().outstanding?.length, count);
    const summary = bed.read(`${folder}/EXECUTION_SUMMARY.md`);
    assert.ok(summary.length < 120_000, `the summary has ${summary.length}`);
    assert.equal((await bed.mission('evidence', 'verify', 'many')).code, 0);
  });
});
