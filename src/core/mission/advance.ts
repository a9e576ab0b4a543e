import type { LedgerStatus } from '../../contracts/vocabulary/execution';
import { codeOfCategory } from '../../contracts/vocabulary/codes/codes';
import { movedCode } from '../../contracts/vocabulary/handoff';
import { advanceAttempt } from '../lifecycle/advanceAttempt';
import { declaredFacts } from '../lifecycle/telemetry';
import { selectTelemetryMode } from '../telemetry/mode';
import { isOpen } from '../ledger/transitions';
import type { MissionEvent } from '../model/events';
import { attemptsOf, handoffDue, handoffPending, movedReason } from './handoff/handoffs';
import type { Fresh } from '../model/inputs';
import { budgetPause, budgetStops } from './parts/budget';
import { isBeingStopped, laneLimit, laneOf, waitsInAttempt, waitsForPerson } from '../model/lanes';
import { acceptanceDue, endsUnread, prerequisitesEnded } from './milestones/milestones';
import { nextRunDir, packetId } from '../model/runDirs';
import { liveSession } from '../model/session';
import { orchestratorDue } from './orchestrator/due';
import { orderedBy, type Mission, type TaskRow, rowOf, type Tasks, type Progress, type Course } from '../model/state';
import { skippedWords } from './resolve/skip';
import { supersededWords } from './revision/supersede';
import { successCriteria } from './evidence/successCriteria';
import { priorities } from '../../contracts/vocabulary/intents';
import { waitsInLayer } from '../confinement/boundary';
import { lockConflict } from '../locks/conflicts';
import { surroundingsOf } from './evidence/ledgerDocument';

/**
 * The next events that follow from the state alone, until the list is empty: the whole sequencing of a mission.
 *
 * @param fresh null: a launch was requested with these ids, so any other waits for the next input, which that one brings
 */
export function advance(mission: Mission, fresh: Fresh | null): readonly MissionEvent[] {
  switch (mission.execution) {
    case 'RECEIVED':
    case 'VALIDATED':
    case 'COMPLETED':
    case 'FAILED':
    case 'REPORTED':
      return [];
    case 'LOCKED':
      return mission.header_written ? [{ type: 'ExecutionStarted' }] : [];
    case 'EXECUTING':
      return advanceLanes(mission, fresh) ?? dispatch(mission, fresh);
    case 'EVIDENCED':
      return [ending(mission)];
  }
}

function advanceLanes(mission: Mission, fresh: Fresh | null): readonly MissionEvent[] | null {
  const stops = budgetStops(mission);
  if (stops.length > 0) return stops;
  for (const lane of mission.lanes) {
    const events = advanceAttempt(mission, lane, fresh);
    if (events.length > 0) return events;
  }
  return null;
}

