import { ledgerStatuses, type LedgerStatus } from '../../contracts/vocabulary/execution';
import type { AddFinding } from '../documents/addFinding';
import { objectAt, objectsAt, quoted, textAt, type JsonObject } from '../../base/json';
import type { LedgerView } from './ledgerView';
import { parseMoment } from './time';
import { isLegalTransition, isOpen } from './transitions';

/** The events of a task have to lead to the state of its row: each begins in the state where the one before ended. */
export function judgeEvents(document: JsonObject, { byTask }: LedgerView, report: AddFinding): void {
  const last = new Map<string, { readonly to: LedgerStatus; readonly pointer: string }>();
  for (const [event, index] of objectsAt(document, 'events')) {
    const base = `/events/${index}`;
    const task_id = textAt(event, 'task_id');
    const at = textAt(event, 'created_at');
    if (at !== null && parseMoment(at) === null)
      report('SCHEMA_INVALID', `${base}/created_at`, `${quoted(at)} is no time.`);
    if (task_id === null) continue;
    if (!byTask.has(task_id)) {
      report('LEDGER_INCONSISTENT', `${base}/task_id`, `There is no row for task ${quoted(task_id)} of this event.`);
      continue;
    }
    if (textAt(event, 'event_type') === 'created') continue;
    const edge = edgeOf(event);
    if (edge === null) {
      // The contract's own reconciler accepts events that name only their task.
      const short = textAt(event, 'created_at') === null && textAt(event, 'actor') === null;
      report(
        'MISSING_REQUIRED_INPUT',
        base,
        'A transition says from_state and to_state; without them it is compared with nothing.',
        short ? 'warning' : 'error',
      );
      continue;
    }
    judgeEdge(edge, { taskId: task_id, before: last.get(task_id)?.to ?? null, base }, report);
    last.set(task_id, { to: edge.to, pointer: base });
  }
  for (const [task_id, { to, pointer }] of last) {
    const status = byTask.get(task_id)?.status ?? null;
    if (status === null || status === to) continue;
    report(
      'LEDGER_INCONSISTENT',
      pointer,
      `The last event of task ${quoted(task_id)} ends in ${to}, but its row is ${status}.`,
    );
  }
}

interface Edge {
  readonly from: LedgerStatus;
  readonly to: LedgerStatus;
  readonly reason: string;
  /**
   * It says that it plans the validation of a milestone again; the caller, which knows the plan, asks whether it may.
   */
  readonly reopens: boolean;
}

function judgeEdge(
  { from, to, reason, reopens }: Edge,
  { taskId, before, base }: { readonly taskId: string; readonly before: LedgerStatus | null; readonly base: string },
  report: AddFinding,
): void {
  if (before !== null && before !== from)
    report('LEDGER_INCONSISTENT', base, `Task ${quoted(taskId)} was ${before} before this event, which says ${from}.`);
  if (from === to && !isOpen(from)) {
    if (reason.trim() === '') report('MISSING_REQUIRED_INPUT', base, 'A replay of a final state names its reason.');
  } else if (!isLegalTransition(from, to) && !(reopens && from === 'done' && to === 'todo')) {
    report('INVALID_TRANSITION', base, `A task cannot go from ${from} to ${to}.`);
  }
}

/** The states of an event, from itself or, as the contract's own store writes them, from its payload. */
function edgeOf(event: JsonObject): Edge | null {
  const payload = objectAt(event, 'payload');
  const state = (key: string): LedgerStatus | undefined => {
    const text = textAt(event, key) ?? textAt(payload, key);
    return ledgerStatuses.find((status) => status === text);
  };
  const from = state('from_state');
  const to = state('to_state');
  if (from === undefined || to === undefined) return null;
  const reason = textAt(event, 'reason') ?? textAt(payload, 'reason') ?? '';
  return { from, to, reason, reopens: payload?.['reopens_milestone'] === true };
}
