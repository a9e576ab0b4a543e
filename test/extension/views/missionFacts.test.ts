import assert from 'node:assert/strict';
import { blocksFor, contextFacts, takesNamed } from '../../../src/extension/views/missionFacts';
import { blockView, missionView } from '../sampleViews';

describe('what the palette offers', () => {
  const { offers } = missionView();
  const blocked = missionView({
    status: 'blocked',
    blocks: [blockView({ task_id: 'T1' }), blockView({ task_id: 'T2' })],
    offers: { ...offers, CancelMission: true, RetryTask: ['T1', 'T2'], GrantDirectory: ['T2'] },
  });

  it('is what the guards of some mission take', () => {
    const { RetryTask, GrantDirectory, AcceptChanges, StopTask, hasBlock } = contextFacts([missionView(), blocked]);
    assert.deepEqual([RetryTask, GrantDirectory, AcceptChanges, StopTask, hasBlock], [true, true, false, false, true]);
    assert.deepEqual(
      [takesNamed('cancelMission', blocked), takesNamed('pause', blocked), takesNamed('grantAndResume', missionView())],
      [true, false, false],
    );
  });

  it('asks about those blocks alone that a command is about', () => {
    assert.deepEqual(
      blocksFor('grantAndResume', blocked).map(({ task_id }) => task_id),
      ['T2'],
    );
  });
});
