import assert from 'node:assert/strict';
import { eventLine } from '../../../src/core/view/events/eventLine';
import { play } from '../../scenarios/play';
import type { Scenario } from '../../scenarios/scenario';

const marked = (scenario: Pick<Scenario, 'world' | 'script'>): readonly string[] => {
  const { mission, entries } = play({ tasks: [{ task_id: 'T1', verify: [['a']] }], ...scenario });
  return entries
    .map((entry) => eventLine(entry, mission))
    .flatMap(({ type, mark }) => (mark === undefined ? [] : [`${type} ${mark}`]));
};

describe('the mark of an event', () => {
  it('says good where verification passes and the task is done', () => {
    assert.deepEqual(marked({}), [
      ...['PlanLocked locked', 'ExecutionStarted begins', 'AttemptStarted begins', 'VerifyEnded good'],
      ...['RowTransitioned good', 'MissionCompleted good'],
    ]);
  });

  it('says bad where verification fails and the task blocks', () => {
    assert.deepEqual(marked({ world: { 'T1#1': { verify: [1] } } }), [
      ...['PlanLocked locked', 'ExecutionStarted begins', 'AttemptStarted begins', 'VerifyEnded bad'],
      ...['RowTransitioned bad', 'PacketIssued bad'],
    ]);
  });

  it('says of a cancellation that it ends, not that it is bad', () => {
    const canceled = marked({
      world: { 'T1#1': { verify: [1] } },
      script: [{ at: 'idle', command: { type: 'CancelMission' } }],
    });
    assert.deepEqual(canceled.slice(-2), ['RowTransitioned ends', 'MissionFailed ends']);
  });
});
