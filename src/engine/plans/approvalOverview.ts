import { strictestMode } from '../../core/confinement/mode';
import { holdsItself } from '../../core/confinement/nesting';
import { heldBack, notHeldBack } from '../../core/confinement/words';
import { untried } from '../../base/text/words';
import {
  approvalSummary,
  type ApprovalSummary,
  type ConfinementFact,
  type MachineConfinement,
} from '../../core/plan/approvalSummary';
import { approvedPlanOf } from '../../core/plan/normalize';
import type { ApprovedPlan, PlannedTask } from '../../core/plan/approvedPlan';
import type { SandboxMeans } from '../../contracts/vocabulary/confinement';
import type { AgentName, WorkerName } from '../../contracts/vocabulary/workers';
import { agentWorkers } from '../../workers/registry';
import type { LaunchLine } from '../../workers/worker';
import { defaultWorkerOfPlans, type PlanCheck } from './check';
import type { PlannedApproval } from './approval';

export interface OverviewOptions {
  readonly defaultWorker?: WorkerName;
  readonly machine: MachineConfinement;
}

/** What a person must see before approving: the bytes as they are, with what the approval will add. */
export function approvalOverview(
  check: PlanCheck,
  approval: Extract<PlannedApproval, { ok: true }>,
  { defaultWorker = defaultWorkerOfPlans, machine }: OverviewOptions,
): ApprovalSummary {
  const plan = approvedPlanOf(approval.plan, { defaultWorker });
  const mode = strictestMode([machine.wanted, plan.confinement]);
  const means = mode !== 'off' && machine.standing.kind === 'available' ? machine.standing.means : null;
  const lacking = mode !== 'off' && machine.standing.kind === 'unavailable' ? machine.standing.reason : null;
  const refused = mode === 'required' ? ' The mission requires one, so nothing will start here.' : '';
  return approvalSummary(plan, {
    plan_sha256: check.plan_sha256 ?? approval.plan_sha256,
    confinementOf: (worker) => {
      const own = confinementOf(worker, plan, means);
      return lacking === null ? own : { ...own, detail: `${own.detail} ${notHeldBack(lacking)}${refused}` };
    },
    launchOf: (task) => (task.worker === 'command' ? task.command : launchLine(task.worker, plan, task, means).argv),
  });
}

/** What confines a worker, or the verify commands. `means`: of the sandbox around them; null: there is none. */
function confinementOf(worker: WorkerName | 'verify', plan: ApprovedPlan, means: SandboxMeans | null): ConfinementFact {
  if (worker === 'command' || worker === 'verify') {
    const detail =
      worker === 'verify'
        ? 'They run with the rights of this user; what they change is observed afterwards.'
        : 'Runs with the rights of this user; what it changes is observed afterwards.';
    return means === null
      ? { confinement: 'none', detail }
      : { confinement: 'task_sandbox', detail: `${heldBack(means, plan.network ?? false)} ${detail}` };
  }
  const writes = plan.tasks.some((task) => task.worker === worker && task.writes);
  const line = launchLine(worker, plan, { model: null, writes }, means);
  const ours = means === null || holdsItself(worker, means) ? '' : untried(means);
  return { confinement: line.confinement, detail: `${line.confinementDetail}${ours}` };
}

const resultSchema = {};

/** Values known only at the launch are in angle brackets. */
function launchLine(
  worker: AgentName,
  plan: ApprovedPlan,
  { model, writes }: Pick<PlannedTask, 'model' | 'writes'>,
  means: SandboxMeans | null,
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
    skipGitRepoCheck: false,
    trustWorkspace: false,
    resultSchema,
    extraArgs: [],
    ...(means === null
      ? {}
      : { heldBy: { by: holdsItself(worker, means) ? 'own' : 'sandbox', writable: ['<approved folders>'] } }),
  });
  const [program, ...others] = line.argv;
  const shown = others.map((argument) => (argument === JSON.stringify(resultSchema) ? '<result schema>' : argument));
  return { ...line, argv: [program, ...shown] };
}
