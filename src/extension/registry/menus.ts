import {
  menuSections,
  offeredKey,
  planWords,
  type standingWords,
  type MenuSection,
} from '../../contracts/page/menuKeys';
import type { MissionCommandName, TaskCommandName } from '../../contracts/commands/missionCommand';
import { commandEntries } from '../../contracts/vocabulary/commands';
import { commentController, commands, contextKeys, ownKeys, treeViews, views, type CommandName } from './registry';

/** A word of the list that a clicked mission or task carries. */
type Word =
  | MissionCommandName
  | TaskCommandName
  | (typeof standingWords)[keyof typeof standingWords]
  | (typeof planWords)[keyof typeof planWords];

interface MenuRow {
  readonly command: CommandName;
  /** The entry is in the menu if one of these is in the list; absent: always. */
  readonly where?: readonly Word[];
  readonly group: 'decide' | 'run' | 'open' | 'end';
}

/** An entry of a menu in the form of package.json. */
export interface MenuEntry {
  readonly command: string;
  readonly when: string;
  readonly group: string;
}

const planFile = String.raw`resourceFilename =~ /^PLAN_.*\.json$/`;

const groups = { decide: '1_decide', run: '2_run', open: '3_open', end: '9_end' } as const;

const onMission: readonly MenuRow[] = [
  { command: 'resolveBlocker', where: ['blocked'], group: 'decide' },
  { command: 'reviewChanges', group: 'open' },
  { command: 'openEvidence', group: 'open' },
  { command: 'verifyEvidence', group: 'open' },
  ...commandsAbout('mission'),
];

const onTask: readonly MenuRow[] = [
  { command: 'resolveBlocker', where: ['blocked'], group: 'decide' },
  { command: 'reviewChanges', where: ['begun'], group: 'open' },
  { command: 'openRecoveryPacket', where: ['blocked'], group: 'open' },
  { command: 'showWorkerTerminal', where: ['live'], group: 'open' },
  ...commandsAbout('task'),
];

function commandsAbout(what: 'mission' | 'task'): readonly MenuRow[] {
  return commandEntries.flatMap(([type, { about, name, menu }]) =>
    about === what ? [{ command: name, where: [type as Word], group: menu }] : [],
  );
}

const onDraft: readonly MenuRow[] = [
  { command: 'validatePlan', group: 'decide' },
  { command: 'approvePlan', group: 'decide' },
  { command: 'runPlan', group: 'run' },
];

const onEvidence: readonly MenuRow[] = [
  { command: 'openEvidence', group: 'open' },
  { command: 'verifyEvidence', group: 'open' },
];

const onPlanRow: readonly MenuRow[] = [
  { command: 'validatePlan', group: 'decide' },
  { command: 'approvePlan', where: [planWords.approve], group: 'decide' },
  { command: 'runPlan', where: [planWords.run], group: 'run' },
  { command: 'openPlan', group: 'open' },
];

/** Commands that a row of a tree also has as buttons, from the left. */
const asButtons: readonly CommandName[] = [
  ...(['pause', 'resume', 'showWorkerTerminal', 'stopWorker', 'retryTask'] as const),
  ...(['validatePlan', 'approvePlan', 'runPlan', 'openPlan'] as const),
];

/** The menus of the page's elements. VS Code draws them, and passes their context to the command. */
export const pageMenu: readonly MenuEntry[] = [
  ...inSection(menuSections.mission, onMission),
  ...inSection(menuSections.task, onTask),
  ...inSection(menuSections.draft, onDraft),
  ...inSection(menuSections.evidence, onEvidence),
];

export const treeMenu: readonly MenuEntry[] = [
  ...onRows(menuSections.mission, onMission),
  ...onRows(menuSections.task, onTask),
  ...onRows(menuSections.evidence, onEvidence),
  ...onRows(menuSections.plan, onPlanRow),
];

/** Buttons in the titles of the trees; rare ones are in the overflow. */
export const treeTitle: readonly MenuEntry[] = [
  inTitleOf('missions', 'showMissionControl', 'navigation@1'),
  inTitleOf('missions', 'resumeHandoff', '3_open'),
  inTitleOf('missions', 'doctor', '3_open'),
  inTitleOf('missions', 'cancelMission', '9_end', contextKeys.hasOpenMission),
  inTitleOf('missions', 'stopEverything', '9_end'),
  inTitleOf('missions', 'allowStarts', '9_end', ownKeys.startsHeld),
  inTitleOf('plans', 'newPlan', 'navigation@1'),
  inTitleOf('plans', 'draftPlan', '3_open'),
  inTitleOf('plans', 'runSample', '3_open'),
];

