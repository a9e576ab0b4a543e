import type { Blocker } from '../../contracts/ledger';
import type { Lock } from '../../contracts/lock';
import type { ContractCode } from '../../contracts/vocabulary/codes';
import type { LedgerStatus } from '../../contracts/vocabulary/execution';
import { structuralContractCodes } from '../../contracts/vocabulary/freshContext';
import { refusal, type Verdict } from '../documents/verdict';
import { coveredBy, lockIndex, type NormalLock } from '../locks/conflicts';
import { lockPath, plainSurroundings, type LockSurroundings } from '../locks/lockPath';
import { isLegalTransition, isOpen } from './transitions';

/** What of a ledger row a transition reads and changes. */
export interface VersionedRow {
  readonly task_id: string;
  readonly status: LedgerStatus;
  readonly owner: string;
  /** Rises by one with every transition. */
  readonly version: number;
  /** Rises by one with every entry to blocked. */
  readonly retry_count: number;
  /** Why it is blocked; null otherwise. */
  readonly blocked_code: ContractCode | null;
}

export interface TransitionRequest {
  readonly to: LedgerStatus;
  readonly actor: string;
  readonly reason: string;
  /** ISO-8601. */
  readonly at: string;
  /** The version that was read before this was asked for. */
  readonly expected_version: number;
  /** The status that was read; checked after the version. */
  readonly expected_status?: LedgerStatus;
  /** New owner; unchanged when absent. */
  readonly owner?: string;
}

/** What has to be known before a row may enter a state; a verdict that is null could not be had. */
export interface TransitionGuards {
  /** Rows of the tasks this one depends on; null for one that is in no row. */
  readonly dependencies?: readonly { readonly task_id: string; readonly status: LedgerStatus | null }[];
  readonly lock_scope?: readonly string[];
  readonly locks?: readonly Lock[];
  readonly surroundings?: LockSurroundings;
  /** Of the assignment packet. */
  readonly packet?: Verdict | null;
  /** Of the result packet. */
  readonly result?: Verdict | null;
  readonly reconciliation?: Verdict | null;
  /** Why it blocks. */
  readonly code?: ContractCode | null;
  readonly blockers?: readonly Pick<Blocker, 'task_id' | 'code'>[];
  /** For a terminal row only: says that the same end is told once more. */
  readonly replay?: boolean;
}

export interface TransitionEvent {
  readonly task_id: string;
  readonly event_type: 'state_transition';
  readonly from_state: LedgerStatus;
  readonly to_state: LedgerStatus;
  readonly actor: string;
  readonly reason: string;
  readonly created_at: string;
}

export type TransitionOutcome =
  | { readonly allow: true; readonly row: VersionedRow; readonly event: TransitionEvent; readonly verdict: Verdict }
  | { readonly allow: false; readonly verdict: Verdict };

/**
 * One transition of one row, or why not, in the order of the contract: no row, another version, another status, an
 * edge that does not exist, an entry guard that does not hold. A terminal row only takes a replay, which changes
 * nothing and leaves an event. Source: facts B7.
 */
export function transition(
  row: VersionedRow | null,
  request: TransitionRequest,
  guards: TransitionGuards = {},
): TransitionOutcome {
  const verdict = judge(row, request, guards);
  if (verdict !== null || row === null)
    return { allow: false, verdict: verdict ?? refusal('MISSING_REQUIRED_INPUT', 'There is no such row.') };
  const event: TransitionEvent = {
    task_id: row.task_id,
    event_type: 'state_transition',
    from_state: row.status,
    to_state: request.to,
    actor: request.actor,
    reason: request.reason,
    created_at: request.at,
  };
  const next = isOpen(row.status)
    ? {
        ...row,
        status: request.to,
        owner: request.owner ?? row.owner,
        version: row.version + 1,
        retry_count: row.retry_count + (request.to === 'blocked' ? 1 : 0),
        blocked_code: request.to === 'blocked' ? (guards.code ?? null) : null,
      }
    : row;
  return {
    allow: true,
    row: next,
    event,
    verdict: { allow: true, code: 'OK', reason: 'Allowed.', details: { findings: [] } },
  };
}

function judge(row: VersionedRow | null, request: TransitionRequest, guards: TransitionGuards): Verdict | null {
  if (row === null) return refusal('MISSING_REQUIRED_INPUT', 'There is no row for this task.');
  if (request.expected_version !== row.version) {
    return refusal(
      'CONCURRENCY_CONFLICT',
      `The row is at version ${row.version}, not ${request.expected_version}; read it again.`,
    );
  }
  if (request.expected_status !== undefined && request.expected_status !== row.status)
    return refusal('INVALID_TRANSITION', `The row is ${row.status}, not ${request.expected_status}.`);
  if (!isOpen(row.status)) return judgeReplay(row, request, guards);
  if (!isLegalTransition(row.status, request.to))
    return refusal('INVALID_TRANSITION', `A task cannot go from ${row.status} to ${request.to}.`);
  if (request.reason.trim() === '' || request.actor.trim() === '')
    return refusal('MISSING_REQUIRED_INPUT', 'A transition names its actor and its reason.');
  switch (request.to) {
    case 'in_progress':
      return judgeRetry(row) ?? judgeStart(row, request, guards);
    case 'done':
      return judgeDone(guards);
    case 'blocked':
      return judgeBlocked(row, guards);
    case 'todo':
      return judgeRetry(row) ?? judgeReplan(row, guards);
    case 'failed':
    case 'canceled':
      return null;
  }
}

