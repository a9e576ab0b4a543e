import { audited, type Stored } from '../audit/audited';
import { advance } from './advance';
import { decideCommand } from './commands';
import { fold } from './evolve';
import type { MissionEvent } from '../model/events';
import type { Fresh, Input, LaneReport, Report } from '../model/inputs';
import { type Mission, rowOf, type TaskRow, type Tasks, type Progress } from '../model/state';
import { waitsInLayer } from '../confinement/boundary';
import { lockConflict } from '../locks/conflicts';
import { surroundingsOf, evidenceStatus } from './evidence/ledgerDocument';
import { prerequisitesEnded, acceptanceChecked } from './milestones/milestones';
import { decideAttempt } from '../lifecycle/decideAttempt';
import { timeHasCome } from './resolve/waits';
import { handoffReport, importRows, attemptsOf } from './handoff/handoffs';
import { laneOf, laneOfLaunch } from '../model/lanes';
import { liveSession } from '../model/session';
import { sessionReport } from './orchestrator/reports';
import { carriedOver } from './revision/supersede';
import { recoveryEvents } from './takeover/takeover';
import type { Attempt } from '../model/attempt';
import { packetId } from '../model/runDirs';

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
  for (let fresh: Fresh | null = input.fresh; state;) {
    const more = audited(state, advance(state, fresh), { at: input.at, before: mission, decided: events }, stored);
    if (more.length === 0) break;
    if (more.some((event) => event.type === 'LaunchRequested' || event.type === 'OrchestratorDispatched')) fresh = null;
    events.push(...more);
    state = preview(state, more, input);
    if (state) assertEntryGuards(state, more);
  }
  return events;
}

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
    const refused = entryRefusal(mission, rowOf(mission, event.task_id));
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
  const open = task.depends_on.find((id) => rowOf(mission, id).status !== 'done');
  return open === undefined ? null : `${open}, which it depends on, is not done`;
}

