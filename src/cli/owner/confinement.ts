import {
  agentNetworks,
  confinementModes,
  type AgentNetwork,
  type ConfinementMode,
} from '../../contracts/vocabulary/confinement';
import { UsageError, type Invocation, type OptionSpec } from '../shell/command';

/** For commands that begin a mission; VS Code has settings for them. */
export const confinementOption = {
  confinement: {
    value: 'MODE',
    help: 'required, preferred or off (default: preferred); a plan can ask for more, never for less.',
  },
  'agent-network': {
    value: 'NETWORK',
    help: 'What an agent reaches from its sandbox: open, or provider, which is the hosts of its provider alone (default: open); a plan can ask for more, never for less.',
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

/** Returns what was asked for; both are absent where the caller asks for nothing. @throws UsageError */
export function confinementOf(call: Invocation): {
  readonly confinement?: ConfinementMode;
  readonly agent_network?: AgentNetwork;
} {
  const confinement = oneOf(call, 'confinement', confinementModes);
  const agent_network = oneOf(call, 'agent-network', agentNetworks);
  return { ...(confinement && { confinement }), ...(agent_network && { agent_network }) };
}

function oneOf<T extends string>(call: Invocation, option: string, known: readonly T[]): T | null {
  const name = call.text(option);
  if (name === null) return null;
  const found = known.find((candidate) => candidate === name);
  if (found === undefined) throw new UsageError(`--${option} ${name}: it is one of ${known.join(', ')}.`);
  return found;
}
