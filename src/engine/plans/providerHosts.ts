import type { AgentName, WorkerName } from '../../contracts/vocabulary/workers';
import type { Refusal } from '../../base/outcome';
import type { SpeaksTo } from '../../core/model/facts';
import type { ProviderFacts } from '../ports/workers';
import type { MachineConfinement, ProviderStanding } from '../../core/plan/approvalSummary';
import type { SandboxMeans } from '../../contracts/vocabulary/confinement';
import { agentWorkers } from '../../workers/registry';

/** The hosts that the agents of a plan talk to, one `AGENT=HOST:PORT` each: what an approval records. */
export function approvedHosts(
  workers: readonly WorkerName[],
  providers: MachineConfinement['providers'],
): readonly string[] | undefined {
  if (providers === undefined) return undefined;
  const lines = workers.flatMap((worker) =>
    worker === 'command' ? [] : hostsIn(providers[worker]).map((host) => `${worker}=${host}`),
  );
  return [...new Set(lines)].sort();
}

/** Returns what the journal records of a launch. */
export function speaksTo({ hosts, from, not_passed }: ProviderFacts): SpeaksTo {
  return { hosts, from, ...(not_passed.length > 0 && { not_passed }) };
}

/** One sentence for the person who approves. */
export function speaksToWords(standing: ProviderStanding | undefined): string | undefined {
  if (standing === undefined) return undefined;
  if (!standing.ok) return `REFUSED HERE: ${standing.refusal.reason} ${standing.refusal.next.join(' ')}`.trim();
  return `${standing.value.hosts.join(', ')} (${standing.value.from})`;
}

/** Refuses an agent that would talk to another host than its approval recorded; null: it may start. */
export function refusalOfChangedHost(
  agent: AgentName,
  hosts: readonly string[] | undefined,
  approved: readonly string[] | undefined,
  next: string,
): Refusal | null {
  const before = approved?.filter((line) => line.startsWith(`${agent}=`)).map((line) => line.slice(agent.length + 1));
  if (before === undefined || before.length === 0 || hosts === undefined) return null;
  const now = [...hosts].sort().join(', ');
  const shown = [...before].sort().join(', ');
  if (now === shown) return null;
  const reason = `${agent} would talk to ${now}, and the approval was given for ${shown}.`;
  return { code: 'PROVIDER_CHANGED', reason, next: [next] };
}

/** The step for a person while the mission waits. */
export const changedHostStep =
  'Put the configuration of the agent back and retry the task; or cancel the mission, approve the plan again and run it.';

/** The hosts of an approval; empty while the provider is refused, because that approval covers no host. */
function hostsIn(standing: ProviderStanding | undefined): readonly string[] {
  return standing?.ok === true ? standing.value.hosts : ['no host'];
}

/** Hosts that an agent reaches where its network is limited: its provider's and configured ones. */
export function hostsOf(
  agent: AgentName,
  configured: readonly string[] = [],
  provider?: Pick<ProviderFacts, 'hosts' | 'args' | 'alone'>,
): readonly string[] {
  // Counts hosts of a provider only if the launch carries it. Otherwise a variable names it, and its host comes with
  // `configured`.
  const carried = provider !== undefined && provider.args.length > 0 ? provider.hosts : [];
  const own = provider?.alone === true && carried.length > 0 ? [] : agentWorkers[agent].provider.hosts;
  return [...new Set([...own.map(({ host }) => host), ...carried, ...configured])];
}

/** The sentence for a sandbox that cannot limit an agent's network. */
export function networkUnheld(means: SandboxMeans): string {
  return `The sandbox of this system (${means}) cannot hold an agent to the hosts of its provider.`;
}

/** The next step after such a refusal. */
export const openNetwork =
  'Leave the network of agents open: without `--agent-network provider`, and without execution.agent_network in the plan.';
