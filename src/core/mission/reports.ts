import { decideAttempt } from '../lifecycle/decideAttempt';
import { timeHasCome } from './resolve/waits';
import type { MissionEvent } from '../model/events';
import { handoffReport, importRows, attemptsOf } from './handoff/handoffs';
import type { Input, LaneReport, Report } from '../model/inputs';
import { laneOf, laneOfLaunch } from '../model/lanes';
import { liveSession } from '../model/session';
import { sessionReport } from './orchestrator/reports';
import { carriedOver } from './revision/supersede';
import { acceptanceChecked } from './milestones/milestones';
import { recoveryEvents } from './takeover/takeover';
import type { Attempt } from '../model/attempt';
import { type Mission, rowOf, type Tasks, type Progress } from '../model/state';
import { packetId } from '../model/packetId';

/** The events that a reported fact causes; none when the mission does not wait for it. */
export function decideReport(mission: Mission | null, input: Input, report: Report): readonly MissionEvent[] {
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
      return rowOf(mission, report.task_id)?.undoing?.attempt === report.attempt
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
  if (!row?.unproven?.due || row.unproven.launch_id !== report.launch_id) return [];
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
  if (!row || row.evidence) return [];
  switch (row.status) {
    case 'done':
      return [{ ...report, type: 'TaskEvidenceWritten', status: 'SUCCESS' }];
    case 'failed':
      return [{ ...report, type: 'TaskEvidenceWritten', status: 'FAILED' }];
    case 'canceled':
      return [{ ...report, type: 'TaskEvidenceWritten', status: 'SKIPPED' }];
    case 'todo':
    case 'in_progress':
    case 'blocked':
      return [];
  }
}
