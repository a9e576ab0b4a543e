import type { AgentNetwork, ConfinementMode } from '../../contracts/vocabulary/confinement';
import { defaultApprovalHours } from '../../contracts/vocabulary/plan';
import { agentNames, defaultAgent, type AgentName } from '../../contracts/vocabulary/workers';
import { agentWorkers } from '../../workers/registry';

/** The settings of the extension. `npm run generate` writes them into package.json and docs/reference/settings.md. */
export interface SettingEntry {
  readonly id: string;
  readonly type: 'string' | 'array' | 'number' | 'boolean';
  readonly default: unknown;
  /**
   * A repository can set neither. `machine`: it decides what is executed or reached on a machine, so a remote window
   * has that machine's value. `application`: a person's choice, the same on every machine, in the User tab.
   */
  readonly scope: 'machine' | 'application';
  /** Markdown; `#id#` becomes a link to another setting. */
  readonly markdownDescription: string;
  /** Each value with its meaning; absent: any value of the type. */
  readonly values?: Readonly<Record<string, string>>;
  readonly minimum?: number;
  readonly maximum?: number;
  /** The option of `mission run` with the same meaning; absent: the terminal has none. */
  readonly option?: string;
}

/** Settings for each agent CLI; its AgentWorker has its title and family name. */
const agentSettings = {
  path: (name, { title }) => ({
    id: `missionControl.${name}.path`,
    type: 'string',
    default: '',
    scope: 'machine',
    markdownDescription: `The file that starts ${title}. Leave it empty to have it searched on \`PATH\`.`,
    option: 'cli',
  }),
  model: (name, { title }) => ({
    id: `missionControl.${name}.model`,
    type: 'string',
    default: '',
    scope: 'application',
    markdownDescription: `The model of tasks for ${title} that name none. Leave it empty to let ${title} decide.`,
    option: 'cli-model',
  }),
  args: (name, { title }) => ({
    id: `missionControl.${name}.extraArgs`,
    type: 'array',
    default: [],
    scope: 'machine',
    markdownDescription: `Further arguments for ${title}, one an item. Arguments that switch its safety off are refused.`,
    option: 'cli-arg',
  }),
  env: (name, { title }) => ({
    id: `missionControl.env.${name}`,
    type: 'array',
    default: [],
    scope: 'machine',
    markdownDescription: `Names of further environment variables that ${title} may read. Their values are never stored.`,
    option: 'cli-env',
  }),
  hosts: (name, { title }) => ({
    id: `missionControl.${name}.hosts`,
    type: 'array',
    default: [],
    scope: 'machine',
    markdownDescription: `Further hosts that ${title} may reach in addition to its provider, \`HOST\` or \`HOST:PORT\` (port 443 where none is named). They count only where \`#missionControl.agentNetwork#\` or a plan limits its network.`,
    option: 'cli-host',
  }),
} as const satisfies Readonly<Record<string, (name: AgentName, called: Called) => SettingEntry>>;
type AgentSetting = keyof typeof agentSettings;
type Called = Pick<(typeof agentWorkers)[AgentName], 'title'>;

const kinds = Object.keys(agentSettings) as readonly AgentSetting[];

export const agentSettingName = (agent: AgentName, kind: AgentSetting): `${AgentName}-${AgentSetting}` =>
  `${agent}-${kind}`;

const ofAgents = Object.fromEntries(
  kinds.flatMap((kind) =>
    agentNames.map((agent) => [agentSettingName(agent, kind), agentSettings[kind](agent, agentWorkers[agent])]),
  ),
) as Readonly<Record<`${AgentName}-${AgentSetting}`, SettingEntry>>;

const agentTitles = Object.fromEntries(agentNames.map((agent) => [agent, agentWorkers[agent].title])) as Readonly<
  Record<AgentName, string>
>;

