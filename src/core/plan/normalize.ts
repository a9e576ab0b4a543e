import type { Plan } from '../../contracts/plan';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import { pathsOf } from '../paths/writtenPath';
import type { ApprovedPlan } from './approvedPlan';
import { recoveryOf, runOf } from './fields/execution';
import { budgetOf, limitsOf } from './fields/limits';
import { reachOf } from './fields/reach';
import { writtenTask } from './fields/task';
import { withMilestones } from './milestones';

/** Fills in all defaults and normalises all paths of a plan without error findings. */
export function approvedPlanOf(plan: Plan, { defaultWorker }: { readonly defaultWorker: WorkerName }): ApprovedPlan {
  const { execution, approval } = plan;
  const written = plan.tasks.map((task) => writtenTask(task, defaultWorker));
  return {
    plan_id: plan.plan_id,
    goal_id: plan.goal_id,
    risk_level: plan.risk.level,
    scope_allowed: plan.scope.allowed,
    scope_forbidden: plan.scope.forbidden ?? [],
    ...withMilestones(plan, written),
    ...runOf(execution),
    ...recoveryOf(execution),
    ...reachOf(execution),
    folders: pathsOf(
      [...plan.tasks.flatMap(({ paths }) => paths), ...(execution.scratch ?? [])].filter((text) => text.endsWith('/')),
    ),
    ...limitsOf(execution),
    success_criteria: plan.success_criteria,
    ...budgetOf(execution),
    supersedes: plan.supersedes ?? null,
    approved_by: approval.approved_by ?? null,
    approved_at: approval.approved_at ?? null,
  };
}
