import { holdsNetwork, type AgentNetwork, type ConfinementMode } from '../../contracts/vocabulary/confinement';
import type { ApprovedPlan } from '../../core/plan/approvedPlan';
import { overlaps } from '../../core/paths/compare';
import { ownAlone } from '../../base/text/words';
import { agentWorkers } from '../../workers/registry';
import { networkUnheld, openNetwork } from '../plans/agentNetwork';
import { refusalOfExtraArguments } from '../plans/extraArguments';
import { refusalOfChangedHost } from '../plans/speaksTo';
import type { EnginePorts } from '../ports/engine';
import type { Refusal } from '../../base/outcome';

/**
 * Refuses a plan whose tasks may write our programs or the approval key. They lie in the workspace when HOME is the
 * workspace.
 */
export function refusalOfOwnFolder(plan: ApprovedPlan, { paths }: EnginePorts): Refusal | null {
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

/**
 * Before any task runs, refuses an agent CLI that is missing or configured to run without its
 * safety.
 */
export async function refusalOfWorkers(plan: ApprovedPlan, ports: EnginePorts): Promise<Refusal | null> {
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
export async function refusalOfHosts(
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

/** The confinement that setting, command line and plan ask for together. */
export interface AskedConfinement {
  readonly confinement: ConfinementMode;
  readonly agent_network: AgentNetwork;
}

/** Refuses, before any task runs, a mission whose launches must be confined on a machine that cannot confine them. */
export async function refusalOfConfinement(
  { confinement, agent_network }: AskedConfinement,
  { tasks }: ApprovedPlan,
  ports: EnginePorts,
): Promise<Refusal | null> {
  if (confinement !== 'required') return null;
  const standing = await ports.sandboxes.standing();
  const refusal = (lacking: string, step: string): Refusal => ({
    code: 'CONFINEMENT_UNAVAILABLE',
    reason: `${lacking} The mission requires a sandbox, so nothing was started.`,
    next: [step],
  });
  if (standing.kind === 'unavailable') return refusal(standing.reason, standing.next);
  const agents = tasks.some(({ worker }) => worker !== 'command');
  if (agent_network === 'provider' && agents && !holdsNetwork[standing.means])
    return refusal(networkUnheld(standing.means), openNetwork);
  const nests = tasks.some(({ worker }) => worker !== 'command' && agentWorkers[worker].namespaces);
  return nests && standing.not_nested !== null ? refusal(standing.not_nested, ownAlone) : null;
}
