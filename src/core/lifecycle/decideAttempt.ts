import type { MissionEvent } from '../model/events';
import type { LaneReport } from '../model/inputs';
import { isGivenUp } from '../model/lanes';
import { rowOf, type Attempt, type Launch, type Mission, type Validated } from '../model/state';
import { acceptedRead } from './acceptedRead';
import { attributeChanges } from './attributeChanges';
import { outstandingRead, readAtLast } from './outstandingRead';
import { differencesOfVerify, judgeVerifyDifferences } from './verifyChanges';

/** What a fact means for the attempt it is about. One that the attempt does not wait for means nothing. */
export function decideAttempt(
  mission: Mission,
  attempt: Attempt,
  report: Exclude<LaneReport, { type: 'DocumentWasSaved' }>,
): readonly MissionEvent[] {
  const { stage } = attempt;
  const unit = { task_id: attempt.task_id, attempt: attempt.attempt };
  switch (report.type) {
    case 'PlanHashWasRead': {
      if (stage.at !== 'plan_hash' || report.attempt !== attempt.attempt) return [];
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
            ...(attempt.validates ? nothingLaunched(attempt, attempt.validates) : []),
          ]
        : [checked];
    }
    case 'BaselineWasTaken':
      if (stage.at !== 'baseline' || report.attempt !== attempt.attempt) return [];
      return [
        ...outstandingRead(mission, attempt, report.standing ?? [], []),
        ...acceptedRead(mission, attempt, report.standing ?? []),
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
      return stage.at === 'baseline' && report.attempt === attempt.attempt
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
      if (!waitingLaunch(attempt, 'running', report.launch_id) || isGivenUp(attempt)) return [];
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
      if (!waitsForLook(attempt, report)) return [];
      return [
        ...outstandingRead(mission, attempt, report.standing ?? [], readAtLast(mission, attempt)),
        // It has no baseline of its own: what came after the acceptance is in its difference, as if it were accepted.
        ...(attempt.validates && report.after !== 'verify'
          ? acceptedRead(mission, attempt, report.standing ?? [])
          : []),
        report.after === 'verify' ? verifyObserved(mission, attempt, report) : observed(mission, attempt, report),
      ];
    case 'ChangesCouldNotBeRead':
      return waitsForLook(attempt, report)
        ? [{ type: 'ObservationFailed', task_id: report.task_id, reason: report.reason }]
        : [];
  }
}

function observed(
  mission: Mission,
  attempt: Attempt,
  report: Extract<LaneReport, { type: 'ChangesWereRead' }>,
): MissionEvent {
  const { changes, elsewhere } = attributeChanges(mission, attempt, report.changes, report.comparison);
  return {
    type: 'ChangesObserved',
    task_id: attempt.task_id,
    observed: {
      changes,
      observed_sha256: report.observed_sha256,
      head: report.head,
      not_observed: [...report.not_observed, ...elsewhere],
      comparison: report.comparison,
    },
    plan_sha256_observed: report.plan_sha256_observed,
    ...(report.file_system ? { file_system: report.file_system } : {}),
  };
}

function verifyObserved(
  mission: Mission,
  attempt: Attempt,
  report: Extract<LaneReport, { type: 'ChangesWereRead' }>,
): MissionEvent {
  const { comparison, observed_sha256, head, not_observed, plan_sha256_observed } = report;
  const { differences, elsewhere } = differencesOfVerify(mission, attempt, report.changes, comparison);
  return {
    type: 'VerifyObserved',
    task_id: attempt.task_id,
    changes: judgeVerifyDifferences(mission, attempt, differences, report.standing ?? [], comparison),
    observed_sha256,
    head,
    not_observed: [...not_observed, ...elsewhere],
    plan_sha256_observed,
    ...(report.file_system ? { file_system: report.file_system } : {}),
  };
}

function waitsForLook(
  attempt: Attempt,
  report: Extract<LaneReport, { type: 'ChangesWereRead' | 'ChangesCouldNotBeRead' }>,
): boolean {
  const { stage } = attempt;
  return stage.at === 'observing' && report.attempt === attempt.attempt && stage.after === (report.after ?? 'worker');
}

function waitingLaunch(
  attempt: Attempt,
  at: 'preparing' | 'starting' | 'running',
  launchId: string,
): Launch | undefined {
  if (attempt.stage.at !== at || attempt.stage.launch_id !== launchId) return undefined;
  return attempt.launches.find((launch) => launch.launch_id === launchId);
}

function nothingLaunched({ task_id, attempt }: Attempt, validated: Validated): readonly MissionEvent[] {
  const note = `nothing is launched: what attempt ${validated.attempt} left is judged once more`;
  return ([2, 3, 4, 5] as const).map((phase) => ({
    type: 'PhaseCompleted',
    task_id,
    attempt,
    phase,
    outcome: 'not_applicable',
    note,
  }));
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
