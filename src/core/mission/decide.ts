import { audited, type Stored } from '../audit/audited';
import { advance } from './advance';
import { decideCommand } from './commands';
import { fold } from './evolve';
import type { MissionEvent } from '../model/events';
import type { Fresh, Input } from '../model/inputs';
import { decideReport } from './reports';
import { type Mission, rowOf, type TaskRow, type Tasks, type Progress } from '../model/state';
import { lockConflict } from '../locks/conflicts';
import { surroundingsOf } from './evidence/ledgerDocument';
import { prerequisitesEnded } from './milestones/milestones';

/**
 * One step of a mission: the events of the input, and all that follow from it until the mission waits again. Time, ids
 * and randomness are in the input. Empty when the input changes nothing (a repeated command, a late outcome of an
 * effect).
 *
 * @param stored how the journal stores an event, where it changes any
 */
export function decide(
  mission: Mission | null,
  input: Input,
  stored: Stored = (event) => event,
): readonly MissionEvent[] {
  const first = audited(mission, react(mission, input), { at: input.at, before: mission, decided: [] }, stored);
  if (first.length === 0 && input.body.type !== 'OwnerStarted') return [];
  const events = [...first];
  let state = preview(mission, first, input);
  for (let fresh: Fresh = input.fresh; state;) {
    const more = audited(state, advance(state, fresh), { at: input.at, before: mission, decided: events }, stored);
    if (more.length === 0) break;
    if (more.some((event) => event.type === 'LaunchRequested' || event.type === 'OrchestratorDispatched'))
      fresh = spent;
    events.push(...more);
    state = preview(state, more, input);
    if (state) assertEntryGuards(state, more);
  }
  return events;
}

/** One decision requests at most one launch; a second one would reuse its ids. */
const spent: Fresh = {
  get launch_id(): never {
    throw new Error('Broken invariant: a decision requested two launches.');
  },
  get session_id(): never {
    throw new Error('Broken invariant: a decision requested two launches.');
  },
  get nonce(): never {
    throw new Error('Broken invariant: a decision requested two launches.');
  },
};

function react(mission: Mission | null, input: Input): readonly MissionEvent[] {
  if (input.body.type !== 'Command') return decideReport(mission, input, input.body);
  if (!mission) throw new Error('Broken invariant: a command for a mission that was never received.');
  return decideCommand(mission, input, input.body);
}

/** Folds events that are not journalled yet and so have no sequence number and hash. */
function preview(mission: Mission | null, events: readonly MissionEvent[], input: Input): Mission | null {
  const [seq, run_id, hash] = [mission?.last_seq ?? 0, mission?.run_id ?? '', mission?.last_hash ?? ''];
  return fold(
    events.map((event) => ({ seq, run_id, at: input.at, event, hash })),
    mission,
  );
}

/**
 * Checks the contract's entry guards for every task that a decision moves. It judges the mission as
 * the decision leaves it, before the decision is journalled. Assignment packets are validated
 * before their launch, the ledger is reconciled when an owner takes the mission over. Source: seed
 * 003.
 *
 * @throws when a guard does not hold: the decider has a defect, nothing is journalled, and the owner halts
 */
export function assertEntryGuards(mission: Progress, events: readonly MissionEvent[]): void {
  for (const event of events) {
    if (event.type !== 'RowTransitioned') continue;
    const row = rowOf(mission, event.task_id);
    const refused = row ? entryRefusal(mission, row) : 'it has no row';
    if (refused !== null) throw new Error(`Broken invariant: task ${event.task_id} is not ${event.to}: ${refused}`);
  }
}

function entryRefusal(mission: Progress, row: TaskRow): string | null {
  switch (row.status) {
    case 'in_progress':
      return waiting(mission, row) ?? unlocked(mission, row);
    case 'done':
      return reasonOfEnd(row) ?? reasonNotPassed(row) ?? unaccepted(row);
    case 'blocked': {
      if (row.code === null || row.reason.trim() === '') return 'a block has a code and a reason';
      const packet = mission.packets.find(
        ({ task_id, state }) => task_id === row.task.task_id && state.kind === 'open',
      );
      return packet ? null : 'no open packet says why';
    }
    case 'failed':
    case 'canceled':
      return reasonOfEnd(row);
    case 'todo':
      return row.outdated === null ? 'nothing is planned again' : null;
  }
}

function waiting(mission: Tasks, { task }: TaskRow): string | null {
  if (!prerequisitesEnded(mission, task)) return 'a task of its milestone, or of one before it, has not ended';
  const open = task.depends_on.find((id) => rowOf(mission, id)?.status !== 'done');
  return open === undefined ? null : `${open}, which it depends on, is not done`;
}

/** Says why the task does not hold its lock scope alone. */
function unlocked(mission: Tasks, row: TaskRow): string | null {
  if (row.lock !== 'held') return 'its lock is not held';
  const surroundings = surroundingsOf(mission);
  const other = mission.rows.find(
    ({ task, lock }) =>
      lock === 'held' &&
      task.task_id !== row.task.task_id &&
      task.paths.some((a) => row.task.paths.some((b) => lockConflict(a, b, surroundings))),
  );
  return other === undefined ? null : `${other.task.task_id} holds a part of its lock scope`;
}

/** Says why the row has not ended properly: only processes that are not proven gone may keep its lock. */
function reasonOfEnd({ lock, unproven, reason }: TaskRow): string | null {
  if (lock === 'held' && !unproven) return 'its lock is still held';
  return reason.trim() === '' ? 'an end has a reason' : null;
}

/** Says why the last attempt did not pass with a valid result, if its worker gives one. */
function reasonNotPassed({ attempts }: TaskRow): string | null {
  const last = attempts.at(-1);
  if (last?.outcome !== 'PASS' || last.failure) return 'its last attempt did not pass';
  const { claim } = last;
  switch (claim.kind) {
    case 'not_applicable':
      return null;
    case 'valid':
      return claim.refused || claim.result.status !== 'done' ? 'its result may not be taken over' : null;
    case 'report':
      return claim.report.status === 'pass' ? null : 'its report does not pass';
    case 'missing':
    case 'invalid':
      return 'it has no valid result';
  }
}

/** A milestone is accepted by the attempt that passed, and by nothing else. */
function unaccepted({ task, acceptance, attempts }: TaskRow): string | null {
  if (!task.validator || acceptance?.attempt === attempts.at(-1)?.attempt) return null;
  return 'its milestone is not accepted';
}
