import assert from 'node:assert/strict';
import type { LedgerDelta } from '../../../src/contracts/orchestratorOutput';
import { applyDeltas, type DeltaRow, type DeltaStream } from '../../../src/core/ledger/deltas';

const row = (id: number, more: Partial<DeltaRow> = {}): DeltaRow => ({
  task_id: `T-${id}`,
  status: 'todo',
  owner: '',
  version: 0,
  retry_count: 0,
  blocked_code: null,
  last_heartbeat_at: null,
  ...more,
});
let ids = 0;
const delta = (id: number, status: LedgerDelta['status'], more: Partial<LedgerDelta> = {}): LedgerDelta => ({
  task_id: `T-${id}`,
  status,
  owner: 'worker',
  reason: 'As planned.',
  delta_id: `d-${++ids}`,
  ...more,
});
const stream = (deltas: readonly LedgerDelta[], more: Partial<DeltaStream> = {}): DeltaStream => ({
  source: 'orchestrator',
  deltas,
  ...more,
});

describe('ledger deltas', () => {
  it('D1, D3: are applied in order, and the last per task wins', () => {
    const outcome = applyDeltas(
      [row(1), row(2)],
      [stream([delta(1, 'in_progress'), delta(2, 'canceled'), delta(1, 'done')])],
    );
    assert.ok(outcome.allow);
    assert.deepEqual(outcome.rows, [
      row(1, { status: 'done', owner: 'worker', version: 2 }),
      row(2, { status: 'canceled', owner: 'worker', version: 1 }),
    ]);
  });

  it('D1: an order that is no path through the states changes nothing', () => {
    const outcome = applyDeltas([row(1)], [stream([delta(1, 'blocked'), delta(1, 'done')])]);
    assert.equal(outcome.verdict.code, 'INVALID_TRANSITION');
    assert.deepEqual(
      outcome.verdict.details.findings.map(({ pointer }) => pointer),
      ['/ledger_delta/1'],
    );
    assert.equal('rows' in outcome, false);
  });

  it('D2: are applied once, however often they come', () => {
    const first = delta(1, 'in_progress');
    const once = applyDeltas([row(1)], [stream([first, first])]);
    assert.ok(once.allow);
    assert.deepEqual([once.rows[0]?.version, once.ignored], [1, [first.delta_id]]);
    const again = applyDeltas(once.rows, [stream([first, delta(1, 'blocked', { timed_out: true })])], once.seen);
    assert.ok(again.allow);
    assert.deepEqual(
      again.rows[0],
      row(1, { status: 'blocked', owner: 'worker', version: 2, retry_count: 1, blocked_code: 'TASK_TIMEOUT' }),
    );
    const replayed = applyDeltas(again.rows, [stream([first])], again.seen);
    assert.ok(replayed.allow);
    assert.deepEqual(replayed.rows, again.rows);
  });

  it('D4: change rows that exist, or say that they create one', () => {
    assert.equal(applyDeltas([], [stream([delta(7, 'todo')])]).verdict.code, 'MISSING_REQUIRED_INPUT');
    assert.equal(applyDeltas([], [stream([delta(7, 'done', { x_create: true })])]).verdict.code, 'INVALID_TRANSITION');
    const outcome = applyDeltas([], [stream([delta(7, 'todo', { x_create: true }), delta(7, 'in_progress')])]);
    assert.ok(outcome.allow);
    assert.deepEqual(outcome.rows, [row(7, { status: 'in_progress', owner: 'worker', version: 1 })]);
  });

  it('D5: streams that contradict each other or what is there now change nothing', () => {
    const rows = [row(1, { version: 4, status: 'in_progress', owner: 'worker' })];
    const conflicts: readonly (readonly DeltaStream[])[] = [
      [stream([delta(1, 'done')], { source: 'a' }), stream([delta(1, 'failed')], { source: 'b' })],
      [stream([delta(1, 'done')], { source: 'a' }), stream([delta(1, 'done', { owner: 'other' })], { source: 'b' })],
      [stream([delta(1, 'done')], { read_versions: { 'T-1': 3 } })],
      [stream([delta(1, 'done', { x_read_version: 3 })])],
      [stream([delta(1, 'done', { delta_id: 'same' }), delta(1, 'failed', { delta_id: 'same' })])],
    ];
    for (const streams of conflicts) assert.equal(applyDeltas(rows, streams).verdict.code, 'CONCURRENCY_CONFLICT');
    assert.equal(applyDeltas(rows, [stream([delta(1, 'done', { x_read_version: 4 })])]).allow, true);
    const known = applyDeltas(rows, [stream([delta(1, 'done', { delta_id: 'x' })])]);
    assert.ok(known.allow);
    const other = applyDeltas(known.rows, [stream([delta(1, 'failed', { delta_id: 'x' })])], known.seen);
    assert.equal(other.verdict.code, 'CONCURRENCY_CONFLICT');
  });

  it('carry signs of life and blockers; final rows stay', () => {
    const started = row(1, { status: 'in_progress', owner: 'worker', version: 1 });
    const beat = applyDeltas(
      [started],
      [stream([delta(1, 'in_progress', { last_heartbeat_at: '2026-01-31T20:00:00Z' })])],
    );
    assert.ok(beat.allow);
    assert.deepEqual(beat.rows, [{ ...started, last_heartbeat_at: '2026-01-31T20:00:00Z' }]);
    const blocked = applyDeltas(
      [started],
      [stream([delta(1, 'blocked')], { blockers: [{ task_id: 'T-1', code: 'ACCEPTANCE_FAILED' }] })],
    );
    assert.ok(blocked.allow);
    assert.equal(blocked.rows[0]?.blocked_code, 'ACCEPTANCE_FAILED');
    for (const [base, change, code] of [
      [started, delta(1, 'in_progress', { last_heartbeat_at: 'soon' }), 'SCHEMA_INVALID'],
      [started, delta(1, 'done', { timed_out: true }), 'INVALID_TRANSITION'],
      [row(1, { status: 'done' }), delta(1, 'done'), 'INVALID_TRANSITION'],
      [row(1, { status: 'failed' }), delta(1, 'todo'), 'INVALID_TRANSITION'],
    ] as const)
      assert.equal(applyDeltas([base], [stream([change])]).verdict.code, code);
  });
});
