import {
  agentNetworks,
  confinementModes,
  type AgentNetwork,
  type ConfinementMode,
} from '../../contracts/vocabulary/confinement';

/** The strictest of what setting, flag and plan ask for; `preferred` where they ask for nothing. */
export function strictestMode(wanted: readonly (ConfinementMode | null | undefined)[]): ConfinementMode {
  return confinementModes.find((mode) => wanted.includes(mode)) ?? 'preferred';
}

/** The same for the network of agents; `open` where they ask for nothing. */
export function strictestNetwork(wanted: readonly (AgentNetwork | null | undefined)[]): AgentNetwork {
  return agentNetworks.find((network) => wanted.includes(network)) ?? 'open';
}
