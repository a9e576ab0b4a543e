import assert from 'node:assert/strict';
import { judgeVerifyDifferences } from '../../../../src/core/lifecycle/changes/verifyChanges';
import { fold } from '../../../../src/core/mission/evolve';
import type { Attempt } from '../../../../src/core/model/attempt';
import type { Mission, TaskRow } from '../../../../src/core/model/state';
import { caseSensitive } from '../../../../src/core/paths/compare';
import { play } from '../../../scenarios/play';

describe('what verify commands changed', () => {
  it('is held against the task in whose paths it lies, with one look at each task', () => {
    const { entries } = play({ tasks: [{ task_id: 'A', paths: ['a'] }] });
    const observed = entries.findIndex(({ event }) => event.type === 'ChangesObserved');
    const mission = fold(entries.slice(0, observed + 1)) as Mission;
    const [row] = mission.rows as readonly [TaskRow];
    let looks = 0;
    const others = Array.from({ length: 1000 }, (_, index): TaskRow => {
      const scope = { paths: [`of/${index}`], forbidden_paths: [] };
      const other = { ...row, task: { ...row.task, task_id: `B${index}` }, attempts: [] };
      return Object.defineProperty(other, 'scope', { get: () => ((looks += 1), scope) });
    });
    const differences = [...others.keys()].map((index) => ({
      ...{ path: `of/${index}/x`, kind: 'added', before_sha256: null, after_sha256: 'AB', resolved_path: null },
      ...{ changed_at: null, detail: null, left_sha256: null, undone: false },
    })) as unknown as Parameters<typeof judgeVerifyDifferences>[2];
    const many = { ...mission, rows: [row, ...others] };
    const judged = judgeVerifyDifferences(many, many.lanes[0] as Attempt, differences, {
      standing: [],
      comparison: caseSensitive,
    });
    assert.equal(judged[999]?.blocks, 'lies in the approved paths of task B999');
    assert(judged.every(({ blocks }) => blocks !== null));
    assert(looks <= 2 * others.length, `${looks} looks`);
  });
});
