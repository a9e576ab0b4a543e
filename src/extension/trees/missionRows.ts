import { menuSections, offeredWords, planWords } from '../../contracts/page/menuKeys';
import { elapsedText } from '../../contracts/page/liveView';
import type { MissionView, TaskView } from '../../contracts/page/missionView';
import type { PanelEntry, PanelGroup, ShownDraft } from '../../contracts/page/panelView';
import { limited } from '../../base/text/oneLine';
import { attemptsWords, codeWord, shownCode, taskSentence, taskWord, missionWord } from '../../base/text/words';
import { ui, type UiText } from '../../base/text/marked/ui';
import { noRows, rowIcons, type Row } from './row';
import type { RowIcon } from '../window/treeItems';
import { changedSinceMission, newestMission } from '../editor/planLines';

/** A line of the panel's list, with its mission if it has one. */
export interface MissionEntry {
  readonly entry: PanelEntry;
  /** URI of its folder. */
  readonly folder: string;
  readonly view: MissionView | null;
}

export interface Besides {
  /** ISO-8601. */
  readonly now: string;
  /** Number of evidence folders without a mission that are not among the entries. */
  readonly unlisted: number;
}

/** Missions in the groups of the page, with their tasks folded into them. Plans have a tree of their own. */
export function missionRows(entries: readonly MissionEntry[], { now, unlisted }: Besides): readonly Row[] {
  const shown = entries.filter(({ entry }) => entry.group !== 'drafts');
  return groupsShown.flatMap((group) => {
    const own = shown.filter(({ entry }) => entry.group === group);
    const left = group === 'evidence_only' ? unlisted : 0;
    if (own.length === 0 && left === 0) return [];
    const row = groupRow(group, own, now);
    return [left > 0 ? { ...row, ...notAll(own.length, left) } : row];
  });
}

type ShownGroup = Exclude<PanelGroup, 'drafts'>;

/** Has the group, because VS Code takes no row in two places. */
export function missionRowId({ group, id }: Pick<PanelEntry, 'group' | 'id'>): string {
  return `${group} ${id}`;
}

interface GroupLook {
  readonly title: string;
  readonly icon: RowIcon;
  readonly folded: 'open' | 'closed';
}

const groups: Readonly<Record<ShownGroup, GroupLook>> = {
  needs_you: { title: 'Needs You', icon: rowIcons.needsYou, folded: 'open' },
  running: { title: 'Running', icon: rowIcons.runs, folded: 'open' },
  paused: { title: 'Paused', icon: rowIcons.paused, folded: 'open' },
  planned: { title: 'Planned', icon: rowIcons.waits, folded: 'open' },
  finished: { title: 'Finished', icon: rowIcons.done, folded: 'open' },
  evidence_only: { title: 'Evidence Only', icon: rowIcons.evidence, folded: 'closed' },
  unreadable: { title: 'Unreadable', icon: rowIcons.unreadable, folded: 'open' },
};
const groupsShown = Object.keys(groups) as readonly ShownGroup[];

function groupRow(group: ShownGroup, entries: readonly MissionEntry[], now: string): Row {
  const { title, folded } = groups[group];
  return {
    id: `group ${group}`,
    label: ui`${title}`,
    description: ui`${entries.length}`,
    tooltip: [ui`${title}: ${entries.length}`],
    icon: null,
    folded: entries.length === 0 ? 'leaf' : folded,
    menu: '',
    target: { kind: 'none' },
    does: null,
    rows: () => entries.map((entry) => entryRow(group, entry, now)),
  };
}

function notAll(count: number, unlisted: number): Pick<Row, 'description' | 'tooltip'> {
  const others = count === 0 ? '' : unlisted === 1 ? ' other' : ' others';
  const left = ui`${unlisted}${others} ${unlisted === 1 ? 'is' : 'are'} not listed`;
  return {
    description: count === 0 ? left : ui`${count} · ${left}`,
    tooltip: [ui`Evidence Only: ${count}`, ui`${left}; Open Evidence lists the files of all.`],
  };
}

