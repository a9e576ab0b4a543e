import { commandEntries, type ByName, type TakenCommand } from '../../contracts/vocabulary/commands';
import { ui } from '../../base/text/marked/ui';
import type { Log } from '../window/log';

/**
 * The registry of everything that the extension contributes: command ids, context keys, views; settings are in
 * settingEntries.ts. `npm run generate` writes `contributes` of `package.json` from it. Imports no `vscode`, because
 * the generator reads it.
 */
export const category = 'Mission Control';

export const extensionId = 'mission-control.mission-control';

/** Plan files of a folder: they activate the extension, are checked, and get the editor's schema. */
export const planGlob = 'docs/plans/PLAN_*.json';

const ownFolder = '**/.mission-control';

/** Scheme of our read-only pages. */
export const pageScheme = 'mission-control-page';
/** Type of the pages on which a person approves a plan. */
const approvalView = 'missionControl.approval';
/** Language of pages on which a person must read every line. */
export const pageLanguage = 'mission-control-review';

export const commentController = 'missionControl.review';

export const reviewSchemes = { before: 'mission-control-before', now: 'mission-control-now' } as const;

/** Not in `files.watcherExclude`, because that would stop our own viewer. */
export const configurationDefaults = {
  'files.exclude': { [ownFolder]: true },
  'search.exclude': { [ownFolder]: true },
  // Wraps lines, because nothing that is approved may be out of sight.
  [`[${pageLanguage}]`]: {
    'editor.wordWrap': 'on',
    'editor.lineNumbers': 'off',
    'editor.minimap.enabled': false,
    'editor.stickyScroll.enabled': false,
  },
} as const;

const keys = {
  hasOpenMission: 'missionControl.hasOpenMission',
  hasLiveWorker: 'missionControl.hasLiveWorker',
  hasBlock: 'missionControl.hasBlock',
} as const;
export type ContextKeyName = keyof typeof keys | TakenCommand;

export const takenCommands: typeof commandEntries = commandEntries.filter(([, { palette }]) => palette === undefined);

function takenKey(type: string): string {
  return `missionControl.can${type}`;
}

/** Only views/contextKeys.ts sets them. */
export const contextKeys = {
  ...keys,
  ...(Object.fromEntries(takenCommands.map(([type]) => [type, takenKey(type)])) as Readonly<
    Record<TakenCommand, string>
  >),
} satisfies Readonly<Record<ContextKeyName, string>>;

export interface CommandEntry {
  readonly id: string;
  readonly title: string;
  /** The condition under which the palette offers it; a command called in another way decides by itself. */
  readonly when?: string;
  /** Codicon of its button; absent: the button shows the title. */
  readonly icon?: string;
}

/** Commands of a person about a mission, of which the table says everything. */
const decisions = Object.fromEntries(
  commandEntries.map(([type, { name, title, icon, palette }]) => {
    const when = palette === undefined ? takenKey(type) : palette === 'open' ? keys.hasOpenMission : keys.hasBlock;
    return [name, { id: `missionControl.${name}`, title, when, ...(icon !== undefined && { icon }) }];
  }),
) as unknown as ByName<CommandEntry>;

function command<const N extends string, const T extends string>(
  name: N,
  title: T,
  more: Pick<CommandEntry, 'when' | 'icon'> = {},
): CommandEntry & { readonly id: `missionControl.${N}`; readonly title: T } {
  return { id: `missionControl.${name}`, title, ...more };
}

/** The palette shows it while a folder is open. */
const inFolder = <const N extends string, const T extends string>(name: N, title: T, icon?: string) =>
  command(name, title, { when: 'workspaceFolderCount > 0', ...(icon !== undefined && { icon }) });

const hasComments = 'missionControl.hasComments';
const startsHeld = 'missionControl.startsHeld';

