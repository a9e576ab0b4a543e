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
});
