import assert from 'node:assert/strict';
import { judgeHeartbeat, type WatchedRow } from '../../../src/core/ledger/heartbeat';
import { moment, parseMoment } from '../../../src/core/ledger/time';

const now = '2026-01-31T20:00:00Z';
const row = (last_heartbeat_at: string | null, more: Partial<WatchedRow> = {}): WatchedRow => ({
  task_id: 'T-1',
  status: 'in_progress',
  timeout_seconds: 1200,
  last_heartbeat_at,
  ...more,
});
const at = (seconds: number, base = now): string => moment((parseMoment(base) ?? 0) + seconds * 1000);

describe('heartbeats', () => {
  for (const [what, seconds, kind] of [
    ['an age equal to the timeout lives', -1200, 'alive'],
    ['one second more is out', -1201, 'timed_out'],
    ['part of a second is not a second', -1200.999, 'alive'],
    ['30 s ahead is allowed', 30, 'alive'],
    ['part of a second more as well', 30.999, 'alive'],
    ['31 s ahead is not', 31, 'invalid'],
  ] as const) {
    it(what, () => assert.equal(judgeHeartbeat(row(at(seconds)), now).kind, kind));
  }

  it('are judged of tasks in progress only', () => {
    for (const status of ['todo', 'blocked', 'done', 'failed', 'canceled'] as const)
      assert.equal(judgeHeartbeat(row('2001-01-01T00:00:00Z', { status }), now).kind, 'not_judged');
  });

  it('name the field that cannot be judged', () => {
    for (const [judged, field] of [
      [row(null), 'last_heartbeat_at'],
      [row('yesterday'), 'last_heartbeat_at'],
      [row('2026-02-30T10:00:00Z'), 'last_heartbeat_at'],
      [row(now, { timeout_seconds: 29 }), 'timeout_seconds'],
      [row(now, { timeout_seconds: 30.5 }), 'timeout_seconds'],
      [row(now, { timeout_seconds: Number.NaN }), 'timeout_seconds'],
    ] as const) {
      const verdict = judgeHeartbeat(judged, now);
      assert.ok(verdict.kind === 'invalid');
      assert.equal(verdict.field, field);
    }
  });

  it('say everything a TASK_TIMEOUT event needs', () => {
    assert.deepEqual(judgeHeartbeat(row(at(-2400)), now), {
      kind: 'timed_out',
      code: 'TASK_TIMEOUT',
      age_seconds: 2400,
      last_heartbeat_at: at(-2400),
      timeout_seconds: 1200,
      reason: 'No sign of life for 2400 s; the timeout is 1200 s.',
    });
  });

  it('do not age while the machine sleeps, and sleeps that overlap count once', () => {
    const old = row(at(-5000));
    const slept = [
      { from: at(-4000), to: at(-1000) },
      { from: at(-3000), to: at(-500) },
      { from: at(-9000), to: at(-4800) },
      { from: at(-100), to: at(500) },
    ];
    const verdict = judgeHeartbeat(old, now, slept);
    assert.ok(verdict.kind === 'alive');
    assert.equal(verdict.age_seconds, 5000 - 200 - 3500 - 100);
    assert.equal(judgeHeartbeat(old, now, [{ from: at(-4000), to: at(-201) }]).kind, 'timed_out');
  });

  it('tell the watchdog when to look again: the row times out then, and not before', () => {
    const boundaryOf = (judged: WatchedRow, slept: Parameters<typeof judgeHeartbeat>[2] = []): string => {
      const verdict = judgeHeartbeat(judged, now, slept);
      assert.ok(verdict.kind === 'alive');
      return verdict.boundary;
    };
    const short = row(at(-10), { timeout_seconds: 30 });
    assert.equal(boundaryOf(short), at(-10 + 31));
    assert.equal(judgeHeartbeat(short, at(21)).kind, 'timed_out');
    assert.equal(judgeHeartbeat(short, moment((parseMoment(at(21)) ?? 0) - 1)).kind, 'alive');
    assert.equal(boundaryOf(row(now, { timeout_seconds: 9e12 })), '9999-12-31T23:59:59.999Z');
    assert.equal(boundaryOf(row(at(-1000)), [{ from: at(-500), to: at(-200) }]), at(-1000 + 300 + 1201));
  });
});

describe('times', () => {
  it('are read with any zone, and as UTC without one', () => {
    for (const text of [
      '2026-01-31T20:00:00Z',
      '2026-01-31T20:00:00',
      '2026-01-31T22:00:00+02:00',
      '2026-01-31T14:30:00-0530',
      '2026-01-31T20:00:00.000Z',
    ])
      assert.equal(parseMoment(text), Date.parse(now), text);
  });
  it('that no calendar or clock has are refused', () => {
    for (const text of [
      '',
      'now',
      '2026-13-01T00:00:00Z',
      '2026-02-29T00:00:00Z',
      '2026-01-31T24:00:01Z',
      '2026-01-31T24:00:00Z',
      '2026-01-31T20:61:00Z',
      '2026-01-31T20:00:00+24:00',
      '2026-01-31',
      '2026-01-31T20:00Z',
      ' 2026-01-31T20:00:00Z',
    ])
      assert.equal(parseMoment(text), null, text);
    assert.equal(parseMoment('2028-02-29T00:00:00Z'), Date.UTC(2028, 1, 29));
  });
});