function judgeReplay(row: VersionedRow, request: TransitionRequest, guards: TransitionGuards): Verdict | null {
  if (request.to !== row.status || guards.replay !== true)
    return refusal('INVALID_TRANSITION', `The task is ${row.status}, which is final.`);
  if (request.reason.trim() === '') return refusal('MISSING_REQUIRED_INPUT', 'A replay names its reason.');
  if (request.owner !== undefined && request.owner !== row.owner)
    return refusal('NON_COMPLIANT', 'A replay does not change the owner of a task.');
  if (activeLocks(row, guards).length > 0) return refusal('NON_COMPLIANT', 'A replay takes no locks.');
  return null;
}

/** After a structural failure nothing is tried again before it was corrected; a corrected task is a new one. */
function judgeRetry(row: VersionedRow): Verdict | null {
  const { blocked_code } = row;
  if (blocked_code === null || !(structuralContractCodes as readonly string[]).includes(blocked_code)) return null;
  return refusal('NON_COMPLIANT', `The task is blocked by ${blocked_code}, after which nothing is tried again.`);
}

function judgeStart(row: VersionedRow, request: TransitionRequest, guards: TransitionGuards): Verdict | null {
  const open = (guards.dependencies ?? []).filter(({ status }) => status !== 'done');
  if (open.length > 0) {
    const names = open.map(({ task_id, status }) => `${task_id} (${status ?? 'unknown'})`).join(', ');
    return refusal('DEPENDENCY_NOT_MET', `Not done yet: ${names}.`);
  }
  const owner = request.owner ?? row.owner;
  if (!isOwner(owner)) return refusal('MISSING_REQUIRED_INPUT', 'A task in progress has an owner.');
  return judgeHeld(row, guards) ?? judged(guards.packet, 'assignment packet');
}

/** Everything in the lock scope is locked by this task, and nobody else holds any of it. */
function judgeHeld(row: VersionedRow, guards: TransitionGuards): Verdict | null {
  const around = guards.surroundings ?? plainSurroundings;
  const wanted: NormalLock[] = [];
  for (const [index, resource] of (guards.lock_scope ?? []).entries()) {
    const path = lockPath(resource, around);
    if (!path.ok) return refusal('SCHEMA_INVALID', `The lock scope holds what is no path: ${resource}.`);
    wanted.push({ index, task_id: row.task_id, path: path.path, key: path.key });
  }
  if (wanted.length === 0) return refusal('MISSING_REQUIRED_INPUT', 'A task in progress has a lock scope.');
  const active: NormalLock[] = [];
  for (const [index, lock] of (guards.locks ?? []).entries()) {
    const path = lockPath(lock.resource, around);
    if (!path.ok) return refusal('SCHEMA_INVALID', `An active lock is no path: ${lock.resource}.`);
    if (lock.active) active.push({ index, task_id: lock.task_id, path: path.path, key: path.key });
  }
  const inTheWay = lockIndex(active);
  for (const lock of wanted) {
    const other = inTheWay(lock);
    if (other !== null)
      return refusal('LOCK_CONFLICT', `${lock.path} overlaps ${other.path}, which task ${other.task_id} holds.`);
  }
  const own = new Set(active.filter(({ task_id }) => task_id === row.task_id).map(({ key }) => key));
  const bare = wanted.find(({ key }) => !coveredBy(own, key));
  return bare === undefined
    ? null
    : refusal('LEDGER_INCONSISTENT', `${bare.path} is in the lock scope and not locked by the task.`);
}

function judgeDone(guards: TransitionGuards): Verdict | null {
  return judged(guards.result, 'result packet') ?? judged(guards.reconciliation, 'reconciliation of the ledger');
}

function judgeBlocked(row: VersionedRow, guards: TransitionGuards): Verdict | null {
  const { code, blockers = [] } = guards;
  if (code === undefined || code === null) return refusal('MISSING_REQUIRED_INPUT', 'A blocked task has a code.');
  return blockers.some((blocker) => blocker.task_id === row.task_id && blocker.code === code)
    ? null
    : refusal('LEDGER_INCONSISTENT', 'A blocked task stands in the list of blockers with its code.');
}

function judgeReplan(row: VersionedRow, guards: TransitionGuards): Verdict | null {
  return activeLocks(row, guards).length === 0
    ? null
    : refusal('LEDGER_INCONSISTENT', 'The locks of a task are released before it is planned again.');
}

function activeLocks(row: VersionedRow, guards: TransitionGuards): readonly Lock[] {
  return (guards.locks ?? []).filter((lock) => lock.active && lock.task_id === row.task_id);
}

function judged(verdict: Verdict | null | undefined, what: string): Verdict | null {
  if (verdict === null || verdict === undefined)
    return refusal('MISSING_VALIDATOR', `There is no verdict about the ${what}.`);
  return verdict.allow ? null : verdict;
}

/** Whether somebody works on the row: the contract writes none as an empty text or as "unassigned". */
export function isOwner(owner: string): boolean {
  return owner.trim() !== '' && owner !== 'unassigned';
}
