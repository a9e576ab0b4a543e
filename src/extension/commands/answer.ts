import { questionLimits } from '../../contracts/vocabulary/recovery';
import { ui, type UiText } from '../../base/text/marked/ui';
import { answerWords, askedSentence, recoveryWords } from '../../base/text/words';
import type { Composition } from '../compose';
import { commands, type CommandName } from '../registry/registry';
import { blocksFor, takesNamed, isBlocked } from '../views/missionFacts';
import { pick, pickMany, askText, inform, alarm } from '../window/ui';
import { decide } from './ask/decisions';
import { openRecoveryPacket, openFile } from './opening';
import {
  chooseBlock,
  namedFirst,
  chooseFor,
  chooseLane,
  type Target,
  type TargetArgument,
  blockPrompt,
  chooseMission,
} from './ask/targets';
import { Uri, commands as vscodeCommands } from 'vscode';
import { fewNamed } from '../../base/text/firstNamed';
import { savedOrNothing } from '../plans/uris';
import path from 'node:path';
import { grantedFolder, type GrantedPlace } from '../../adapters/files/grantedFolder';
import { type BlockView, standingLines } from '../../contracts/page/blockView';
import { lineText } from '../../base/text/amounts';
import { quotedName } from '../../base/text/oneLine';
import type { ProposedMemoryView } from '../../contracts/page/liveView';
import type { PlanEdit } from '../../contracts/vocabulary/steps';
import { blockChoices, commandOfStep } from '../views/blockChoices';

/** Asks the question of a blocked task: the person picks one of its choices, or answers in words. */
export async function answerQuestion(composition: Composition, argument?: unknown): Promise<void> {
  const packet = commands.openRecoveryPacket.title;
  const target = await chooseFor(composition, argument, 'answerQuestion', 'No task asks anything.');
  if (!target) return;
  const { title } = target.question;
  const block = await chooseBlock(target, blocksFor('answerQuestion', target.mission));
  if (!block?.question) return;
  const { task_id, packet_id } = block;
  const { text: asked, choices, leads_to } = block.question;
  const then = answerWords(leads_to);
  const prompt = [...(then === null ? [] : [then]), askedSentence({ task_id, question: block.question })].join(' ');
  const other = { label: 'Another answer…', detail: 'In your own words.', id: null };
  const whole = { label: packet, detail: 'Read the whole question, and what led to it.', id: null };
  const offered = namedFirst(choices, argument, ({ id }) => id);
  const items = [...offered.map(({ id, text }) => ({ label: text, id })), other, whole];
  const chosen =
    choices.length === 0 ? other : await pick(items, { title, placeHolder: 'Your answer', prompt: ui`${prompt}` });
  if (!chosen) return;
  const { folder, mission_id: missionId } = target.mission;
  if (chosen === whole) return openRecoveryPacket(composition, { folder, missionId, taskId: task_id });
  const text = chosen.id === null ? await askAnswer(title, ui`${prompt}`) : null;
  if (text === undefined) return;
  const command = { type: 'AnswerQuestion', task_id, packet_id, asked, choice: chosen.id, text } as const;
  await decide(composition, target, command, ui`${then ?? `Task ${task_id} goes on with your answer.`}`);
}

export function askAnswer(title: string, prompt: UiText, mayBeEmpty = false): Thenable<string | undefined> {
  return askText({
    title,
    prompt,
    placeHolder: 'Your answer',
    refuses(text) {
      if (text.trim() === '' && !mayBeEmpty) return ui`An answer needs words.`;
      return text.length > questionLimits.answer
        ? ui`At most ${questionLimits.answer} characters; name a file that says the rest.`
        : null;
    },
  });
}

/** Handles a result that waits for a person: opens its packet to be completed, or takes it over as complete. */
export async function completeIntervention(composition: Composition, argument?: unknown): Promise<void> {
  const target = await chooseFor(
    composition,
    argument,
    'completeIntervention',
    'No result waits for a person to complete it.',
  );
  if (!target) return;
  const { title } = target.question;
  const { mission, folder } = target;
  const waiting = mission.lanes.filter(({ task_id }) => takesNamed('completeIntervention', mission, task_id));
  const lane = await chooseLane(target, waiting);
  if (!lane?.intervention) return;
  const { path, missing } = lane.intervention;
  const { task_id } = lane;
  if (path === null)
    return void inform(ui`The result packet of task ${task_id} is being written. Run ${title} again in a moment.`);
  const steps = [
    { label: 'Open the result packet', detail: `Incomplete: ${fewNamed(missing)}`, open: true },
    {
      label: 'It is complete',
      detail: `${path} is taken over, and task ${task_id} is verified once more.`,
      open: false,
    },
  ];
  const step = await pick(steps, { title, placeHolder: `Task ${task_id} waits for a person. What next?` });
  if (!step) return;
  if (step.open) return openFile(folder, path);
  if (!(await savedOrNothing(Uri.joinPath(folder.folder.uri, path), 'taken over'))) return;
  await decide(
    composition,
    target,
    { type: 'CompleteIntervention', task_id },
    ui`The result of ${task_id} is complete.`,
  );
}

