import { agentNetworks, confinementModes } from '../../contracts/vocabulary/confinement';
import { agentNames, defaultAgent, type AgentName } from '../../contracts/vocabulary/workers';
import { agentWorkers } from '../../workers/registry';

/**
 * The registry of everything the extension contributes: command ids, settings, context keys, views. `npm run generate`
 * writes `contributes` of `package.json` from it. Free of `vscode`, so that the generator can read it.
 */
export const category = 'Mission Control';

/** The id that package.json names: publisher and name. */
export const extensionId = 'mission-control.mission-control';

/** Plan files of a folder: they activate the extension, are checked, and get the editor's schema. */
export const planGlob = 'docs/plans/PLAN_*.json';

/** The state folder in each workspace folder. */
const ownFolder = '**/.mission-control';

/** Scheme of our read-only pages. */
export const pageScheme = 'mission-control-page';
/** Language of pages whose every line must be read. */
export const pageLanguage = 'mission-control-review';

/** Schemes of the documents that a review of changes is made of. */
export const reviewSchemes = { before: 'mission-control-before', now: 'mission-control-now' } as const;

/** File names of the pages on which a plan is approved; each has a button in its title. */
export const reviewPages = {
  approve: 'Approve Plan.txt',
  approveAndRun: 'Approve and Run Plan.txt',
  approveAndResume: 'Approve and Resume Plan.txt',
} as const;

const onPage = (name: string): string => `resourceScheme == ${pageScheme} && resourceFilename == '${name}'`;

/** Hides the state folder in Explorer and search. Not in `files.watcherExclude`, which would stop our own viewer. */
export const configurationDefaults = {
  'files.exclude': { [ownFolder]: true },
  'search.exclude': { [ownFolder]: true },
  // Nothing that is approved may be out of sight.
  [`[${pageLanguage}]`]: {
    'editor.wordWrap': 'on',
    'editor.lineNumbers': 'off',
    'editor.minimap.enabled': false,
    'editor.stickyScroll.enabled': false,
  },
} as const;

export interface CommandEntry {
  readonly id: string;
  readonly title: string;
  /** When the palette offers it; a command called in another way decides by itself. */
  readonly when?: string;
  /** Where `when` holds, it is also a button in the editor's title. */
  readonly inTitle?: true;
  /** Codicon of its button; without one the button shows the title. */
  readonly icon?: string;
}

