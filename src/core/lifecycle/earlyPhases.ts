import type { AttemptContext } from '../../contracts/taskEvidence';
import { intentWords } from '../../base/text/words';
import { selectionWords, profileNamed } from '../policy/policy';
import { policyStep, selectModel } from '../policy/selectModel';
import type { EventOf } from '../model/events';
import { needsOf, declaredIntent } from '../context/tier0';
import type { Attempt } from '../model/attempt';
import type { LaneReport } from '../model/inputs';
import { rowOf, type Tasks } from '../model/state';
import { selectTelemetryMode } from '../telemetry/mode';
import { wantedModel } from './parts/modelSelection';
import { launchBeyond, profileUse } from './parts/profileLimits';
import { passedPhase } from './phases';
import { assertTelemetryAllows, declaredFacts } from './telemetry';

type PhaseCompleted = EventOf<'PhaseCompleted'>;

/** The plan is the locked one; the telemetry mode was selected when the attempt began. */
export function statePhase(mission: Tasks, attempt: Attempt): PhaseCompleted {
  const { rule } = selectTelemetryMode(declaredFacts(mission, rowOf(mission, attempt.task_id).task));
  return passedPhase(attempt, 0, `plan hash matches the lock; telemetry ${attempt.telemetry_mode} by rule ${rule}`);
}

export function intentPhase(mission: Tasks, attempt: Attempt): PhaseCompleted {
  const { task } = rowOf(mission, attempt.task_id);
  if (task.worker === 'command') return passedPhase(attempt, 1, noModel);
  assertTelemetryAllows(mission, attempt, task);
  const resolved = passedPhase(attempt, 1, intentWords(task.intent ?? 'undeclared', task.intent_from));
  const bootstraps = !attempt.validates && needsOf({ declared: declaredIntent(task) }).bootstrap;
  return bootstraps ? { ...resolved, bootstraps } : resolved;
}

/** The context is frozen and the workspace recorded; where the intent is generate_context, the file is there now. */
export function contextPhases(
  attempt: Attempt,
  { files, context, bootstrapped }: Extract<LaneReport, { type: 'BaselineWasTaken' }>,
): readonly PhaseCompleted[] {
  const frozen = context ? `context ${context.snapshot_sha256.slice(0, 8)} frozen, ` : '';
  const assembled = passedPhase(attempt, 2, `${frozen}baseline of ${files} files`);
  return [
    context ? { ...assembled, context } : assembled,
    ...(bootstrapped === undefined ? [] : [passedPhase(attempt, '2a', bootstrapped)]),
  ];
}

export function assembledPhase(attempt: Attempt, context: AttemptContext | null): PhaseCompleted {
  const assembled = passedPhase(
    attempt,
    2,
    context ? `context ${context.snapshot_sha256.slice(0, 8)} frozen` : 'no context',
  );
  return context ? { ...assembled, context } : assembled;
}

/** @param configured the model that this machine's settings name for the CLI */
export function modelPhase(
  mission: Tasks,
  attempt: Attempt,
  configured: string | null,
): PhaseCompleted | EventOf<'ModelRefused'> {
  const row = rowOf(mission, attempt.task_id);
  const { task } = row;
  const wanted = wantedModel(task, configured);
  if (!wanted) return passedPhase(attempt, 3, noModel);
  const { policy } = mission;
  const refused = { type: 'ModelRefused', task_id: task.task_id } as const;
  const selected = selectModel(policy, wanted);
  if (!selected.ok)
    return { ...refused, category: 'model_refused', reason: selected.reason, step: policyStep(policy, wanted) };
  const { selection } = selected;
  const { tier, capability_profile } = selection;
  assertTelemetryAllows(mission, attempt, { ...task, tier });
  const profile = profileNamed(policy.policy, capability_profile);
  const beyond = profile ? launchBeyond(capability_profile, profile, profileUse(row, attempt)) : null;
  if (beyond !== null)
    return { ...refused, category: 'profile_limit', reason: beyond, step: 'Retry to go on for as much again.' };
  return { ...passedPhase(attempt, 3, `${task.worker}, ${selectionWords(selection)}`), selected: selection };
}

const noModel = 'a command task invokes no model';
