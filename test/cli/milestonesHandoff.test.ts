import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ExecutionHeader } from '../../src/contracts/record/header';
import type { MilestoneView } from '../../src/contracts/page/milestoneView';
import type { MilestoneEvidence } from '../../src/contracts/milestoneEvidence';
import { CliBed, decision, start, until, type Ended } from './cliBed';

const unit = 'validate-M1';

/** What of a milestone a handoff carries to another clone: `dist/cli.js` as real processes. */
describe('milestones of a handoff', function () {
  this.timeout(120_000);
  let bed: CliBed;
  beforeEach(() => {
    bed = new CliBed();
  });
  afterEach(() => bed.dispose());

  const there = (): string => path.join(bed.scratch, 'there');
  const plan = (validate: Record<string, unknown>, second: string): string => {
    const file = bed.plan(
      'run',
      [
        { milestone: 'M1', script: `${start}fs.writeFileSync('docs/out/a.txt', 'a\\n');` },
        { milestone: 'M2', script: second },
      ],
      {},
      {
        milestones: [
          { id: 'M1', title: 'First', validate },
          { id: 'M2', title: 'Second' },
        ],
      },
    );
    bed.git('add', '.');
    bed.git('commit', '-q', '-m', 'plan');
    return file;
  };
  /** A verify command that passes once the test lets it go on. It writes outside the workspace only. */
  const gate = (): readonly string[] => {
    const waits = `const fs = require('fs'); const wait = new Int32Array(new SharedArrayBuffer(4)); fs.writeFileSync(${JSON.stringify(path.join(bed.scratch, 'waits'))}, ''); while (!fs.existsSync(${JSON.stringify(path.join(bed.scratch, 'go'))})) Atomics.wait(wait, 0, 0, 20);`;
    return ['node', '-e', waits];
  };
  /** Pauses the mission behind the validation that waits at the gate. */
  const pauseBehind = async (running: { readonly ended: Promise<Ended> }): Promise<void> => {
    const waits = path.join(bed.scratch, 'waits');
    await until(() => (existsSync(waits) ? true : null));
    const paused = await bed.mission('pause', 'run', ...decision);
    assert.equal(paused.code, 0, paused.stderr);
    rmSync(waits);
    writeFileSync(path.join(bed.scratch, 'go'), '');
    const ended = await running.ended;
    assert.equal(ended.code, 3, ended.stdout + ended.stderr);
    rmSync(path.join(bed.scratch, 'go'));
  };
  const question = ({ json }: Ended): string =>
    (json.mission.packets[0] as { readonly question?: { readonly text: string } } | undefined)?.question?.text ?? '';
  const inThere = (...args: string[]): Promise<Ended> => bed.mission(...args, '--workspace', there());
  const resumed = async (meanwhile = (): void => undefined): Promise<Ended> => {
    const out = path.join(bed.scratch, 'bundle');
    const exported = await bed.mission('handoff', 'export', 'run', '--out', out);
    assert.equal(exported.code, 0, exported.stdout + exported.stderr);
    bed.git('clone', '-q', '.', there());
    meanwhile();
    return inThere('handoff', 'resume', out, ...decision, '--apply-diff');
  };
  const evidence = (): MilestoneEvidence =>
    JSON.parse(
      readFileSync(path.join(there(), 'docs/ops/executions/run/MILESTONE_M1.json'), 'utf8'),
    ) as MilestoneEvidence;
  const statuses = ({ json }: Ended): readonly string[] =>
    ('mission' in json ? json.mission : json).tasks.map(
      ({ task_id, status, attempts }) => `${task_id} ${status} ${attempts}`,
    );
  const verified = async (): Promise<void> => {
    const { code, stdout } = await inThere('evidence', 'verify', 'run');
    assert.equal(code, 0, stdout);
  };
  const failing = `${start}if (!fs.existsSync('tools/fixed')) process.exit(7); fs.writeFileSync('docs/out/b.txt', 'b\\n');`;

  it('hold there when they were accepted here: nothing is validated twice for the same content', async () => {
    const run = await bed.mission('run', plan({ verify: [['grep', '-q', 'a', 'docs/out/a.txt']] }, failing));
    assert.equal(run.code, 3, run.stdout + run.stderr);
    const arrived = await resumed();
    assert.deepEqual(statuses(arrived), ['T1 done 1', `${unit} done 1`, 'T2 blocked 1'], arrived.stdout);
    const { accepted } = evidence();
    assert.equal(accepted?.attempt, 1);
    bed.write('../there/tools/fixed', '');
    const done = await inThere('retry', 'run', 'T2', ...decision);
    assert.deepEqual(statuses(done), ['T1 done 1', `${unit} done 1`, 'T2 done 2'], done.stdout + done.stderr);
    assert.equal(done.json.mission.status, 'completed');
    assert.deepEqual(evidence().accepted, accepted);
    await verified();
  });

  it('are validated again there when the content is another one', async () => {
    await pauseBehind(bed.start('run', plan({ verify: [gate()] }, failing)));
    writeFileSync(path.join(bed.scratch, 'go'), '');
    const arrived = await resumed(() => writeFileSync(path.join(there(), 'README.md'), 'another\n'));
    assert.deepEqual(statuses(arrived), ['T1 done 1', `${unit} done 2`, 'T2 blocked 1'], arrived.stdout);
    assert.equal(evidence().accepted?.attempt, 2);
  });

  it('carry no acceptance when they were reopened here, and still count what failed', async () => {
    let running = bed.start('run', plan({ verify: [gate()], failure_limit: 1 }, failing));
    for (const content of ['one', 'two']) {
      await pauseBehind(running);
      bed.write('notes.txt', content);
      running = bed.start('resume', 'run', ...decision);
    }
    const paused = await running.ended;
    assert.deepEqual(statuses(paused), ['T1 done 1', `${unit} todo 2`, 'T2 todo 0'], paused.stdout + paused.stderr);
    const header = JSON.parse(bed.read('docs/ops/executions/run/EXECUTION_HEADER.json')) as ExecutionHeader;
    assert.deepEqual(
      header.milestones?.map(({ accepted }) => accepted),
      [false],
    );
    const status = await bed.mission('status', 'run');
    assert.deepEqual(
      (status.json.missions[0] as { milestones?: readonly MilestoneView[] } | undefined)?.milestones?.map(
        ({ state, accepted }) => [state, accepted],
      ),
      [
        ['reopened', null],
        ['pending', null],
      ],
      status.stdout,
    );
    writeFileSync(path.join(bed.scratch, 'go'), '');
    const arrived = await resumed();
    assert.equal(arrived.json.accepted, true, arrived.stdout);
    // It goes on there, and is validated before anything relies on it.
    assert.deepEqual(statuses(arrived), ['T1 done 1', `${unit} done 3`, 'T2 blocked 1'], arrived.stdout);
    assert.deepEqual([evidence().accepted?.attempt, evidence().validations], [3, 3]);
  });

  it('ask there what waited for a person here, and its answers count', async () => {
    const run = await bed.mission(
      'run',
      plan(
        { mode: 'user-testing', assertions: ['It reads well.', 'It is short.'] },
        `${start}fs.writeFileSync('docs/out/b.txt', 'b\\n');`,
      ),
    );
    assert.equal(run.code, 3, run.stdout + run.stderr);
    const answer = (where: (...args: string[]) => Promise<Ended>, choice: string): Promise<Ended> =>
      where('answer', 'run', '--task', unit, '--choice', choice, ...decision);
    const first = await answer((...args) => bed.mission(...args), 'pass');
    assert.equal(first.code, 3, first.stdout + first.stderr);
    const arrived = await resumed();
    assert.match(question(arrived), /^2 of 2, First: .*It is short\.$/);
    const second = await answer(inThere, 'pass');
    assert.equal(second.json.mission.status, 'completed', second.stdout + second.stderr);
    assert.deepEqual(statuses(second), ['T1 done 1', `${unit} done 2`, 'T2 done 1']);
    assert.equal(evidence().accepted?.attempt, 2);
    await verified();
  });

  it('are refused there by a person as here, and every assertion is asked anew then', async () => {
    const run = await bed.mission(
      'run',
      plan({ mode: 'user-testing', assertions: ['It reads well.', 'It is short.'] }, failing),
    );
    assert.equal(run.code, 3, run.stdout + run.stderr);
    const answer = (where: (...args: string[]) => Promise<Ended>, choice: string): Promise<Ended> =>
      where('answer', 'run', '--task', unit, '--choice', choice, ...decision);
    const here = (...args: string[]): Promise<Ended> => bed.mission(...args);
    await answer(here, 'pass');
    await answer(here, 'fail');
    const arrived = await resumed();
    assert.equal(arrived.json.mission.packets[0]?.category, 'validator_report_failed', arrived.stdout);
    const again = await inThere('retry', 'run', unit, ...decision);
    assert.equal(again.json.mission.packets[0]?.category, 'awaiting_user', again.stdout);
    assert.match(question(again), /^1 of 2, First: /);
  });
});