export const commands = {
  newPlan: { id: 'missionControl.newPlan', title: 'New Plan', when: 'workspaceFolderCount > 0', icon: 'add' },
  draftPlan: {
    id: 'missionControl.draftPlan',
    title: 'Draft Plan With Agent',
    when: 'workspaceFolderCount > 0',
  },
  newRevision: { id: 'missionControl.newRevision', title: 'New Revision', when: 'missionControl.canRevisePlan' },
  newProjectContext: {
    id: 'missionControl.newProjectContext',
    title: 'Create ai.project.json',
    when: 'workspaceFolderCount > 0',
  },
  openProjectContext: {
    id: 'missionControl.openProjectContext',
    title: 'Open ai.project.json',
    when: 'workspaceFolderCount > 0',
  },
  validatePlan: {
    id: 'missionControl.validatePlan',
    title: 'Validate Plan',
    when: 'workspaceFolderCount > 0',
    icon: 'checklist',
  },
  approvePlan: {
    id: 'missionControl.approvePlan',
    title: 'Approve Plan',
    when: 'workspaceFolderCount > 0',
    icon: 'verified',
  },
  runPlan: { id: 'missionControl.runPlan', title: 'Run Plan', when: 'workspaceFolderCount > 0', icon: 'play' },
  compareWithLockedPlan: {
    id: 'missionControl.compareWithLockedPlan',
    title: 'Compare With Locked Plan',
    when: 'workspaceFolderCount > 0',
    icon: 'diff',
  },
  openPlan: { id: 'missionControl.openPlan', title: 'Open Plan', when: 'workspaceFolderCount > 0', icon: 'go-to-file' },
  runSample: { id: 'missionControl.runSample', title: 'Run Sample', when: 'workspaceFolderCount > 0' },
  openSample: { id: 'missionControl.openSample', title: 'Open Sample' },
  pause: { id: 'missionControl.pause', title: 'Pause', when: 'missionControl.hasOpenMission', icon: 'debug-pause' },
  resume: {
    id: 'missionControl.resume',
    title: 'Resume',
    when: 'missionControl.hasOpenMission',
    icon: 'debug-continue',
  },
  stopWorker: {
    id: 'missionControl.stopWorker',
    title: 'Stop Worker',
    when: 'missionControl.canStop',
    icon: 'debug-stop',
  },
  stopEverything: { id: 'missionControl.stopEverything', title: 'Stop Everything' },
  allowStarts: { id: 'missionControl.allowStarts', title: 'Allow Starts Again' },
  resolveBlocker: {
    id: 'missionControl.resolveBlocker',
    title: 'Resolve Blocker',
    when: 'missionControl.hasBlock',
  },
  retryTask: {
    id: 'missionControl.retryTask',
    title: 'Retry Task',
    when: 'missionControl.canRetry',
    icon: 'debug-restart',
  },
  grantAndResume: { id: 'missionControl.grantAndResume', title: 'Grant and Resume', when: 'missionControl.canGrant' },
  grantDirectory: { id: 'missionControl.grantDirectory', title: 'Grant Directory', when: 'missionControl.canGrant' },
  rerunValidation: {
    id: 'missionControl.rerunValidation',
    title: 'Rerun Validation',
    when: 'missionControl.canRerun',
  },
  reviseTask: { id: 'missionControl.reviseTask', title: 'Revise Task…', when: 'missionControl.canRevise' },
  acceptChange: { id: 'missionControl.acceptChange', title: 'Accept Change…', when: 'missionControl.canAccept' },
  completeIntervention: {
    id: 'missionControl.completeIntervention',
    title: 'Complete Intervention',
    when: 'missionControl.canIntervene',
  },
  answerQuestion: { id: 'missionControl.answerQuestion', title: 'Answer Question', when: 'missionControl.canAnswer' },
  confirmMemory: {
    id: 'missionControl.confirmMemory',
    title: 'Confirm Memory',
    when: 'missionControl.canConfirmMemory',
  },
  skipTask: { id: 'missionControl.skipTask', title: 'Skip Task', when: 'missionControl.canSkip' },
  cancelMission: { id: 'missionControl.cancelMission', title: 'Cancel Mission', when: 'missionControl.hasOpenMission' },
  acknowledge: {
    id: 'missionControl.acknowledge',
    title: 'Acknowledge Failure',
    when: 'missionControl.canAcknowledge',
  },
  exportHandoff: {
    id: 'missionControl.exportHandoff',
    title: 'Export Handoff',
    when: 'missionControl.hasOpenMission',
  },
  resumeHandoff: {
    id: 'missionControl.resumeHandoff',
    title: 'Resume Handoff…',
    when: 'workspaceFolderCount > 0',
  },
  showMissionControl: { id: 'missionControl.show', title: 'Show Mission Control', icon: 'dashboard' },
  showNeedsYou: { id: 'missionControl.showNeedsYou', title: 'Show What Needs You' },
  openInBrowser: {
    id: 'missionControl.openInBrowser',
    title: 'Open Mission Control in Browser',
    when: 'workspaceFolderCount > 0',
  },
  showWorkerTerminal: {
    id: 'missionControl.showWorkerTerminal',
    title: 'Show Worker Terminal',
    when: 'missionControl.hasLiveWorker',
    icon: 'terminal',
  },
  openEvidence: { id: 'missionControl.openEvidence', title: 'Open Evidence', when: 'workspaceFolderCount > 0' },
  verifyEvidence: { id: 'missionControl.verifyEvidence', title: 'Verify Evidence', when: 'workspaceFolderCount > 0' },
  reviewChanges: { id: 'missionControl.reviewChanges', title: 'Review Changes', when: 'workspaceFolderCount > 0' },
  openRecoveryPacket: {
    id: 'missionControl.openRecoveryPacket',
    title: 'Open Recovery Packet',
    when: 'missionControl.hasBlock',
  },
  doctor: { id: 'missionControl.doctor', title: 'Doctor' },
  // A button of the doctor's page, which alone knows what it stands for.
  doctorRemedy: { id: 'missionControl.doctor.remedy', title: 'Doctor: Remedy', when: 'false' },
  approveReviewed: {
    id: 'missionControl.review.approve',
    title: 'Approve These Bytes',
    when: onPage(reviewPages.approve),
    inTitle: true,
  },
  approveAndRunReviewed: {
    id: 'missionControl.review.approveAndRun',
    title: 'Approve and Run',
    when: onPage(reviewPages.approveAndRun),
    inTitle: true,
  },
  approveAndResumeReviewed: {
    id: 'missionControl.review.approveAndResume',
    title: 'Approve and Resume',
    when: onPage(reviewPages.approveAndResume),
    inTitle: true,
  },
} as const satisfies Readonly<Record<string, CommandEntry>>;
export type CommandName = keyof typeof commands;

