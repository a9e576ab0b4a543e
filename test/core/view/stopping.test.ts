import assert from 'node:assert/strict';
import { fold } from '../../../src/core/mission/evolve';
import { missionView } from '../../../src/core/view/mission/missionView';
import { play } from '../../scenarios/play';

describe('a lane on screen', () => {
  it('is stopping from the moment on in which another one fails the mission, and the headline says why', () => {
    const { entries } = play({
      max_parallel: 2,
      tasks: [
        { task_id: 'A', paths: ['a'] },
        { task_id: 'B', paths: ['b'] },
      ],
      world: { 'A#1': { changes: ['.git/hooks/x'] }, 'B#1': { changes: [] } },
      slow: ['A', 'B'],
    });
    const failed = entries.findIndex(({ event }) => event.type === 'RowTransitioned' && event.to === 'failed');
    const [before, after] = [failed, failed + 1].map((count) => {
      const mission = fold(entries.slice(0, count));
      assert.ok(mission);
      return missionView(mission, [], new Map(), true);
    });
    const stopping = (view: typeof before): boolean | undefined =>
      view?.lanes.find(({ task_id }) => task_id === 'B')?.stopping;
    assert.deepEqual([stopping(before), stopping(after)], [false, true]);
    assert.match(after?.headline ?? '', /^Task A failed: .* The workers are being stopped\. /);
  });
});