/** Grants one attempt of a blocked task what its worker was denied; the same decision continues the mission. */
export async function grantAndResume(composition: Composition, argument?: unknown): Promise<void> {
  const target = await chooseFor(composition, argument, 'grantAndResume', 'No task waits for a permission.');
  const block = target && (await chooseBlock(target, blocksFor('grantAndResume', target.mission)));
  if (!block) return;
  // Said before a person types a place and a reason.
  if (block.denied?.ungranted !== undefined) return void inform(ui`${block.denied.ungranted} Nothing was granted.`);
  const place = await askPlace(target, block);
  if (place === undefined) return;
  await decide(
    composition,
    target,
    { type: 'GrantDirectory', task_id: block.task_id, ...place },
    ui`For one attempt of task ${block.task_id}, and no later one: ${widened(block)} ${place.file ?? place.directory}.`,
  );
}

/** The first part of a sentence, up to the name of the directory. */
function widened({ denied }: BlockView): string {
  if (denied?.reads) return 'its worker may also read';
  return denied ? recoveryWords[denied.permission].granted : 'granted is';
}

async function askPlace(
  { folder, mission, question: { title } }: Target,
  { denied: withheld, task_id, reason }: BlockView,
): Promise<GrantedPlace | undefined> {
  const root = folder.folder.uri.fsPath;
  const place = withheld?.path ?? null;
  if (place === null) return { directory: root };
  const denied = path.resolve(root, place);
  const { mission_id } = mission;
  const whole = await grantedFolder({ mission_id, named: denied, denied });
  const named = await askText({
    title,
    prompt: ui`The directory or file that one attempt of task ${task_id} is granted, outside the workspace. ${reason}`,
    value: whole.ok ? (whole.value.file ?? whole.value.directory) : place,
    refuses: (text) => (path.isAbsolute(text) ? null : ui`Give the whole path of a directory or file.`),
  });
  if (named === undefined) return undefined;
  const found = await grantedFolder({ mission_id, named, denied });
  if (!found.ok) return void inform(ui`${found.refusal.reason} Nothing was granted.`);
  return found.value;
}

/** Asks what to remember of a verified task: which value of each conflict, then which of the other entries. */
export async function confirmMemory(composition: Composition, argument?: unknown): Promise<void> {
  const target = await chooseFor(composition, argument, 'confirmMemory', 'Nothing waits to be remembered.');
  if (!target) return;
  const { title } = target.question;
  const { mission } = target;
  const waiting = mission.lanes.filter(({ task_id }) => takesNamed('confirmMemory', mission, task_id));
  const lane = await chooseLane(target, waiting);
  if (!lane?.memory) return;
  const { task_id, memory } = lane;
  const long = memory.some((entry) => isLong(entry));
  // The list shows one entry at a time in full, but a person compares both values of a conflict.
  const asked = long ? `${title} (Mission Control shows the whole texts)` : title;
  if (long)
    await vscodeCommands.executeCommand(commands.showMissionControl.id, {
      folder: target.folder.folder.uri.toString(),
      missionId: mission.mission_id,
    } satisfies TargetArgument);
  const replace: string[] = [];
  for (const entry of memory.filter(({ conflict }) => conflict)) {
    const chosen = await chooseValue(entry, task_id, asked);
    if (!chosen) return;
    if (chosen.replaces) replace.push(entry.name);
  }
  const others = memory.filter(({ conflict }) => !conflict);
  const kept = others.length === 0 ? [] : await chooseKept(others, task_id, asked);
  if (!kept) return;
  const keep = kept.map(({ label }) => label);
  const discard = memory.map(({ name }) => name).filter((name) => !keep.includes(name) && !replace.includes(name));
  const saved = [...keep, ...replace];
  await decide(
    composition,
    target,
    { type: 'ConfirmMemory', task_id, keep, replace, discard },
    saved.length === 0
      ? ui`Nothing of task ${task_id} is remembered.`
      : ui`Remembered of task ${task_id}: ${ui.join(saved.map(quotedName), ', ')}.`,
  );
}

