import type { MissionCommand } from '../../../contracts/commands/missionCommand';
import type { Composition } from '../../compose';
import {
  missionName,
  untilView,
  type Answer,
  type MissionFolder,
  type MissionFolders,
} from '../../folder/missionFolders';
import {
  blocksFor,
  isOpen,
  takesNamed,
  underWay,
  type UnderWay,
  commandStage,
  type CommandStage,
} from '../../views/missionFacts';
import {
  askReason,
  blockPrompt,
  chooseBlock,
  chooseLane,
  chooseTask,
  chooseFor,
  type Target,
  type TargetArgument,
  showRefusal,
} from './targets';
import { openDependants } from '../../../base/dependants';
import { quotedName } from '../../../base/text/oneLine';
import { ui, type UiText } from '../../../base/text/marked/ui';
import { pickMany, ask, confirm, inform, busy } from '../../window/ui';
import { commands as vscodeCommands } from 'vscode';
import type { MissionView } from '../../../contracts/page/missionView';
import { missionWord } from '../../../base/text/words';
import { commands } from '../../registry/registry';

// Commands for a person's decisions; each is journalled with who and why.

export async function pause(composition: Composition, argument?: unknown): Promise<void> {
  const target = await chooseFor(composition, argument, 'pause', 'No mission is open.', isOpen);
  if (!target) return;
  const { lanes, plan_id } = target.mission;
  const when =
    lanes.length > 1
      ? ` after its ${lanes.length} lanes have finished`
      : lanes.length === 1
        ? ' after the current attempt'
        : ': nothing of it runs, and nothing starts until you resume it';
  await decide(composition, target, { type: 'PauseMission' }, ui`Mission ${plan_id} pauses${when}.`);
}

export async function resume(composition: Composition, argument?: unknown): Promise<void> {
  const target = await chooseFor(
    composition,
    argument,
    'resume',
    'No mission waits to be resumed.',
    (mission) => isOpen(mission) && mission.status !== 'running',
  );
  if (!target) return;
  await decide(composition, target, { type: 'ResumeMission' }, ui`Mission ${target.mission.plan_id} goes on.`);
}

export async function stopWorker(composition: Composition, argument?: unknown): Promise<void> {
  const target = await chooseFor(composition, argument, 'stopWorker', 'No worker is running.');
  const live = target && (await chooseLane(target, underWay(target.mission)));
  if (!live) return;
  if (live.isSession) return stopSession(composition, target, live);
  const stop = 'Stop Worker';
  const others = target.mission.lanes.length > 1 ? ' The other lanes finish.' : '';
  const detail = ui`${live.worker} is stopped with its whole process tree. The task blocks, the mission pauses, and nothing is dispatched until you act.${others} What the worker has written stays.`;
  const whether = ui`Stop the worker of task ${live.task_id} of mission ${missionName(target.mission)}?`;
  if ((await ask(whether, detail, stop)) !== stop) return;
  await decide(
    composition,
    target,
    { type: 'StopTask', task_id: live.task_id },
    ui`The worker of ${live.task_id} is stopped.`,
  );
}

async function stopSession(composition: Composition, target: Target, { task_id, worker }: UnderWay): Promise<void> {
  const stop = 'Stop Orchestrator';
  const detail = ui`${worker} is stopped with its whole process tree. What it has asked for does not count, and you decide about task ${task_id} alone.`;
  const question = ui`Stop the orchestrator of task ${task_id} of mission ${missionName(target.mission)}?`;
  if ((await ask(question, detail, stop)) !== stop) return;
  await decide(composition, target, { type: 'StopTask', task_id }, ui`The orchestrator of ${task_id} is stopped.`);
}

export async function retryTask(composition: Composition, argument?: unknown): Promise<void> {
  const target = await chooseFor(composition, argument, 'retryTask', 'No task is blocked.');
  await decideBlock(composition, target, 'RetryTask', 'gets another attempt');
}

export async function rerunValidation(composition: Composition, argument?: unknown): Promise<void> {
  const none = 'No blocked task left what can be judged once more.';
  const target = await chooseFor(composition, argument, 'rerunValidation', none);
  const what = 'is judged once more: what it left is observed and verified, its worker is not launched';
  await decideBlock(composition, target, 'RerunValidation', what);
}

/** Lets a person tick each change by name; none is preselected. */
export async function acceptChange(composition: Composition, argument?: unknown): Promise<void> {
  const target = await chooseFor(composition, argument, 'acceptChange', 'No change waits to be accepted.');
  const block = target && (await chooseBlock(target, blocksFor('acceptChange', target.mission)));
  if (!block) return;
  const items = block.acceptable.map(({ name, why }) => ({ label: name, detail: `It ${why}.` }));
  const placeHolder = 'Which changes may stay as they are?';
  const chosen = await pickMany(items, { title: target.question.title, placeHolder, prompt: blockPrompt(block) });
  if (!chosen) return;
  const names = chosen.map(({ label }) => label);
  if (names.length === 0)
    return void inform(ui`No change was ticked, so nothing was accepted. Tick each change that may stay.`);
  await decide(
    composition,
    target,
    { type: 'AcceptChanges', task_id: block.task_id, names },
    ui`Accepted for task ${block.task_id}: ${ui.join(names.map(quotedName), ', ')}.`,
  );
}

