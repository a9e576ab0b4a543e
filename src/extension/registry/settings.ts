import {
  agentNetworks,
  confinementModes,
  type AgentNetwork,
  type ConfinementMode,
} from '../../contracts/vocabulary/confinement';
import type { OrchestratorChoice } from '../../core/view/events/eventLine';
import { defaultApprovalHours } from '../../contracts/vocabulary/plan';
import { workspace } from 'vscode';
import type { WorkerSettings } from '../../adapters/launches/workerCatalog';
import { agentNames, defaultAgent, type AgentName } from '../../contracts/vocabulary/workers';
import { agentSettingName, settings as registered, type SettingName } from './settingEntries';

/** A person's choices for a mission; a plan decides about the rest, and may be stricter. */
export interface AskedOfMission {
  readonly confinement?: ConfinementMode;
  readonly agent_network?: AgentNetwork;
  readonly orchestrator?: OrchestratorChoice;
}

/** Read at each call. Reads no value of a workspace, because VS Code ignores a repository's for these settings. */
export const settingsNow = {
  worker: (agent: AgentName): WorkerSettings => {
    const model = text(agentSettingName(agent, 'model'));
    const file = text(agentSettingName(agent, 'path'));
    return {
      path: file === '' ? null : file,
      extraArgs: texts(agentSettingName(agent, 'args')),
      envNames: texts(agentSettingName(agent, 'env')),
      model: model === '' ? null : model,
      hosts: texts(agentSettingName(agent, 'hosts')),
    };
  },
  defaultWorker: (): AgentName => agentNames.find((name) => name === value('defaultWorker')) ?? defaultAgent,
  approvalHours: (): number => {
    const hours = value('approvalHours');
    return typeof hours === 'number' && hours > 0 ? Math.min(hours, 720) : defaultApprovalHours;
  },
  confinement: (): AskedOfMission => {
    const confinement = confinementModes.find((mode) => mode === chosen('confinement'));
    const agent_network = agentNetworks.find((network) => network === chosen('agentNetwork'));
    return { ...(confinement && { confinement }), ...(agent_network && { agent_network }), ...orchestratorNow() };
  },
  includesIdentity: () => value('evidenceIdentity') === true,
  opensTerminals: () => value('openTerminals') !== false,
  keepsTerminals: () => value('keepTerminals') === true,
  servesBrowser: () => chosen('eventsEnabled') === true,
};

function orchestratorNow(): Pick<AskedOfMission, 'orchestrator'> {
  const worker = agentNames.find((name) => name === chosen('orchestratorWorker'));
  const model = text('orchestratorModel');
  return worker ? { orchestrator: { worker, model: model === '' ? null : model } } : {};
}

/** Undefined: a person chose no value. */
function chosen(name: SettingName): unknown {
  return workspace.getConfiguration().inspect(registered[name].id)?.globalValue;
}

function value(name: SettingName): unknown {
  return workspace.getConfiguration().get<unknown>(registered[name].id);
}

function text(name: SettingName): string {
  const found = value(name);
  return typeof found === 'string' ? found.trim() : '';
}

function texts(name: SettingName): readonly string[] {
  const found = value(name);
  return Array.isArray(found) ? found.filter((item): item is string => typeof item === 'string') : [];
}