/** Characters that fit into a line of a list in VS Code's narrowest window. */
const shown = 80;

function isLong(entry: ProposedMemoryView): boolean {
  return detailOf(entry).length > shown || (entry.conflict && (entry.current?.decision.length ?? 0) > shown);
}

function detailOf({ decision, rationale }: ProposedMemoryView): string {
  return `${decision} (${rationale})`;
}

/** Asks for one of both values of a conflict; none is preselected. */
function chooseValue(
  entry: ProposedMemoryView,
  taskId: string,
  title: string,
): Promise<{ readonly replaces: boolean } | undefined> {
  const { name, current } = entry;
  const items = [
    {
      label: current ? `Keep version ${current.version}` : 'Discard it',
      detail: current?.decision ?? 'It names a version that is not there.',
      replaces: false,
    },
    { label: 'Replace it with what is proposed', detail: detailOf(entry), replaces: true },
  ];
  return pick(items, {
    title,
    placeHolder: 'Which of them counts?',
    prompt: ui`Task ${taskId}: ${name} contradicts what is remembered.`,
  });
}

function chooseKept(
  entries: readonly ProposedMemoryView[],
  taskId: string,
  title: string,
): Promise<readonly { readonly label: string }[] | undefined> {
  const items = entries.map((entry) => ({
    label: entry.name,
    ...(entry.current && { description: `replaces version ${entry.current.version}, as it says` }),
    detail: detailOf(entry),
  }));
  return pickMany(items, {
    title,
    placeHolder: 'Which of them are remembered?',
    prompt: ui`Task ${taskId} proposes these entries. The ones without a tick are discarded.`,
  });
}

export async function resolveBlocker(composition: Composition, argument?: unknown): Promise<void> {
  const { title } = commands.resolveBlocker;
  const question = { title, none: 'No task is blocked.' };
  const target = await chooseMission(composition, { ...question, fits: isBlocked }, argument);
  const block = target && (await chooseBlock(target, target.mission.blocks));
  if (!block) return;
  const placeHolder = ui`What is done about task ${block.task_id}?`;
  const standing = standingLines(block, target.mission.interrupted).map(lineText);
  const prompt = blockPrompt(block, [...standing, ...block.details]);
  const choices = namedFirst(blockChoices(block, target.mission), argument, ({ label }) => label);
  const chosen = await pick(choices, { title, placeHolder, prompt, matchOnDetail: true });
  if (!chosen) return;
  const { does } = chosen;
  if (typeof does === 'string') return call(does, target, block);
  const { step, outcome, label, refused } = does;
  if (refused)
    return void alarm(ui`${label} is not possible now. ${refused.reason} Next: ${ui.join(refused.next, ' · ')}`);
  if (outcome) {
    const asked = outcome === 'ask-user' ? await askQuestion(title, block, does.does) : {};
    if (!asked) return;
    const command = { type: 'ResolvePacket', packet_id: block.packet_id, outcome, ...asked } as const;
    return decide(composition, target, command, ui`Task ${block.task_id}: ${label}.`);
  }
  // The value stands in the step, so nothing but the reason is asked.
  if (step.command === 'packet revise' && step.args.value !== null) {
    const changes = { [step.args.field]: step.args.value };
    const command = { type: 'ReviseMetadata', task_id: block.task_id, packet_id: null, changes } as const;
    return decide(composition, target, command, ui`Task ${block.task_id}: ${label}.`);
  }
  const command = commandOfStep(step.command);
  if (command) await call(command, target, block, step.command === 'plan revise' ? step.args.edit : undefined);
}

async function call(command: CommandName, target: Target, block: BlockView, edit?: PlanEdit): Promise<void> {
  await vscodeCommands.executeCommand(commands[command].id, {
    folder: target.mission.folder,
    missionId: target.mission.mission_id,
    taskId: block.task_id,
    ...(edit && { edit }),
  } satisfies TargetArgument & { readonly edit?: PlanEdit });
}

async function askQuestion(
  title: string,
  { task_id }: BlockView,
  description: string,
): Promise<{ readonly question: string } | undefined> {
  const question = await askText({
    title,
    prompt: ui`What is asked about task ${task_id}? ${description}`,
    refuses(text) {
      if (text.trim() === '') return ui`A question needs words.`;
      return text.length > questionLimits.text ? ui`At most ${questionLimits.text} characters.` : null;
    },
  });
  return question === undefined ? undefined : { question };
}
