import assert from 'node:assert/strict';
import { CliBed, decision, isAlive, start, until } from './cliBed';

/** Seconds after which a worker has to end. */
const limit = 30;

/** What a person types about a task whose owner is dead and whose time is over; its answer and what is left alive. */
const commands = {
  resume: { args: ['resume', 'OVERDUE'], code: 3, answer: /"code": "TASK_TIMEOUT"/, lives: false },
  pause: { args: ['pause', 'OVERDUE'], code: 0, answer: /"Pauses after the current attempt/, lives: false },
  stop: { args: ['stop', 'OVERDUE', 'T1'], code: 0, answer: /"Stopped by Grace: because"/, lives: false },
  'stop --all': { args: ['stop', '--all'], code: 0, answer: /"stopped": true/, lives: false },
  skip: { args: ['skip', 'OVERDUE', 'T1', '--yes'], code: 2, answer: /stop it first, then skip it/, lives: true },
  cancel: { args: ['cancel', 'OVERDUE'], code: 0, answer: /"status": "cancelled"/, lives: false },
} as const;

/** The worker says nothing and its mission has no owner. The process that takes it over ends it before it leaves. */
describe('after an owner was killed and the time of its worker is over', () => {
  const beds = new Map<string, { readonly bed: CliBed; readonly worker: number }>();

  before(async () => {
    const begun = Object.keys(commands).map(async (name) => {
      const bed = new CliBed();
      const script = `${start}${bed.waitAt('never')}`;
      const plan = bed.plan('OVERDUE', [{ script, timeout_seconds: limit }]);
      const run = bed.start('run', plan, '--by', 'Ada');
      const worker = await bed.waitsAt('never');
      run.child.kill('SIGKILL');
      await run.ended;
      beds.set(name, { bed, worker });
    });
    await Promise.all(begun);
    const over = Date.now() + 1.5 * limit * 1000;
    await until(() => Date.now() > over);
  });
  after(async () => {
    for (const { bed } of beds.values()) await bed.dispose();
  });

  for (const [name, { args, code, answer, lives }] of Object.entries(commands))
    it(`\`${name}\` answers, and what it says is so`, async () => {
      const { bed, worker } = beds.get(name) ?? assert.fail(name);
      const ended = await bed.start(...args, ...decision).ended;
      assert.match(ended.stdout, answer, ended.stderr);
      assert.deepEqual([ended.code, isAlive(worker)], [code, lives]);
    });
});
