import assert from 'node:assert/strict';
import { allowStarts, holdStarts, lastStop, startsHeld } from '../../../src/adapters/user/machineHold';
import { removeScratch, scratch } from '../scratch';

describe('a stop of everything', () => {
  const before = process.env['MISSION_CONTROL_HOME'];
  beforeEach(async () => {
    process.env['MISSION_CONTROL_HOME'] = await scratch();
  });
  afterEach(async () => {
    if (before === undefined) Reflect.deleteProperty(process.env, 'MISSION_CONTROL_HOME');
    else process.env['MISSION_CONTROL_HOME'] = before;
    await removeScratch();
  });
  const at = '2026-01-01T00:00:00.000Z';

  it('is known with its author and reason after starts are allowed again, however long its reason is', async () => {
    for (const reason of ['the disk burns', '\u0000"\n'.repeat(40_000)]) {
      assert.ok((await holdStarts({ by: 'Grace', reason, at })).ok);
      const held = await startsHeld();
      assert.match(held?.reason ?? '', /^Grace stopped everything at 2026-01-01T00:00:00\.000Z: /);
      assert.deepEqual(await allowStarts({ by: 'Ada', reason, at }), { ok: true, value: true });
      assert.equal(await startsHeld(), null);
      const last = await lastStop();
      assert.deepEqual([last?.by, last?.at, reason.startsWith(last?.reason ?? 'none')], ['Grace', at, true]);
    }
  });

  it('by a clock that was ahead counts as early as its release, and does not lie ahead for ever', async () => {
    const ahead = '2999-01-01T00:00:00.000Z';
    assert.ok((await holdStarts({ by: 'Grace', reason: 'the disk burns', at: ahead })).ok);
    assert.equal((await lastStop())?.at, ahead, 'it holds, so nothing goes on');
    assert.ok((await allowStarts({ by: 'Ada', reason: 'the clock is right', at })).ok);
    assert.equal((await lastStop())?.at, at);
    assert.ok((await holdStarts({ by: 'Grace', reason: 'once more', at: ahead })).ok);
    assert.ok((await allowStarts({ by: 'Ada', reason: 'the clock is wrong still', at: ahead })).ok);
    assert.equal(await lastStop(), null);
  });
});