export const settings = {
  ...ofAgents,
  defaultWorker: {
    id: 'missionControl.defaultWorker',
    type: 'string',
    default: defaultAgent,
    scope: 'application',
    values: agentTitles,
    markdownDescription:
      'The agent that performs tasks whose plan names no worker. Such a plan is refused where this agent is not installed; *Mission Control: Doctor* lists those that are.',
    option: 'worker',
  },
  confinement: {
    id: 'missionControl.confinement',
    type: 'string',
    default: 'preferred',
    scope: 'machine',
    values: {
      required: 'Nothing starts where this machine cannot build a sandbox.',
      preferred: 'A sandbox where this machine can build one; otherwise changes are only observed.',
      off: 'A sandbox only where a plan asks for one.',
    } satisfies Record<ConfinementMode, string>,
    markdownDescription:
      'The sandbox: the operating system lets the processes of a task write only its approved paths. A plan can ask for more, never for less.',
    option: 'confinement',
  },
  agentNetwork: {
    id: 'missionControl.agentNetwork',
    type: 'string',
    default: 'open',
    scope: 'machine',
    values: {
      provider: 'Only the hosts of its provider, and those of its setting `hosts`.',
      open: 'Any host, unless a plan asks for `provider`.',
    } satisfies Record<AgentNetwork, string>,
    markdownDescription: 'The hosts that an agent reaches from its sandbox. A plan can narrow it, never widen it.',
    option: 'agent-network',
  },
  approvalHours: {
    id: 'missionControl.approval.hours',
    type: 'number',
    default: defaultApprovalHours,
    minimum: 1,
    maximum: 720,
    scope: 'machine',
    markdownDescription:
      'How many hours your approval of a plan of risk level 2 or 3 counts. It counts for one mission.',
    option: 'approval-hours',
  },
  openTerminals: {
    id: 'missionControl.terminals.open',
    type: 'boolean',
    default: true,
    scope: 'application',
    markdownDescription:
      'Open the panel with its terminal when the first worker of a mission starts. Off: the terminal waits there.',
  },
  keepTerminals: {
    id: 'missionControl.terminals.keep',
    type: 'boolean',
    default: false,
    scope: 'application',
    markdownDescription:
      'Keep the terminals of tasks that are done, and of missions that have ended. Off: they close when the next terminal opens.',
  },
  orchestratorWorker: {
    id: 'missionControl.orchestrator.worker',
    type: 'string',
    default: 'none',
    scope: 'machine',
    values: { none: 'Only people decide.', ...agentTitles },
    markdownDescription:
      'The agent that may decide about a blocked task, in a session of its own that cannot write in the workspace. What you decide meanwhile always counts.',
    option: 'orchestrator',
  },
  orchestratorModel: {
    id: 'missionControl.orchestrator.model',
    type: 'string',
    default: '',
    scope: 'machine',
    markdownDescription: 'The model of these sessions. Leave it empty to use the model of other tasks for that agent.',
    option: 'orchestrator-model',
  },
  evidenceIdentity: {
    id: 'missionControl.evidence.includeHostAndUser',
    type: 'boolean',
    default: false,
    scope: 'machine',
    markdownDescription: 'Write the names of this machine and of your user into the evidence.',
  },
  eventsEnabled: {
    id: 'missionControl.events.enabled',
    type: 'boolean',
    default: false,
    scope: 'machine',
    markdownDescription:
      'Let *Open Mission Control in Browser* serve the page, read-only, on 127.0.0.1. It is served in a process of its own, from the first time you ask until the window closes. Off: nothing listens.',
  },
} as const satisfies Readonly<Record<string, SettingEntry>>;
export type SettingName = keyof typeof settings;

/** The sections of the settings editor, in its order. */
export const settingGroups: readonly { readonly title: string; readonly settings: readonly SettingName[] }[] = [
  {
    title: 'Missions',
    settings: ['defaultWorker', 'confinement', 'agentNetwork', 'approvalHours', 'openTerminals', 'keepTerminals'],
  },
  { title: 'Orchestrator', settings: ['orchestratorWorker', 'orchestratorModel'] },
  { title: 'Evidence and Browser', settings: ['evidenceIdentity', 'eventsEnabled'] },
  ...agentNames.map((agent) => ({
    title: agentTitles[agent],
    settings: kinds.map((kind) => agentSettingName(agent, kind)),
  })),
];
