import { createContents } from '../../adapters/workspace/contents';
import { LineComparison } from '../../adapters/workspace/lineCounts';
import { userStateFolder } from '../../adapters/user/folder';
import { readReview, type ReadFile } from '../../engine/views/readReview';
import { terminal } from '../../base/text/marked/terminal';
import { lookingFor, missionIn, snapshotOf, withWayBack } from '../owner/session';
import { optional, required, type Command, type Invocation } from '../shell/command';
import { exitCodes } from '../shell/output';
import { findMissionHere } from '../show/find';

export const diff: Command = {
  takes: [required.mission, optional.task],
  summary: 'Show what a mission or a task changed, as a unified diff; out-of-scope files first.',
  details: [
    'Compared with the files as they were before its first attempt, as git holds them or as they were copied then; of a task that runs, with what it has changed by now.',
    'It is meant to be read: hidden characters are written out, and what is no text is said in words. Reads only.',
    'With --json each file has its patch, or null and, in why_no_patch, the reason. A file that is as it was before has put_back; one that a layer took and did not keep has not_kept; doubted names the tasks during which it changed while nothing shows who changed it, and unannounced those whose results and streams do not announce it.',
  ],
  async run(call) {
    const { out } = call;
    const state = userStateFolder();
    if (!state.ok) return out.refuse(state.refusal);
    return lookingFor(call, async (viewer) => {
      const [wanted = '', task] = call.positionals;
      const found = findMissionHere(await snapshotOf(viewer, call.workspace), wanted);
      if (!found.ok) return out.refuse(await withWayBack(found.refusal, call));
      const { mission_id, tasks } = found.value;
      if (task !== undefined && !tasks.some(({ task_id }) => task_id === task))
        return out.refuse({
          code: 'TASK_UNKNOWN',
          reason: `Mission ${mission_id} has no task ${task}.`,
          next: [`mission status ${mission_id}`],
        });
      const mission = await missionIn(viewer, mission_id);
      const contents = createContents(call.workspace, { user_state: state.value });
      const named = task === undefined ? tasks.map(({ task_id }) => task_id) : [task];
      const shown = await readReview(mission, named, contents);
      const comparison = new LineComparison();
      const files = shown.files.map((file) => ({ ...file, ...patchOf(file, comparison) }));
      for (const file of files) print(call, file);
      for (const note of shown.notes) out.beside(terminal`${note}`);
      if (shown.files.length === 0)
        out.beside(
          shown.restored.length > 0 || shown.elsewhere
            ? terminal`No other file was changed.`
            : terminal`No file was changed${shown.live ? ' by now' : ''}.`,
        );
      out.document({
        mission_id,
        live: shown.live,
        files: [
          ...files.map((file) => ({
            ...fileDocument(file),
            patch: file.patch,
            why_no_patch: file.why?.join(' ') ?? null,
          })),
          ...shown.restored.map((file) => ({ ...fileDocument(file), patch: null, why_no_patch: nothingDiffers })),
        ],
        notes: shown.notes,
      });
      return exitCodes.ok;
    });
  },
};

function fileDocument(file: ReadFile): object {
  const { path, before_path, tasks, doubted, unannounced, violation, note, since, put_back, not_kept } = file;
  return {
    path,
    ...(before_path !== path && { before_path }),
    tasks,
    ...(doubted.length > 0 && { doubted }),
    ...(unannounced.length > 0 && { unannounced }),
    ...{ violation, note, since },
    ...(put_back && { put_back }),
    ...(not_kept && { not_kept }),
  };
}

const nothingDiffers = 'Nothing of it differs now.';

/** A unified diff, or why it cannot be shown, one sentence a line. */
type Patch = { readonly patch: string; readonly why: null } | { readonly patch: null; readonly why: readonly string[] };

function patchOf({ path, before_path, was, is, put_back }: ReadFile, comparison: LineComparison): Patch {
  if (put_back) return { patch: null, why: [nothingDiffers] };
  const why = [
    ...(was?.kind === 'words' ? [`before: ${was.text.trimEnd()}`] : []),
    ...(is?.kind === 'words' ? [`now: ${is.text.trimEnd()}`] : []),
  ];
  if (why.length > 0) return { patch: null, why };
  const patch = comparison.unified(
    { before: was ? `a/${before_path}` : '/dev/null', after: is ? `b/${path}` : '/dev/null' },
    was?.text ?? '',
    is?.text ?? '',
  );
  return patch === null
    ? {
        patch,
        why: [
          'The two differ in too many lines, or comparing all files took too long: name the task to compare its files alone.',
        ],
      }
    : { patch, why: null };
}

/** Names as its maker only a task whose worker announced it. */
function whoChanged({ tasks, doubted, unannounced, not_kept }: ReadFile): string {
  if (not_kept) return `written by ${tasks.join(', ')}; not kept`;
  const sure = tasks.filter((task) => !unannounced.includes(task));
  const observed = unannounced.filter((task) => !doubted.includes(task));
  return [
    ...(sure.length > 0 ? [`changed by ${sure.join(', ')}`] : []),
    ...(observed.length > 0 ? [`changed while ${observed.join(', ')} ran; observed, not announced`] : []),
    ...(doubted.length > 0 ? [`found during ${doubted.join(', ')}; nothing shows who changed it`] : []),
  ].join('; ');
}

function print({ out }: Invocation, file: ReadFile & Patch): void {
  const { path, before_path, violation, note, since, put_back } = file;
  const from = before_path === path ? '' : ` (was ${before_path})`;
  out.line(out.paint('bold', terminal`${path}${from}, ${whoChanged(file)}`));
  if (violation !== null) out.line(out.paint('red', terminal`Out of scope: it ${violation}.`));
  if (note !== null) out.line(terminal`${note}`);
  if (since !== null)
    out.line(out.paint('yellow', terminal`It ${since}.${put_back ? '' : ' Below is how it differs now.'}`));
  if (file.patch === null) {
    for (const line of file.why) out.line(terminal`${line}`);
  } else {
    for (const line of file.patch.replace(/\n$/, '').split('\n').slice(1)) {
      const text = terminal.join(line.split('\t'), '\t');
      if (/^(?:\+\+\+|---) /.test(line)) out.line(out.paint('bold', text));
      else if (line.startsWith('+')) out.line(out.paint('green', text));
      else if (line.startsWith('-')) out.line(out.paint('red', text));
      else out.line(line.startsWith('@@') ? out.paint('cyan', text) : text);
    }
  }
  out.line();
}
