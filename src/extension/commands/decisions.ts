import type { MissionCommand } from '../../contracts/missionCommand';
import { showDecided } from './answers';
import type { Composition } from '../compose';
import { missionName } from '../folder/missionsHere';
import { commands } from '../registry/registry';
import { blocksFor, isOpen, takes, underWay, type UnderWay } from '../views/missionFacts';
import { askReason, blockPrompt, chooseBlock, chooseLane, chooseMission, chooseTask, type Target } from './targets';
import { openDependants } from '../../base/dependants';
import { quotedName } from '../../base/text/oneLine';
import { ui } from '../../base/text/ui';
import { pickMany } from '../window/pick';
import { ask, confirm, inform } from '../window/ui';

// Commands for a person's decisions; each is journalled with who and why.

export async function pause(composition: Composition, argument?: unknown): Promise<void> {
  const title = commands.pause.title;
  const target = await chooseMission(
    composition,
    { title, none: 'No mission is open.', fits: takes('PauseMission'), refuses: isOpen },
    argument,
  );
  if (!target) return;
  const { lanes, plan_id } = target.mission;
  const when =
    lanes.length > 1
      ? ` after its ${lanes.length} lanes have finished`
      : lanes.length === 1
        ? ' after the current attempt'
        : ': nothing of it runs, and nothing starts until you resume it';
  const reason = await askReason(title, ui`Mission ${plan_id} pauses${when}.`, target);
  await decide(composition, title, target, { type: 'PauseMission' }, reason);
}

export async function resume(composition: Composition, argument?: unknown): Promise<void> {
  const title = commands.resume.title;
  const target = await chooseMission(
    composition,
    {
      title,
      none: 'No mission waits to be resumed.',
      fits: takes('ResumeMission'),
      refuses: (mission) => isOpen(mission) && mission.status !== 'running',
    },
    argument,
  );
  if (!target) return;
  const reason = await askReason(title, ui`Mission ${target.mission.plan_id} goes on.`, target);
  await decide(composition, title, target, { type: 'ResumeMission' }, reason);
}

export async function stopWorker(composition: Composition, argument?: unknown): Promise<void> {
  const title = commands.stopWorker.title;
  const question = { title, none: 'No worker is running.' };
  const target = await chooseMission(composition, { ...question, fits: takes('StopTask') }, argument);
  const live = target && (await chooseLane(target, underWay(target.mission), question));
  if (!live) return;
  if (live.isSession) return stopSession(composition, target, live);
  const stop = 'Stop Worker';
  const others = target.mission.lanes.length > 1 ? ' The other lanes finish.' : '';
  const detail = ui`${live.worker} is stopped with its whole process tree. The task blocks, the mission pauses, and nothing is dispatched until you act.${others} What the worker has written stays.`;
  const whether = ui`Stop the worker of task ${live.task_id} of mission ${missionName(target.mission)}?`;
  if ((await ask(whether, detail, stop)) !== stop) return;
  const reason = await askReason(title, ui`The worker of ${live.task_id} is stopped.`, target);
  await decide(composition, title, target, { type: 'StopTask', task_id: live.task_id }, reason);
}

/** Stops the orchestrator's session about a blocked task, because no lane runs it. */
async function stopSession(composition: Composition, target: Target, { task_id, worker }: UnderWay): Promise<void> {
  const title = commands.stopWorker.title;
  const stop = 'Stop Orchestrator';
  const detail = ui`${worker} is stopped with its whole process tree. What it has asked for does not count, and you decide about task ${task_id} alone.`;
  const question = ui`Stop the orchestrator of task ${task_id} of mission ${missionName(target.mission)}?`;
  if ((await ask(question, detail, stop)) !== stop) return;
  const reason = await askReason(title, ui`The orchestrator of ${task_id} is stopped.`, target);
  await decide(composition, title, target, { type: 'StopTask', task_id }, reason);
}

export async function retryTask(composition: Composition, argument?: unknown): Promise<void> {
  await decideBlock(composition, commands.retryTask.title, argument, 'RetryTask', 'gets another attempt');
}

export async function rerunValidation(composition: Composition, argument?: unknown): Promise<void> {
  const what = 'is judged once more: what it left is observed and verified, its worker is not launched';
  await decideBlock(composition, commands.rerunValidation.title, argument, 'RerunValidation', what);
}

