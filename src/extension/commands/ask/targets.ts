import type { BlockView } from '../../../contracts/page/blockView';
import type { LiveWorkerView } from '../../../contracts/page/liveView';
import type { MissionView, TaskView } from '../../../contracts/page/missionView';
import type { Mission } from '../../../core/model/state';
import { choiceName } from '../../../contracts/page/panelMessages';
import { limited, quotedName } from '../../../base/text/oneLine';
import { startsHeld } from '../../../adapters/user/machineHold';
import { heldCommand } from '../../../engine/mission/missedStop';
import type { Composition } from '../../compose';
import {
  missionName,
  missionsOf,
  type MissionHere,
  type MissionFolder,
  type MissionFolders,
  type Answer,
} from '../../folder/missionFolders';
import { ui, type UiText } from '../../../base/text/marked/ui';
import { blockWord, missionWord, taskWord } from '../../../base/text/words';
import type { ByName } from '../../../contracts/vocabulary/commands';
import { commands } from '../../registry/registry';
import { typeNamed, isOpen, takesNamed } from '../../views/missionFacts';
import type { Log } from '../../window/log';
import { pick, type PickItem, askText, inform, alarm } from '../../window/ui';
import { commands as vscodeCommands } from 'vscode';

export interface Target {
  readonly folder: MissionFolder;
  readonly mission: MissionHere;
  /** The task that the command was called on; null: on none. */
  readonly taskId: string | null;
  readonly question: Pick<Question, 'title' | 'none'>;
}

/** The argument that our own notifications and menus pass to a command; other arguments are ignored. */
export interface TargetArgument {
  /** URI of the mission's workspace folder, because a copied folder has the same mission once more. */
  readonly folder: string;
  readonly missionId: string;
  readonly taskId?: string;
  /** The answer, by its id, or the way out of a block, by its label, that a list offers first; the person still picks it. */
  readonly choice?: string;
}

interface Question {
  readonly title: string;
  readonly none: string;
  readonly fits: (mission: MissionView) => boolean;
  /** Missions that do not take the command, but whose refusal helps the person. */
  readonly refuses?: (mission: MissionView) => boolean;
}

/** `none`: what is said when no mission takes it. Says before a person types anything that every start is held. */
export async function chooseFor(
  composition: Pick<Composition, 'folders' | 'log' | 'selection'>,
  argument: unknown,
  name: keyof ByName<object>,
  none: string,
  refuses: (mission: MissionView) => boolean = () => false,
): Promise<Target | undefined> {
  const { title } = commands[name];
  const fits = (mission: MissionView): boolean => takesNamed(name, mission);
  const target = await chooseMission(composition, { title, none, fits, refuses }, argument);
  if (!target || !isOpen(target.mission) || target.mission.runs_on !== undefined) return target;
  const held = await heldCommand(typeNamed(name), { startsHeld });
  if (!held) return target;
  void showRefusal(title, held);
  return undefined;
}

/** The mission that is named, the one on the page, the only one that fits, or the one picked; says if none fits. */
export async function chooseMission(
  { folders, log, selection }: Pick<Composition, 'folders' | 'log' | 'selection'>,
  question: Question,
  argument?: unknown,
): Promise<Target | undefined> {
  const all = await targetsOf(folders);
  const { taskId = null, ...called } = targetArgumentOf(argument);
  if (called.missionId !== undefined) {
    const named = all.filter(({ mission }) => isNamed(mission, called));
    // Stops here, because a command that was called on a mission never turns to another one.
    if (named.length === 0) refuse(log, ui`${question.title}: the mission is no longer in this window.`, see);
    const one = await oneOf(named, question.title);
    if (!one || taskId === null || one.mission.tasks.some(({ task_id }) => task_id === taskId))
      return one && { ...one, taskId, question };
    const { plan_id } = one.mission;
    refuse(
      log,
      ui`${question.title}: mission ${plan_id} has no task ${quotedName(limited(taskId, 60).toString())}.`,
      see,
    );
    return undefined;
  }
  const taking = all.filter(({ mission }) => question.fits(mission));
  // If no mission accepts the command, send it anyway: the refusal explains why.
  const fitting = taking.length > 0 ? taking : all.filter(({ mission }) => question.refuses?.(mission) === true);
  if (fitting.length === 0) void inform(ui`${question.none}`);
  const inSight = selection.mission;
  const one =
    fitting.find(({ mission }) => inSight !== null && isNamed(mission, inSight)) ??
    (await oneOf(fitting, question.title));
  return one && { ...one, taskId: null, question };
}

/** Its mission in the form of the journal; a message says where it is gone. */
export function journalOf({ folder, mission: { mission_id, plan_id } }: Target): Mission | undefined {
  const found = folder.read.missions.find(({ mission }) => mission.mission_id === mission_id)?.mission;
  if (!found) void inform(ui`Mission ${plan_id} is gone.`);
  return found;
}

export function namesMission({ all }: MissionFolders, argument: unknown): boolean {
  const called = targetArgumentOf(argument);
  return all.some((folder) => missionsOf(folder, all).some((mission) => isNamed(mission, called)));
}

/** Shows `none` if there is no such block. */
export function chooseBlock(target: Target, blocks: readonly BlockView[]): Promise<BlockView | undefined> {
  return chooseOf(target, blocks, (block) => ({ description: blockWord(block) ?? '', detail: block.reason }));
}