function entryRow(group: ShownGroup, { entry, folder, view }: MissionEntry, now: string): Row {
  const { id, title, word, note, progress, workspace } = entry;
  const missed = [view?.missed_stop, view?.runs_on].filter((one) => one !== undefined);
  const facts = [
    // Leaves out a word that the group's title has already.
    ...(word === groups[group].title.toLowerCase() ? [] : [word]),
    ...(progress === null ? [] : [`${progress.done}/${progress.total}`]),
    ...(view ? durationOf(view.started_at, view.ended_at, now) : []),
    ...(workspace === null ? [] : [workspace]),
    ...missed,
  ];
  const section = group === 'evidence_only' ? menuSections.evidence : menuSections.unreadable;
  const menu = view ? `${menuSections.mission}${offeredWords(view, null)}` : `${section};;`;
  return {
    id: missionRowId({ group, id }),
    label: ui`${title}`,
    description: ui.join(facts, ' · '),
    tooltip: [
      ui`${title}: ${word}`,
      ...missed.map((sentence) => ui`${sentence}`),
      ui`${note}`,
      ...(workspace === null ? [] : [ui`In ${workspace}`]),
    ],
    icon: iconOf(group, word, view),
    folded: view === null || view.tasks.length === 0 ? 'leaf' : underWay.has(group) ? 'open' : 'closed',
    menu,
    target: view
      ? { kind: 'mission', folder, missionId: view.mission_id, taskId: null }
      : { kind: 'entry', folder, entry: id },
    does: 'showMissionControl',
    rows: view ? () => taskRows({ row: missionRowId({ group, id }), folder }, view, now) : noRows,
  };
}

function iconOf(group: ShownGroup, word: string, view: MissionView | null): RowIcon | null {
  if (view?.needs === 'answer') return rowIcons.question;
  return group === 'finished' && word !== 'completed' ? rowIcons.ended : groups[group].icon;
}

const underWay: ReadonlySet<ShownGroup> = new Set(['needs_you', 'running', 'paused']);

/** The row of a mission, and its folder, because a copied folder has the same mission once more. */
interface Parent {
  readonly row: string;
  readonly folder: string;
}

function taskRows(parent: Parent, mission: MissionView, now: string): readonly Row[] {
  const unfinished = new Set(mission.tasks.flatMap(({ task_id, status }) => (status === 'done' ? [] : [task_id])));
  return mission.tasks.map((task) => taskRow(parent, mission, task, { now, unfinished }));
}

interface Around {
  readonly now: string;
  readonly unfinished: ReadonlySet<string>;
}

function taskRow({ row, folder }: Parent, mission: MissionView, task: TaskView, { now, unfinished }: Around): Row {
  const { task_id, description, status } = task;
  const word = taskWord(task);
  const code = status === 'blocked' || status === 'failed' ? codeWord(shownCode(task)) : null;
  const took = status === 'todo' || task.interrupted ? [] : durationOf(task.started_at, task.ended_at, now);
  return {
    id: `${row} task ${task_id}`,
    label: ui`${task_id}`,
    description: ui.join([code ?? word, ...waitsFor(task, unfinished), ...took], ' · '),
    tooltip: [
      ui`${limited(taskSentence(task), 600)}`,
      ui`${limited(description, 300)}`,
      ui`${task.worker}, ${attemptsWords(task.attempts, task.validations)}, mission ${mission.plan_id}`,
    ],
    icon: taskIcon(task),
    folded: 'leaf',
    menu: `${menuSections.task}${offeredWords(mission, task_id)}`,
    target: { kind: 'mission', folder, missionId: mission.mission_id, taskId: task_id },
    does: 'showMissionControl',
    rows: noRows,
  };
}

function taskIcon({ status, skipped, awaited, asks, interrupted }: TaskView): RowIcon {
  if (skipped === true) return rowIcons.ended;
  if (awaited === true || asks === true) return rowIcons.question;
  if (interrupted === true) return rowIcons.paused;
  return taskIcons[status];
}

const taskIcons: Readonly<Record<TaskView['status'], RowIcon>> = {
  todo: rowIcons.waits,
  in_progress: rowIcons.runs,
  blocked: rowIcons.needsYou,
  done: rowIcons.done,
  failed: rowIcons.failed,
  canceled: rowIcons.ended,
};

function waitsFor({ status, depends_on }: TaskView, unfinished: ReadonlySet<string>): readonly UiText[] {
  const names = status === 'todo' ? depends_on.filter((id) => unfinished.has(id)) : [];
  return names.length === 0 ? [] : [ui`waits for ${ui.join(names, ', ')}`];
}

