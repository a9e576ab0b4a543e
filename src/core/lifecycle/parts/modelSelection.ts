import { recoverable } from './recoverable';
import type { ModelSelection } from '../../../contracts/taskEvidence';
import { agentNames, type AgentName } from '../../../contracts/vocabulary/workers';
import type { AttemptRecord } from '../../model/attempt';
import type { AttemptFailure } from '../../model/facts';
import type { TaskRow, ReceivedPlan } from '../../model/state';
import type { PlannedTask } from '../../plan/approvedPlan';
import { machinePolicyName } from '../../../contracts/vocabulary/models';
import { defaultModelId } from '../../policy/policy';
import { judgeReported, type ReportedModel, type WantedModel } from '../../policy/selectModel';
import type { Judged } from '../judge/rules';
import { workerLaunch } from './workerLaunch';

export function wantedModel(
  { worker, intent, tier, model }: Pick<PlannedTask, 'worker' | 'intent' | 'tier' | 'model'>,
  configured: string | null = null,
): WantedModel | null {
  return isAgent(worker) ? { worker, intent: intent ?? 'code_generation', tier, model, configured } : null;
}

export function selectionOf({ phases }: Pick<AttemptRecord, 'phases'>): ModelSelection | undefined {
  return phases.find(({ phase }) => phase === 3)?.selected;
}

/** Returns what the CLI reported, held against the selection; null: nothing was selected, or no worker has ended. */
export function reportedModel(
  mission: ReceivedPlan,
  { task, attempts }: Pick<TaskRow, 'task' | 'attempts'>,
  attempt: AttemptRecord,
): (ReportedModel & { readonly model: string | null }) | null {
  const made = attempt.validates
    ? (attempts.find((earlier) => earlier.attempt === attempt.validates?.attempt) ?? attempt)
    : attempt;
  const selection = selectionOf(made);
  const end = workerLaunch(attempt)?.end;
  const wanted = wantedModel(task);
  if (!selection || !end || !wanted) return null;
  return { ...judgeReported(mission.policy.policy, wanted, selection, end.model), model: end.model };
}

/** Blocks where policy does not allow the model that ran. Source: seed 004, model authority. */
export function judgeModel({ mission, attempt, row }: Judged): AttemptFailure | null {
  const reported = reportedModel(mission, row, attempt);
  const { worker } = row.task;
  if (reported?.kind !== 'refused') return null;
  const chose = isAgent(worker) && selectionOf(attempt)?.logical_id === defaultModelId(worker);
  return recoverable(
    'model_refused',
    `${chose ? 'The CLI chose a model that may not perform the task.' : 'Another model ran than was selected.'} ${reported.reason}`,
    [
      `What it did stays in the workspace. Set the model of the ${worker} CLI right, then retry.`,
      `If ${reported.model ?? 'that model'} may perform it, say so in this machine's ${machinePolicyName} (\`mission doctor\` says where): the next mission gets that.`,
    ],
    { human_only: 'model_policy' },
  );
}

export function isAgent(worker: string | undefined): worker is AgentName {
  return (agentNames as readonly string[]).includes(worker ?? '');
}
