import type { SandboxMeans } from '../../contracts/vocabulary/confinement';
import type { AgentName } from '../../contracts/vocabulary/workers';
import { agentWorkers } from '../../workers/registry';
import type { ProviderFacts } from '../ports/workers';

/**
 * Returns the hosts that an agent reaches where its network is limited: its provider, and what this machine's
 * configuration adds.
 */
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