/** The events between attempts, which concern rows without a live lane only. */
function dispatch(mission: Progress, fresh: Fresh | null): readonly MissionEvent[] {
  const { rows } = mission;
  // Evidence and packets of ended tasks have to be on disk first.
  if (rows.some((row) => !isOpen(row.status) && !row.evidence)) return [];
  if (mission.packets.some((packet) => !packet.written)) return [];
  const due = handoffDue(mission);
  if (due.length > 0) return due;
  // Nothing starts or ends beside a session of the orchestrator, which is ended first.
  if (handoffPending(mission) || liveSession(mission)) return [];
  // A lock is released only after the whole process tree is proven gone.
  if (rows.some((row) => row.unproven ?? row.undoing)) return [];
  const holder = rows.find((row) => row.lock === 'held' && !laneOf(mission, row.task.task_id));
  if (holder) return [{ type: 'LockReleased', task_id: holder.task.task_id }];
  const failed = rows.find((row) => row.status === 'failed');
  const open = rows.filter((row) => isOpen(row.status) && !laneOf(mission, row.task.task_id));
  const skipped = open.flatMap((row) =>
    row.skipped ? cancelRow(mission, row, skippedWords(row.task.task_id, row.skipped)) : [],
  );
  if (skipped.length > 0) return skipped;
  if (open.length + mission.lanes.length === 0)
    return (
      (endsUnread(mission) ? null : acceptanceDue(mission, null)) ?? [
        { type: 'SuccessCriteriaReported', criteria: successCriteria(mission) },
        { type: 'MissionEvidenced' },
      ]
    );
  const moved = movedReason(mission);
  // Lanes that are being stopped end before the mission does.
  if (mission.lanes.length > 0 && (mission.cancel ?? moved ?? failed)) return [];
  if (mission.cancel)
    return open.flatMap((row) =>
      cancelRow(
        mission,
        row,
        supersededWords(mission) ??
          `Mission canceled by ${mission.cancel?.actor.name ?? ''}: ${mission.cancel?.reason ?? ''}`,
      ),
    );
  if (moved !== null) return open.flatMap((row) => cancelRow(mission, row, moved));
  if (failed) return open.flatMap((row) => cancelRow(mission, row, `Not started: task ${failed.task.task_id} failed.`));
  switch (mission.hold.kind) {
    case 'pause_requested':
      if (mission.lanes.length > 0) return [];
      return [
        {
          type: 'MissionPaused',
          reason: `Paused by ${mission.hold.decision.actor.name}: ${mission.hold.decision.reason}`,
        },
      ];
    case 'paused':
      return [];
    case 'none':
      return next(mission, open, fresh);
  }
}

function next(mission: Progress, open: readonly TaskRow[], fresh: Fresh | null): readonly MissionEvent[] {
  if (mission.lanes.length >= laneLimit(mission)) return [];
  // A lane that is being ended will block or fail, so nothing new starts until then.
  if (mission.lanes.some((lane) => isBeingStopped(lane) || waitsInAttempt(lane))) return [];
  const [first] = dispatchable(mission, open);
  const pause = first ? budgetPause(mission) : null;
  if (pause) return mission.lanes.length > 0 ? [] : [pause];
  if (first) return acceptanceDue(mission, first.task) ?? startAttempt(mission, first);
  const blocked =
    open.some((row) => row.status === 'blocked') || mission.packets.some((packet) => packet.state.kind === 'open');
  if (blocked) return fresh ? orchestratorDue(mission, fresh) : [];
  return mission.lanes.length > 0 ? [] : nothingRunnable(mission, open);
}

function startAttempt(mission: Progress, row: TaskRow): readonly MissionEvent[] {
  const { task } = row;
  return [
    { type: 'LockTaken', task_id: task.task_id, resources: task.paths },
    {
      type: 'RowTransitioned',
      task_id: task.task_id,
      from: row.status,
      to: 'in_progress',
      code: null,
      reason: row.retry ? (orderedBy(mission, task.task_id, row.retry) ?? 'retry-repair') : 'dispatched',
    },
    {
      type: 'AttemptStarted',
      task_id: task.task_id,
      attempt: attemptsOf(row) + 1,
      telemetry_mode: selectTelemetryMode(declaredFacts(mission, task)).mode,
      decided_by: row.retry,
      ...(row.validates === null ? {} : { validates: row.validates }),
      ...(row.outdated === null ? {} : { because: row.outdated }),
    },
  ];
}

function nothingRunnable(mission: Progress, open: readonly TaskRow[]): readonly MissionEvent[] {
  const [first] = open;
  if (!first) return [];
  const waiting = open
    .map((row) => `${row.task.task_id} waits for ${[...row.task.depends_on, ...(row.task.after ?? [])].join(', ')}`)
    .join('; ');
  return [
    {
      type: 'RowTransitioned',
      task_id: first.task.task_id,
      from: first.status,
      to: 'blocked',
      code: codeOfCategory.no_runnable_pending_work,
      reason: `No open task can run: ${waiting}.`,
    },
    {
      type: 'PacketIssued',
      packet_id: packetId(mission),
      task_id: first.task.task_id,
      attempt: 0,
      run_dir: nextRunDir(mission, first.task.task_id),
    },
  ];
}

