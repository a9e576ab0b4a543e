import { agentNames } from '../../contracts/vocabulary/workers';
import { agentWorkers } from '../../workers/registry';
import { agentSettingKinds, agentSettingName, category, settings, type SettingName } from './registry';

interface Section {
  readonly title: string;
  readonly names: readonly SettingName[];
}

const sections: readonly Section[] = [
  { title: category, names: ['defaultWorker', 'approvalHours', 'keepTerminals', 'eventsEnabled', 'evidenceIdentity'] },
  { title: 'Sandbox', names: ['confinement', 'agentNetwork'] },
  { title: 'Orchestrator', names: ['orchestratorWorker', 'orchestratorModel'] },
  ...agentNames.map((agent) => ({
    title: agentWorkers[agent].title,
    names: agentSettingKinds.map((kind) => agentSettingName(agent, kind)),
  })),
];

/** The settings as VS Code lists them: what concerns everything first, then each agent by itself. */
export function configurationOf(): readonly object[] {
  return sections.map(({ title, names }, order) => ({
    title,
    order,
    properties: Object.fromEntries(names.map((name, place) => propertyOf(settings[name], place))),
  }));
}

function propertyOf(entry: (typeof settings)[SettingName], order: number): readonly [string, object] {
  const { id, ...property } = entry;
  return [id, { ...property, ...(property.type === 'array' && { items: { type: 'string' } }), order }];
}
