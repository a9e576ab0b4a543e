import type { RightsFacts } from '../../core/plan/fields/right';
import { strictestMode, strictestNetwork } from '../../core/execution/confinementMode';
import { heldBack, notHeldBack, providerNetwork, straysWords } from '../../core/confinement/words';
import { untried } from '../../base/text/words';
import {
  approvalSummary,
  type ApprovalSummary,
  type AvailableSandbox,
  type ConfinementFact,
  type MachineConfinement,
  type ProviderStanding,
} from '../../core/plan/approvalSummary';
import { wantedModel } from '../../core/lifecycle/parts/modelSelection';
import { readingWords, secretsSeen } from '../../core/paths/reading';
import { policyProblem } from '../../core/plan/rules/models';
import { type PolicyReading, selectionWords, sourcesWords } from '../../core/policy/policy';
import { selectModel, type Selected } from '../../core/policy/selectModel';
import { openedOtherwise, seatbeltOpensNone } from '../../base/text/services';
import { approvedPlanOf } from '../../core/plan/normalize';
import type { ApprovedPlan, PlannedTask } from '../../core/plan/approvedPlan';
import { isFileLevelOnly } from '../../core/plan/delegation';
import { holdsNetwork, type ConfinementMode } from '../../contracts/vocabulary/confinement';
import type { AgentName, WorkerName } from '../../contracts/vocabulary/workers';
import { agentWorkers } from '../../workers/registry';
import type { HeldBy, LaunchLine, LaunchRequest } from '../../workers/worker';
import { hostsOf, approvedHosts, speaksToWords } from './providerHosts';
import { shownInstructions } from './instructions';
import { defaultWorkerOfPlans, type PlanCheck } from './check';
import type { PlannedApproval } from './approval';

const refusedHere = ' The mission requires one, so nothing will start here.';

/** Returns what a person must see before approving, with the digest that the approval will record. */
export function approvalOverview(
  check: PlanCheck,
  approval: Extract<PlannedApproval, { ok: true }>,
  {
    defaultWorker = defaultWorkerOfPlans,
    machine,
  }: { readonly defaultWorker?: WorkerName; readonly machine: MachineConfinement },
): ApprovalSummary {
  const plan = approvedPlanOf(approval.plan, { defaultWorker });
  const mode = strictestMode([machine.wanted, plan.confinement]);
  const holderFor = (worker: WorkerName | 'verify'): Holder =>
    mode === 'off' ? null : holderOf(worker, machine.standing);
  const provider = strictestNetwork([machine.agent_network, plan.agent_network]) === 'provider';
  const provided = (agent: AgentName): Extract<ProviderStanding, { ok: true }>['value'] | undefined => {
    const standing = machine.providers?.[agent];
    return standing?.ok === true ? standing.value : undefined;
  };
  const networkOf = (agent: AgentName): string => {
    if (!provider) return ' Its network is open.';
    const heldBy = holderFor(agent);
    if (heldBy?.by === 'sandbox' && holdsNetwork[heldBy.means])
      return providerNetwork(hostsOf(agent, machine.hosts?.[agent], provided(agent)));
    const refused = mode === 'required' && heldBy?.by === 'sandbox' ? refusedHere : '';
    return `${providerNetwork(null)}${refused}`;
  };
  const readsOf = (worker: WorkerName): string => {
    const heldBy = holderFor(worker);
    const hides = heldBy?.by === 'sandbox' && heldBy.means === 'bubblewrap';
    return readingWords(hides ? secretsSeen(worker === 'command' ? worker : 'agent', plan) : 'all');
  };
  const refused = mode === 'required' ? refusedHere : '';
  const select = (task: PlannedTask): Selected | null => selectedModel(task, check.disk.policy, machine.models);
  const speaks_to = approvedHosts(
    plan.tasks.map(({ worker }) => worker),
    machine.providers,
  );
  const { instructions } = check.disk;
  const agents = plan.tasks.some(({ worker }) => worker !== 'command');
  const isKnown = instructions !== undefined || plan.project_instructions === undefined;
  const no_sandbox = noSandbox(mode, machine.standing);
  const summary = approvalSummary(plan, {
    plan_sha256: approval.plan_sha256,
    networkOf,
    readsOf,
    ...(no_sandbox && { no_sandbox }),
    ...(opensNone(plan, holderFor('command')) && { refused_services: seatbeltOpensNone }),
    named_files: check.disk.named ?? [],
    below: check.disk.below ?? [],
    hooks: check.disk.hooks ?? null,
    ...(agents && isKnown && { instructions: shownInstructions(instructions) }),
    confinementOf: (worker) => {
      const heldBy = holderFor(worker);
      const { confinement, detail } = confinementOf(worker, plan, heldBy);
      const unheld =
        heldBy?.by === 'own' ? ` ${notHeldBack(heldBy.lacking, confinement === 'os_sandbox')}${refused}` : '';
      return { confinement, detail: `${detail}${unheld}` };
    },
    modelOf: (task) => {
      const selected = select(task);
      return selected && (selected.ok ? selectionWords(selected.selection) : `REFUSED HERE: ${selected.reason}`);
    },
    policy: policyWords(check.disk.policy),
    launchOf(task) {
      if (task.worker === 'command') return task.command;
      const selected = select(task);
      const model = selected?.ok ? selected.selection.resolved_id : task.model;
      const providerArgs = provided(task.worker)?.args ?? [];
      return launchLine(task.worker, plan, { model, writes: task.writes, providerArgs }, holderFor(task.worker)).argv;
    },
    speaksTo: (worker) => (worker === 'command' ? undefined : speaksToWords(machine.providers?.[worker])),
  });
  return { ...summary, ...(approval.changed && { as_written: true }), ...(speaks_to && { speaks_to }) };
}