/** Commands that help are words; those that end the mission are in the overflow. */
export const panelTitle: readonly MenuEntry[] = [
  titled('resolveBlocker', 'resolve', 'navigation@1'),
  ...commandEntries.flatMap(([type, { about, name, menu, button }]) => {
    if (button !== undefined) return [titled(name, type, `navigation@${button}`)];
    return about === 'mission' && menu !== 'decide' ? [titled(name, type, groups[menu])] : [];
  }),
  titled('reviewChanges', 'begun', groups.open),
  ...commandEntries.flatMap(([type, { about, menu }]) =>
    // What ends a mission is offered until it is over, and then its evidence is what a person opens.
    about === 'mission' && menu === 'end'
      ? [titled('openEvidence', type, groups.open), titled('openEvidence', type, 'navigation@1', true)]
      : [],
  ),
  titled('verifyEvidence', null, groups.open),
];

export const planTitle: readonly MenuEntry[] = [
  onPlan('compareWithLockedPlan', ownKeys.planChanged, 'navigation@1'),
  onPlan('validatePlan', `${ownKeys.planState} == errors`, 'navigation@2'),
  onPlan('approvePlan', `${ownKeys.planState} == draft`, 'navigation@3'),
  onPlan('runPlan', `${ownKeys.planState} == approved`, 'navigation@4'),
];

export const planFileMenu: readonly MenuEntry[] = (['validatePlan', 'approvePlan', 'runPlan'] as const).map(
  (command, index) => ({ command: commands[command].id, when: planFile, group: `z_missionControl@${index + 1}` }),
);

export const changedFileMenu: readonly MenuEntry[] = [onChanged(`resourcePath in ${ownKeys.changedFiles}`)];
/** A source control tells no path of its rows. So the command says if no mission changed the file. */
export const sourceControlMenu: readonly MenuEntry[] = [onChanged(ownKeys.changedFiles)];

const inThread = `commentController == ${commentController}`;

export const commentThreadMenu: readonly MenuEntry[] = (['addComment', 'sendBack'] as const).map((command, index) => ({
  command: commands[command].id,
  when: inThread,
  group: `inline@${index + 1}`,
}));
export const commentThreadTitle: readonly MenuEntry[] = [
  { command: commands.discardComments.id, when: `${inThread} && !commentThreadIsEmpty`, group: 'inline@1' },
];
export const reviewTitle: readonly MenuEntry[] = [
  {
    command: commands.sendBack.id,
    when: `${ownKeys.hasComments} && activeEditor == multiDiffEditor`,
    group: 'navigation@1',
  },
];

function onChanged(when: string): MenuEntry {
  return { command: commands.reviewChanges.id, when, group: 'z_missionControl@9' };
}

function onPlan(command: CommandName, where: string, group: string): MenuEntry {
  // Names the file too, because the state is that of the focused plan. Every group of editors has
  // its own buttons.
  return { command: commands[command].id, when: `resourceLangId == json && ${planFile} && ${where}`, group };
}

function inSection(section: MenuSection, rows: readonly MenuRow[]): readonly MenuEntry[] {
  return rows.map(({ command, where, group }) => ({
    command: commands[command].id,
    when: [
      `webviewId == '${views.panel.viewType}'`,
      `webviewSection == '${section}'`,
      ...(where ? [`${offeredKey} =~ /;(${where.join('|')});/`] : []),
    ].join(' && '),
    group: groups[group],
  }));
}

function onRows(section: MenuSection, rows: readonly MenuRow[]): readonly MenuEntry[] {
  const trees = Object.values(treeViews).map(({ id }) => id.replace(/^.*[.]/, ''));
  return rows.flatMap(({ command, where, group }) => {
    const entry = {
      command: commands[command].id,
      when: [
        `view =~ /^missionControl.(${trees.join('|')})$/`,
        `viewItem =~ /^${section};/`,
        ...(where ? [`viewItem =~ /;(${where.join('|')});/`] : []),
      ].join(' && '),
    };
    const place = asButtons.indexOf(command);
    return [{ ...entry, group: groups[group] }, ...(place < 0 ? [] : [{ ...entry, group: `inline@${place + 1}` }])];
  });
}

function inTitleOf(tree: keyof typeof treeViews, command: CommandName, group: string, where?: string): MenuEntry {
  const view = `view == '${treeViews[tree].id}'`;
  return { command: commands[command].id, when: where === undefined ? view : `${view} && ${where}`, group };
}

function titled(command: CommandName, word: string | null, group: string, isNot = false): MenuEntry {
  const panel = `activeWebviewPanelId == '${views.panel.viewType}'`;
  const { shownOffers } = ownKeys;
  const offered = word === null ? shownOffers : `${shownOffers} =~ /;${word};/`;
  const where = isNot ? `${shownOffers} && !(${offered})` : offered;
  return { command: commands[command].id, when: `${panel} && ${where}`, group };
}
