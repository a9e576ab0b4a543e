import { within } from '../../paths/compare';
import { reservedFolderOf } from '../../paths/reserved';
import { pathProblems, readWrittenPath } from '../../paths/writtenPath';
import { asList, listAt, objectAt, quoted, textsAt, type JsonObject } from '../../../base/json';
import type { JudgedTask, AddPlanFinding } from './judgedTask';

const none: readonly never[] = [];

export function judgeScope(plan: JsonObject, tasks: readonly JudgedTask[], report: AddPlanFinding): void {
  const scope = objectAt(plan, 'scope');
  const allowed = new Set(textsAt(scope, 'allowed').map(([token]) => token));
  const forbidden = new Set(textsAt(scope, 'forbidden').map(([token]) => token));
  if (listAt(scope, 'allowed')?.length === 0) {
    const message = 'scope.allowed is empty; name at least one capability the mission may use.';
    report('SCOPE_EMPTY', '/scope/allowed', message);
  }
  for (const [token, index] of textsAt(scope, 'allowed')) {
    if (!forbidden.has(token)) continue;
    const message = `${quoted(token)} is both allowed and forbidden; it counts as forbidden. Remove it from one of the lists.`;
    report('SCOPE_CONTRADICTION', `/scope/allowed/${index}`, message, 'warning');
  }
  for (const [task, , pointer] of tasks) {
    const requires = asList(task['requires']) ?? none;
    for (let at = 0; at < requires.length; at++) {
      const token = requires[at];
      if (typeof token !== 'string') continue;
      if (forbidden.has(token)) {
        const message = `${quoted(token)} is in scope.forbidden, so no task may require it.`;
        report('REQUIRES_FORBIDDEN', `${pointer}/requires/${at}`, message);
      } else if (scope !== null && !allowed.has(token)) {
        const message = `${quoted(token)} is not in scope.allowed; add it there or remove it here.`;
        report('REQUIRES_NOT_ALLOWED', `${pointer}/requires/${at}`, message);
      }
    }
    judgePaths(task, pointer, report);
  }
}

function judgePaths(task: JsonObject, pointer: string, report: AddPlanFinding): void {
  if (asList(task['paths'])?.length === 0) {
    report('PATHS_EMPTY', `${pointer}/paths`, 'paths is empty; name the files and folders this task may write.');
  }
  const forbidden: string[] = [];
  const forbiddenPaths = asList(task['forbidden_paths']) ?? none;
  for (let at = 0; at < forbiddenPaths.length; at++) {
    const text = forbiddenPaths[at];
    if (typeof text !== 'string') continue;
    const reading = readWrittenPath(text);
    if (reading.ok) forbidden[forbidden.length] = reading.path;
    else
      report('PATH_INVALID', `${pointer}/forbidden_paths/${at}`, `${quoted(text)} ${pathProblems[reading.problem]}.`);
  }
  const paths = asList(task['paths']) ?? none;
  for (let at = 0; at < paths.length; at++) {
    const text = paths[at];
    if (typeof text !== 'string') continue;
    const reading = readWrittenPath(text);
    if (!reading.ok) {
      report('PATH_INVALID', `${pointer}/paths/${at}`, `${quoted(text)} ${pathProblems[reading.problem]}.`);
      continue;
    }
    const reserved = reservedFolderOf(reading.path);
    if (reserved !== null) {
      const message = `${quoted(text)} lies in ${reserved}, which no task may write; remove it from paths.`;
      report('PATH_RESERVED', `${pointer}/paths/${at}`, message);
    }
    const covering = forbidden.find((scope) => within(reading.path, [scope]));
    if (covering !== undefined) {
      const message = `${quoted(text)} is approved, but forbidden_paths covers it with ${quoted(covering)}; keep one of the two.`;
      report('PATH_FORBIDDEN', `${pointer}/paths/${at}`, message);
    }
  }
}