export const commands = {
  newPlan: inFolder('newPlan', 'New Plan', 'add'),
  draftPlan: inFolder('draftPlan', 'Draft Plan With Agent'),
  newProjectContext: inFolder('newProjectContext', 'Create ai.project.json'),
  openProjectContext: inFolder('openProjectContext', 'Open ai.project.json'),
  validatePlan: inFolder('validatePlan', 'Validate Plan', 'checklist'),
  approvePlan: inFolder('approvePlan', 'Approve Plan', 'verified'),
  runPlan: inFolder('runPlan', 'Run Plan', 'play'),
  compareWithLockedPlan: inFolder('compareWithLockedPlan', 'Compare With Locked Plan', 'diff'),
  openPlan: inFolder('openPlan', 'Open Plan', 'go-to-file'),
  runSample: inFolder('runSample', 'Run Sample'),
  openSample: command('openSample', 'Open Sample'),
  ...decisions,
  stopEverything: command('stopEverything', 'Stop Everything'),
  allowStarts: command('allowStarts', 'Allow Starts Again', { when: startsHeld }),
  grantDirectory: command('grantDirectory', 'Grant Directory', { when: takenKey('GrantDirectory') }),
  resumeHandoff: inFolder('resumeHandoff', 'Resume Handoff…'),
  showMissionControl: command('show', 'Show Mission Control', { icon: 'dashboard' }),
  showNeedsYou: command('showNeedsYou', 'Show What Needs You'),
  openInBrowser: inFolder('openInBrowser', 'Open Mission Control in Browser'),
  showWorkerTerminal: command('showWorkerTerminal', 'Show Worker Terminal', {
    when: keys.hasLiveWorker,
    icon: 'terminal',
  }),
  openEvidence: inFolder('openEvidence', 'Open Evidence'),
  verifyEvidence: inFolder('verifyEvidence', 'Verify Evidence'),
  reviewChanges: inFolder('reviewChanges', 'Review Changes'),
  // Buttons of a thread of comments; only VS Code knows which thread.
  addComment: command('addComment', 'Add Comment', { when: 'false' }),
  discardComments: command('discardComments', 'Discard Comments', { when: 'false', icon: 'trash' }),
  sendBack: command('sendBack', 'Send Back With Comments', { when: hasComments }),
  openRecoveryPacket: command('openRecoveryPacket', 'Open Recovery Packet', { when: keys.hasBlock }),
  doctor: command('doctor', 'Doctor'),
  // A button of the doctor's page; only that page knows its meaning.
  doctorRemedy: command('doctor.remedy', 'Doctor: Remedy', { when: 'false' }),
  // The button of the page on which a plan is approved; the palette presses it for the page in front.
  approveReviewed: command('review.approve', 'Approve the Plan on This Page', {
    when: `activeWebviewPanelId == '${approvalView}'`,
  }),
} as const satisfies Readonly<Record<string, CommandEntry>>;
export type CommandName = keyof typeof commands;

/** A sample counts for its own step only, because a person who has run it has no plan yet. */
export const stepKeys = {
  sampleRan: 'missionControl.sampleRan',
  planWritten: 'missionControl.planWritten',
  planApproved: 'missionControl.planApproved',
  planRan: 'missionControl.planRan',
  evidenceHolds: 'missionControl.evidenceHolds',
} as const;
export type StepKeyName = keyof typeof stepKeys;

/** Further context keys, each of which one part alone sets. */
export const ownKeys = {
  /** The panel: see `offeredWords`; empty: it shows no mission. */
  shownOffers: 'missionControl.shownOffers',
  /** The language status, of the active plan: `draft`, `approved` or `errors`; empty: no plan is active. */
  planState: 'missionControl.planState',
  /** The language status: the newest mission of the active plan locked other bytes. */
  planChanged: 'missionControl.planChanged',
  /** The trees: the first reading is done, so a tree without rows is really empty. */
  isRead: 'missionControl.isRead',
  /** The comments of reviews: some are not sent yet. */
  hasComments,
  /** views/contextKeys.ts: a person stopped everything, and nothing starts. */
  startsHeld,
  /** views/contextKeys.ts: paths of files that a mission changed, as the window names them; false without one. */
  changedFiles: 'missionControl.changedFiles',
} as const;

export const container = { id: 'missionControl', title: 'Mission Control', icon: 'media/activity.svg' } as const;

/** The views of the container from the top, with the share of its height that each has at first. */
export const treeViews = {
  needsYou: { id: 'missionControl.needsYou', name: 'Needs You', initialSize: 2 },
  missions: { id: 'missionControl.missions', name: 'Missions', initialSize: 4 },
  plans: { id: 'missionControl.plans', name: 'Plans', initialSize: 2 },
} as const;

export const views = {
  panel: { viewType: 'missionControl.panel', title: 'Mission Control' },
  approval: { viewType: approvalView },
  doctor: { viewType: 'missionControl.doctor' },
} as const;

/** A part that the extension adds to VS Code, or a listener. Built at activation, disposed with the extension. */
export interface Contribution {
  dispose(): void;
}

export interface Starter {
  readonly name: string;
  readonly start: () => Contribution;
}

/** Starts each contribution; one that fails is reported and does not stop the others. */
export function startContributions(starters: readonly Starter[], log: Log): Contribution {
  const started: Contribution[] = [];
  for (const { name, start } of starters) {
    try {
      started.push(start());
    } catch (error) {
      log.error(ui`${name} could not be started`, error);
    }
  }
  return together(started.reverse());
}

/** Several as one, disposed in their order. */
export function together(parts: Iterable<Contribution>): Contribution {
  return {
    dispose() {
      for (const part of parts) part.dispose();
    },
  };
}
