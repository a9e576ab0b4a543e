/**
 * The one registry of everything the extension contributes: command ids, settings, context keys, views.
 * `package.json`'s `contributes` is generated from it (`npm run generate`), and a test closes the loop both
 * ways. Free of `vscode`, so that the generator can read it.
 */
export const category = 'Mission Control';

export const commands = {
  newPlan: { id: 'missionControl.newPlan', title: 'New Plan' },
  validatePlan: { id: 'missionControl.validatePlan', title: 'Validate Plan' },
  approvePlan: { id: 'missionControl.approvePlan', title: 'Approve Plan' },
  runPlan: { id: 'missionControl.runPlan', title: 'Run Plan' },
  pause: { id: 'missionControl.pause', title: 'Pause' },
  resume: { id: 'missionControl.resume', title: 'Resume' },
  stopWorker: { id: 'missionControl.stopWorker', title: 'Stop Worker' },
  retryTask: { id: 'missionControl.retryTask', title: 'Retry Task' },
  cancelMission: { id: 'missionControl.cancelMission', title: 'Cancel Mission' },
  acknowledge: { id: 'missionControl.acknowledge', title: 'Acknowledge Failure' },
  showMissionControl: { id: 'missionControl.show', title: 'Show Mission Control' },
  showWorkerTerminal: { id: 'missionControl.showWorkerTerminal', title: 'Show Worker Terminal' },
  openEvidence: { id: 'missionControl.openEvidence', title: 'Open Evidence' },
  openRecoveryPacket: { id: 'missionControl.openRecoveryPacket', title: 'Open Recovery Packet' },
  doctor: { id: 'missionControl.doctor', title: 'Doctor' },
} as const;
export type CommandName = keyof typeof commands;

/** `machine`: decides what is executed, so a repository cannot set it. */
export const settings = {
  claudePath: { id: 'missionControl.claude.path', type: 'string', default: '', scope: 'machine', description: 'Path of the Claude Code CLI. Empty: found on PATH.' },
  codexPath: { id: 'missionControl.codex.path', type: 'string', default: '', scope: 'machine', description: 'Path of the Codex CLI. Empty: found on PATH.' },
  geminiPath: { id: 'missionControl.gemini.path', type: 'string', default: '', scope: 'machine', description: 'Path of the Gemini CLI. Empty: found on PATH.' },
  claudeModel: { id: 'missionControl.claude.model', type: 'string', default: '', scope: 'machine', description: 'Model for Claude tasks that name none. Empty: the CLI decides.' },
  codexModel: { id: 'missionControl.codex.model', type: 'string', default: '', scope: 'machine', description: 'Model for Codex tasks that name none. Empty: the CLI decides.' },
  geminiModel: { id: 'missionControl.gemini.model', type: 'string', default: '', scope: 'machine', description: 'Model for Gemini tasks that name none. Empty: the CLI decides.' },
  claudeArgs: { id: 'missionControl.claude.extraArgs', type: 'array', default: [], scope: 'machine', description: 'Further arguments for Claude Code. Arguments that switch safety off are refused.' },
  codexArgs: { id: 'missionControl.codex.extraArgs', type: 'array', default: [], scope: 'machine', description: 'Further arguments for Codex. Arguments that switch safety off are refused.' },
  geminiArgs: { id: 'missionControl.gemini.extraArgs', type: 'array', default: [], scope: 'machine', description: 'Further arguments for Gemini. Arguments that switch safety off are refused.' },
  claudeEnv: { id: 'missionControl.env.claude', type: 'array', default: [], scope: 'machine', description: 'Names of further environment variables Claude Code may see. Values are never stored.' },
  codexEnv: { id: 'missionControl.env.codex', type: 'array', default: [], scope: 'machine', description: 'Names of further environment variables Codex may see. Values are never stored.' },
  geminiEnv: { id: 'missionControl.env.gemini', type: 'array', default: [], scope: 'machine', description: 'Names of further environment variables Gemini may see. Values are never stored.' },
  defaultWorker: { id: 'missionControl.defaultWorker', type: 'string', default: 'claude', scope: 'machine', enum: ['claude', 'codex', 'gemini'], description: 'Worker for tasks that name none.' },
  evidenceIdentity: { id: 'missionControl.evidence.includeHostAndUser', type: 'boolean', default: false, scope: 'machine', description: 'Write this machine’s and user’s name into the evidence.' },
} as const;
export type SettingName = keyof typeof settings;

export const contextKeys = {
  hasLiveWorker: 'missionControl.hasLiveWorker',
  hasBlock: 'missionControl.hasBlock',
  hasMission: 'missionControl.hasMission',
} as const;

export const views = {
  panel: { viewType: 'missionControl.panel', title: 'Mission Control' },
} as const;
