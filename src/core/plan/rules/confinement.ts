import { resourceLimits, type ResourceLimit } from '../../../contracts/vocabulary/plan';
import { numberAt, objectAt, quoted, textsAt, type JsonObject } from '../../../base/json';
import { readWrittenPath } from '../../paths/writtenPath';
import type { AddPlanFinding } from './judgedTask';
import { judgePathList } from './pathList';

const limits = Object.entries(resourceLimits) as readonly [ResourceLimit, (typeof resourceLimits)[ResourceLimit]][];

/** Scratch paths and resource limits. Source: decision 51. */
export function judgeConfinement(execution: JsonObject | null, report: AddPlanFinding): void {
  judgePathList(execution, { name: 'scratch', unfit: 'no task may write' }, report);
  const wanted = objectAt(execution, 'limits');
  for (const [name, { min, max }] of limits) {
    const value = numberAt(wanted, name);
    if (value === null || (Number.isInteger(value) && value >= min && value <= max)) continue;
    report(
      'RESOURCE_LIMIT_INVALID',
      `/execution/limits/${name}`,
      `${name} must be a whole number from ${min} to ${max}, not ${value}; remove it for the default.`,
    );
  }
}

/** The scratch paths of a plan that git can be asked about, each with its place in the list. */
export function scratchPathsOf(plan: JsonObject): readonly (readonly [path: string, index: number])[] {
  return textsAt(objectAt(plan, 'execution'), 'scratch').flatMap(([text, index]) => {
    const reading = readWrittenPath(text);
    return reading.ok ? [[reading.path, index] as const] : [];
  });
}

/** Judges scratch paths by what git says. Only what git ignores may be one, because no rule judges changes there. */
export function judgeScratch(
  paths: readonly (readonly [path: string, index: number])[],
  ignored: readonly (boolean | null)[],
  report: AddPlanFinding,
): void {
  paths.forEach(([path, index], at) => {
    const pointer = `/execution/scratch/${index}`;
    if (ignored[at] === false)
      report(
        'SCRATCH_NOT_IGNORED',
        pointer,
        `${quoted(path)} is not ignored by git, and changes in a scratch path are not judged; add it to .gitignore or remove it here.`,
      );
    else if (ignored[at] !== true)
      report(
        'SCRATCH_NOT_CHECKED',
        pointer,
        `Git could not be asked whether it ignores ${quoted(path)}; check that nothing of value lies there.`,
        'warning',
      );
  });
}
