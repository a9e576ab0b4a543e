import { existsSync } from 'node:fs';
import path from 'node:path';
import { isPathId } from '../../adapters/state/folder';
import { readMissionPaths } from '../../adapters/state/missionPaths';
import { done, refused, type Outcome } from '../../base/outcome';
import { fileStep } from '../../base/text/steps';
import { quotedArguments } from '../../base/text/visible';
import type { Finding } from '../../core/documents/finding';
import { workspaceOf } from '../../engine/plans/disk';
import type { Invocation } from '../shell/command';

/**
 * Refuses a plan in docs/plans of another workspace. Asked before anything is opened, because opening makes a folder a
 * workspace.
 *
 * @param command what the person called, and the verb of its sentence
 * @param options repeated in the step
 */
export async function inThisWorkspace(
  call: Invocation,
  [command, verb]: readonly [command: string, verb: string],
  options: readonly string[] = [],
): Promise<Outcome<null>> {
  const [name = ''] = call.positionals;
  const file = call.file(name);
  const inside = (await readMissionPaths(call.workspace)).relative(file);
  const own = workspaceOf(file);
  if (own === null || !existsSync(file) || (inside !== null && path.posix.dirname(inside) === 'docs/plans'))
    return done(null);
  return refused(
    'PLAN_MISPLACED',
    `A plan ${verb} only in its own workspace: this one belongs to ${own}.`,
    fileStep(command, name, ...options, quotedArguments(['--workspace', own])),
  );
}

/** Returns the plan that a person meant by its id or by its path in the workspace; null: none. */
export function planMeant(call: Invocation, name: string): string | null {
  const id = path.basename(name, '.json').replace(/^PLAN_/, '');
  const places = [name, ...(isPathId(id) ? [`docs/plans/PLAN_${id}.json`] : [])];
  const meant = places.map((place) => path.resolve(call.workspace, place)).find((place) => existsSync(place));
  return meant === undefined ? null : path.relative(call.file('.'), meant);
}

/** Names the plan that is meant in the finding of a file that is not there. */
export function orMeant(call: Invocation, name: string, findings: readonly Finding[]): readonly Finding[] {
  return findings.map((finding) => {
    const meant = finding.code === 'FILE_NOT_FOUND' ? planMeant(call, name) : null;
    if (meant === null) return finding;
    return { ...finding, message: `There is no such file; did you mean ${quotedArguments([meant])}?` };
  });
}

/** Repeats the workspace that a person named, for a step. */
export function workspaceNamed(call: Invocation): readonly string[] {
  const named = call.text('workspace');
  return named === null ? [] : [quotedArguments(['--workspace', named])];
}