function cancelRow(mission: Course, row: TaskRow, reason: string): readonly MissionEvent[] {
  const to: LedgerStatus = 'canceled';
  return [
    ...mission.packets
      .filter((packet) => packet.task_id === row.task.task_id && packet.state.kind === 'open')
      .map((packet): MissionEvent => ({ type: 'PacketSuperseded', packet_id: packet.packet_id, reason })),
    { type: 'RowTransitioned', task_id: row.task.task_id, from: row.status, to, code: null, reason },
  ];
}

function ending(mission: Progress): MissionEvent {
  const { cancel, rows, criteria } = mission;
  const failed = rows.find((row) => row.status === 'failed');
  if (cancel) {
    const superseded = supersededWords(mission);
    const by = `${cancel.actor.name}: ${cancel.reason}`;
    return superseded === null
      ? ended(failed?.code ?? 'CANCELLED', `Canceled by ${by}`, true)
      : ended(failed?.code ?? 'SUPERSEDED', `${superseded}, approved by ${by}`, true);
  }
  const moved = movedReason(mission);
  if (moved !== null) return ended(movedCode, moved, true);
  if (failed) return ended(failed.code ?? missed, `Task ${failed.task.task_id} failed: ${failed.reason}`);
  const unmet = criteria?.find(({ result }) => result === 'unmet');
  return unmet
    ? ended(missed, `Success criterion not met: ${unmet.criterion}. ${unmet.detail}`)
    : { type: 'MissionCompleted' };
}

const missed = 'ACCEPTANCE_FAILED';

function ended(code: string, reason: string, cancelled = false): MissionEvent {
  return { type: 'MissionFailed', code, reason, cancelled };
}

/**
 * The open rows that may start now, in this order: rows that a person retries, then by priority, then as in the plan.
 * While a task is blocked or a packet is open, only retried rows start. A row whose paths overlap a held lock waits,
 * and no overlapping row of lower priority starts before it.
 */
function dispatchable(mission: Progress, open: readonly TaskRow[]): readonly TaskRow[] {
  const again = open.filter((row) => row.status === 'blocked' && row.retry);
  if (open.some(waitsForPerson) || mission.packets.some((packet) => packet.state.kind === 'open'))
    return free(mission, again);
  const done = new Set(mission.rows.flatMap(({ status, task }) => (status === 'done' ? [task.task_id] : [])));
  const ready = open.filter(
    ({ status, task }) =>
      status === 'todo' && task.depends_on.every((id) => done.has(id)) && prerequisitesEnded(mission, task),
  );
  // Sorting keeps the order of the plan among equals.
  return free(mission, [...again, ...ready.sort((left, right) => rank(right) - rank(left))]);
}

/** Puts the validation of a milestone last, because what else can start would change the files that it accepts. */
function rank({ task }: TaskRow): number {
  if (task.validator) return -1;
  return priorities.indexOf(task.priority);
}

/**
 * The rows that overlap neither a held lock nor a waiting row of higher priority. Work that waits in a layer overlaps
 * nothing: it is merged before it lands.
 */
function free(mission: Tasks, rows: readonly TaskRow[]): readonly TaskRow[] {
  if (mission.lanes.length === 0) return rows;
  // A validation runs alone.
  if (mission.lanes.some(({ task_id }) => rowOf(mission, task_id).task.validator)) return [];
  const surroundings = surroundingsOf(mission);
  const overlaps = (left: TaskRow, right: TaskRow): boolean =>
    left.task.paths.some((a) => right.task.paths.some((b) => lockConflict(a, b, surroundings)));
  const holders = mission.rows.filter(({ lock }) => lock === 'held');
  const shares = (holder: TaskRow, row: TaskRow): boolean =>
    waitsInLayer(mission, holder) && waitsInLayer(mission, row, false);
  const waiting: TaskRow[] = [];
  return rows.filter((row) => {
    const waits =
      row.task.validator !== undefined ||
      holders.some((other) => overlaps(other, row) && !shares(other, row)) ||
      waiting.some((other) => rank(other) > rank(row) && overlaps(other, row));
    if (waits) waiting.push(row);
    return !waits;
  });
}
