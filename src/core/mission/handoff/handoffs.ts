import type { HumanDecision } from '../../../contracts/record/header';
import { notWritten } from '../../../base/text/words';
import { codeOfCategory } from '../../../contracts/vocabulary/codes/codes';
import type { LedgerStatus } from '../../../contracts/vocabulary/execution';
import type { HandoffCause } from '../../../contracts/vocabulary/handoff';
import { onlyValidates } from '../../evidence/summaryParts';
import { givenAway, givenAwayWords } from './movedRun';
import type { MissionEvent } from '../../model/events';
import type { HandoffImport } from '../../model/handoffFacts';
import type { Command, HandoffReport } from '../../model/inputs';
import { waitsForPerson } from '../../model/lanes';
import { waitingWork } from '../../model/waitingWork';
import { nthRunDir, nthPacketId } from '../../model/runDirs';
import { type Mission, type TaskRow, rowOf, type Course, type Progress, type Tasks } from '../../model/state';

/** A block or a pause makes a handoff due, and so does the end of the last lane after one; an attempt withdraws it. */
export function withHandoffDue(mission: Mission, event: MissionEvent): Mission {
  if (event.type === 'PacketIssued' || event.type === 'QuestionAsked') return { ...mission, handoff_due: 'blocked' };
  if (event.type === 'MissionPaused') return { ...mission, handoff_due: mission.handoff_due ?? 'paused' };
  if (event.type === 'RowTransitioned' && mission.lanes.length === 0) {
    const { to, task_id } = event;
    if (to !== 'done' && !(to === 'canceled' && rowOf(mission, task_id).skipped)) return mission;
    // Every block has its packet.
    const blocked = mission.packets.length > 0 && mission.rows.some(waitsForPerson);
    if (blocked || mission.hold.kind === 'paused') return { ...mission, handoff_due: blocked ? 'blocked' : 'paused' };
  }
  return event.type === 'AttemptStarted' && mission.handoff_due !== null ? { ...mission, handoff_due: null } : mission;
}

/** Requests the handoff that is due, once the caller has seen packets and evidence on disk. */
export function handoffDue(mission: Course): readonly MissionEvent[] {
  return mission.handoff_due === null || mission.cancel || mission.moved
    ? []
    : [requested(mission, mission.handoff_due, null, null)];
}

/** Returns whether the mission waits for a handoff: one of the runner, or one that moves the run. */
export function handoffPending(mission: Course): boolean {
  return mission.handoffs.some(({ state, why, move }) => state.kind === 'pending' && (why !== 'asked' || move));
}

/** Says which work no handoff carries, because a layer of this machine holds it; empty, or a sentence after a blank. */
export function leftBehind({ rows }: Tasks): string {
  const ids = rows.flatMap((row) => {
    const attempt = row.attempts.at(-1);
    return attempt && waitingWork(row, attempt) ? [row.task.task_id] : [];
  });
  return ids.length === 0
    ? ''
    : ` A layer of this machine holds the work of ${ids.join(', ')}. No handoff carries it, so it has to be done anew elsewhere.`;
}

/** A person requests a handoff; `move`: the run continues elsewhere. */
export function exportHandoff(mission: Course, command: Command, move: HumanDecision | null): readonly MissionEvent[] {
  return [requested(mission, 'asked', command.command_id, move)];
}

export function handoffReport(mission: Course, report: HandoffReport): readonly MissionEvent[] {
  const handoff = mission.handoffs.find(({ n }) => n === report.n);
  if (handoff?.state.kind !== 'pending') return [];
  if (report.type === 'HandoffWasRefused') return [{ ...report, type: 'HandoffRefused' }];
  const written: MissionEvent = { ...report, type: 'HandoffWritten' };
  const { move, n } = handoff;
  return move ? [written, { type: 'MissionMoved', n, sha256: report.sha256, decision: move }] : [written];
}

/** Says that what blocks now has no handoff; empty where it has one, or one is being written. */
export function withoutHandoff({ handoffs }: Course): readonly string[] {
  const last = handoffs.findLast(({ why }) => why === 'blocked');
  return last?.state.kind === 'refused' ? [`This block has no handoff. ${notWritten(last.n, last.state)}`] : [];
}

/** Says why open tasks of a moved run are canceled here; null when the run was not moved. */
export function movedReason(mission: Progress): string | null {
  const away = givenAway(mission);
  return away ? givenAwayWords(away) : null;
}

/**
 * The events that rebuild the ledger of a bundle, transition by transition, so that the fold checks each of them. A
 * task that was in progress is blocked, because the end of its attempt is not known here.
 */
export function importRows(mission_id: string, given: HandoffImport, decision: HumanDecision): readonly MissionEvent[] {
  const { paused, held, canceled, acknowledged, used } = given.stands ?? {};
  const statuses = new Map<string, LedgerStatus>();
  for (const { task_id, to } of given.transitions) statuses.set(task_id, to);
  const running = given.rows.filter(({ task_id }) => statuses.get(task_id) === 'in_progress');
  const blocked = given.rows.filter(({ task_id }) => ['in_progress', 'blocked'].includes(statuses.get(task_id) ?? ''));
  return [
    ...given.transitions.map((transition): MissionEvent => ({ type: 'RowTransitioned', ...transition })),
    ...running.map(({ task_id, category }): MissionEvent => ({
      type: 'RowTransitioned',
      task_id,
      from: 'in_progress',
      to: 'blocked',
      code: codeOfCategory[category ?? 'awaiting_user'],
      reason: `In progress where handoff ${given.source.handoff} was written; how that attempt ended is not known here.`,
    })),
    {
      type: 'HandoffImported',
      source: { ...given.source, decision },
      rows: given.rows,
      launches: given.launches,
      ...(used && { used }),
    },
    ...blocked.flatMap(({ task_id, evidence, retry, question }, index): readonly MissionEvent[] => {
      const packet_id = nthPacketId(mission_id, index + 1);
      const run_dir = nthRunDir(given.launches, task_id);
      const attempt = evidence.attempts?.length ?? 0;
      return [
        { type: 'PacketIssued', packet_id, task_id, attempt, run_dir, ...(question && { question }) },
        ...(retry ? [{ type: 'PacketResolved', packet_id, outcome: 'retry-repair', decision: retry } as const] : []),
      ];
    }),
    // What was in progress there is a block that no person has seen.
    ...(acknowledged && running.length === 0 ? [{ type: 'FailureAcknowledged', decision: acknowledged } as const] : []),
    ...(paused ? [{ type: 'PauseRequested', decision: paused } as const] : []),
    ...(held ? [{ type: 'MissionPaused', reason: held.reason, ...(held.code && { code: held.code }) } as const] : []),
    ...(canceled ? [{ type: 'CancelRequested', decision: canceled } as const] : []),
  ];
}

/** The number of attempts, including those before a handoff. */
export function attemptsOf(row: TaskRow): number {
  return row.attempts.length + (row.carried?.attempts.length ?? 0);
}

/** The number of attempts that launched no worker, because they judged once more what an earlier one had left. */
export function validationsOf(row: TaskRow): number {
  return (
    row.attempts.filter(({ validates }) => validates !== null).length +
    (row.carried?.attempts.filter(onlyValidates).length ?? 0)
  );
}

function requested(
  mission: Course,
  why: HandoffCause,
  command_id: string | null,
  move: HumanDecision | null,
): MissionEvent {
  return { type: 'HandoffRequested', n: mission.handoffs.length + 1, why, command_id, move };
}
