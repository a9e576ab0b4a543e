import { Uri, commands as vscodeCommands } from 'vscode';
import { ui, type UiText } from '../../base/text/marked/ui';
import type { MissionView } from '../../contracts/page/missionView';
import { askingAcceptance, readReview, type ReadReview } from '../../engine/views/readReview';
import type { Composition } from '../compose';
import { commands } from '../registry/registry';
import { inform, warn, confirm, pick } from '../window/ui';
import { askAnswer } from './answer';
import { whatToKnow } from './reviewWords';
import { changedFiles, missionName } from '../folder/missionFolders';
import { shownPath } from '../plans/uris';
import {
  chooseMission,
  chooseTask,
  journalOf,
  type Target,
  type TargetArgument,
  chooseBlock,
  chooseFor,
} from './ask/targets';
import { limited, quotedName } from '../../base/text/oneLine';
import type { Outcome } from '../../base/outcome';
import type { Progress } from '../../core/model/state';
import { readUndo, type UndoPreview } from '../../engine/views/readUndo';
import { decide } from './ask/decisions';

/** Shows out-of-scope files first. */
export async function reviewChanges(composition: Composition, argument?: unknown): Promise<void> {
  const { contents } = composition;
  const { title } = commands.reviewChanges;
  const called = argument instanceof Uri ? changedBy(composition, argument) : argument;
  if (called === null) return;
  const fits = ({ tasks }: MissionView): boolean => tasks.some(({ attempts }) => attempts > 0);
  const question = { title, none: 'No mission of this window has changed anything yet.' };
  const target = await chooseMission(composition, { ...question, fits }, called);
  if (!target) return;
  const { runs_on } = target.mission;
  if (runs_on !== undefined) return void inform(ui`The changes are not in this folder. ${runs_on}`);
  const task = target.taskId === null ? null : await chooseTask(target, target.mission.tasks);
  if (task === undefined) return;
  const mission = journalOf(target);
  if (!mission) return;
  const tasks = task ? [task.task_id] : target.mission.tasks.map(({ task_id }) => task_id);
  const read = await contents.use(target.folder, (of) => readReview(mission, tasks, of));
  if (!read.ok) return void warn(ui`What was changed could not be read: ${read.refusal.reason}`);
  const review = read.value;
  const of = task ? ui`Task ${task.task_id}` : ui`Mission ${target.mission.plan_id}`;
  if (review.files.length === 0) {
    const none = review.restored.length > 0 ? 'no other file' : `no file${review.live ? ' by now' : ''}`;
    void inform(ui`${of} has changed ${none}. ${review.notes.join(' ')}`);
    return;
  }
  await vscodeCommands.executeCommand(
    'vscode.changes',
    titleOf(task?.task_id ?? target.mission.plan_id, review),
    sidesOf(composition, target, mission, review),
  );
  const said = whatToKnow(
    review,
    new Set(mission.rows.flatMap(({ task: { task_id, worker } }) => (worker === 'command' ? [task_id] : []))),
  );
  if (said.length > 0) void inform(ui`${of}: ${said.join(' ')}`);
}

/** Null: none did, which a message says. */
function changedBy({ folders }: Composition, uri: Uri): TargetArgument | null {
  const mission = changedFiles(folders.all).get(uri.fsPath);
  if (mission) return { folder: mission.folder, missionId: mission.mission_id };
  void inform(ui`No mission of this window has changed ${shownPath(uri)}.`);
  return null;
}

function titleOf(name: string, { files, live }: ReadReview): string {
  const outside = files.filter(({ violation }) => violation !== null).length;
  const first = outside > 0 ? `, ${outside} out of scope first` : '';
  const strays = files.filter(({ not_kept }) => not_kept).length;
  const dropped = strays > 0 ? `, ${strays} not kept` : '';
  const since = files.filter(({ since: how, put_back }) => how !== null && !put_back).length;
  const later = since > 0 ? `, ${since} changed since` : '';
  // VS Code appends the number of files.
  return `${name}: changes${live ? ' by now' : ''}${first}${later}${dropped}`;
}

type Sides = readonly [label: Uri, before: Uri | undefined, after: Uri | undefined];

/** Both sides have the file's path, because VS Code recognises a moved file and selects a language by it. */
function sidesOf(
  { reviewDocuments, reviewComments, ids }: Composition,
  { folder }: Target,
  mission: Progress,
  review: ReadReview,
): readonly Sides[] {
  const id = ids.uuid();
  reviewDocuments.begin(id);
  const at = (file: string): Uri => Uri.joinPath(folder.folder.uri, ...file.split('/'));
  return review.files.map((file) => {
    const { path, before_path, was, is, not_kept, waits_in: taskId } = file;
    // VS Code shows the folder beside the name, and takes the language from the name.
    const shownAt = (one: string): Uri => at(not_kept ? `not kept/${one}` : one);
    // Shows a copy while the task runs, because a worker would change the file under the reader. Work that waits in a
    // layer is no file of the workspace. A file that is no text would be shown as something else.
    const isFile = is?.kind === 'text' && !review.live && !not_kept && taskId === undefined;
    const copy = is && !isFile ? reviewDocuments.put(id, 'now', shownAt(path), is.text) : undefined;
    const packet = taskId === undefined ? undefined : askingAcceptance(mission, taskId);
    if (copy && packet && taskId !== undefined && is?.kind === 'text') {
      const work = { folder: folder.folder.uri.toString(), missionId: mission.mission_id, taskId, packet };
      reviewComments.show(copy, { work, path });
    }
    return [
      shownAt(path),
      was ? reviewDocuments.put(id, 'before', shownAt(before_path), was.text) : undefined,
      isFile ? at(path) : copy,
    ];
  });
}

/** Sends work that waits back to its worker, with comments on its lines, also the one that is being typed. */
export async function sendBack(composition: Composition, argument?: unknown): Promise<void> {
  const { reviewComments } = composition;
  const { title } = commands.sendBack;
  reviewComments.add(argument);
  const works = reviewComments.works(argument).map((work) => ({ label: work.taskId, work }));
  const work = works.length > 1 ? (await pick(works, { title, placeHolder: 'Which task?' }))?.work : works[0]?.work;
  if (works.length === 0)
    return void inform(ui`There is no comment. Review Changes of work that waits takes them beside its lines.`);
  const target = work && (await chooseFor(composition, work, 'answerQuestion', 'No task asks anything.'));
  if (!target) return;
  const { taskId: task_id, packet } = work;
  const comments = reviewComments.of(work);
  const goes = ui`${comments.length === 1 ? 'One comment goes' : `${comments.length} comments go`} to the worker of task ${task_id}, which goes on with this work.`;
  const text = await askAnswer(title, ui`${goes} What else should it know? This may stay empty.`, true);
  if (text === undefined) return;
  const answer = { packet_id: packet.packet_id, asked: packet.question.text, choice: null, text, comments } as const;
  const question = { ...target.question, title };
  await decide(composition, { ...target, question }, { type: 'AnswerQuestion', task_id: null, ...answer }, goes);
}

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
