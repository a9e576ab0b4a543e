import type { Outcome } from '../../base/outcome';
import { wantedModel } from '../../core/lifecycle/modelSelection';
import type { ApprovedPlan } from '../../core/plan/approvedPlan';
import { policyProblem } from '../../core/plan/rules/models';
import type { EffectivePolicy } from '../../core/policy/policy';
import { policyStep, selectModel } from '../../core/policy/selectModel';
import { readPolicy } from '../plans/policy';
import type { EnginePorts } from '../ports/engine';

/**
 * Reads the model policy of a mission once, so later changes of the files do not count. Refuses, before anything runs,
 * a policy that cannot be followed or that allows a task no model. Null: these ports have no policy.
 */
export async function missionPolicy(
  { tasks }: Pick<ApprovedPlan, 'tasks'>,
  ports: Pick<EnginePorts, 'plans' | 'paths' | 'workers'>,
): Promise<Outcome<EffectivePolicy | null>> {
  const reading = await readPolicy(ports.plans, ports.paths.workspace_dir);
  if (!reading) return { ok: true, value: null };
  if (!reading.ok) {
    return {
      ok: false,
      refusal: {
        code: reading.code === 'POLICY_WIDENED' ? 'POLICY_WIDENED' : 'POLICY_INVALID',
        reason: `${policyProblem(reading)} Nothing was started.`,
        next: ['mission doctor'],
      },
    };
  }
  const { policy } = reading;
  for (const task of tasks) {
    if (task.worker === 'command') continue;
    const found = await ports.workers.resolve(task.worker);
    const wanted = wantedModel(task, found.ok ? found.value.default_model : null);
    if (!wanted) continue;
    const selected = selectModel(policy, wanted);
    if (selected.ok) continue;
    return {
      ok: false,
      refusal: {
        code: 'MODEL_REFUSED',
        reason: `${task.task_id}: ${selected.reason} Nothing was started.`,
        next: [policyStep(policy, wanted)],
      },
    };
  }
  return { ok: true, value: policy };
}
