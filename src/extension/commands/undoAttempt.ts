import { limited, quotedName } from '../../base/text/oneLine';
import { ui, type UiText } from '../../base/text/marked/ui';
import type { Outcome } from '../../base/outcome';
import type { Progress } from '../../core/model/state';
import { readUndo, type UndoPreview } from '../../engine/views/readUndo';
import type { Composition } from '../compose';
import { missionName } from '../folder/missionsHere';
import { pick } from '../window/pick';
import { confirm, inform, warn } from '../window/ui';
import { decide } from './ask/decisions';
import { chooseBlock, chooseFor, journalOf, type Target } from './ask/targets';

/** Puts the files of an attempt back, or takes such an undo back; shows each file to the person first. */
export async function undoAttempt(composition: Composition, argument?: unknown): Promise<void> {
  const none = 'No blocked task has an attempt that can be undone.';
  const target = await chooseFor(composition, argument, 'undoAttempt', none);
  const offered = target?.mission.blocks.filter(({ task_id }) => target.mission.offers.UndoAttempt.includes(task_id));
  const block = target && (await chooseBlock(target, offered ?? []));
  if (!block) return;
  const { task_id } = block;
  const mission = journalOf(target);
  if (!mission) return;
  const read = await choosePreview(composition, target, mission, task_id);
  if (!read) return;
  if (!read.ok) return void warn(ui`${target.question.title}: ${read.refusal.reason}`);
  const { attempt, redo, files, leaves } = read.value;
  const words = ui`${ui.join(filesWords(read.value), '\n')}`;
  const of = ui`attempt ${attempt} of task ${task_id} of mission ${missionName(target.mission)}`;
  if (files.length === 0) return void inform(ui`Nothing of ${of} can be put back. ${words}`);
  const question = redo ? ui`Take the undo of ${of} back?` : ui`Undo ${of}?`;
  const detail = ui`${words}\nWhat is replaced is kept, so this can be taken back with the same command.`;
  if (!(await confirm(question, detail, redo ? 'Take Undo Back' : 'Undo Attempt', 'Keep'))) return;
  const command = { type: 'UndoAttempt', task_id, attempt, ...(redo && { redo: true as const }), leaves } as const;
  const what = redo ? 'The undo of attempt' : 'Attempt';
  await decide(
    composition,
    target,
    command,
    ui`${what} ${attempt} of ${task_id} is ${redo ? 'taken back' : 'undone'}.`,
  );
}

async function choosePreview(
  { contents }: Composition,
  target: Target,
  mission: Progress,
  task_id: string,
): Promise<Outcome<UndoPreview> | undefined> {
  const look = async (redo: boolean): Promise<Outcome<UndoPreview>> => {
    const read = await contents.use(target.folder, (of) => readUndo(mission, { task_id, redo }, of));
    return read.ok ? read.value : read;
  };
  const [undo, redo] = [await look(false), await look(true)];
  if (!undo.ok || !redo.ok) return redo.ok ? redo : undo;
  const items = [
    { label: `Undo attempt ${undo.value.attempt}`, read: undo },
    { label: `Take the undo of attempt ${redo.value.attempt} back`, read: redo },
  ];
  return (await pick(items, { title: target.question.title, placeHolder: 'What is put back?' }))?.read;
}

/** A dialog shows few lines, and the reason stands in the evidence with every file. */
const shownFiles = 12;

function filesWords({ files, left }: UndoPreview): readonly UiText[] {
  const all = [
    ...left.map(({ path, why }) => ui`${quotedName(limited(path, 80).toString())} stays as it is: it ${why}.`),
    ...files.map(({ path, does }) => ui`${quotedName(limited(path, 80).toString())} ${does}.`),
  ];
  const more = all.length - shownFiles;
  return [
    ...all.slice(0, shownFiles),
    ...(more > 0 ? [ui`${more} more files; \`mission undo --dry-run\` lists them.`] : []),
  ];
}