function noSandbox(mode: ConfinementMode, standing: MachineConfinement['standing']): RightsFacts['no_sandbox'] | null {
  if (mode === 'off')
    return {
      why: 'Confinement is off for this mission.',
      next: 'Set missionControl.confinement, or confinement in the plan, to preferred or required.',
    };
  if (standing.kind === 'available') return null;
  const next = standing.next ?? 'Run mission doctor, which names what is missing.';
  return { why: standing.reason, next, refuses: mode === 'required' };
}

/** Selects the model for display; the run selects again, because policy and settings may have changed by then. */
function selectedModel(
  task: PlannedTask,
  reading: PolicyReading | undefined,
  models: MachineConfinement['models'],
): Selected | null {
  const configured = task.worker === 'command' ? null : (models?.[task.worker] ?? null);
  const wanted = wantedModel(task, configured);
  return wanted && reading?.ok ? selectModel(reading.policy, wanted) : null;
}

function policyWords(reading: PolicyReading | undefined): string | null {
  if (!reading) return null;
  if (!reading.ok) return `${policyProblem(reading)} Nothing runs here until it is corrected.`;
  const { sources, sha256 } = reading.policy;
  return `${sourcesWords(sources)}, SHA-256 ${sha256}`;
}

/** What confines a worker here: our sandbox, or at most the CLI's own. Null: none is asked for. */
type Holder = (AvailableSandbox & { readonly by: 'sandbox' }) | { readonly by: 'own'; readonly lacking: string } | null;

function holderOf(worker: WorkerName | 'verify', standing: MachineConfinement['standing']): Holder {
  if (standing.kind === 'unavailable') return { by: 'own', lacking: standing.reason };
  const nests = worker !== 'command' && worker !== 'verify' && agentWorkers[worker].namespaces;
  if (nests && standing.not_nested !== null) return { by: 'own', lacking: standing.not_nested };
  return { by: 'sandbox', ...standing };
}

/**
 * Returns whether the sandbox of this machine refuses the services of the plan, because only bubblewrap opens single
 * ones.
 */
function opensNone({ services }: ApprovedPlan, heldBy: Holder): boolean {
  return services !== undefined && heldBy?.by === 'sandbox' && heldBy.means === 'seatbelt';
}

/** Returns what confines a worker, or the verify commands. */
function confinementOf(worker: WorkerName | 'verify', plan: ApprovedPlan, heldBy: Holder): ConfinementFact {
  if (worker === 'command' || worker === 'verify') {
    const detail = 'It runs with the rights of this user; what it changes is observed afterwards.';
    return heldBy?.by === 'sandbox'
      ? {
          confinement: 'task_sandbox',
          detail: opensNone(plan, heldBy)
            ? `No command of the plan starts here, because ${seatbeltOpensNone}. ${openedOtherwise}`
            : `${heldBack({ means: heldBy.means, noLayers: heldBy.no_layers, network: plan.network, services: plan.services }, true)} ${detail}${straysWords(heldBy.no_tree)}`,
        }
      : { confinement: 'none', detail };
  }
  const writes = plan.tasks.some((task) => task.worker === worker && task.writes);
  const line = launchLine(worker, plan, { model: null, writes }, heldBy);
  const ours = heldBy?.by === 'sandbox' ? `${untried(heldBy.means)}${straysWords(heldBy.no_tree)}` : '';
  return { confinement: line.confinement, detail: `${line.confinementDetail}${ours}` };
}

function shownHolder({ by }: NonNullable<Holder>): HeldBy {
  const writable = ['<approved folders>'];
  return by === 'own' ? { by, writable, sealed: [] } : { by, writable };
}

const resultSchema = {};

/** The command line of a worker; values that only the launch knows are in angle brackets. */
function launchLine(
  worker: AgentName,
  plan: ApprovedPlan,
  { model, writes, providerArgs = [] }: Pick<PlannedTask, 'model' | 'writes'> & Pick<LaunchRequest, 'providerArgs'>,
  heldBy: Holder,
): Pick<LaunchLine, 'argv' | 'confinement' | 'confinementDetail'> {
  const line = agentWorkers[worker].launch({
    executable: agentWorkers[worker].executable,
    version: null,
    workspaceDir: '<workspace>',
    runDir: '<run folder>',
    sessionId: '<session>',
    resumeSessionId: null,
    model,
    fileLevelOnly: isFileLevelOnly(worker, plan),
    writes,
    addDirectories: [],
    skipGitRepoCheck: false,
    trustWorkspace: false,
    resultSchema,
    providerArgs,
    extraArgs: [],
    ...(heldBy === null ? {} : { heldBy: shownHolder(heldBy) }),
  });
  const [program, ...others] = line.argv;
  const shown = others.map((argument) => (argument === JSON.stringify(resultSchema) ? '<result schema>' : argument));
  return { ...line, argv: [program, ...shown] };
}
