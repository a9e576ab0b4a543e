import { attribute } from '../observation/attribute';
import type { MissionEvent } from './events';
import { handoffReport, importRows } from './handoffs';
import type { Input, Report } from './inputs';
import { workerLaunch } from '../lifecycle/judge';
import { taskEvidence, treeLook } from './recordReports';
import { recoveryEvents } from './recovery';
import { rowOf, type Attempt, type Launch, type Mission } from './state';

/** What a reported fact means. A fact nobody waits for any more means nothing. */
export function decideReport(mission: Mission | null, input: Input, report: Report): readonly MissionEvent[] {
  if (report.type === 'PlanReceived') return mission ? [] : receive(input, report);
  if (!mission) throw new Error(`Broken invariant: ${report.type} before the plan was received.`);
  switch (report.type) {
    case 'OwnerStarted':
      return recoveryEvents(mission, report.recovery ?? null);
    case 'HeaderWasWritten':
      return mission.execution === 'LOCKED' && !mission.header_written
        ? [{ type: 'HeaderWritten', archived_mission_id: report.archived_mission_id }]
        : [];
    case 'TreeWasLookedFor':
      return treeLook(mission, report);
    case 'TaskEvidenceWasWritten':
      return taskEvidence(mission, report);
    case 'PacketWasWritten': {
      const packet = mission.packets.find((candidate) => candidate.packet_id === report.packet_id);
      return packet && !packet.written
        ? [{ type: 'PacketWritten', packet_id: report.packet_id, path: report.path, sha256: report.sha256 }]
        : [];
    }
    case 'HandoffWasWritten':
    case 'HandoffWasRefused':
      return handoffReport(mission, report);
    case 'ReportWasWritten':
      return mission.execution === 'COMPLETED' || mission.execution === 'FAILED'
        ? [{ type: 'MissionReported', header_sha256: report.header_sha256, summary_sha256: report.summary_sha256 }]
        : [];
    case 'PlanHashWasRead':
    case 'BaselineWasTaken':
    case 'BaselineFailed':
    case 'LaunchWasPrepared':
    case 'LaunchWasImpossible':
    case 'AssignmentWasRefused':
    case 'WorkerWasStarted':
    case 'WorkerSessionWasSeen':
    case 'OutOfScopeWriteWasSeen':
    case 'WorkerWentSilent':
    case 'DocumentWasSaved':
    case 'WorkerHasEnded':
    case 'ChangesWereRead':
    case 'ChangesCouldNotBeRead':
    case 'VerifyHasEnded':
      return mission.attempt ? attemptReport(mission, mission.attempt, report) : [];
  }
}

type AttemptReport = Exclude<
  Report,
  {
    type:
      | 'PlanReceived'
      | 'OwnerStarted'
      | 'HeaderWasWritten'
      | 'TreeWasLookedFor'
      | 'TaskEvidenceWasWritten'
      | 'PacketWasWritten'
      | 'HandoffWasWritten'
      | 'HandoffWasRefused'
      | 'ReportWasWritten';
  }
>;