/** Lets a person tick each change by name; none is preselected. */
export async function acceptChange(composition: Composition, argument?: unknown): Promise<void> {
  const question = { title: commands.acceptChange.title, none: 'No change waits to be accepted.' };
  const { title } = question;
  const target = await chooseMission(composition, { ...question, fits: takes('AcceptChanges') }, argument);
  const block = target && (await chooseBlock(target, blocksFor('AcceptChanges', target.mission), question));
  if (!block) return;
  const items = block.acceptable.map(({ name, why }) => ({ label: name, detail: `It ${why}.` }));
  const placeHolder = 'Which changes may stay as they are?';
  const chosen = await pickMany(items, { title, placeHolder, prompt: blockPrompt(block) });
  if (!chosen) return;
  const names = chosen.map(({ label }) => label);
  if (names.length === 0)
    return void inform(ui`No change was ticked, so nothing was accepted. Tick each change that may stay.`);
  const reason = await askReason(
    title,
    ui`Accepted for task ${block.task_id}: ${ui.join(names.map(quotedName), ', ')}.`,
    target,
  );
  await decide(composition, title, target, { type: 'AcceptChanges', task_id: block.task_id, names }, reason);
}

/** Skips a task with all its dependants; shows them to the person first. */
export async function skipTask(composition: Composition, argument?: unknown): Promise<void> {
  const title = commands.skipTask.title;
  const question = { title, none: 'No task waits to be started or decided about.' };
  const target = await chooseMission(composition, { ...question, fits: takes('SkipTask') }, argument);
  if (!target) return;
  const { tasks, offers } = target.mission;
  const skippable = tasks.filter(({ task_id }) => offers.SkipTask.includes(task_id));
  const task = await chooseTask(target, skippable, question);
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
  const reason = await askReason(title, ui`Task ${task_id} is skipped.`, target);
  await decide(composition, title, target, { type: 'SkipTask', task_id, dependants }, reason);
}

export async function cancelMission(composition: Composition, argument?: unknown): Promise<void> {
  const title = commands.cancelMission.title;
  const target = await chooseMission(
    composition,
    { title, none: 'No mission is open.', fits: takes('CancelMission'), refuses: isOpen },
    argument,
  );
  if (!target) return;
  const open = target.mission.tasks.filter(({ status }) => status !== 'done' && status !== 'canceled').length;
  const detail = ui`Workers are stopped, ${open === 1 ? 'one open task is' : `${open} open tasks are`} canceled, the evidence is written, and the mission ends as FAILED. This cannot be undone.`;
  if (!(await confirm(ui`Cancel mission ${missionName(target.mission)}?`, detail, 'Cancel Mission', 'Keep Running')))
    return;
  const reason = await askReason(title, ui`Mission ${target.mission.plan_id} is canceled.`, target);
  await decide(composition, title, target, { type: 'CancelMission' }, reason);
}

export async function acknowledge(composition: Composition, argument?: unknown): Promise<void> {
  const title = commands.acknowledge.title;
  const target = await chooseMission(
    composition,
    { title, none: 'There is nothing to acknowledge.', fits: takes('Acknowledge') },
    argument,
  );
  if (!target) return;
  const reason = await askReason(title, ui`You have seen: ${target.mission.headline}`, target);
  await decide(composition, title, target, { type: 'Acknowledge' }, reason);
}

/** `what` completes the sentence "Task T1 ...". */
async function decideBlock(
  composition: Composition,
  title: string,
  argument: unknown,
  type: 'RetryTask' | 'RerunValidation',
  what: string,
): Promise<void> {
  const none = type === 'RetryTask' ? 'No task is blocked.' : 'No blocked task left what can be judged once more.';
  const target = await chooseMission(composition, { title, none, fits: takes(type) }, argument);
  if (!target) return;
  const block = await chooseBlock(target, blocksFor(type, target.mission), { title, none });
  if (!block) return;
  const reason = await askReason(title, ui`Task ${block.task_id} ${what}.`, target);
  await decide(composition, title, target, { type, task_id: block.task_id }, reason);
}

export async function decide(
  { folders, person }: Composition,
  title: string,
  { folder, mission: { mission_id: missionId } }: Target,
  command: MissionCommand,
  reason: string | undefined,
): Promise<void> {
  if (reason === undefined) return;
  const actor = await person.identify();
  if (!actor) return;
  const answer = await folder.command(actor, missionId, command, reason);
  await showDecided(title, answer, command, { folders, folder, missionId });
}
