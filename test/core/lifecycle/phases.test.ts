import assert from 'node:assert/strict';
import {
  driverOutcomes,
  phaseNames,
  type DriverOutcome,
  type Phase,
} from '../../../src/contracts/vocabulary/execution';
import { passedPhase, phaseAfter, withPhase } from '../../../src/core/lifecycle/phases';

const phases = Object.keys(phaseNames).map((name) => (name === '2a' ? name : Number(name))) as Phase[];
const at = '2026-01-01T00:00:00.000Z';
type Done = readonly { readonly phase: Phase; readonly outcome: DriverOutcome }[];

/** Every way through an attempt, to where it is over. */
function ways(bootstraps: boolean, done: Done = []): readonly Done[] {
  const due = phaseAfter(done, { bootstraps });
  if (due === null) return [done];
  return driverOutcomes.flatMap((outcome) => ways(bootstraps, [...done, { phase: due, outcome }]));
}

describe('the phases of an attempt', () => {
  const all = ways(false);
  const bootstrapping = ways(true);
  const numbers = (done: Done): string => done.map(({ phase }) => phase).join(' ');

  it('lead by PASS alone from 0 to 6, and then to the end without an intervention', () => {
    const passed = all.filter((done) => done.every(({ outcome }) => outcome === 'PASS'));
    assert.deepEqual(passed.map(numbers), ['0 1 2 3 4 5 6 8 9 10']);
  });

  it('have 2a between 2 and 3 for the intent generate_context, and for no other', () => {
    const passed = bootstrapping.filter((done) => done.every(({ outcome }) => outcome === 'PASS'));
    assert.deepEqual(passed.map(numbers), ['0 1 2 2a 3 4 5 6 8 9 10']);
    for (const done of bootstrapping) {
      const at2 = done.findIndex(({ phase }) => phase === 2);
      const bootstrapped = done.some(({ phase }) => phase === '2a');
      assert.equal(bootstrapped, at2 !== -1 && done[at2]?.outcome === 'PASS', numbers(done));
      assert.match(numbers(done), / 8 9 10$/);
    }
    assert.ok(all.every((done) => done.every(({ phase }) => phase !== '2a')));
  });

  it('end in 8, 9 and 10 on every way, whatever came before', () => {
    assert.ok(all.length > 100);
    for (const done of all) assert.match(numbers(done), / 8 9 10$/);
  });

  it('are left for 8 by everything but PASS, and by nothing else before 6', () => {
    for (const done of all)
      done.forEach(({ phase, outcome }, index) => {
        const next = done[index + 1]?.phase;
        if (typeof phase === 'number' && phase < 6)
          assert.equal(next, outcome === 'PASS' ? phase + 1 : 8, numbers(done));
      });
  });

  it('go back once, from an intervention to the verification that required it', () => {
    const back = all.filter((done) => done.some(({ phase }) => phase === 7));
    assert.ok(back.length > 0);
    for (const done of back) {
      const at7 = done.findIndex(({ phase }) => phase === 7);
      assert.deepEqual(done[at7 - 1], { phase: 6, outcome: 'INTERVENTION_REQUIRED' });
      assert.equal(done.filter(({ phase }) => phase === 7).length, 1);
      assert.equal(done[at7 + 1]?.phase, done[at7]?.outcome === 'PASS' ? 6 : 8);
    }
  });

  it('refuse every phase that is not due, and say which is', () => {
    for (const done of all.slice(0, 50))
      for (let length = 0; length <= done.length; length += 1) {
        const before = done.slice(0, length).map((one) => ({ ...one, note: '', at }));
        const due = phaseAfter(before);
        for (const phase of phases) {
          const add = (): unknown => withPhase(before, passedPhase({ task_id: 'T1', attempt: 1 }, phase, ''), at);
          if (phase === due) assert.doesNotThrow(add);
          else
            assert.throws(
              add,
              /^Error: Broken invariant: phase \d+a? .+ is out of order; .+( is due|attempt is over)\.$/,
            );
        }
      }
  });
});
