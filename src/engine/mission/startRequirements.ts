import type { Actor } from '../../contracts/vocabulary/actors';
import { holdsNetwork, type AgentNetwork, type ConfinementMode } from '../../contracts/vocabulary/confinement';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import type { OrchestratorChoice } from '../../core/model/sessionFacts';
import { strictestMode, strictestNetwork } from '../../core/execution/confinementMode';
import type { ApprovalVerdict } from '../../core/plan/approvalRecord';
import type { ApprovedPlan } from '../../core/plan/approvedPlan';
import type { InstructionsFile } from '../../core/plan/rules/instructions';
import { wantedModel } from '../../core/lifecycle/parts/modelSelection';
import { policyProblem } from '../../core/plan/rules/models';
import type { EffectivePolicy } from '../../core/policy/policy';
import { policyStep, selectModel } from '../../core/policy/selectModel';
import { overlaps } from '../../core/paths/compare';
import { fileStep } from '../../base/text/steps';
import { ownAlone } from '../../base/text/words';
import { agentWorkers } from '../../workers/registry';
import { defaultWorkerOfPlans } from '../plans/check';
import { networkUnheld, openNetwork, refusalOfChangedHost } from '../plans/providerHosts';
import { landsAtOnce, unconfined } from '../effects/launch/confine';
import { refusalOfExtraArguments } from '../plans/extraArguments';
import { instructionsNow } from '../plans/instructions';
import type { EnginePorts } from '../ports/engine';
import { refused, type Outcome, type Refusal } from '../../base/outcome';
import { readPolicy } from '../plans/policy';

/** What a person asks for with a run that begins here, or goes on from a handoff. */
export interface RunRequest {
  readonly actor: Actor;
  readonly default_worker: WorkerName;
  /** Requires an approval made here. Default: an approved plan file is enough. */
  readonly require_approval_record?: boolean;
  /** What else this run was asked with, as an approval of its plan takes it, such as `--cli-env`. Absent: nothing. */
  readonly options?: readonly string[];
  /** Hours that an approval counts from risk level 2 on; default 24. */
  readonly approval_hours?: number;
  /** What setting or command line ask for; the plan can only be stricter. */
  readonly confinement?: ConfinementMode;
  /** The same for the network of agents. */
  readonly agent_network?: AgentNetwork;
  /** Who is asked about blocks; absent: people alone. */
  readonly orchestrator?: OrchestratorChoice;
  /** When a person asked for it; ISO-8601. Absent: now. */
  readonly asked_at?: string;
}

/** What this machine gives a run, whatever the approval of its plan says. */
export interface Machine {
  readonly asked: { readonly confinement: ConfinementMode; readonly agent_network: AgentNetwork };
  readonly policy: EffectivePolicy;
}

/** What a run takes from this machine, and keeps. */
export interface Equipment extends Machine {
  readonly instructions: readonly InstructionsFile[];
}

/** @param done ids of tasks that need no program and no model, because they are done */
export async function machineFor(
  plan: ApprovedPlan,
  wanted: Pick<RunRequest, 'confinement' | 'agent_network'>,
  done: ReadonlySet<string>,
  ports: EnginePorts,
): Promise<Outcome<Machine>> {
  const asked = {
    confinement: strictestMode([wanted.confinement, plan.confinement]),
    agent_network: strictestNetwork([wanted.agent_network, plan.agent_network]),
  };
  const open = openTasks(plan, done);
  const refusal =
    refusalOfOwnFolder(plan, ports) ??
    (await refusalOfWorkers(open, ports)) ??
    (await refusalOfConfinement(asked, open, ports));
  if (refusal) return { ok: false, refusal };
  const policy = await missionPolicy(open, ports);
  return policy.ok ? { ok: true, value: { asked, policy: policy.value } } : policy;
}

/** Looks whether what the person who approved was shown is still so: hosts of agents, and files of instructions. */
export async function equipmentFor(
  { plan, plan_path, approval }: { plan: ApprovedPlan; plan_path: string; approval: ApprovalVerdict },
  wanted: RunRequest,
  { done, machine }: { readonly done: ReadonlySet<string>; readonly machine: Machine },
  ports: EnginePorts,
): Promise<Outcome<Equipment>> {
  const shown = approval.counts ? approval.approved.speaks_to : undefined;
  const approveAgain = approveStep(wanted, plan_path);
  const refusal = await refusalOfHosts(openTasks(plan, done), shown, approveAgain, ports);
  if (refusal) return { ok: false, refusal };
  const instructions = await instructionsNow(plan, approval, approveAgain, ports);
  return instructions.ok ? { ok: true, value: { ...machine, instructions: instructions.value } } : instructions;
}

function openTasks(plan: ApprovedPlan, done: ReadonlySet<string>): ApprovedPlan {
  return { ...plan, tasks: plan.tasks.filter(({ task_id }) => !done.has(task_id)) };
}

