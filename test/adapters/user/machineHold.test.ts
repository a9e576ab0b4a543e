import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { allowStarts, holdStarts, lastStop, startsHeld } from '../../../src/adapters/user/machineHold';
import { skipWithReason } from '../../support/skip';
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
  const ada = { by: 'Ada', reason: 'the fire is out', at };

  it('is known with its author and reason after starts are allowed again, however long its reason is', async () => {
    for (const reason of ['the disk burns', '\u0000"\n'.repeat(40_000)]) {
      assert.ok((await holdStarts({ by: 'Grace', reason, at })).ok);
      const held = await startsHeld();
      assert.match(held?.reason ?? '', /^Grace stopped everything at 2026-01-01 00:00 UTC: /);
      assert.deepEqual(await allowStarts(ada), { ok: true, value: { startsWereHeld: true, unrecorded: null } });
      assert.equal(await startsHeld(), null);
      const last = await lastStop();
      assert.deepEqual([last?.by, last?.at, reason.startsWith(last?.reason ?? 'none')], ['Grace', at, true]);
    }
  });

  it('is released where the release cannot be put on record, which it says; the next release finds nothing', async () => {
    const log = path.join(process.env['MISSION_CONTROL_HOME'] ?? '', 'stops.jsonl');
    assert.ok((await holdStarts({ by: 'Grace', reason: 'the disk burns', at })).ok);
    rmSync(log);
    mkdirSync(log);
    const released = await allowStarts(ada);
    assert.ok(released.ok, 'starts are allowed, so no refusal says that they are not');
    assert.equal(released.value.startsWereHeld, true);
    assert.match(released.value.unrecorded ?? '', /stops\.jsonl/);
    assert.equal(await startsHeld(), null);
    assert.deepEqual(await allowStarts(ada), { ok: true, value: { startsWereHeld: false, unrecorded: null } });
  });

  describe('where XDG_STATE_HOME leads nowhere', () => {
    const kept = { HOME: process.env['HOME'], XDG_STATE_HOME: process.env['XDG_STATE_HOME'] };
    afterEach(() => {
      for (const [name, value] of Object.entries(kept))
        if (value === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = value;
    });

    for (const what of ['is a file', 'cannot be made'])
      it(`is held and released below home: it ${what}`, async function () {
        if (process.platform !== 'linux') skipWithReason(this, 'other systems do not ask XDG_STATE_HOME');
        const home = await scratch();
        writeFileSync(path.join(home, 'file'), '');
        Reflect.deleteProperty(process.env, 'MISSION_CONTROL_HOME');
        process.env['HOME'] = home;
        process.env['XDG_STATE_HOME'] = what === 'is a file' ? path.join(home, 'file') : '/proc/nowhere';
        assert.equal(await startsHeld(), null, 'no person has stopped anything');
        assert.ok((await holdStarts({ by: 'Grace', reason: 'the disk burns', at })).ok);
        assert.equal((await startsHeld())?.code, 'STARTS_HELD');
        assert.deepEqual(await allowStarts(ada), { ok: true, value: { startsWereHeld: true, unrecorded: null } });
        assert.equal(await startsHeld(), null);
      });
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
