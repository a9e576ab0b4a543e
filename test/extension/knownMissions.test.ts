import assert from 'node:assert/strict';
import { KnownMissions } from '../../src/extension/knownMissions';
import { memory } from './memory';

describe('what a person of this machine did in VS Code', () => {
  it('is known for its folder alone', async () => {
    const known = new KnownMissions(memory());
    await known.remember('/a', 'm1');
    assert.equal(known.has('/a', 'm1'), true);
    assert.equal(known.has('/copy-of-a', 'm1'), false);
    assert.equal(known.has('/a', 'm2'), false);
  });

  it('is kept over restarts, approvals apart from missions', async () => {
    const store = memory();
    await new KnownMissions(store).rememberApproval('/a', 'ABC');
    assert.equal(new KnownMissions(store).hasApproval('/a', 'ABC'), true);
    assert.equal(new KnownMissions(store).has('/a', 'ABC'), false);
  });

  it('survives a store that holds nonsense', async () => {
    for (const nonsense of [null, 'x', 7, {}, [null, 1, { folder: 1 }]]) {
      const store = memory({ knownMissions: nonsense });
      const known = new KnownMissions(store);
      assert.equal(known.has('/a', 'm1'), false);
      await known.remember('/a', 'm1');
      assert.equal(known.has('/a', 'm1'), true);
    }
  });
});
