import { ui, type UiText } from '../../base/text/marked/ui';
import type { AgentName } from '../../contracts/vocabulary/workers';
import { agentWorkers } from '../../workers/registry';

export interface AgentHere {
  readonly name: AgentName;
  /** Null: the CLI does not report it. */
  readonly version: string | null;
}

export function foundText(found: readonly AgentHere[]): UiText {
  if (found.length === 0)
    return ui`No agent CLI was found on this machine. A task can also be a command of yours; “Doctor” says how to install an agent.`;
  const names = found.map(({ name, version }) => `${agentWorkers[name].title}${version === null ? '' : ` ${version}`}`);
  return ui`On this machine: ${new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names)}.`;
}
