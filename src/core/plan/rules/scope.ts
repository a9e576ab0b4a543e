import type { JsonObject } from '../json';
import { listAt, objectAt, objectsAt, quoted, textsAt } from '../json';
import { pathContains, readPlanPath, reservedFolderOf } from '../paths';
import type { Report } from '../report';

/** Capability tokens and the paths of every task. Source: decisions.md section 3. */
export function judgeScope(plan: JsonObject, report: Report): void {
  const scope = objectAt(plan, 'scope');
  const allowed = new Set(textsAt(scope, 'allowed').map(([token]) => token));
  const forbidden = new Set(textsAt(scope, 'forbidden').map(([token]) => token));
  if (listAt(scope, 'allowed')?.length === 0) {
    report(
      'SCOPE_EMPTY',
      '/scope/allowed',
      'scope.allowed is empty; name at least one capability the mission may use.',
    );
  }
  for (const [token, index] of textsAt(scope, 'allowed')) {
    if (!forbidden.has(token)) continue;
    report(
      'SCOPE_CONTRADICTION',
      `/scope/allowed/${index}`,
      `${quoted(token)} is both allowed and forbidden; it counts as forbidden. Remove it from one of the lists.`,
      'warning',
    );
  }
  for (const [task, index] of objectsAt(plan, 'tasks')) {
    const pointer = `/tasks/${index}`;
    for (const [token, at] of textsAt(task, 'requires')) {
      if (forbidden.has(token)) {
        report(
          'REQUIRES_FORBIDDEN',
          `${pointer}/requires/${at}`,
          `${quoted(token)} is in scope.forbidden, so no task may require it.`,
        );
      } else if (scope !== null && !allowed.has(token)) {
        report(
          'REQUIRES_NOT_ALLOWED',
          `${pointer}/requires/${at}`,
          `${quoted(token)} is not in scope.allowed; add it there or remove it here.`,
        );
      }
    }
    judgePaths(task, pointer, report);
  }
}

function judgePaths(task: JsonObject, pointer: string, report: Report): void {
  if (listAt(task, 'paths')?.length === 0) {
    report('PATHS_EMPTY', `${pointer}/paths`, 'paths is empty; name the files and folders this task may write.');
  }
  const forbidden: string[] = [];
  for (const [text, at] of textsAt(task, 'forbidden_paths')) {
    const reading = readPlanPath(text);
    if (reading.ok) forbidden.push(reading.path);
    else report('PATH_INVALID', `${pointer}/forbidden_paths/${at}`, `${quoted(text)} ${reading.problem}.`);
  }
  for (const [text, at] of textsAt(task, 'paths')) {
    const here = (): string => `${pointer}/paths/${at}`;
    const reading = readPlanPath(text);
    if (!reading.ok) {
      report('PATH_INVALID', here(), `${quoted(text)} ${reading.problem}.`);
      continue;
    }
    const reserved = reservedFolderOf(reading.path);
    if (reserved !== null) {
      report(
        'PATH_RESERVED',
        here(),
        `${quoted(text)} lies in ${reserved}, which no task may write; remove it from paths.`,
      );
    }
    const covering = forbidden.find((path) => pathContains(path, reading.path));
    if (covering !== undefined) {
      report(
        'PATH_FORBIDDEN',
        here(),
        `${quoted(text)} is approved, but forbidden_paths covers it with ${quoted(covering)}; keep one of the two.`,
      );
    }
  }
}
