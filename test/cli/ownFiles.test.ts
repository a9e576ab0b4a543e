import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { CliBed, cliFile, decision, start, type Printed } from './cliBed';

interface Task extends Omit<Printed, 'attempts'> {
  readonly attempts: readonly {
    readonly changes: readonly { readonly path: string; readonly attribution: string }[];
    readonly not_observed: readonly string[];
  }[];
}

/** What a person's own commands write while a mission runs is no worker's change. */
describe('a person’s own commands while a mission runs', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  it('a plan, a revision and ai.project.json are written, and the mission completes with them as external changes', async () => {
    const plan = bed.plan(
      'x',
      [
        { script: `${start}fs.writeFileSync('docs/out/a.txt', 'a');` },
        { script: `${start}${bed.waitAt('gate')} fs.writeFileSync('docs/out/b.txt', 'b');`, depends_on: ['T1'] },
      ],
      { confinement: 'off' },
    );
    const running = bed.start('run', plan);
    await bed.waitsAt('gate');
    const written: string[] = [];
    for (const args of [
      ['plan', 'revise', 'x'],
      ['plan', 'new', 'other'],
      ['context', 'new'],
    ]) {
      const ended = await bed.mission(...args);
      assert.deepEqual([ended.code, ended.stderr], [0, ''], ended.stdout);
      written.push((ended.json as Partial<Printed>).plan_path ?? 'ai.project.json');
    }
    bed.open('gate');
    const ended = await running.ended;
    assert.deepEqual([ended.code, ended.json.status], [0, 'completed'], ended.stdout + ended.stderr);
    const task = bed.json('docs/ops/executions/x/TASK_T2.json') as unknown as Task;
    assert.deepEqual(
      task.attempts[0]!.changes.filter(({ attribution }) => attribution === 'external_change').map(({ path }) => path),
      written.toSorted(),
    );
  });

  it('what another program writes there has no known maker, and blocks', async () => {
    const plan = bed.plan('y', [{ script: `${start}${bed.waitAt('gate')}` }], { confinement: 'off' });
    const running = bed.start('run', plan);
    await bed.waitsAt('gate');
    assert.equal((await bed.mission('plan', 'new', 'other')).code, 0);
    bed.write('docs/plans/PLAN_other.json', '{}\n');
    bed.open('gate');
    assert.equal((await running.ended).json.code, 'CONCURRENCY_CONFLICT');
  });

  /** A person keeps what the run prints in a file beside the plan. */
  const printing = (plan: string, log = 'run.log') =>
    bed.spawn('/bin/sh', ['-c', `exec "${process.execPath}" "${cliFile}" run ${plan} > ${log} 2>&1`]);

  it('what `mission run` prints into a file of the workspace is no change, and the evidence names that file', async () => {
    const plan = bed.plan(
      'z',
      [
        { script: `${start}fs.writeFileSync('docs/out/a.txt', 'a');` },
        { script: `${start}fs.writeFileSync('docs/out/b.txt', 'b');`, depends_on: ['T1'] },
      ],
      { confinement: 'off' },
    );
    const { code } = await printing(plan).ended;
    assert.equal(code, 0, bed.read('run.log'));
    assert.match(bed.read('run.log'), /completed/);
    const [attempt] = (bed.json('docs/ops/executions/z/TASK_T2.json') as unknown as Task).attempts;
    assert.ok(attempt?.not_observed.includes('Not compared, because the runner prints into it: run.log.'));
  });

  it('what it had printed there before it was killed is no change for the owner that goes on', async () => {
    const script = `${start}${bed.waitAt('gate')} fs.writeFileSync('docs/out/a.txt', 'a');`;
    const killed = printing(bed.plan('k', [{ script }], { confinement: 'off' }));
    await bed.waitsAt('gate');
    const printed = bed.read('run.log');
    killed.child.kill('SIGKILL');
    await killed.ended;
    // It printed a line more than its baseline has.
    appendFileSync(bed.at('run.log'), 'the last line that it printed\n');
    assert.notEqual(bed.read('run.log'), printed);
    bed.open('gate');
    const resumed = await bed.mission('resume', 'k', ...decision);
    assert.deepEqual([resumed.code, resumed.json.code], [0, 'OK'], resumed.stdout + resumed.stderr);
    const [attempt] = (bed.json('docs/ops/executions/k/TASK_T1.json') as unknown as Task).attempts;
    assert.ok(attempt?.not_observed.includes('Not compared, because the runner prints into it: run.log.'));
  });

  for (const [name, log, move] of [
    ['moves this file', 'run.log', 'renameSync'],
    ['links this file', 'run.log', 'linkSync'],
    ['moves such a file from outside', '../run.log', 'renameSync'],
    ['links such a file from outside', '../run.log', 'linkSync'],
  ] as const)
    it(`a worker that ${name} over another one has changed that one`, async () => {
      const script = `${start}fs.rmSync('mine.txt'); fs.${move}('${log}', 'mine.txt');`;
      const plan = bed.plan('m', [{ script }], { confinement: 'off' });
      bed.write('mine.txt', 'mine');
      await printing(plan, log).ended;
      const printed = bed.read('mine.txt');
      assert.match(printed, /^ {4}- modified mine\.txt$/m, printed);
    });
});
