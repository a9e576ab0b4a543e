import type { MissionView, TaskView } from '../../contracts/page/missionView';
import type { PlanPlaces, Place, TaskPlace } from '../../adapters/documents/planPlaces';
import { attemptsWords, missionWord, shownCode, taskWord, wordsOfCode } from '../../base/text/words';
import { limited } from '../../base/text/oneLine';
import { ui, type UiText } from '../../base/text/marked/ui';
import type { ApprovalVerdict } from '../../core/plan/approvalRecord';

/** The state of a plan that was approved, whose mission locked other bytes than the file has now. */
export const changedSinceMission = 'changed since its mission';

/** The commands that a line about a plan offers, each with the short title of its button. */
export const planSteps = {
  validatePlan: 'Validate',
  approvePlan: 'Approve',
  runPlan: 'Run',
  compareWithLockedPlan: 'Compare',
  showMissionControl: 'Show',
} as const;
export type PlanStep = keyof typeof planSteps;

export interface PlanLine {
  /** The line of this character, from 0. */
  readonly offset: number;
  readonly text: UiText;
  /** Null: it only says something. */
  readonly does: PlanStep | null;
}

/**
 * @param state of the plan, such as `draft`, `approved` or `2 errors` @param mission the newest of this plan; null:
 * none ran @param changed it locked other bytes than the file has
 */
export function planLines(
  places: PlanPlaces,
  state: string,
  mission: MissionView | null,
  changed = false,
): readonly PlanLine[] {
  const offset = places.plan?.offset ?? 0;
  const runs = mission !== null && mission.ending === null;
  const stale = changed && state === 'approved';
  const above = (text: UiText, does: PlanLine['does']): PlanLine => ({ offset, text, does });
  return [
    above(ui`${stateLine(stale ? changedSinceMission : state)}`, 'validatePlan'),
    ...(state === 'draft' ? [above(ui`Approve`, 'approvePlan')] : []),
    ...(state === 'approved' && !runs && !stale ? [above(ui`Run`, 'runPlan')] : []),
    ...(mission === null
      ? []
      : [
          above(
            ui`Mission ${missionWord(mission)}, ${mission.done} of ${mission.tasks.length} done`,
            'showMissionControl',
          ),
        ]),
    ...(changed ? [above(ui`Compare with what it locked`, 'compareWithLockedPlan')] : []),
    ...(mission === null ? [] : taskLines(places, mission)),
  ];
}

export function newestMission<M extends MissionView>(missions: readonly M[], planPath: string): M | null {
  return missions
    .filter(({ plan_path }) => plan_path === planPath)
    .reduce<M | null>(
      (newest, mission) => (newest === null || newest.started_at < mission.started_at ? mission : newest),
      null,
    );
}

/** Returns what is known of a task as lines of plain text, for people who point at its id. */
export function taskFacts(mission: MissionView, task: TaskView): readonly UiText[] {
  const { passed, ran, total } = task.verified;
  const code = shownCode(task);
  return [
    ui`Task ${task.task_id}: ${taskWord(task)}${code === null ? '' : ` (${code})`}`,
    ...(task.reason === '' ? [] : [ui`${limited(task.reason, 300)}`]),
    ...(task.attempts === 0 ? [] : [ui`${attemptsWords(task.attempts, task.validations)} by ${task.worker}`]),
    ...(total === 0 || ran === 0 ? [] : [ui`${passed} of ${total} verify commands passed`]),
    ...(task.changed.length === 0
      ? []
      : [ui`${task.changed.length} file${task.changed.length === 1 ? '' : 's'} changed`]),
    ui`Mission ${mission.mission_id}, ${missionWord(mission)}`,
  ];
}

function stateLine(state: string): string {
  const isWord = state === 'draft' || state === 'approved' || state === changedSinceMission;
  return isWord ? sentence(state) : `${state}: see the Problems panel`;
}

function taskLines({ tasks }: PlanPlaces, mission: MissionView): readonly PlanLine[] {
  const known = new Map(mission.tasks.map((task) => [task.task_id, task]));
  return tasks.flatMap(({ task_id, at }) => {
    const task = known.get(task_id);
    if (!task) return [];
    const why = task.status === 'blocked' || task.status === 'failed' ? shownCode(task) : null;
    return [
      { offset: at.offset, text: ui`${taskWord(task)}${why === null ? '' : `: ${wordsOfCode(why)}`}`, does: null },
    ];
  });
}

