import assert from 'node:assert/strict';
import { observedOf } from '../../../../src/core/mission/evidence/outputs';
import { sinceWorker, type VerifyChange } from '../../../../src/core/observation/verifyChange';
import { waysOut } from '../../../../src/core/mission/waysOut';
import { play } from '../../../scenarios/play';

const tasks = [{ task_id: 'T1', verify: [['a']] }];
const overwrites = { changes: ['src/a.ts'], verify_changes: ['src/a.ts'] };

describe('a check that overwrites the work', () => {
  it('is compared with what the worker left, and a person reads that no check may write', () => {
    const { mission } = play({ tasks, world: { 'T1#1': overwrites } });
    const [row] = mission.rows;
    assert.ok(row);
    const failure = row.attempts[0]?.failure;
    assert.ok(failure?.kind === 'recoverable');
    assert.deepEqual(
      row.outstanding.map(({ path, kind, before_sha256 }) => [path, kind, before_sha256?.[0]]),
      [['src/a.ts', 'modified', '2']],
    );
    const way = waysOut(mission, row, mission.packets[0]!).find(({ step }) => step.command === 'plan revise');
    assert.match(way?.does ?? '', /^A check must change nothing: let it write below \$TMPDIR alone, or let the task/);
    assert.equal(way?.helps, true);
    assert.match(
      failure.details.at(-1) ?? '',
      /^Put back what is listed as the worker of attempt 1 left it, or accept/,
    );
  });

  it('is gone once the work is back, and the work stays an output', () => {
    const { mission } = play({
      tasks,
      world: { 'T1#1': overwrites, 'T1#2': { changes: [], back: ['src/a.ts'] } },
      script: [{ at: 'idle', command: { type: 'RetryTask', task_id: 'T1' }, answer: 'OK' }],
    });
    const [row] = mission.rows;
    assert.deepEqual([row?.status, row?.outstanding.map(({ settled }) => settled?.how)], ['done', ['gone']]);
    assert.deepEqual(row && observedOf(row).map(({ path, sha256 }) => [path, sha256?.[0]]), [['src/a.ts', '2']]);
  });

  it('is named by what became of the work', () => {
    const kindOf = (worker: string, check: string, undone = false): string => {
      const sides = { path: 'out/a', before_sha256: null, after_sha256: 'A', resolved_path: null, detail: null };
      const left = { ...sides, kind: worker, changed_at: null };
      return sinceWorker({ ...left, kind: check, undone } as unknown as VerifyChange, left as never).kind;
    };
    assert.equal(kindOf('added', 'added'), 'modified');
    assert.equal(kindOf('added', 'added', true), 'deleted');
    assert.equal(kindOf('modified', 'deleted'), 'deleted');
    assert.equal(kindOf('deleted', 'modified'), 'added');
    assert.equal(kindOf('deleted', 'deleted', true), 'added');
    assert.equal(kindOf('git', 'git'), 'git');
  });
});
