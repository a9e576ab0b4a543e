import assert from 'node:assert/strict';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import { CliBed, decision, start } from './cliBed';

/** What an attempt left is judged once more, with real files, processes and commands. */
describe('mission rerun-validation', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const evidenceOf = (plan: string, task: string): TaskEvidence =>
    JSON.parse(bed.read(`docs/ops/executions/${plan}/TASK_${task}.json`)) as TaskEvidence;

  it('runs the verify commands again on what the worker left, and records what a person changed meanwhile', async () => {
    const verify = [['node', '-e', "process.exit(require('fs').existsSync('docs/out/fixed') ? 0 : 1)"]];
    const script = `${start}fs.appendFileSync('docs/out/runs', 'a');`;
    const run = await bed.mission('run', bed.plan('again', [{ script, verify }]));
    assert.equal(run.code, 3, run.stderr);
    const again = await bed.mission('rerun-validation', 'again', ...decision);
    assert.equal(again.code, 3, 'nothing has changed: it blocks again');
    bed.write('docs/out/fixed', 'by hand\n');
    const done = await bed.mission('rerun-validation', 'again', ...decision);
    assert.equal(done.code, 0, done.stderr);
    assert.equal(bed.read('docs/out/runs'), 'a', 'the worker ran once');
    const { attempts = [], status } = evidenceOf('again', 'T1');
    assert.equal(status, 'SUCCESS');
    assert.deepEqual(
      attempts.map(({ outcome, launches, decided_by }) => [outcome, launches.length, decided_by?.outcome ?? null]),
      [
        ['HALT', 1, null],
        ['HALT', 0, 'rerun-validation'],
        ['PASS', 0, 'rerun-validation'],
      ],
    );
    const whose = attempts.at(-1)?.changes.map(({ path, attribution }) => [path, attribution]);
    assert.deepEqual(whose, [
      ['docs/out/fixed', 'external_change'],
      ['docs/out/runs', 'worker'],
    ]);
    const verified = await bed.mission('evidence', 'verify', 'again');
    assert.deepEqual([verified.code, verified.json.findings], [0, []]);
  });

  it('is refused where the worker has to do it again, and says what can be done', async () => {
    const run = await bed.mission('run', bed.plan('wanting', [{ script: `${start}process.exit(3);` }]));
    assert.equal(run.code, 3, run.stderr);
    const refused = await bed.mission('rerun-validation', 'wanting', ...decision);
    assert.deepEqual([refused.code, refused.json.code], [2, 'OUTCOME_UNAVAILABLE'], refused.stderr);
    assert.match(refused.json.reason, /because its worker did not end well, so there is no result to judge\./);
    assert.ok(
      refused.json.next.some((step) => step.includes(' --outcome retry-repair ')),
      refused.json.next.join('\n'),
    );
  });
});