/** Puts the choice that a button of the page names at the head of its list. */
export function namedFirst<T>(all: readonly T[], argument: unknown, name: (one: T) => string): readonly T[] {
  const { choice } = targetArgumentOf(argument);
  const isNamed = (one: T): boolean => choiceName(name(one)) === choice;
  return [...all.filter(isNamed), ...all.filter((one) => !isNamed(one))];
}

export function blockPrompt({ task_id, reason }: BlockView, details: readonly string[] = []): UiText {
  return ui.join([ui`${task_id}: ${reason}`, ...details], ' · ');
}

/** Always asks, because it shows what would be skipped. Shows `none` where there is no such task. */
export function chooseTask(target: Target, tasks: readonly TaskView[]): Promise<TaskView | undefined> {
  return chooseOf(target, tasks, (task) => ({ description: taskWord(task), detail: task.description }), true);
}

/** The only one under way, or the one picked. Shows `none` where none is. */
export function chooseLane<T extends Pick<LiveWorkerView, 'task_id' | 'worker' | 'stage' | 'stopping'>>(
  target: Target,
  lanes: readonly T[],
): Promise<T | undefined> {
  return chooseOf(target, lanes, ({ worker, stopping, stage }) => ({
    description: `${worker}, ${stopping ? 'stopping' : stage}`,
  }));
}

/** The one of the task that the command was called on, the only one, or the one picked. */
async function chooseOf<T extends { readonly task_id: string }>(
  target: Target,
  all: readonly T[],
  words: (one: T) => Pick<PickItem, 'description' | 'detail'>,
  alwaysAsks = false,
): Promise<T | undefined> {
  const { taskId, mission, question } = target;
  const { title, none } = question;
  if (taskId !== null) {
    const found = all.find(({ task_id }) => task_id === taskId);
    const task = mission.tasks.find(({ task_id }) => task_id === taskId);
    const now = task ? taskWord(task) : 'not there';
    const refused = ui`Task ${taskId} of mission ${mission.plan_id} does not take this now: it is ${now}. Nothing was changed.`;
    if (!found) void inform(refused);
    return found;
  }
  const [first, ...others] = all;
  if (!first) void inform(ui`${none}`);
  if (!first || (others.length === 0 && !alwaysAsks)) return first;
  const items = all.map((one) => ({ label: one.task_id, ...words(one), one }));
  return (await pick(items, { title, placeHolder: 'Which task?' }))?.one;
}

export async function askReason(
  title: string,
  prompt: UiText,
  of: { readonly mission: Pick<MissionHere, 'plan_id' | 'workspace'> } | null,
): Promise<string | undefined> {
  const where = of === null ? 'in the evidence' : ui`in the evidence of mission ${missionName(of.mission)}`;
  const reason = await askText({
    title,
    prompt: ui`${prompt} The reason stands ${where}.`,
    placeHolder: 'Why?',
    refuses: (text) => (text.trim() === '' ? ui`A decision needs a reason.` : null),
  });
  return reason?.trim();
}

const see = ui`Nothing was changed; open Mission Control to see what is there.`;

/** Says that a command's target is gone, because a notification may be old or a caller may pass anything. */
function refuse(log: Log, what: UiText, next: UiText): void {
  log.warn(ui`Refused: ${what}`);
  void inform(ui`${what} ${next}`);
}

type Found = Omit<Target, 'taskId' | 'question'>;

async function targetsOf({ all }: MissionFolders): Promise<readonly Found[]> {
  await Promise.all(all.filter((folder) => folder.view === null).map((folder) => folder.refresh()));
  return all.flatMap((folder) => missionsOf(folder, all).map((mission) => ({ folder, mission })));
}

function isNamed({ mission_id, folder }: MissionHere, called: Partial<TargetArgument>): boolean {
  return mission_id === called.missionId && (called.folder === undefined || called.folder === folder);
}

async function oneOf(targets: readonly Found[], title: string): Promise<Found | undefined> {
  const [first, ...others] = targets;
  if (!first || others.length === 0) return first;
  const items = targets.map((target) => {
    const { mission } = target;
    const word = missionWord(mission);
    const description = mission.workspace === null ? word : `${word} · ${mission.workspace}`;
    return { label: mission.plan_id, description, detail: mission.headline, target };
  });
  return (await pick(items, { title, placeHolder: 'Which mission?', matchOnDescription: true }))?.target;
}

/** The argument may be anything, and a folder in it is only compared with open ones. */
export function targetArgumentOf(argument: unknown): Partial<TargetArgument> {
  const { folder, missionId, taskId, choice } = (argument ?? {}) as Partial<Record<keyof TargetArgument, unknown>>;
  return {
    ...(typeof folder === 'string' && { folder }),
    ...(typeof missionId === 'string' && { missionId }),
    ...(typeof taskId === 'string' && { taskId }),
    ...(typeof choice === 'string' && { choice }),
  };
}

/** Shows why it was refused. What holds every start is lifted by a button, because its line is one of a terminal. */
export async function showRefusal(title: string, refusal: Omit<Answer, 'accepted'>): Promise<void> {
  const text = refusalText(title, refusal);
  const { id, title: allow } = commands.allowStarts;
  if (refusal.code !== 'STARTS_HELD') await alarm(text);
  else if ((await alarm(text, allow)) === allow) await vscodeCommands.executeCommand(id);
}

export function refusalText(title: string, { code, reason, next }: Omit<Answer, 'accepted'>): UiText {
  const steps = next.length === 0 ? '' : ui` Next: ${ui.join(next, ' · ')}`;
  return ui`${title} was refused (${code}). ${reason}${steps}`;
}
