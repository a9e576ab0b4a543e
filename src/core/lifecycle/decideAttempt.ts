import type { EventOf, MissionEvent } from '../model/events';
import type { LaneReport } from '../model/inputs';
import { isBeingStopped } from '../model/lanes';
import { currentLaunch, type Attempt, type Launch, type Validated } from '../model/attempt';
import { assembledPhase, contextPhases, intentPhase, modelPhase, statePhase } from './earlyPhases';
import { recover, endOfRecovery, failedRecovery, seenAlive } from './parts/recover';
import { passedPhase } from './phases';
import { rowOf, workerOf, type Mission, type Tasks } from '../model/state';
import { isNews } from '../model/usage';
import { heldMeanwhile } from './parts/strays';
import { beforeExecution, checksOf } from './checks';
import { judgedFacts } from './judge/rules';
import { attributeChanges, isWorkersIn } from './changes/attributeChanges';
import { interventionEnd } from './intervention';
import { compared, isBeingSaved } from './memory';
import { lingeredWords, deadlineWords } from '../../base/text/endWords';
import { outstandingRead, readAtLast, acceptedRead } from './changes/outstandingRead';
import { isApproved } from './parts/planWait';
import { differencesOfVerify, judgeVerifyDifferences } from './changes/verifyChanges';
import type { LaunchEnd } from '../model/facts';
import type { PlannedTask } from '../plan/approvedPlan';

type ChangesObserved = EventOf<'ChangesObserved'>;
type ChangesRead = Extract<LaneReport, { type: 'ChangesWereRead' }>;