/** Rounds to minutes, because a row that changes every second distracts, and is read out each time. */
function durationOf(from: string | null, until: string | null, now: string): readonly string[] {
  const elapsed = elapsedText(from, until ?? now);
  if (elapsed === null) return [];
  if (until !== null) return [elapsed];
  return [/^\d+ s$/.test(elapsed) ? '< 1 min' : elapsed.replace(/ min \d+ s$/, ' min')];
}

export interface PlanEntry {
  /** URI of the folder. */
  readonly folder: string;
  readonly workspace: string | null;
  readonly draft: ShownDraft;
  /** Digest of the file now; null: unknown. */
  readonly sha256: string | null;
  readonly missions: readonly MissionView[];
}

/** Every plan file with its state, by path. */
export function planRows(plans: readonly PlanEntry[]): readonly Row[] {
  const key = ({ folder, draft }: PlanEntry): string => `${folder} ${draft.path}`;
  return [...plans].sort((left, right) => (key(left) < key(right) ? -1 : 1)).map(planRow);
}

function planRow(plan: PlanEntry): Row {
  const { draft, folder, workspace } = plan;
  const { word, icon, takes } = stateOf(plan);
  const found = findingsText(draft);
  const state = ui`${word}${found === '' ? '' : ` · ${found}`}`;
  return {
    id: `plan ${folder} ${draft.path}`,
    label: ui`${draft.plan_id}`,
    description: workspace === null ? state : ui`${state} · ${workspace}`,
    tooltip: [
      ui`${draft.path}`,
      state,
      ...(draft.goal === '' ? [] : [ui`${limited(draft.goal, 300)}`]),
      ui`${draft.tasks.length} task${draft.tasks.length === 1 ? '' : 's'}`,
      ...draft.findings
        .filter(({ severity }) => severity !== 'info')
        .slice(0, 3)
        .map(({ code, message }) => ui`${code}: ${limited(message, 200)}`),
    ],
    icon,
    folded: 'leaf',
    menu: `${menuSections.plan};${takes.map((name) => planWords[name]).join(';')};`,
    target: { kind: 'plan', folder, path: draft.path },
    does: 'openPlan',
    rows: noRows,
  };
}

interface PlanStanding {
  readonly word: string;
  readonly icon: RowIcon;
  readonly takes: readonly (keyof typeof planWords)[];
}

/** Returns the state of the present file. No start takes an approved file whose mission locked other bytes. */
function stateOf({ draft, sha256, missions }: PlanEntry): PlanStanding {
  const mission = newestMission(missions, draft.path);
  const same = mission !== null && mission.plan_sha256.toUpperCase() === sha256?.toUpperCase();
  if (mission !== null && mission.ending === null) {
    const word = `locked by mission, ${missionWord(mission)}${same ? '' : '; the file has changed'}`;
    return { word, icon: rowIcons.locked, takes: [] };
  }
  if (draft.findings.some(({ severity }) => severity === 'error'))
    return { word: draft.status === 'APPROVED' ? 'approved' : 'draft', icon: rowIcons.failed, takes: [] };
  if (mission !== null && same && mission.superseded_by !== undefined)
    return { word: `superseded by ${mission.superseded_by}`, icon: rowIcons.ended, takes: [] };
  if (mission !== null && same)
    return mission.status === 'completed'
      ? { word: 'done', icon: rowIcons.done, takes: ['run'] }
      : { word: missionWord(mission), icon: rowIcons.ended, takes: ['run'] };
  if (mission !== null && sha256 !== null && draft.status === 'APPROVED')
    return { word: changedSinceMission, icon: rowIcons.unreadable, takes: [] };
  return draft.status === 'APPROVED'
    ? { word: 'approved', icon: rowIcons.approved, takes: ['run'] }
    : // Run Plan shows it with Approve and Run.
      { word: 'draft', icon: rowIcons.draft, takes: ['approve', 'run'] };
}

/** `2 errors, 1 warning`; leaves out infos, because they need no mending. */
function findingsText({ findings }: ShownDraft): string {
  const counted = (severity: string, name: string): readonly string[] => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`];
  };
  return [...counted('error', 'error'), ...counted('warning', 'warning')].join(', ');
}