function attemptReport(mission: Mission, attempt: Attempt, report: AttemptReport): readonly MissionEvent[] {
  const { stage } = attempt;
  const unit = { task_id: attempt.task_id, attempt: attempt.attempt };
  switch (report.type) {
    case 'PlanHashWasRead': {
      if (stage.at !== 'plan_hash' || report.task_id !== attempt.task_id) return [];
      const matches = report.observed?.toUpperCase() === mission.plan_sha256.toUpperCase();
      const checked: MissionEvent = {
        type: 'PlanHashChecked',
        task_id: report.task_id,
        observed: report.observed,
        matches,
        explanation: report.explanation,
      };
      return matches
        ? [
            checked,
            { type: 'PhaseCompleted', ...unit, phase: 0, outcome: 'next', note: 'plan hash matches the lock' },
            intentPhase(mission, attempt),
          ]
        : [checked];
    }
    case 'BaselineWasTaken':
      if (stage.at !== 'baseline' || report.task_id !== attempt.task_id) return [];
      return [
        {
          type: 'BaselineTaken',
          task_id: report.task_id,
          manifest_sha256: report.manifest_sha256,
          files: report.files,
          head: report.head,
        },
        { type: 'PhaseCompleted', ...unit, phase: 2, outcome: 'next', note: `baseline of ${report.files} files` },
        modelPhase(mission, attempt),
      ];
    case 'BaselineFailed':
      return stage.at === 'baseline' && report.task_id === attempt.task_id
        ? [{ type: 'BaselineImpossible', task_id: report.task_id, code: report.code, reason: report.reason }]
        : [];
    case 'LaunchWasPrepared': {
      const launch = waitingLaunch(attempt, 'preparing', report.launch_id);
      if (!launch) return [];
      const prepared: MissionEvent = { type: 'LaunchPrepared', launch_id: report.launch_id, prepared: report.prepared };
      return launch.purpose.kind === 'worker'
        ? [
            prepared,
            { type: 'PhaseCompleted', ...unit, phase: 4, outcome: 'next', note: report.prepared.confinement_detail },
          ]
        : [prepared];
    }
    case 'AssignmentWasRefused': {
      if (!waitingLaunch(attempt, 'preparing', report.launch_id)) return [];
      const { launch_id, code, reason, findings } = report;
      return [{ type: 'AssignmentRefused', task_id: attempt.task_id, launch_id, code, reason, findings }];
    }
    case 'LaunchWasImpossible':
      if (
        !waitingLaunch(attempt, 'preparing', report.launch_id) &&
        !waitingLaunch(attempt, 'starting', report.launch_id)
      )
        return [];
      return [{ type: 'LaunchImpossible', launch_id: report.launch_id, code: report.code, reason: report.reason }];
    case 'WorkerWasStarted':
      return waitingLaunch(attempt, 'starting', report.launch_id)
        ? [{ type: 'WorkerStarted', launch_id: report.launch_id, process: report.process }]
        : [];
    // Only the first: the stream lies where the worker can write, and the end names the session that counts.
    case 'WorkerSessionWasSeen': {
      const launch = waitingLaunch(attempt, 'running', report.launch_id);
      return launch?.worker_session_id === null
        ? [
            {
              type: 'WorkerSessionSeen',
              launch_id: report.launch_id,
              worker_session_id: report.worker_session_id,
              model: report.model,
            },
          ]
        : [];
    }
    case 'OutOfScopeWriteWasSeen':
      return waitingLaunch(attempt, 'running', report.launch_id) && attempt.scope_breach === null
        ? [{ type: 'ScopeBreachSeen', launch_id: report.launch_id, path: report.path }]
        : [];
    case 'WorkerWentSilent': {
      const givenUp = attempt.timed_out ?? attempt.stop_requested ?? attempt.scope_breach;
      if (!waitingLaunch(attempt, 'running', report.launch_id) || givenUp !== null) return [];
      const { launch_id, last_heartbeat_at, timeout_seconds, age_seconds, found } = report;
      return [
        {
          type: 'WorkerTimedOut',
          task_id: attempt.task_id,
          launch_id,
          last_heartbeat_at,
          timeout_seconds,
          age_seconds,
          found,
        },
      ];
    }
    case 'DocumentWasSaved':
      return [{ type: 'ExternalSaveRecorded', save: report.save }];
    case 'WorkerHasEnded': {
      const launch =
        waitingLaunch(attempt, 'running', report.launch_id) ?? waitingLaunch(attempt, 'starting', report.launch_id);
      if (launch?.purpose.kind !== 'worker') return [];
      return [
        { type: 'WorkerEnded', launch_id: report.launch_id, end: report.end, claim: report.claim },
        { type: 'PhaseCompleted', ...unit, phase: 5, outcome: 'next', note: `ended: ${report.end.reason}` },
      ];
    }
    case 'VerifyHasEnded': {
      const launch =
        waitingLaunch(attempt, 'running', report.launch_id) ?? waitingLaunch(attempt, 'starting', report.launch_id);
      return launch?.purpose.kind === 'verify'
        ? [{ type: 'VerifyEnded', launch_id: report.launch_id, result: report.result }]
        : [];
    }
    case 'ChangesWereRead':
      return stage.at === 'observing' && report.task_id === attempt.task_id ? [observed(mission, attempt, report)] : [];
    case 'ChangesCouldNotBeRead':
      return stage.at === 'observing' && report.task_id === attempt.task_id
        ? [{ type: 'ObservationFailed', task_id: report.task_id, reason: report.reason }]
        : [];
  }
}

