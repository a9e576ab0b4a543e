import type { SandboxMeans } from '../../contracts/vocabulary/confinement';
import type { AgentName } from '../../contracts/vocabulary/workers';
import { agentWorkers } from '../../workers/registry';
import type { ProviderFacts } from '../ports/workers';

/** Returns what an agent reaches where its network is held: its provider, and what is configured on this machine. */
export function hostsOf(
  agent: AgentName,
  configured: readonly string[] = [],
  provider?: Pick<ProviderFacts, 'hosts' | 'args' | 'alone'>,
): readonly string[] {
  // A provider that the CLI reads itself is named by a variable, whose host is configured, or by a person.
  const carried = provider !== undefined && provider.args.length > 0 ? provider.hosts : [];
  const own = provider?.alone === true && carried.length > 0 ? [] : agentWorkers[agent].provider.hosts;
  return [...new Set([...own.map(({ host }) => host), ...carried, ...configured])];
}

/** One sentence. */
export function networkUnheld(means: SandboxMeans): string {
  return `The sandbox of this system (${means}) cannot hold an agent to the hosts of its provider.`;
}

/** The step that is left. */
export const openNetwork =
  'Leave the network of agents open: without `--agent-network provider`, and without execution.agent_network in the plan.';
