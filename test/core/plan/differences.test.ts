import assert from 'node:assert/strict';
import { revisionLines } from '../../../src/base/text/revision';
import { differences } from '../../../src/core/plan/differences';
import { approvedPlanOf } from '../../../src/core/plan/normalize';
import { checkPlanText } from '../../../src/engine/plans/check';
import { basePlan, timelessPlanFiles, withEdits, type Json } from './cases';

const planned = (plan: Json): ReturnType<typeof approvedPlanOf> => {
  const check = checkPlanText(timelessPlanFiles, JSON.stringify(plan), null);
  assert.ok(check.plan, JSON.stringify(check.findings));
  return approvedPlanOf(check.plan, { defaultWorker: 'claude' });
};
const differing = (edits: Parameters<typeof withEdits>[1]): readonly string[] =>
  differences(planned(basePlan), planned(withEdits(basePlan, edits))).map(
    ({ what, before, after }) => `${what}: ${before} -> ${after}`,
  );

describe('by what a revision differs', () => {
  it('names every value of the plan and of a task that is another one, with what it was', () => {
    assert.deepEqual(differing([]), []);
    assert.deepEqual(differing([['/execution/scratch', ['dist']]]), ['execution.scratch: null -> ["dist"]']);
    assert.deepEqual(differing([['/execution/network', true]]), ['execution.network: null -> true']);
    assert.deepEqual(differing([['/execution/network', ['localhost:5432']]]), [
      'execution.network and devices: null -> {"ports":[5432],"sockets":[],"devices":[]}',
    ]);
    assert.deepEqual(differing([['/execution/limits', { processes: 9 }]]), [
      'execution.limits: {"processes":2048,"memory_mb":16384,"file_mb":16384} -> {"processes":9,"memory_mb":16384,"file_mb":16384}',
    ]);
    const id = String(planned(basePlan).tasks[0]?.task_id);
    assert.deepEqual(differing([['/tasks/0/max_runtime_seconds', 77]]), [`${id} max_runtime_seconds: 3600 -> 77`]);
    assert.deepEqual(differing([['/plan_id', 'another']]), []);
  });

  it('is shown where a long value differs, also at its end, in its middle and at both ends', () => {
    const long = (head: string, middle: string, tail: string): string =>
      JSON.stringify(`${head}${'a '.repeat(400)}${middle}${'b '.repeat(400)}${tail}`);
    const plain = long('', '', '');
    const shown = (before: string | null, after: string | null): string => {
      const none = { missions: [], compared_with: 'M', carried: [], again: [], added: [], removed: [] };
      const differs = [{ what: 'T1 prompt', before, after }];
      return revisionLines({ ...none, supersedes: 'p', differs, left: [], left_inside: [] })[0]?.[1] ?? '';
    };
    assert.match(
      shown(plain, long('', '', 'rm -rf')),
      /…[ab ]+" \(1602 characters\) -> …[ab ]+rm -rf" \(1608 characters\)$/,
    );
    assert.match(shown(plain, long('', 'rm -rf', '')), / -> …[ab ]+rm -rf[ab ]+… \(1608 characters\)$/);
    assert.match(shown(long('', 'rm -rf', ''), plain), /: …[ab ]+rm -rf[ab ]+… \(1608 characters\) -> …/);
    assert.match(shown(plain, long('one', '', 'two')), / -> "one[ab ]+…[ab ]+two" \(1608 characters\)$/);
    assert.match(shown(null, plain), / none -> "[ab ]+…[ab ]+" \(1602 characters\)$/);
    assert.ok(shown(plain, long('one', 'and', 'two')).length < 800);
  });

  it('is the first that is read of a revision', () => {
    const differs = [{ what: 'execution.scratch', before: null, after: '["dist"]' }];
    const none = { missions: [], compared_with: 'M', carried: [], again: [], added: [], removed: [] };
    const lines = revisionLines({ ...none, supersedes: 'p', differs, left: [], left_inside: [] });
    assert.deepEqual(lines.slice(0, 2), [
      ['Differs', 'execution.scratch: none -> ["dist"]'],
      ['Supersedes', 'plan p'],
    ]);
  });
});