/** Settings for each agent CLI; its AgentWorker has its title and family name. */
const agentSettings = {
  path: (name, { title }) => ({
    id: `missionControl.${name}.path`,
    type: 'string',
    default: '',
    description: `Path of the ${title} CLI. Empty: found on PATH.`,
  }),
  model: (name, { family }) => ({
    id: `missionControl.${name}.model`,
    type: 'string',
    default: '',
    description: `Model for ${family} tasks that name none. Empty: the CLI decides.`,
  }),
  args: (name, { title }) => ({
    id: `missionControl.${name}.extraArgs`,
    type: 'array',
    default: [],
    description: `Further arguments for ${title}. Arguments that switch safety off are refused.`,
  }),
  env: (name, { title }) => ({
    id: `missionControl.env.${name}`,
    type: 'array',
    default: [],
    description: `Names of further environment variables ${title} may see. Values are never stored.`,
  }),
  hosts: (name, { title }) => ({
    id: `missionControl.${name}.hosts`,
    type: 'array',
    default: [],
    description: `Hosts ${title} may reach besides those of its provider, HOST or HOST:PORT (port: 443). They count where missionControl.agentNetwork, or a plan, holds its network.`,
  }),
} as const satisfies Readonly<Record<string, (name: AgentName, called: Called) => Omit<SettingEntry, 'scope'>>>;
/** The rest says what runs on a machine, and what that reaches. */
const chosenByPerson: ReadonlySet<AgentSetting> = new Set(['model']);
type AgentSetting = keyof typeof agentSettings;

type Called = Pick<(typeof agentWorkers)[AgentName], 'title' | 'family'>;