/** Approves the plan as the run would start it: the options of the run lead its agents to the hosts that are shown. */
export function approveStep({ default_worker, options = [] }: RunRequest, plan_path: string): string {
  return fileStep('plan approve', plan_path, '--by NAME', ...workerWords(default_worker), ...options);
}

/** Names the default worker, because it is a part of the validation. */
export function workerWords(worker: WorkerName): readonly string[] {
  return worker === defaultWorkerOfPlans ? [] : ['--worker', worker];
}

/** Refuses tasks that may write our programs or the approval key, where HOME is the workspace. */
function refusalOfOwnFolder(plan: ApprovedPlan, { paths }: EnginePorts): Refusal | null {
  const { own, scope } = paths;
  for (const { task_id, paths: wanted } of plan.tasks) {
    for (const one of wanted) {
      const found = own.find((folder) => overlaps(one, folder, scope.comparison));
      if (found === undefined) continue;
      return {
        code: 'NON_COMPLIANT',
        reason: `${task_id} may write ${one}, and Mission Control keeps files of its own in ${found}.`,
        next: ['Narrow the paths of the task.'],
      };
    }
  }
  return null;
}

/** Before any task runs, refuses an agent CLI that is missing or configured to run without its safety. */
async function refusalOfWorkers(plan: ApprovedPlan, ports: EnginePorts): Promise<Refusal | null> {
  for (const worker of new Set(plan.tasks.map((task) => task.worker))) {
    const resolved = await ports.workers.resolve(worker);
    const refusal = resolved.ok
      ? refusalOfExtraArguments(worker, resolved.value.extra_args, ports.workers.surface)
      : resolved.refusal;
    if (refusal) return refusal;
  }
  return null;
}

/** Refuses agents that would talk to other hosts than those that the person who approved was shown. */
async function refusalOfHosts(
  plan: ApprovedPlan,
  approved: readonly string[] | undefined,
  next: string,
  ports: EnginePorts,
): Promise<Refusal | null> {
  for (const worker of new Set(plan.tasks.map((task) => task.worker))) {
    const resolved = worker === 'command' ? null : await ports.workers.resolve(worker);
    if (worker === 'command' || !resolved?.ok) continue;
    const refusal = refusalOfChangedHost(worker, resolved.value.provider?.hosts, approved, next);
    if (refusal) return refusal;
  }
  return null;
}

/** Refuses, before any task runs, a mission whose launches must be confined on a machine that cannot confine them. */
async function refusalOfConfinement(
  { confinement, agent_network }: Machine['asked'],
  { tasks, landing }: ApprovedPlan,
  ports: EnginePorts,
): Promise<Refusal | null> {
  const waits = landing === 'accepted';
  if (confinement !== 'required' && !waits) return null;
  const standing = await ports.sandboxes.standing();
  const refusal = (lacking: string, step: string): Refusal => ({
    code: 'CONFINEMENT_UNAVAILABLE',
    reason: `${lacking} ${waits ? landsAtOnce : 'The mission requires a sandbox, so nothing was started.'}`,
    next: [step],
  });
  if (confinement === 'off') return refusal(...unconfined);
  if (standing.kind === 'unavailable') return refusal(standing.reason, standing.next);
  if (waits && standing.no_layers !== null)
    return refusal(`No layer can be made here: ${standing.no_layers}.`, 'mission doctor');
  if (confinement !== 'required') return null;
  const agents = tasks.some(({ worker }) => worker !== 'command');
  if (agent_network === 'provider' && agents && !holdsNetwork[standing.means])
    return refusal(networkUnheld(standing.means), openNetwork);
  const nests = tasks.some(({ worker }) => worker !== 'command' && agentWorkers[worker].namespaces);
  return nests && standing.not_nested !== null ? refusal(standing.not_nested, ownAlone) : null;
}

/** Read once, so later changes do not count. A policy that allows a task no model is refused before anything runs. */
async function missionPolicy(
  { tasks }: Pick<ApprovedPlan, 'tasks'>,
  ports: Pick<EnginePorts, 'plans' | 'paths' | 'workers'>,
): Promise<Outcome<EffectivePolicy>> {
  const reading = await readPolicy(ports.plans, ports.paths.workspace_dir);
  if (!reading.ok) {
    const why = `${policyProblem(reading)} Nothing was started.`;
    return refused(reading.code === 'POLICY_WIDENED' ? 'POLICY_WIDENED' : 'POLICY_INVALID', why, 'mission doctor');
  }
  const { policy } = reading;
  for (const task of tasks) {
    if (task.worker === 'command') continue;
    const found = await ports.workers.resolve(task.worker);
    const wanted = wantedModel(task, found.ok ? found.value.default_model : null);
    if (!wanted) continue;
    const selected = selectModel(policy, wanted);
    if (selected.ok) continue;
    const why = `${task.task_id}: ${selected.reason} Nothing was started.`;
    return refused('MODEL_REFUSED', why, policyStep(policy, wanted));
  }
  return { ok: true, value: policy };
}
