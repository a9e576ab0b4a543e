import { defaultApprovalHours } from '../../contracts/vocabulary/plan';
import { workspace } from 'vscode';
import type { WorkerSettings } from '../../adapters/launches/workerCatalog';
import { agentNames, defaultAgent, type AgentName } from '../../contracts/vocabulary/workers';
import { agentSettingName, settings as registered, type SettingName } from './registry';

/** What a person configured, asked anew every time: settings change while we run. */
export interface Settings {
  readonly worker: (agent: AgentName) => WorkerSettings;
  readonly defaultWorker: () => AgentName;
  readonly approvalHours: () => number;
  readonly includesIdentity: () => boolean;
}

/** All of them are machine-scoped: VS Code ignores what a repository's own settings say. */
export const settingsNow: Settings = {
  worker(agent) {
    const model = text(agentSettingName(agent, 'model'));
    const file = text(agentSettingName(agent, 'path'));
    return {
      path: file === '' ? null : file,
      extraArgs: texts(agentSettingName(agent, 'args')),
      envNames: texts(agentSettingName(agent, 'env')),
      model: model === '' ? null : model,
    };
  },
  defaultWorker: () => agentNames.find((name) => name === value('defaultWorker')) ?? defaultAgent,
  approvalHours: () => {
    const hours = value('approvalHours');
    return typeof hours === 'number' && hours > 0 ? Math.min(hours, 720) : defaultApprovalHours;
  },
  includesIdentity: () => value('evidenceIdentity') === true,
};

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
