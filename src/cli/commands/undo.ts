import { setTimeout as wait } from 'node:timers/promises';
import { createContents } from '../../adapters/workspace/contents';
import { userStateFolder } from '../../adapters/user/folder';
import type { Outcome } from '../../base/outcome';
import { terminal } from '../../base/text/marked/terminal';
import type { Undone } from '../../contracts/taskEvidence';
import type { Mission } from '../../core/model/state';
import { readUndo, type UndoPreview } from '../../engine/views/readUndo';
import { looking, missionIn, workerOptions } from '../owner/session';
import { optional, required, UsageError, type Command, type Invocation } from '../shell/command';
import { exitCodes, type ExitCode } from '../shell/output';
import { decideAbout, decisionNeeds, saidNo, taskForms, taskOf, taskOptions } from './human';

/** Shows what would be put back, asks on a terminal, and says what became of it. */
export const undo: Command = {
  takes: [optional.mission, required.task],
  summary: 'Put the files of the last attempt of a blocked task back as they were before it.',
  details: [
    ...taskForms,
    'Nothing of the mission may run. A file that changed since the attempt, and one whose content was not kept, stays as it is:',
    'the preview names it. What is replaced is kept, so --redo takes the undo back. It needs --by and --reason without --dry-run.',
  ],
  options: {
    ...taskOptions,
    'dry-run': { help: 'Only show what would be put back.' },
    redo: { help: 'Take the last undo back.' },
    yes: { help: 'Do not ask.' },
    ...workerOptions,
  },
  async run(call) {
    const { out } = call;
    const redo = call.flag('redo');
    const looks = call.flag('dry-run');
    if (!looks && decisionNeeds.some((name) => (call.text(name) ?? '').trim() === ''))
      throw new UsageError('An undo needs --by and --reason; --dry-run only shows it.');
    return decideAbout(call, taskOf(call, 'UndoAttempt'), async ({ mission: { mission_id }, task_id }) => {
      const state = userStateFolder();
      if (!state.ok) return out.refuse(state.refusal);
      const mission = await missionNow(call, mission_id);
      if (!mission.ok) return out.refuse(mission.refusal);
      const contents = createContents(call.workspace, { user_state: state.value });
      const read = await readUndo(mission.value, { task_id, redo }, contents);
      if (!read.ok) return out.refuse(read.refusal);
      const { attempt, files, left, leaves } = read.value;
      show(call, task_id, read.value);
      if (looks) {
        out.document({ mission_id, task_id, attempt, redo, files, left });
        return exitCodes.ok;
      }
      if (out.interactive && !call.flag('yes') && files.length > 0)
        if (!(await out.ask(terminal`Put ${files.length === 1 ? 'this' : `these ${files.length}`} back?`)))
          return out.refuse(saidNo('nothing was put back', mission_id));
      const before = undoneOf(mission.value, task_id).length;
      const command = { type: 'UndoAttempt', task_id, attempt, ...(redo && { redo }), leaves } as const;
      return { mission_id, command, then: 'record', after: () => tellEnd(call, { mission_id, task_id, before }) };
    });
  },
};

function show({ out }: Invocation, task_id: string, { attempt, redo, files, left }: UndoPreview): void {
  const when = redo ? `as attempt ${attempt} of ${task_id} had left it` : `as before attempt ${attempt} of ${task_id}`;
  out.line(files.length === 0 ? terminal`Nothing can be put back ${when}.` : terminal`To be put back ${when}:`);
  for (const { path, does } of files) out.line(terminal`  ${path} ${does}`);
  if (left.length > 0) out.line(terminal`Left as it is:`);
  for (const { path, why } of left) out.line(terminal`  ${path}: it ${why}`);
}

function undoneOf({ rows }: Mission, taskId: string): readonly Undone[] {
  return rows.find(({ task }) => task.task_id === taskId)?.undone ?? [];
}

function missionNow({ workspace }: Invocation, missionId: string): Promise<Outcome<Mission>> {
  return looking(workspace, (viewer) => missionIn(viewer, missionId));
}

/** The owner may be another process, which carries the undo out after its answer. */
async function tellEnd(
  call: Invocation,
  { mission_id, task_id, before }: { readonly mission_id: string; readonly task_id: string; readonly before: number },
): Promise<ExitCode> {
  const { out } = call;
  for (let looks = 0; looks < looksAtMost; looks += 1) {
    const mission = await missionNow(call, mission_id);
    if (!mission.ok) return out.refuse(mission.refusal);
    const done = undoneOf(mission.value, task_id)[before];
    if (done) {
      const { attempt, redo = false, paths, left } = done;
      const files = paths.length === 1 ? 'one file' : `${paths.length} files`;
      out.line(terminal`${out.paint('green', 'Put back')}: ${files} of attempt ${attempt} of ${task_id}.`);
      for (const { path, why } of left) out.note(terminal`${path} stays as it is: it ${why}`);
      out.document({ mission_id, task_id, attempt, redo, paths, left });
      return paths.length > 0 ? exitCodes.ok : exitCodes.failed;
    }
    await wait(lookEveryMs);
  }
  return out.refuse({
    code: 'OWNER_SILENT',
    reason: `The undo of ${task_id} was recorded and has not ended yet.`,
    next: [`mission status ${mission_id}`],
  });
}

const looksAtMost = 100;
const lookEveryMs = 200;