/** Skips a task with all its dependants; shows them to the person first. */
export async function skipTask(composition: Composition, argument?: unknown): Promise<void> {
  const target = await chooseFor(composition, argument, 'skipTask', 'No task waits to be started or decided about.');
  if (!target) return;
  const { tasks } = target.mission;
  const skippable = tasks.filter(({ task_id }) => takesNamed('skipTask', target.mission, task_id));
  const task = await chooseTask(target, skippable);
  if (!task) return;
  const { task_id } = task;
  const dependants = openDependants(tasks, task_id);
  const also =
    dependants.length === 0
      ? ui`No open task depends on it.`
      : ui`Skipped with it, because they depend on it: ${ui.join(dependants.map(quotedName), ', ')}.`;
  const detail = ui`${also} None of it is run again; its evidence says SKIPPED. The mission completes without it, and its success criteria are for a person to judge. This cannot be undone.`;
  const skip = dependants.length === 0 ? 'Skip Task' : 'Skip Tasks';
  if (!(await confirm(ui`Skip task ${task_id} of mission ${missionName(target.mission)}?`, detail, skip, 'Keep')))
    return;
  await decide(composition, target, { type: 'SkipTask', task_id, dependants }, ui`Task ${task_id} is skipped.`);
}

export async function cancelMission(composition: Composition, argument?: unknown): Promise<void> {
  const target = await chooseFor(composition, argument, 'cancelMission', 'No mission is open.', isOpen);
  if (!target) return;
  const open = target.mission.tasks.filter(({ status }) => status !== 'done' && status !== 'canceled').length;
  const detail = ui`Workers are stopped, ${open === 1 ? 'one open task is' : `${open} open tasks are`} canceled, the evidence is written, and the mission ends as FAILED. This cannot be undone.`;
  if (!(await confirm(ui`Cancel mission ${missionName(target.mission)}?`, detail, 'Cancel Mission', 'Keep Running')))
    return;
  await decide(composition, target, { type: 'CancelMission' }, ui`Mission ${target.mission.plan_id} is canceled.`);
}

export async function acknowledge(composition: Composition, argument?: unknown): Promise<void> {
  const target = await chooseFor(composition, argument, 'acknowledge', 'There is nothing to acknowledge.');
  if (!target) return;
  await decide(composition, target, { type: 'Acknowledge' }, ui`You have seen: ${target.mission.headline}`);
}

/** `prompt` introduces the reason. */
export async function decide(
  { folders, person }: Composition,
  { folder, question: { title }, ...target }: Target,
  command: MissionCommand,
  prompt: UiText,
): Promise<void> {
  const { mission_id: missionId } = target.mission;
  const reason = await askReason(title, prompt, target);
  const actor = reason === undefined ? undefined : await person.identify();
  if (reason === undefined || !actor) return;
  const answer = await folder.command(actor, missionId, command, reason);
  await showDecided(title, answer, command, { folders, folder, missionId });
}

/** `what` completes the sentence "Task T1 ...". */
async function decideBlock(
  composition: Composition,
  target: Target | undefined,
  type: 'RetryTask' | 'RerunValidation',
  what: string,
): Promise<void> {
  const blocks = target?.mission.blocks.filter(({ task_id }) => target.mission.offers[type].includes(task_id));
  const block = target && (await chooseBlock(target, blocks ?? []));
  if (block) await decide(composition, target, { type, task_id: block.task_id }, ui`Task ${block.task_id} ${what}.`);
}

export async function showAnswer(title: string, answer: Answer): Promise<void> {
  if (answer.accepted) await inform(ui`${title}: ${answer.reason}`);
  else await showRefusal(title, answer);
}

/**
 * Shows it as `showAnswer`, except what has still to happen. It shows that as progress until it has
 * happened, because VS Code takes back no other notification. A stopped worker and a canceled
 * mission are then said by a notification of their own.
 */
async function showDecided(
  title: string,
  answer: Answer,
  command: MissionCommand,
  of: { readonly folders: MissionFolders; readonly folder: MissionFolder; readonly missionId: string },
): Promise<void> {
  if (!answer.accepted) return void showAnswer(title, answer);
  const { folders, folder, missionId } = of;
  await folder.refresh();
  const found = (): MissionView | undefined =>
    folders.all.includes(folder) ? folder.view?.missions.find((one) => one.mission_id === missionId) : undefined;
  const stage = (): CommandStage => {
    const mission = found();
    return mission ? commandStage(command, mission) : 'at_once';
  };
  const now = found();
  switch (stage()) {
    case 'coming':
      void busy(ui`${title}: ${answer.reason}`, () => untilView(folders, () => stage() !== 'coming'));
      return;
    case 'happened':
      if (now) void inform(ui`${title}: Mission ${now.plan_id} is ${missionWord(now)}.`);
      return;
    case 'shown':
      return;
    case 'at_once':
    case 'stuck': {
      const taskId = 'changes' in command ? command.task_id : null;
      if (taskId === null || !now || !takesNamed('retryTask', now, taskId)) void showAnswer(title, answer);
      else void offerRetry(ui`${title}: ${answer.reason}`, { folder: folder.folder.uri.toString(), missionId, taskId });
    }
  }
}

/** A revised task stays blocked, so its retry is one click away. */
async function offerRetry(text: UiText, argument: TargetArgument): Promise<void> {
  const { id, title } = commands.retryTask;
  if ((await inform(text, title)) === title) await vscodeCommands.executeCommand(id, argument);
}
