import { outputFolders } from '../../contracts/vocabulary/files/dependencyFolders';
import { planIdIn } from '../../base/planId';
import { idFault } from '../../core/plan/rules/identity';
import { planPathOf, planTemplate, planTemplateNames, type PlanTemplateName } from '../../core/plan/template';
import type { AgentName } from '../../contracts/vocabulary/workers';
import type { Clock } from '../ports/time';
import type { PlanFiles } from '../ports/plans';
import { refused, type Outcome } from '../../base/outcome';

export { idFault, planPathOf, planTemplateNames, type PlanTemplateName };

export interface DraftRequest {
  /** Its id, or the name that its file is to have. */
  readonly plan_id: string;
  readonly template: PlanTemplateName;
  readonly planner: string;
  /** See `TemplateFacts`. */
  readonly worker?: AgentName;
  /** Absolute path of a path relative to the workspace root. */
  absolute(relativePath: string): string;
}

/** Writes a DRAFT plan that is valid except for its approval; never replaces a file. */
export async function writePlanDraft(
  request: DraftRequest,
  ports: { readonly plans: PlanFiles; readonly clock: Clock },
): Promise<Outcome<{ readonly plan_id: string; readonly plan_path: string }>> {
  const { template, planner, worker } = request;
  const plan_id = planIdIn(request.plan_id);
  const fault = idFault(plan_id);
  if (fault !== null) {
    const named = plan_id === request.plan_id ? '' : `, which ${JSON.stringify(request.plan_id)} names,`;
    const reason = `The plan id ${JSON.stringify(plan_id)}${named} ${fault}.`;
    return refused('COMMAND_INVALID', reason, 'mission plan new my-plan-1');
  }
  const plan_path = planPathOf(plan_id);
  const created_at = ports.clock.now();
  const scratch = template === 'sample' ? [] : await ignoredOutput(ports.plans, request.absolute('.'));
  const written = await ports.plans.write(
    request.absolute(plan_path),
    planTemplate(template, { plan_id, created_at, planner, scratch, ...(worker && { worker }) }),
    null,
  );
  return written.ok ? { ok: true, value: { plan_id, plan_path } } : written;
}

/**
 * Returns the folders for output that git ignores in a workspace, there or not yet. A draft proposes them as scratch,
 * because a build in a verify command would otherwise block its first mission.
 */
export async function ignoredOutput(plans: Pick<PlanFiles, 'ignored'>, root: string): Promise<readonly string[]> {
  const answers = await plans.ignored(root, outputFolders);
  return outputFolders.filter((_, index) => answers[index] === true).map((name) => `${name}/`);
}
