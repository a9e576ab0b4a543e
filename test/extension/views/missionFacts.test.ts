import assert from 'node:assert/strict';
import { needsAcknowledgement } from '../../../src/extension/views/missionFacts';
import { blockView, completed, failed, missionView } from '../sampleViews';

describe('what a person can acknowledge', () => {
  it('is a failure that is not acknowledged yet, and nothing else', () => {
    const canceled = { outcome: 'FAILED', code: 'CANCELLED', reason: 'x', cancelled: true } as const;
    assert.deepEqual(
      [
        failed(),
        failed({ acknowledged: true }),
        failed({ status: 'cancelled', ending: canceled }),
        missionView({ status: 'blocked', blocks: [blockView()] }),
        completed(),
      ].map(needsAcknowledgement),
      [true, false, false, false, false],
    );
  });
});
