import path from 'node:path';
import { projectFilesOf } from '../../adapters/documents/project';
import { systemClock } from '../../adapters/system/clock';
import { nearest } from '../../base/text/nearest';
import { terminal } from '../../base/text/marked/terminal';
import {
  answered,
  proposeProject,
  projectFieldNames,
  stillToFill,
  writeProject,
  type ProjectValues,
} from '../../engine/plans/newProject';
import { UsageError, workspaceOption, type Command } from '../shell/command';
import { exitCodes, type Output } from '../shell/output';
import { tellWritten } from '../owner/decide';

export const contextNew: Command = {
  summary: 'Write ai.project.json: what can be detected, and what you answer.',
  details: [
    'Tasks that declare the intent architecture, domain or refactor need the file.',
    `Fields for --set: ${projectFieldNames.join(', ')}. A list takes commas.`,
  ],
  options: {
    set: { value: 'FIELD=VALUE', multiple: true, help: 'Says what a field holds, instead of being asked.' },
    ...workspaceOption,
  },
  async run(call) {
    const { out } = call;
    const files = projectFilesOf(call.workspace);
    const detected = await proposeProject(files, systemClock);
    const values = out.interactive
      ? await askedFor(withSet(detected, call.texts('set')), out)
      : withSet(detected, call.texts('set'));
    if (values === null)
      return out.refuse({
        code: 'NOT_APPROVED',
        reason: 'You stopped: nothing was written.',
        next: ['mission context new'],
      });
    const written = await writeProject(files, values);
    if (!written.ok) return out.refuse(written.refusal);
    await tellWritten(call, path.join(call.workspace, written.value.path));
    const open = stillToFill(values);
    out.line(terminal`${out.paint('green', 'Written')}: ${path.join(call.workspace, written.value.path)}`);
    for (const [name, value] of Object.entries(detected))
      if (String(value) !== '') out.line(terminal`  detected ${name}: ${String(value)}`);
    for (const { name, ask, choices } of open)
      out.line(
        terminal`  ${out.paint('yellow', 'to fill in')} ${name}: ${ask}${choices ? ` (${choices.join(', ')})` : ''}`,
      );
    const check = `mission check ai-project ${written.value.path}`;
    out.line(open.length > 0 ? terminal`  next: fill in what is missing, then ${check}` : terminal`  next: ${check}`);
    out.document({ path: written.value.path, detected, to_fill_in: open.map(({ name }) => name) });
    return exitCodes.ok;
  },
};

/** @throws UsageError */
function withSet(values: ProjectValues, texts: readonly string[]): ProjectValues {
  return texts.reduce((sofar, text) => {
    const at = text.indexOf('=');
    const name = at === -1 ? text : text.slice(0, at);
    if (!projectFieldNames.includes(name)) {
      const near = nearest(name, projectFieldNames);
      throw new UsageError(`--set ${name}: there is no such field${near === null ? '' : `; did you mean ${near}`}.`);
    }
    const answer = answered(sofar, name, at === -1 ? '' : text.slice(at + 1));
    if (!answer.ok) throw new UsageError(`--set ${name}: ${answer.why}.`);
    return answer.values;
  }, values);
}

/** Asks for every field that is open; an empty line leaves it open. Null: the person stopped. */
async function askedFor(values: ProjectValues, out: Output): Promise<ProjectValues | null> {
  let sofar = values;
  for (const { name, ask, choices } of stillToFill(values)) {
    for (;;) {
      const line = await out.askLine(terminal`${name}, ${ask}${choices ? ` (${choices.join(', ')})` : ''}:`);
      if (line === null) return null;
      if (line === '') break;
      const answer = answered(sofar, name, line);
      if (answer.ok) {
        sofar = answer.values;
        break;
      }
      out.note(terminal`  ${answer.why}`);
    }
  }
  return sofar;
}
