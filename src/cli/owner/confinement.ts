import {
  agentNetworks,
  confinementModes,
  type AgentNetwork,
  type ConfinementMode,
} from '../../contracts/vocabulary/confinement';
import { oneOf, UsageError, type Invocation, type OptionSpec } from '../shell/command';
import { shellWord } from '../../base/text/steps';
import { agentNames } from '../../contracts/vocabulary/workers';
import type { OrchestratorChoice } from '../../core/view/events/eventLine';

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

/** The options of a run that its approval takes, too, because they decide what it shows. */
export function optionsOf(call: Invocation): { readonly options?: readonly string[] } {
  const options = approvalOptions.flatMap((name) => {
    const given = name in confinementOption ? [call.text(name) ?? []].flat() : call.texts(name);
    return given.flatMap((value) => [`--${name}`, shellWord(value)]);
  });
  return options.length > 0 ? { options } : {};
}

/** All of the run's own words that `plan approve` knows. */
const approvalOptions = ['confinement', 'agent-network', 'cli-host', 'cli-model', 'cli-env', 'cli-arg'] as const;

export const orchestratorOption = {
  orchestrator: {
    value: 'NAME',
    help: `The agent that is asked what becomes of a blocked task: ${agentNames.join(', ')} (default: none, only people decide).`,
  },
  'orchestrator-model': { value: 'MODEL', help: 'The model of its sessions (default: as for tasks of that CLI).' },
} as const satisfies Readonly<Record<string, OptionSpec>>;

/** Absent where the caller asks for none. @throws UsageError */
export function orchestratorOf(call: Invocation): { readonly orchestrator?: OrchestratorChoice } {
  const name = call.text('orchestrator');
  const model = call.text('orchestrator-model');
  if (name === null && model !== null) throw new UsageError('--orchestrator-model needs --orchestrator NAME.');
  if (name === null || name === 'none') return {};
  const worker = agentNames.find((candidate) => candidate === name);
  if (worker === undefined)
    throw new UsageError(`--orchestrator ${name}: it is one of ${agentNames.join(', ')}, or none.`);
  return { orchestrator: { worker, model } };
}