/** The events that a reported fact causes in its attempt; none when the attempt does not wait for it. */
export function decideAttempt(
  mission: Mission,
  attempt: Attempt,
  report: Exclude<LaneReport, { type: 'DocumentWasSaved' }>,
): readonly MissionEvent[] {
  const { stage } = attempt;
  switch (report.type) {
    case 'PlanHashWasRead': {
      if ((stage.at !== 'plan_hash' && stage.at !== 'preparing') || report.attempt !== attempt.attempt) return [];
      const matches = isApproved(mission, report.observed);
      if (report.waits !== attempt.plan_waits || (stage.at === 'preparing' && matches)) return [];
      const { task_id, observed, explanation } = report;
      const checked: MissionEvent = { type: 'PlanHashChecked', task_id, observed, matches, explanation };
      return matches && !(stage.at === 'plan_hash' && stage.then)
        ? [
            checked,
            statePhase(mission, attempt),
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
          ...{ manifest_sha256: report.manifest_sha256, files: report.files, head: report.head },
          ...(report.tree_sha256 !== undefined && { tree_sha256: report.tree_sha256 }),
          ...(report.folders && { folders: report.folders }),
          ...(report.clock_ahead_ms !== undefined && { clock_ahead_ms: report.clock_ahead_ms }),
        },
        ...contextPhases(attempt, report),
        modelPhase(mission, attempt, report.configured_model ?? null),
      ];
    case 'ContextWasRefused': {
      if (stage.at !== 'baseline' || report.attempt !== attempt.attempt) return [];
      const { task_id, code, reason, details, no_project, assembled } = report;
      return [
        ...(assembled === undefined ? [] : [assembledPhase(attempt, assembled)]),
        { type: 'ContextRefused', task_id, code, reason, details, ...(no_project && { no_project }) },
      ];
    }
    case 'BaselineFailed': {
      const { task_id, code, reason } = report;
      const isAwaited = stage.at === 'baseline' && report.attempt === attempt.attempt;
      return isAwaited ? [{ type: 'BaselineImpossible', task_id, code, reason }] : [];
    }
    case 'LaunchWasPrepared': {
      const { launch_id, prepared, modes = [] } = report;
      const launch = waitingLaunch(attempt, launch_id, 'preparing');
      if (!launch) return [];
      const event: MissionEvent = { type: 'LaunchPrepared', launch_id, prepared, ...(modes.length > 0 && { modes }) };
      if (launch.purpose.kind !== 'worker' || attempt.phases.some(({ phase }) => phase === 4)) return [event];
      const facts = judgedFacts(mission, attempt, rowOf(mission, attempt.task_id));
      const checks = checksOf('before_execution', beforeExecution, facts, null);
      return [event, { ...passedPhase(attempt, 4, prepared.confinement_detail), checks }];
    }
    case 'AssignmentWasRefused': {
      if (!waitingLaunch(attempt, report.launch_id, 'preparing')) return [];
      const { type: _type, ...refused } = report;
      return [
        { type: 'AssignmentRefused', task_id: attempt.task_id, ...refused },
        ...failedRecovery(attempt, report.launch_id, report.reason),
      ];
    }
    case 'LaunchWasImpossible': {
      const { launch_id, code, reason, unusable, modes } = report;
      if (!waitingLaunch(attempt, launch_id, 'preparing', 'starting')) return [];
      return [
        {
          ...{ type: 'LaunchImpossible', launch_id, code, reason },
          ...(code === 'PERMISSIONS_NOT_FIXED' && { worker: workerOf(mission, attempt.task_id) }),
          ...(unusable && { unusable }),
          ...(modes && { modes }),
        },
        ...failedRecovery(attempt, launch_id, reason),
      ];
    }
    case 'WorkerWasStarted': {
      if (!waitingLaunch(attempt, report.launch_id, 'starting')) return [];
      const { launch_id, process, alive } = report;
      return [
        { type: 'WorkerStarted', launch_id, process, ...(alive === undefined ? {} : { alive }) },
        ...(alive === true ? seenAlive(attempt, launch_id) : []),
      ];
    }
    // Only the first, because a worker can write into its stream; the end of the launch names the session that counts.
    case 'WorkerSessionWasSeen': {
      const launch = waitingLaunch(attempt, report.launch_id, 'running');
      return launch?.worker_session_id === null ? [{ ...report, type: 'WorkerSessionSeen' }] : [];
    }
    case 'UsageWasSeen': {
      const { launch_id, usage } = report;
      const launch = waitingLaunch(attempt, launch_id, 'running');
      const exact = mission.plan.budget.on_exceed === 'stop';
      return launch && isNews(launch.usage_seen, usage, exact) ? [{ type: 'UsageSeen', launch_id, usage }] : [];
    }
    case 'OutOfScopeWriteWasSeen':
      return waitingLaunch(attempt, report.launch_id, 'running') && attempt.scope_breach === null
        ? [{ ...report, type: 'ScopeBreachSeen' }]
        : [];
    case 'WorkerWentSilent': {
      const launch = waitingLaunch(attempt, report.launch_id, 'running');
      const { type: _type, ...silence } = report;
      return launch && !launch.lingered && !isBeingStopped(attempt)
        ? [{ type: 'WorkerTimedOut', task_id: attempt.task_id, ...silence }]
        : [];
    }
    case 'WorkerStaysAfterItsEnd': {
      const { launch_id, quiet_seconds } = report;
      const launch = waitingLaunch(attempt, launch_id, 'running');
      if (launch?.purpose.kind !== 'worker' || launch.lingered || isBeingStopped(attempt)) return [];
      return [{ type: 'WorkerLingered', task_id: attempt.task_id, launch_id, quiet_seconds }];
    }
    case 'WorkerHasEnded': {
      const launch = waitingLaunch(attempt, report.launch_id, 'running', 'starting');
      if (launch?.purpose.kind !== 'worker') return [];
      const end = markedEnd(launch, report.end, rowOf(mission, attempt.task_id).task);
      const further = recover(mission, attempt, launch, { ...report, end });
      const recorded: readonly MissionEvent[] = [
        { type: 'WorkerEnded', launch_id: report.launch_id, end, claim: report.claim },
        ...endOfRecovery(attempt, launch, end),
        ...further,
      ];
      if (further.some(({ type }) => type === 'RecoveryRequested')) return recorded;
      const note = end.did_not_exit ? lingeredWords(end.did_not_exit) : `ended: ${end.reason}`;
      return [...recorded, passedPhase(attempt, 5, note)];
    }
    case 'VerifyHasEnded':
      return waitingLaunch(attempt, report.launch_id, 'running', 'starting')?.purpose.kind === 'verify'
        ? [{ ...report, type: 'VerifyEnded' }]
        : [];
    case 'ChangesWereRead':
      if (!waitsForLook(attempt, report)) return [];
      return [
        ...outstandingRead(mission, attempt, report.standing ?? [], readAtLast(mission, attempt)),
        // A validation has no baseline of its own, so its difference includes what changed after the acceptance.
        ...(attempt.validates && report.after === undefined
          ? acceptedRead(mission, attempt, report.standing ?? [])
          : []),
        ...(report.after === 'verify'
          ? [verifyObserved(mission, attempt, report)]
          : report.after === 'intervention'
            ? interventionEnd(mission, attempt, observed(mission, attempt, report))
            : [observed(mission, attempt, report)]),
      ];
    case 'InterventionWasOffered':
      return stage.at === 'intervention' && report.attempt === attempt.attempt && attempt.intervention?.path === null
        ? [{ ...report, type: 'InterventionOffered' }]
        : [];
    case 'MemoryWasRead':
      return report.attempt === attempt.attempt ? compared(attempt, report.remembered) : [];
    case 'MemoryWasSaved':
      return report.attempt === attempt.attempt && attempt.memory && isBeingSaved(attempt.memory)
        ? [{ ...report, type: 'MemorySaved' }]
        : [];
    case 'WorkHasLanded':
      return isLanding(attempt, report) ? [{ ...report, type: 'WorkLanded' }] : [];
    case 'WorkCouldNotLand':
      // A look finds that the layer is gone before anything lands.
      return isLanding(attempt, report) ||
        (report.gone && stage.at === 'observing' && report.attempt === attempt.attempt)
        ? [{ ...report, type: 'WorkNotLanded' }]
        : [];
    case 'ChangesCouldNotBeRead':
      return waitsForLook(attempt, report)
        ? [{ type: 'ObservationFailed', task_id: report.task_id, reason: report.reason }]
        : [];
  }
}

