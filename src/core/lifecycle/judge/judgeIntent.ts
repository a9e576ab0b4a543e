import { taskFile } from '../../../contracts/vocabulary/files/evidenceFiles';
import { fewNamed, firstLines } from '../../../base/text/firstNamed';
import type { AttemptFailure } from '../../model/facts';
import type { Change } from '../../observation/change';
import { declaredIntent } from '../../context/tier0';
import { announcedBy } from '../parts/announced';
import { scratchOf } from '../changes/scratch';
import type { Judged } from './rules';

/**
 * Judges writes in the approved paths that the intent of a task does not allow. An intent that only reads allows
 * scratch alone, for a command as well; generate_context allows the project file alone. Writes outside the approved
 * paths are judged by the scope. Source: seed 004.
 */
export function judgeIntent({ mission, task, attempt }: Judged): AttemptFailure | null {
  const intent = task.writes ? declaredIntent(task) : task.intent;
  const { observed } = attempt;
  if (intent === null || observed === null || (task.writes && intent !== 'generate_context')) return null;
  const isScratch = scratchOf(mission, attempt, observed.comparison);
  const made = observed.changes.filter(
    (change) =>
      change.attribution === 'worker' &&
      change.in_scope &&
      !isScratch(change.path) &&
      !isPythonCache(change) &&
      !(intent === 'generate_context' && change.path === 'ai.project.json'),
  );
  if (made.length === 0) return null;
  const all = fewNamed(made.map(({ path }) => path));
  const announced = announcedBy(attempt, made).size === made.length;
  const who = announced ? `its worker changed ${all}` : `${all} changed while its worker ran`;
  const may = intent === 'generate_context' ? 'writes ai.project.json alone' : 'writes nothing';
  return {
    kind: 'structural',
    code: 'NON_COMPLIANT',
    reason: `The intent of the task is ${intent}, which ${may}, and ${who}. ${announced ? '' : 'Neither a result nor a stream announces all of it. '}Nothing was reverted.`,
    details: firstLines(
      made.map(({ kind, path }) => `${kind} ${path}`),
      taskFile(task.task_id),
    ),
  };
}

/**
 * Returns whether Python may have left the file when a program ran. Such a file does not count as
 * written, because an agent that only reads may run tests. Python imports such a file only beside
 * its source; a `.pyc` elsewhere is a module of its own, so it counts as written.
 */
function isPythonCache({ kind, path, after_sha256 }: Change): boolean {
  const isFile = (kind === 'added' || kind === 'modified') && after_sha256 !== null;
  return isFile && /(^|\/)__pycache__\/[^/]+\.[a-z]+-?\d[^/]*\.pyc$/.test(path);
}