interface SettingEntry {
  readonly id: string;
  readonly type: 'string' | 'array' | 'number' | 'boolean';
  readonly default: unknown;
  /**
   * Neither can be set by a repository. `machine`: it decides what is executed or reached on a machine, so in a remote
   * window it is that machine's. `application`: a person's choice, the same on every machine, found in the User tab.
   */
  readonly scope: 'machine' | 'application';
  readonly description: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

export const agentSettingKinds = Object.keys(agentSettings) as readonly AgentSetting[];

export const agentSettingName = (agent: AgentName, kind: AgentSetting): `${AgentName}-${AgentSetting}` =>
  `${agent}-${kind}`;

const ofAgents = Object.fromEntries(
  agentSettingKinds.flatMap((kind) =>
    agentNames.map((agent) => {
      const { description, ...entry } = agentSettings[kind](agent, agentWorkers[agent]);
      const scope = chosenByPerson.has(kind) ? 'application' : 'machine';
      return [agentSettingName(agent, kind), { ...entry, scope, description }];
    }),
  ),
) as Readonly<Record<`${AgentName}-${AgentSetting}`, SettingEntry>>;

export const settings = {
  ...ofAgents,
  defaultWorker: {
    id: 'missionControl.defaultWorker',
    type: 'string',
    default: defaultAgent,
    scope: 'application',
    enum: agentNames,
    description: 'Worker for tasks that name none.',
  },
  confinement: {
    id: 'missionControl.confinement',
    type: 'string',
    default: 'preferred',
    scope: 'machine',
    enum: confinementModes,
    description:
      'Whether the operating system holds the processes of a task inside its approved paths. required: nothing starts where it cannot. preferred: where it can. off: only where a plan asks for it. A plan can ask for more, never for less.',
  },
  agentNetwork: {
    id: 'missionControl.agentNetwork',
    type: 'string',
    default: 'open',
    scope: 'machine',
    enum: agentNetworks,
    description:
      'What an agent reaches from its sandbox. provider: only the hosts of its provider, and those of missionControl.<cli>.hosts. open: any, unless a plan asks for provider.',
  },
  orchestratorWorker: {
    id: 'missionControl.orchestrator.worker',
    type: 'string',
    default: 'none',
    scope: 'machine',
    enum: ['none', ...agentNames],
    description:
      'The agent that is asked what becomes of a blocked task, in a session of its own that cannot write in the workspace. none: only people decide. What a person decides meanwhile always counts.',
  },
  orchestratorModel: {
    id: 'missionControl.orchestrator.model',
    type: 'string',
    default: '',
    scope: 'machine',
    description: 'Model of the orchestrator’s sessions. Empty: as for tasks of that agent.',
  },
  approvalHours: {
    id: 'missionControl.approval.hours',
    type: 'number',
    default: 24,
    minimum: 1,
    maximum: 720,
    scope: 'machine',
    description: 'How many hours an approval of a plan of risk level 2 or 3 counts. It counts for one mission.',
  },
  keepTerminals: {
    id: 'missionControl.terminals.keep',
    type: 'boolean',
    default: false,
    scope: 'application',
    description: 'Keep the terminals of tasks that are done. Off: they close when the next terminal opens.',
  },
  eventsEnabled: {
    id: 'missionControl.events.enabled',
    type: 'boolean',
    default: false,
    scope: 'machine',
    description:
      'Let Open Mission Control in Browser serve the page, read-only, on 127.0.0.1: in a process of its own, from the first time you ask until the window closes. Off: nothing listens.',
  },
  evidenceIdentity: {
    id: 'missionControl.evidence.includeHostAndUser',
    type: 'boolean',
    default: false,
    scope: 'machine',
    description: 'Write this machine’s and user’s name into the evidence.',
  },
} as const satisfies Readonly<Record<string, SettingEntry>>;
export type SettingName = keyof typeof settings;

/** Only views/contextKeys.ts sets them. */
export const contextKeys = {
  hasOpenMission: 'missionControl.hasOpenMission',
  hasLiveWorker: 'missionControl.hasLiveWorker',
  hasBlock: 'missionControl.hasBlock',
  canStop: 'missionControl.canStop',
  canRetry: 'missionControl.canRetry',
  canRerun: 'missionControl.canRerun',
  canAccept: 'missionControl.canAccept',
  canSkip: 'missionControl.canSkip',
  canRevise: 'missionControl.canRevise',
  canRevisePlan: 'missionControl.canRevisePlan',
  canGrant: 'missionControl.canGrant',
  canIntervene: 'missionControl.canIntervene',
  canAnswer: 'missionControl.canAnswer',
  canConfirmMemory: 'missionControl.canConfirmMemory',
  canAcknowledge: 'missionControl.canAcknowledge',
} as const;
export type ContextKeyName = keyof typeof contextKeys;

/** Only the panel sets them, about the mission that it shows. */
export const panelKeys = {
  /** See `offeredWords`; empty where it shows none. */
  shownOffers: 'missionControl.shownOffers',
} as const;

/** Only the language status of a plan sets them, about the plan in the active editor. */
export const planKeys = {
  /** `draft`, `approved` or `errors`; empty where no plan is. */
  state: 'missionControl.planState',
  /** Whether its newest mission locked other bytes. */
  changed: 'missionControl.planChanged',
} as const;

/** Only the trees set them. */
export const treeKeys = {
  /** What there is to show has been read, so a tree without rows is an empty one. */
  isRead: 'missionControl.isRead',
} as const;

/** In the activity bar. */
export const container = { id: 'missionControl', title: 'Mission Control', icon: 'media/activity.svg' } as const;

/** From above in the container; how much of it each has at first. */
export const treeViews = {
  needsYou: { id: 'missionControl.needsYou', name: 'Needs You', initialSize: 2 },
  missions: { id: 'missionControl.missions', name: 'Missions', initialSize: 4 },
  plans: { id: 'missionControl.plans', name: 'Plans', initialSize: 2 },
} as const;

export const views = {
  panel: { viewType: 'missionControl.panel', title: 'Mission Control' },
} as const;
