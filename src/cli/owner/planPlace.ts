import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isPathId } from '../../adapters/state/folder';
import { readMissionPaths } from '../../adapters/state/missionPaths';
import type { Refusal } from '../../base/outcome';
import { planIdIn } from '../../base/planId';
import { quotedName } from '../../base/text/oneLine';
import { fileStep } from '../../base/text/steps';
import { quotedArguments } from '../../base/text/marked/visible';
import type { Finding } from '../../core/documents/finding';
import { workspaceOf } from '../../engine/plans/disk';
import { optionsOf } from './confinement';
import type { Invocation } from '../shell/command';

/**
 * Returns the workspace in whose `docs/plans` the plan lies, if that is another one than the command is for. Asked
 * before anything is opened, because opening makes a folder a workspace. Null: it is the same one, or no such plan.
 */
export async function otherWorkspace(call: Invocation): Promise<string | null> {
  const file = call.file(call.positionals[0] ?? '');
  const own = workspaceOf(file);
  if (own === null || !existsSync(file) || realpathSync(own) === realpathSync(call.workspace)) return null;
  const inside = (await readMissionPaths(call.workspace)).relative(file);
  return inside !== null && path.posix.dirname(inside) === 'docs/plans' ? null : own;
}

/** Says that a plan runs elsewhere; the step leaves the options of the person as they are. */
export function misplaced(own: string): Refusal {
  return {
    code: 'PLAN_MISPLACED',
    reason: `A plan runs only in its own workspace: this one belongs to ${own}.`,
    next: [`Repeat the command with ${quotedArguments(['--workspace', own])}.`],
  };
}

/** Returns the plan that a person meant by its id or by its path in the workspace; null: none. */
export function planMeant(call: Invocation, name: string): string | null {
  const id = planIdIn(path.basename(name));
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

/** A plan is approved where it runs, unless the person names a workspace. */
export async function inOwnWorkspace(call: Invocation): Promise<Invocation> {
  const own = call.text('workspace') === null ? await otherWorkspace(call) : null;
  return own === null ? call : { ...call, workspace: own };
}

/** Says how the plan is run, which is possible from its own place alone. */
export function runStep(call: Invocation, name: string, place: string, planId: string): string {
  const own = `docs/plans/PLAN_${planId}.json`;
  const more = [...workspaceNamed(call), ...(optionsOf(call).options ?? [])];
  if (place === own) return fileStep('run', name, ...more);
  const there = path.join(call.workspace, own);
  if (existsSync(there)) return `give the plan another plan_id, because ${own} is there already`;
  const shown = path.relative(call.file('.'), there);
  return `move it to ${quotedName(shown).toString()}, then ${fileStep('run', shown, ...more)}`;
}

/** Names the workspace for a step, unless it is the folder where the person is. */
function workspaceNamed(call: Invocation): readonly string[] {
  const named = call.text('workspace') ?? (call.workspace === call.file('.') ? null : call.workspace);
  return named === null ? [] : [quotedArguments(['--workspace', named])];
}
