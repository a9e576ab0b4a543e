import { approvalSummary, type ApprovalSummary, type ConfinementFact } from '../core/plan/approvalSummary';
import { effectiveRecoveryAllow } from '../core/plan/approve';
import { approvedPlanOf } from '../core/plan/normalize';
import type { ApprovedPlan } from '../core/plan/approvedPlan';
import type { WorkerName } from '../contracts/vocabulary/workers';
import { agentWorkers } from '../workers/registry';
import { defaultWorkerOfPlans, type PlanCheck } from './planCheck';
import type { PlannedApproval } from './planApproval';

/** What a person must see before approving: of the bytes as they are, with what the approval will add. */
export function approvalOverview(
  check: PlanCheck,
  approval: Extract<PlannedApproval, { ok: true }>,
  defaultWorker: WorkerName = defaultWorkerOfPlans,
): ApprovalSummary {
  const plan = approvedPlanOf(approval.plan, { defaultWorker });
  return approvalSummary(plan, {
    plan_sha256: check.plan_sha256 ?? approval.plan_sha256,
    recovery_allow: effectiveRecoveryAllow(check.text.value),
    confinementOf: (worker) => confinementOf(worker, plan),
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
  const line = agentWorkers[worker].launch({
    executable: agentWorkers[worker].executable,
    version: null,
    workspaceDir: '/workspace',
    runDir: '/run',
    sessionId: '00000000-0000-4000-8000-000000000000',
    resumeSessionId: null,
    model: null,
    fileLevelOnly: plan.constraints.includes('file_level_only'),
    writes: plan.tasks.some((task) => task.worker === worker && task.writes),
    addDirectories: [],
    skipGitRepoCheck: false,
    trustWorkspace: plan.recovery_allow.includes('trust_workspace'),
    resultSchema: {},
    extraArgs: [],
  });
  return { confinement: line.confinement, detail: line.confinementDetail };
}