function observed(mission: Tasks, attempt: Attempt, report: ChangesRead): ChangesObserved {
  const { changes, elsewhere } = attributeChanges(mission, attempt, report.changes, report);
  return {
    type: 'ChangesObserved',
    task_id: attempt.task_id,
    observed: {
      changes,
      observed_sha256: report.observed_sha256,
      head: report.head,
      not_observed: [...report.not_observed, ...elsewhere],
      comparison: report.comparison,
      ...(report.signs && { signs: report.signs }),
      ...heldMeanwhile(attempt, report.changes, isWorkersIn(mission, attempt, report.comparison)),
      ...(report.earlier && { earlier: report.earlier }),
    },
    ...seenAtEnd(report),
  };
}

function seenAtEnd(report: ChangesRead): Pick<ChangesObserved, 'plan_sha256_observed' | 'tree_sha256'> {
  return {
    plan_sha256_observed: report.plan_sha256_observed,
    ...(report.plan_hash_explanation !== undefined && { plan_hash_explanation: report.plan_hash_explanation }),
    ...(report.tree_sha256 !== undefined && { tree_sha256: report.tree_sha256 }),
    ...(report.file_system ? { file_system: report.file_system } : {}),
    ...(report.project_at_end && { project_at_end: report.project_at_end }),
  };
}

function verifyObserved(mission: Tasks, attempt: Attempt, report: ChangesRead): MissionEvent {
  const { comparison, observed_sha256, head, not_observed } = report;
  const { differences, elsewhere } = differencesOfVerify(mission, attempt, report.changes, report);
  return {
    type: 'VerifyObserved',
    task_id: attempt.task_id,
    changes: judgeVerifyDifferences(mission, attempt, differences, { standing: report.standing ?? [], comparison }),
    observed_sha256,
    head,
    not_observed: [...not_observed, ...elsewhere],
    ...seenAtEnd(report),
  };
}

function waitsForLook(
  attempt: Attempt,
  report: Extract<LaneReport, { type: 'ChangesWereRead' | 'ChangesCouldNotBeRead' }>,
): boolean {
  const { stage } = attempt;
  return stage.at === 'observing' && report.attempt === attempt.attempt && stage.after === (report.after ?? 'worker');
}

function isLanding(
  { stage, attempt }: Attempt,
  report: Extract<LaneReport, { type: 'WorkHasLanded' | 'WorkCouldNotLand' }>,
): boolean {
  return stage.at === 'landing' && report.attempt === attempt && report.launch_id === stage.launch_id;
}

function waitingLaunch(
  attempt: Attempt,
  launchId: string,
  ...at: readonly ('preparing' | 'starting' | 'running')[]
): Launch | undefined {
  const launch = currentLaunch(attempt);
  return launch?.launch_id === launchId && at.some((one) => one === attempt.stage.at) ? launch : undefined;
}

function nothingLaunched(attempt: Attempt, validated: Validated): readonly MissionEvent[] {
  const note = `nothing is launched: what attempt ${validated.attempt} left is judged once more`;
  return ([2, 3, 4, 5] as const).map((phase) => passedPhase(attempt, phase, note));
}

/**
 * The end of a launch, marked where it was ended because it did not exit. It is marked as well where its deadline came
 * before that. One that something else ended as well, or that exited after all, is judged by that.
 */
function markedEnd({ lingered }: Launch, end: LaunchEnd, task: Pick<PlannedTask, 'max_runtime_seconds'>): LaunchEnd {
  if (!lingered || !end.final_seen) return end;
  const ours = [lingeredWords(lingered), deadlineWords(task.max_runtime_seconds)];
  const sentence = end.reason === 'stop_requested' ? ours[0] : end.reason === 'deadline' ? ours[1] : undefined;
  if (sentence === undefined || !end.error?.startsWith(sentence)) return end;
  const rest = end.error.slice(sentence.length).trim();
  return { ...end, error: rest === '' ? null : rest, did_not_exit: lingered };
}