function sentence(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** A line of a plan's language status, with the command that helps. */
export interface PlanStatusLine {
  readonly text: UiText;
  readonly detail: UiText;
  readonly severity: 'information' | 'warning' | 'error';
  readonly does: PlanStep | null;
}

export interface PlanStatusFacts {
  /** `draft`, `approved` or `2 errors`; null: not judged yet. */
  readonly state: string | null;
  /** Digest of the file; null: it cannot be read. */
  readonly sha256: string | null;
  /** The editor holds other text than the file. */
  readonly edited: boolean;
  /** Says whether these bytes were approved on this machine; null: this folder has no approval at all. */
  readonly approval: ApprovalVerdict | null;
  /** The newest mission of this plan; null: none ran. */
  readonly mission: MissionView | null;
}

/**
 * Says whether a person approved the bytes of the file. Short, because VS Code shows it on one line before the command.
 */
export function hashLine({ state, sha256, edited, approval, mission }: PlanStatusFacts): PlanStatusLine {
  const line = (
    text: UiText,
    detail: UiText,
    severity: PlanStatusLine['severity'],
    does: PlanStatusLine['does'],
  ): PlanStatusLine => ({ text, detail, severity, does });
  const hash = sha256 === null ? '' : `SHA-256 ${sha256.slice(0, 8)}…`;
  if (state === null) return line(ui`Not checked yet`, ui`${hash}`, 'information', null);
  if (state === 'draft') return line(ui`Draft`, edited ? ui`not saved yet` : ui`${hash}`, 'information', 'approvePlan');
  if (state !== 'approved') return line(ui`${state}`, ui`see the Problems panel`, 'error', 'validatePlan');
  const changed = ui`Changed since approval`;
  if (edited)
    return line(changed, ui`not saved`, 'warning', changedFrom(sha256, mission) ? 'compareWithLockedPlan' : null);
  if (approval?.counts) {
    const { by } = approval.approved;
    return line(ui`Approved here`, ui`by ${limited(by, 16)}, ${hash}`, 'information', 'runPlan');
  }
  if (changedFrom(sha256, mission)) return line(changed, ui`${hash}`, 'warning', 'compareWithLockedPlan');
  if (approval?.recorded === 'others') return line(changed, ui`${hash}`, 'warning', 'runPlan');
  if (approval?.recorded === 'these') return line(ui`Approval no longer counts`, ui`${hash}`, 'warning', 'runPlan');
  return line(ui`Not approved on this machine`, ui`${hash}`, 'warning', 'runPlan');
}

export function lockLine({ mission, sha256 }: PlanStatusFacts): PlanStatusLine {
  if (mission === null)
    return { text: ui`Not locked`, detail: ui`no mission ran it`, severity: 'information', does: null };
  const other = changedFrom(sha256, mission);
  const detail = ui`${missionWord(mission)}, ${mission.done} of ${mission.tasks.length} done`;
  if (mission.ending === null) {
    const text = other ? ui`Locked with other bytes` : ui`Locked by its mission`;
    return {
      text,
      detail,
      severity: other ? 'warning' : 'information',
      does: other ? 'compareWithLockedPlan' : 'showMissionControl',
    };
  }
  const text = other ? ui`${sentence(changedSinceMission)}` : ui`As its mission ran it`;
  return { text, detail, severity: 'information', does: other ? 'compareWithLockedPlan' : 'showMissionControl' };
}

/** Returns whether the mission locked other bytes than the file has; false: unknown. */
export function changedFrom(sha256: string | null, mission: MissionView | null): boolean {
  return sha256 !== null && mission !== null && mission.plan_sha256 !== sha256;
}

export interface OutlineEntry {
  readonly kind: 'plan' | 'milestone' | 'task';
  readonly name: UiText;
  readonly detail: UiText;
  readonly whole: Place;
  readonly at: Place;
  readonly inside: readonly OutlineEntry[];
}

/** A task is beside its milestone, because VS Code wants a child to lie inside its parent. */
export function planOutline({ plan, whole, tasks, milestones }: PlanPlaces, planId: string): OutlineEntry | null {
  if (whole === null || (tasks.length === 0 && milestones.length === 0)) return null;
  const inside = [
    ...tasks.map(taskEntry),
    ...milestones
      .filter(({ id, title }) => id !== '' || title !== '')
      .map((milestone): OutlineEntry => {
        const { length } = tasks.filter((task) => task.milestone === milestone.id);
        const name = milestone.id === '' ? milestone.title : milestone.id;
        return {
          ...milestone,
          kind: 'milestone',
          name: ui`${limited(name, 80)}`,
          detail: ui`${limited(milestone.title, 120)}${milestone.title === '' ? '' : ', '}${length} task${length === 1 ? '' : 's'}`,
          inside: [],
        };
      }),
  ].sort((left, right) => left.whole.offset - right.whole.offset);
  const detail = ui`${tasks.length} task${tasks.length === 1 ? '' : 's'}`;
  const name = ui`${planId === '' ? 'Plan' : limited(planId, 80)}`;
  return { kind: 'plan', name, detail, whole, at: plan ?? { offset: whole.offset, length: 0 }, inside };
}

function taskEntry({ task_id, description, worker, depends_on, at, whole }: TaskPlace): OutlineEntry {
  const waits = depends_on.length === 0 ? '' : `after ${depends_on.join(', ')}`;
  const line = [worker, waits, description].filter((one) => one !== '').join(' · ');
  return {
    kind: 'task',
    name: ui`${task_id === '' ? 'Task' : limited(task_id, 80)}`,
    detail: ui`${limited(line, 160)}`,
    whole,
    at,
    inside: [],
  };
}
