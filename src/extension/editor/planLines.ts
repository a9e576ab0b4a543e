import type { MissionView, TaskView } from '../../contracts/page/missionView';
import type { PlanPlaces } from '../../adapters/documents/planPlaces';
import { attemptsWords, missionWord, shownCode, taskWord, wordsOfCode } from '../../base/text/words';
import { limited } from '../../base/text/oneLine';
import { ui, type UiText } from '../../base/text/marked/ui';

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

export function sentence(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
