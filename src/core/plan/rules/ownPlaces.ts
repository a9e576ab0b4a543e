import { executionsDir } from '../../../contracts/vocabulary/files/evidenceFiles';
import { objectAt, quoted, textAt, textsAt, type JsonObject } from '../../../base/json';
import { readWrittenPath } from '../../paths/writtenPath';
import { isId } from './identity';
import type { AddPlanFinding } from './judgedTask';

export interface OwnPlace {
  /** POSIX, relative to the workspace. */
  readonly path: string;
  readonly pointer: string;
  readonly what: 'evidence' | 'scratch';
}

export function ownPlacesOf(plan: JsonObject): readonly OwnPlace[] {
  const planId = textAt(plan, 'plan_id');
  const scratch = scratchPathsOf(plan).map(([path, index]): OwnPlace => {
    return { path, pointer: `/execution/scratch/${index}`, what: 'scratch' };
  });
  if (planId === null || !isId(planId)) return scratch;
  return [{ path: `${executionsDir}/${planId}`, pointer: '/plan_id', what: 'evidence' }, ...scratch];
}

/**
 * Reports a link before the work: we write nothing through one, and what a command writes through one lies elsewhere.
 *
 * @param links for each of `ownPlacesOf` the link in it; null: no link
 */
export function judgeLinks(plan: JsonObject, links: readonly (string | null)[], report: AddPlanFinding): void {
  const linked = ownPlacesOf(plan).flatMap((place, index) => {
    const link = links[index] ?? null;
    return link === null ? [] : [{ ...place, link }];
  });
  for (const { path, pointer, what, link } of linked)
    report(
      'PLACE_IS_LINK',
      pointer,
      what === 'evidence'
        ? `The evidence of this plan belongs in ${path}, and ${link} is a link, through which no evidence is written; put a folder in its place.`
        : `Scratch path ${quoted(path)} leads through the link ${link}, and what is written there would lie elsewhere; put a folder in its place.`,
    );
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
