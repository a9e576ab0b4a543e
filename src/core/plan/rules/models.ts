import { agentNames, type WorkerName } from '../../../contracts/vocabulary/workers';
import { intents, tiers, type Intent } from '../../../contracts/vocabulary/intents';
import { asText } from '../../../base/json';
import type { PolicyReading } from '../../policy/policy';
import { policyStep, selectModel } from '../../policy/selectModel';
import type { AddPlanFinding, JudgedTask } from './judgedTask';
import { resolveIntent } from './resolveIntent';

/** Warns only, because a plan is valid or not on every machine, and policy belongs to one. The start refuses. */
export function judgeModels(
  tasks: readonly JudgedTask[],
  defaultWorker: WorkerName,
  answer: PolicyReading,
  report: AddPlanFinding,
  /** The agents that validate milestones, as tasks. */
  validators: readonly JudgedTask[] = [],
): void {
  if (!answer.ok) {
    report(answer.code, '', `${policyProblem(answer)} Nothing runs here until it is corrected.`, 'warning');
    return;
  }
  for (const [task, , pointer] of [...tasks, ...validators]) {
    const worker = agentNames.find((name) => name === (task['worker'] ?? defaultWorker));
    const intent = intentOf(task);
    if (worker === undefined || intent === null) continue;
    const model = asText(task['model']);
    const wanted = { worker, intent, tier: tiers.find((tier) => tier === task['tier']) ?? null, model };
    const selected = selectModel(answer.policy, wanted);
    if (selected.ok) continue;
    const at = model !== null ? '/model' : wanted.tier !== null ? '/tier' : '';
    const message = `${selected.reason} It will not run here. ${policyStep(answer.policy, wanted)}`;
    report('MODEL_REFUSED', `${pointer}${at}`, message, 'warning');
  }
}

/** Null where the plan does not say which. */
function intentOf(task: JudgedTask[0]): Intent | null {
  const declared = intents.find((intent) => intent === task['intent']) ?? null;
  const resolved = resolveIntent({
    intent: declared,
    type: asText(task['type']),
    description: asText(task['description']) ?? '',
  });
  return resolved.kind === 'resolved' ? resolved.intent : null;
}

/** One sentence that names the file. */
export function policyProblem({ file, problems }: Extract<PolicyReading, { ok: false }>): string {
  const more = problems.length > 1 ? ` And ${problems.length - 1} more.` : '';
  return `The model policy ${file} cannot be followed: ${problems[0] ?? 'it is not valid.'}${more}`;
}
