import assert from 'node:assert/strict';
import { ledgerStatuses, type LedgerStatus } from '../../../src/contracts/vocabulary/execution';
import { refusal, type Verdict } from '../../../src/core/documents/verdict';
import {
  transition,
  type TransitionGuards,
  type TransitionRequest,
  type VersionedRow,
} from '../../../src/core/ledger/transition';

const ok: Verdict = { allow: true, code: 'OK', reason: 'Valid.', details: { findings: [] } };
const row = (status: LedgerStatus, more: Partial<VersionedRow> = {}): VersionedRow => ({
  task_id: 'T-1',
  status,
  owner: 'worker',
  version: 3,
  retry_count: 0,
  blocked_code: status === 'blocked' ? 'TASK_TIMEOUT' : null,
  ...more,
});
const ask = (to: LedgerStatus, more: Partial<TransitionRequest> = {}): TransitionRequest => ({
  to,
  actor: 'runner',
  reason: 'As planned.',
  at: '2026-01-31T20:00:00Z',
  expected_version: 3,
  ...more,
});
const held = { lock_scope: ['src'], locks: [{ task_id: 'T-1', resource: 'src/', active: true }] };
/** Everything a transition can ask for. */
const guards: TransitionGuards = {
  dependencies: [{ task_id: 'T-0', status: 'done' }],
  ...held,
  packet: ok,
  result: ok,
  reconciliation: ok,
  code: 'TASK_TIMEOUT',
  blockers: [{ task_id: 'T-1', code: 'TASK_TIMEOUT' }],
};
const codeOf = (from: VersionedRow | null, request: TransitionRequest, given: TransitionGuards = guards): string =>
  transition(from, request, given).verdict.code;

