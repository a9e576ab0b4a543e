import { agentNames } from '../../contracts/vocabulary/workers';
import type { OrchestratorChoice } from '../../core/view/events/orchestratorLine';
import { UsageError, type Invocation, type OptionSpec } from '../shell/command';

/** For commands that begin a mission; VS Code has settings for them. */
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
