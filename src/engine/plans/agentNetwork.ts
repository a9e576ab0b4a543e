import type { SandboxMeans } from '../../contracts/vocabulary/confinement';
import type { AgentName } from '../../contracts/vocabulary/workers';
import { agentWorkers } from '../../workers/registry';

/** What an agent reaches where its network is held: its provider, and what is configured on this machine. */
export function hostsOf(agent: AgentName, configured: readonly string[] = []): readonly string[] {
  return [...new Set([...agentWorkers[agent].provider.hosts.map(({ host }) => host), ...configured])];
}

/** One sentence. */
export function networkUnheld(means: SandboxMeans): string {
  return `The sandbox of this system (${means}) cannot hold an agent to the hosts of its provider.`;
}

/** The step that is left. */
export const openNetwork =
  'Leave the network of agents open: without `--agent-network provider`, and without execution.agent_network in the plan.';