describe('ledger transitions', () => {
  const legal: Readonly<Record<LedgerStatus, readonly LedgerStatus[]>> = {
    todo: ['in_progress', 'blocked', 'failed', 'canceled'],
    in_progress: ['blocked', 'done', 'failed', 'canceled'],
    blocked: ['todo', 'in_progress', 'failed', 'canceled'],
    done: [],
    failed: [],
    canceled: [],
  };
  for (const from of ledgerStatuses) {
    it(`from ${from}: ${legal[from].join(', ') || 'none'}`, () => {
      for (const to of ledgerStatuses) {
        const given = to === 'todo' ? { ...guards, locks: [] } : guards;
        assert.equal(codeOf(row(from), ask(to), given), legal[from].includes(to) ? 'OK' : 'INVALID_TRANSITION', to);
      }
    });
  }

  it('raise the version, count entries to blocked, and leave an event', () => {
    const outcome = transition(row('in_progress'), ask('blocked'), guards);
    assert.ok(outcome.allow);
    assert.deepEqual(outcome.row, row('blocked', { version: 4, retry_count: 1 }));
    assert.deepEqual(outcome.event, {
      task_id: 'T-1',
      event_type: 'state_transition',
      from_state: 'in_progress',
      to_state: 'blocked',
      actor: 'runner',
      reason: 'As planned.',
      created_at: '2026-01-31T20:00:00Z',
    });
    const back = transition(outcome.row, ask('todo', { expected_version: 4 }), {});
    assert.ok(back.allow);
    assert.deepEqual(back.row, row('todo', { version: 5, retry_count: 1 }));
  });

  it('are refused in the order of the contract: row, version, status, edge, guard', () => {
    const stale = { expected_version: 2, expected_status: 'blocked' } as const;
    assert.equal(codeOf(null, ask('done', stale)), 'MISSING_REQUIRED_INPUT');
    assert.equal(codeOf(row('todo'), ask('done', stale)), 'CONCURRENCY_CONFLICT');
    assert.equal(codeOf(row('done'), ask('todo', stale)), 'CONCURRENCY_CONFLICT');
    assert.equal(codeOf(row('todo'), ask('in_progress', { expected_status: 'blocked' })), 'INVALID_TRANSITION');
    assert.equal(codeOf(row('todo'), ask('done'), {}), 'INVALID_TRANSITION');
    assert.equal(codeOf(row('todo'), ask('canceled', { reason: ' ' })), 'MISSING_REQUIRED_INPUT');
    assert.equal(codeOf(row('todo'), ask('canceled', { actor: '' })), 'MISSING_REQUIRED_INPUT');
  });

  for (const [what, given, code] of [
    ['a dependency that is not done', { dependencies: [{ task_id: 'T-0', status: 'failed' }] }, 'DEPENDENCY_NOT_MET'],
    ['a dependency without a row', { dependencies: [{ task_id: 'T-0', status: null }] }, 'DEPENDENCY_NOT_MET'],
    ['a lock that is not held', { locks: [] }, 'LEDGER_INCONSISTENT'],
    [
      'a lock that was released',
      { locks: [{ task_id: 'T-1', resource: 'src', active: false }] },
      'LEDGER_INCONSISTENT',
    ],
    [
      'a lock of another task',
      { locks: [...held.locks, { task_id: 'T-2', resource: 'src/a', active: true }] },
      'LOCK_CONFLICT',
    ],
    ['no lock scope', { lock_scope: [] }, 'MISSING_REQUIRED_INPUT'],
    ['a lock scope that escapes', { lock_scope: ['../x'] }, 'SCHEMA_INVALID'],
    ['no verdict about the packet', { packet: null }, 'MISSING_VALIDATOR'],
    [
      'a packet that was refused',
      { packet: refusal('UNTRUSTED_CONTEXT_BLOCK', 'A secret.') },
      'UNTRUSTED_CONTEXT_BLOCK',
    ],
  ] as const) {
    it(`to in_progress: not with ${what}`, () => {
      assert.equal(codeOf(row('todo'), ask('in_progress'), { ...guards, ...given }), code);
    });
  }

  it('to in_progress: not without an owner', () => {
    for (const owner of ['', 'unassigned'])
      assert.equal(codeOf(row('todo', { owner }), ask('in_progress')), 'MISSING_REQUIRED_INPUT');
    assert.equal(codeOf(row('todo', { owner: '' }), ask('in_progress', { owner: 'worker' })), 'OK');
  });

  it('to done: not without a result and a clean ledger', () => {
    const to = ask('done');
    assert.equal(codeOf(row('in_progress'), to, { ...guards, result: null }), 'MISSING_VALIDATOR');
    const failed = refusal('ACCEPTANCE_FAILED', 'Not met.');
    assert.equal(codeOf(row('in_progress'), to, { ...guards, result: failed }), 'ACCEPTANCE_FAILED');
    const unclean = refusal('LEDGER_INCONSISTENT', 'Two rows.');
    assert.equal(codeOf(row('in_progress'), to, { ...guards, reconciliation: unclean }), 'LEDGER_INCONSISTENT');
  });

  it('to blocked: with a code that is among the blockers', () => {
    assert.equal(codeOf(row('in_progress'), ask('blocked'), { ...guards, code: null }), 'MISSING_REQUIRED_INPUT');
    assert.equal(codeOf(row('in_progress'), ask('blocked'), { ...guards, blockers: [] }), 'LEDGER_INCONSISTENT');
    const other = [{ task_id: 'T-1', code: 'SCHEMA_INVALID' }] as const;
    assert.equal(codeOf(row('in_progress'), ask('blocked'), { ...guards, blockers: other }), 'LEDGER_INCONSISTENT');
  });

  it('back to todo: only with released locks, and never after a structural failure', () => {
    assert.equal(codeOf(row('blocked'), ask('todo')), 'LEDGER_INCONSISTENT');
    for (const blocked_code of ['SCHEMA_INVALID', 'SCOPE_VIOLATION', 'NON_COMPLIANT'] as const) {
      for (const to of ['todo', 'in_progress'] as const)
        assert.equal(codeOf(row('blocked', { blocked_code }), ask(to), { ...guards, locks: [] }), 'NON_COMPLIANT');
      assert.equal(codeOf(row('blocked', { blocked_code }), ask('canceled')), 'OK');
    }
  });

  it('of a final row: only a replay, which changes nothing and leaves an event', () => {
    const replay = { replay: true };
    for (const status of ['done', 'failed', 'canceled'] as const) {
      const outcome = transition(row(status), ask(status), replay);
      assert.ok(outcome.allow);
      assert.deepEqual(outcome.row, row(status));
      assert.deepEqual([outcome.event.from_state, outcome.event.to_state], [status, status]);
      assert.equal(codeOf(row(status), ask(status), {}), 'INVALID_TRANSITION');
      assert.equal(codeOf(row(status), ask('todo'), replay), 'INVALID_TRANSITION');
      assert.equal(codeOf(row(status), ask(status, { reason: '' }), replay), 'MISSING_REQUIRED_INPUT');
      assert.equal(codeOf(row(status), ask(status, { owner: 'other' }), replay), 'NON_COMPLIANT');
      assert.equal(codeOf(row(status), ask(status), { ...held, ...replay }), 'NON_COMPLIANT');
    }
    assert.equal(codeOf(row('blocked'), ask('blocked'), replay), 'INVALID_TRANSITION');
  });
});