function receive(input: Input, report: Extract<Report, { type: 'PlanReceived' }>): readonly MissionEvent[] {
  const { mission_id, plan, plan_path, plan_sha256, approval_source, tool_version, warnings } = report;
  return [
    {
      type: 'MissionReceived',
      mission_id,
      plan,
      plan_path,
      plan_sha256,
      approval_source,
      started_by: input.actor,
      tool_version,
    },
    { type: 'PlanValidated', warnings },
    { type: 'PlanLocked', plan_sha256 },
    ...(report.handoff
      ? importRows(mission_id, report.handoff, { actor: input.actor, reason: report.handoff.reason, at: input.at })
      : []),
  ];
}

function observed(
  mission: Mission,
  attempt: Attempt,
  report: Extract<Report, { type: 'ChangesWereRead' }>,
): MissionEvent {
  const task = rowOf(mission, attempt.task_id)?.task;
  const launch = workerLaunch(attempt);
  const { changes } = attribute({
    changes: report.changes,
    paths: task?.paths ?? [],
    forbidden_paths: task?.forbidden_paths ?? [],
    worker_started_at: launch?.process?.started_at ?? launch?.end?.started_at ?? null,
    worker_ended_at: launch?.end?.ended_at ?? null,
    external_saves: attempt.external_saves,
    comparison: report.comparison,
  });
  return {
    type: 'ChangesObserved',
    task_id: attempt.task_id,
    observed: {
      changes,
      observed_sha256: report.observed_sha256,
      head: report.head,
      not_observed: report.not_observed,
      comparison: report.comparison,
    },
    plan_sha256_observed: report.plan_sha256_observed,
  };
}

function waitingLaunch(
  attempt: Attempt,
  at: 'preparing' | 'starting' | 'running',
  launchId: string,
): Launch | undefined {
  if (attempt.stage.at !== at || attempt.stage.launch_id !== launchId) return undefined;
  return attempt.launches.find((launch) => launch.launch_id === launchId);
}

function intentPhase(mission: Mission, attempt: Attempt): MissionEvent {
  const task = rowOf(mission, attempt.task_id)?.task;
  const base = { type: 'PhaseCompleted', task_id: attempt.task_id, attempt: attempt.attempt, phase: 1 } as const;
  if (!task || task.worker === 'command')
    return { ...base, outcome: 'not_applicable', note: 'a command task invokes no model' };
  return { ...base, outcome: 'next', note: `intent ${task.intent ?? 'undeclared'}` };
}

function modelPhase(mission: Mission, attempt: Attempt): MissionEvent {
  const task = rowOf(mission, attempt.task_id)?.task;
  const base = { type: 'PhaseCompleted', task_id: attempt.task_id, attempt: attempt.attempt, phase: 3 } as const;
  if (!task || task.worker === 'command')
    return { ...base, outcome: 'not_applicable', note: 'a command task invokes no model' };
  return { ...base, outcome: 'next', note: `${task.worker}, model ${task.model ?? 'of the CLI'}` };
}
