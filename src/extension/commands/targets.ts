import type { BlockView, LiveWorkerView, MissionView, TaskView } from '../../contracts/missionView';
import type { MissionFolder, MissionFolders } from '../folder/types';
import { ui, type UiText } from '../../base/text/ui';
import { missionWord, taskWord } from '../../base/text/words';
import { askText, inform, pick } from '../window/ui';

/** The mission of a command, with its folder. */
export interface Target {
  readonly folder: MissionFolder;
  readonly mission: MissionView;
}

/** The argument that our own notifications pass to a command; other arguments are ignored. */
export interface TargetArgument {
  readonly missionId: string;
}

interface Question {
  readonly title: string;
  /** What is told when no mission fits. */
  readonly none: string;
  readonly fits: (mission: MissionView) => boolean;
  /** Missions that do not take the command, and whose refusal helps. */
  readonly refuses?: (mission: MissionView) => boolean;
}

/** The mission that is named, the only one that fits, or the one picked. Shows a message when none fits. */
export async function chooseMission(
  folders: MissionFolders,
  question: Question,
  argument?: unknown,
): Promise<Target | undefined> {
  const all = await targetsOf(folders);
  const named = all.find(({ mission }) => mission.mission_id === missionIdOf(argument));
  if (named) return named;
  const taking = all.filter(({ mission }) => question.fits(mission));
  // Where none takes the command, the owner of one that is asked all the same says why.
  const fitting = taking.length > 0 ? taking : all.filter(({ mission }) => question.refuses?.(mission) === true);
  const [first] = fitting;
  if (!first) {
    void inform(ui`${question.none}`);
    return undefined;
  }
  if (fitting.length === 1) return first;
  const items = fitting.map((target) => ({
    label: target.mission.plan_id,
    description: missionWord(target.mission),
    detail: target.mission.headline,
    target,
  }));
  return (await pick(items, { title: question.title, placeHolder: 'Which mission?' }))?.target;
}

/** Shows `none` where there is no such block. */
export async function chooseBlock(
  blocks: readonly BlockView[],
  { title, none }: Pick<Question, 'title' | 'none'>,
): Promise<BlockView | undefined> {
  const [first, ...others] = blocks;
  if (!first) void inform(ui`${none}`);
  if (!first || others.length === 0) return first;
  const items = blocks.map((block) => ({
    label: block.task_id,
    description: block.stopped === true ? 'stopped' : (block.code ?? ''),
    detail: block.reason,
    block,
  }));
  return (await pick(items, { title, placeHolder: 'Which task?' }))?.block;
}

/** Always asks, because it shows what would be skipped. */
export async function chooseTask(tasks: readonly TaskView[], title: string): Promise<TaskView | undefined> {
  const items = tasks.map((task) => ({
    label: task.task_id,
    description: taskWord(task),
    detail: task.description,
    task,
  }));
  return (await pick(items, { title, placeHolder: 'Which task?' }))?.task;
}

/** The only lane under way, or the one picked. */
export async function chooseLane(lanes: readonly LiveWorkerView[], title: string): Promise<LiveWorkerView | undefined> {
  const [first, ...others] = lanes;
  if (!first || others.length === 0) return first;
  const items = lanes.map((lane) => ({
    label: lane.task_id,
    description: `${lane.worker}, ${lane.stopping ? 'stopping' : lane.stage}`,
    lane,
  }));
  return (await pick(items, { title, placeHolder: 'Which task?' }))?.lane;
}

/** Asks for a decision's reason, which the evidence shows. */
export async function askReason(title: string, prompt: UiText): Promise<string | undefined> {
  const reason = await askText({
    title,
    prompt: ui`${prompt} The reason stands in the evidence.`,
    placeHolder: 'Why?',
    refuses: (text) => (text.trim() === '' ? ui`A decision needs a reason.` : null),
  });
  return reason?.trim();
}

async function targetsOf(folders: MissionFolders): Promise<readonly Target[]> {
  await Promise.all(folders.all.filter((folder) => folder.view === null).map((folder) => folder.refresh()));
  return folders.all.flatMap((folder) => (folder.view?.missions ?? []).map((mission) => ({ folder, mission })));
}

function missionIdOf(argument: unknown): string | undefined {
  const missionId = (argument as Partial<TargetArgument> | null | undefined)?.missionId;
  return typeof missionId === 'string' ? missionId : undefined;
}
