import { approvalSummary, type ApprovalSummary, type ConfinementFact } from '../../core/plan/approvalSummary';
import { approvedPlanOf } from '../../core/plan/normalize';
import type { ApprovedPlan, PlannedTask } from '../../core/plan/approvedPlan';
import type { AgentName, WorkerName } from '../../contracts/vocabulary/workers';
import { agentWorkers } from '../../workers/registry';
import type { LaunchLine } from '../../workers/worker';
import { defaultWorkerOfPlans, type PlanCheck } from './check';
import type { PlannedApproval } from './approval';

/** What a person must see before approving: of the bytes as they are, with what the approval will add. */
export function approvalOverview(
  check: PlanCheck,
  approval: Extract<PlannedApproval, { ok: true }>,
  defaultWorker: WorkerName = defaultWorkerOfPlans,
): ApprovalSummary {
  const plan = approvedPlanOf(approval.plan, { defaultWorker });
  return approvalSummary(plan, {
    plan_sha256: check.plan_sha256 ?? approval.plan_sha256,
    confinementOf: (worker) => confinementOf(worker, plan),
    launchOf: (task) => (task.worker === 'command' ? task.command : launchLine(task.worker, plan, task).argv),
  });
}

/** In the words of the worker's own launch line, which depends on the plan only, not on the machine. */
function confinementOf(worker: WorkerName, plan: ApprovedPlan): ConfinementFact {
  if (worker === 'command') {
    return {
      confinement: 'none',
      detail: 'Runs with the rights of this user; what it changes is observed afterwards.',
    };
  }
  const writes = plan.tasks.some((task) => task.worker === worker && task.writes);
  const line = launchLine(worker, plan, { model: null, writes });
  return { confinement: line.confinement, detail: line.confinementDetail };
}

const resultSchema = {};

/** What is only known at the launch stands in angle brackets. */
function launchLine(
  worker: AgentName,
  plan: ApprovedPlan,
  { model, writes }: Pick<PlannedTask, 'model' | 'writes'>,
): Pick<LaunchLine, 'argv' | 'confinement' | 'confinementDetail'> {
  const line = agentWorkers[worker].launch({
    executable: agentWorkers[worker].executable,
    version: null,
    workspaceDir: '<workspace>',
    runDir: '<run folder>',
    sessionId: '<session>',
    resumeSessionId: null,
    model,
    fileLevelOnly: plan.constraints.includes('file_level_only'),
    writes,
    addDirectories: [],
    skipGitRepoCheck: plan.recovery_allow.includes('skip_git_repo_check'),
    trustWorkspace: plan.recovery_allow.includes('trust_workspace'),
    resultSchema,
    extraArgs: [],
  });
  const [program, ...others] = line.argv;
  const shown = others.map((argument) => (argument === JSON.stringify(resultSchema) ? '<result schema>' : argument));
  return { ...line, argv: [program, ...shown] };
}
