import assert from 'node:assert/strict';
import { isPanelRequest } from '../../../src/extension/views/panelMessages';

describe('messages of the Mission Control page', () => {
  it('can ask for a snapshot', () => {
    assert.equal(isPanelRequest({ type: 'ready' }), true);
  });

  it('can do nothing else', () => {
    for (const message of [
      null,
      undefined,
      'ready',
      1,
      [],
      ['ready'],
      {},
      { type: 'READY' },
      { type: 'command' },
      { type: { toString: () => 'ready' } },
      { type: 'snapshot' },
    ]) {
      assert.equal(isPanelRequest(message), false, JSON.stringify(message));
    }
  });
});