function unlocked(mission: Tasks, row: TaskRow): string | null {
  if (row.lock !== 'held') return 'its lock is not held';
  const surroundings = surroundingsOf(mission);
  const other = mission.rows.find(
    (holder) =>
      holder.lock === 'held' &&
      holder !== row &&
      holder.task.paths.some((a) => row.task.paths.some((b) => lockConflict(a, b, surroundings))) &&
      !(waitsInLayer(mission, holder) && waitsInLayer(mission, row, false)),
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

function decideReport(mission: Mission | null, input: Input, report: Report): readonly MissionEvent[] {
  if (report.type === 'PlanReceived') return mission ? [] : receive(input, report);
  if (!mission) throw new Error(`Broken invariant: ${report.type} before the plan was received.`);
  switch (report.type) {
    case 'OwnerStarted':
      return recoveryEvents(mission, report.recovery ?? null);
    case 'EarlierEvidenceWasFound':
      return mission.execution === 'LOCKED' && !mission.header_written ? [{ ...report, type: 'ArchiveBegun' }] : [];
    case 'HeaderWasWritten':
      return mission.execution === 'LOCKED' && !mission.header_written ? [{ ...report, type: 'HeaderWritten' }] : [];
    case 'EffectHasFailed': {
      const { trouble } = mission;
      const known = trouble?.effect === report.effect && trouble.reason === report.reason;
      return known ? [] : [{ ...report, type: 'EffectFailed' }];
    }
    case 'ObstacleWasMoved':
      return [{ ...report, type: 'ObstacleMoved' }];
    case 'TreeWasLookedFor':
      return treeLook(mission, report);
    case 'TreeWasRead':
      return acceptanceChecked(mission, report);
    case 'AttemptWasUndone':
      return rowOf(mission, report.task_id).undoing?.attempt === report.attempt
        ? [{ ...report, type: 'UndoEnded' }]
        : [];
    case 'TaskEvidenceWasWritten':
      return taskEvidence(mission, report);
    case 'PacketWasWritten': {
      const packet = mission.packets.find(({ packet_id }) => packet_id === report.packet_id);
      return !packet || packet.written ? [] : [{ ...report, type: 'PacketWritten' }];
    }
    case 'TimeHasCome':
      return timeHasCome(mission, report.wait, input.at);
    case 'HandoffWasWritten':
    case 'HandoffWasRefused':
      return handoffReport(mission, report);
    case 'ReportWasWritten':
      return mission.execution === 'COMPLETED' || mission.execution === 'FAILED'
        ? [{ type: 'MissionReported', header_sha256: report.header_sha256, summary_sha256: report.summary_sha256 }]
        : [];
    case 'OrchestratorWasPrepared':
    case 'OrchestratorWasUnavailable':
    case 'OrchestratorWasStarted':
    case 'OrchestratorUsageWasSeen':
    case 'OrchestratorMustEnd':
    case 'OrchestratorHasAsked':
    case 'OrchestratorHasEnded':
      return sessionReport(mission, input, report);
    case 'WorkHasLanded':
    case 'WorkCouldNotLand':
    case 'PlanHashWasRead':
    case 'BaselineWasTaken':
    case 'BaselineFailed':
    case 'ContextWasRefused':
    case 'LaunchWasPrepared':
    case 'LaunchWasImpossible':
    case 'AssignmentWasRefused':
    case 'WorkerWasStarted':
    case 'WorkerSessionWasSeen':
    case 'UsageWasSeen':
    case 'OutOfScopeWriteWasSeen':
    case 'WorkerWentSilent':
    case 'WorkerStaysAfterItsEnd':
    case 'DocumentWasSaved':
    case 'WorkerHasEnded':
    case 'ChangesWereRead':
    case 'ChangesCouldNotBeRead':
    case 'VerifyHasEnded':
    case 'InterventionWasOffered':
    case 'MemoryWasRead':
    case 'MemoryWasSaved':
      return laneReport(mission, report);
  }
}

/** Each fact goes to its lane; a person's save concerns all lanes and is recorded once. */
function laneReport(mission: Mission, report: LaneReport): readonly MissionEvent[] {
  if (report.type === 'DocumentWasSaved')
    return mission.lanes.length > 0 || liveSession(mission)
      ? [{ type: 'ExternalSaveRecorded', save: report.save }]
      : [];
  const lane: Attempt | undefined =
    'task_id' in report ? laneOf(mission, report.task_id) : laneOfLaunch(mission, report.launch_id)?.lane;
  return lane ? decideAttempt(mission, lane, report) : [];
}

function receive(input: Input, report: Extract<Report, { type: 'PlanReceived' }>): readonly MissionEvent[] {
  const { type: _type, warnings, handoff, carried, tool_version, ...received } = report;
  const { actor, at } = input;
  return [
    { type: 'MissionReceived', ...received, started_by: actor, tool_version },
    { type: 'PlanValidated', warnings },
    { type: 'PlanLocked', plan_sha256: report.plan_sha256 },
    ...(handoff ? importRows(report.mission_id, handoff, { actor, reason: handoff.reason, at }) : []),
    ...carriedOver(carried),
  ];
}

/** Processes that are still alive withdraw a retry: a new packet is issued, and the mission waits for a person. */
function treeLook(mission: Progress, report: Extract<Report, { type: 'TreeWasLookedFor' }>): readonly MissionEvent[] {
  const row = rowOf(mission, report.task_id);
  if (!row.unproven?.due || row.unproven.launch_id !== report.launch_id) return [];
  const { task_id, launch_id, gone, survivors } = report;
  const looked: MissionEvent = { type: 'TreeLookedFor', task_id, launch_id, gone, survivors };
  if (gone) return [looked, { type: 'LockReleased', task_id }];
  const who = survivors.length > 0 ? ` Still alive: ${survivors.map((pid) => `process ${pid}`).join(', ')}.` : '';
  const reason = `Processes of ${task_id} could still not be proven gone.${who} Nothing goes on before they are.`;
  const packet: readonly MissionEvent[] =
    row.status === 'blocked' && row.retry
      ? [
          {
            type: 'PacketIssued',
            packet_id: packetId(mission),
            task_id,
            attempt: attemptsOf(row),
            run_dir: row.unproven.run_dir,
          },
        ]
      : [];
  return [looked, ...packet, { type: 'MissionPaused', reason }];
}

function taskEvidence(
  mission: Tasks,
  report: Extract<Report, { type: 'TaskEvidenceWasWritten' }>,
): readonly MissionEvent[] {
  const row = rowOf(mission, report.task_id);
  const status = row.evidence ? null : evidenceStatus(row);
  return status === null ? [] : [{ ...report, type: 'TaskEvidenceWritten', status }];
}
