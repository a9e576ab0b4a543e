import { defaultAgent } from '../../contracts/vocabulary/workers';
import { isObject, type JsonObject } from '../../base/json';
import type { DiskAnswers } from '../../core/plan/judgePlan';
import { namedPathsOf } from '../../core/plan/namedFiles';
import { instructionPathsOf } from '../../core/plan/rules/instructions';
import { asksForProject } from '../../core/plan/rules/projectFile';
import { approvedPathsOf } from '../../core/plan/rules/places';
import { ownPlacesOf, scratchPathsOf } from '../../core/plan/rules/ownPlaces';
import { judgedTasksOf } from '../../core/plan/rules/judgedTask';
import { readPolicy } from './policy';
import { judgedProject } from './documentCheck';
import type { PlanCheckOptions, PlanFiles } from '../ports/plans';

/** `edited`: the text changes as a person types, so git and the arguments of commands are not asked. */
export async function askDisk(
  files: PlanFiles,
  value: unknown,
  path: string | null,
  options: PlanCheckOptions & { readonly edited?: true },
): Promise<DiskAnswers> {
  const { workspaceDir, asksNamed, edited } = options;
  const root = workspaceDir ?? workspaceOf(path);
  const policy = await readPolicy(files, root);
  if (!isObject(value)) return { policy };
  const scratch = edited ? [] : scratchPathsOf(value).map(([one]) => one);
  const ignored = scratch.length === 0 ? {} : { ignored: await askGit(files, root, scratch) };
  if (root === null) return { policy, ...ignored };
  const instructions = instructionPathsOf(value).map(([one]) => one);
  const named = asksNamed === true && !edited ? namedPathsOf(value, root) : [];
  const places = await files.places(root, approvedPathsOf(judgedTasksOf(value)));
  const folders = asksNamed === true && !edited ? places.filter(({ kind }) => kind === 'folder') : [];
  const below = await Promise.all(folders.map((one) => files.below(root, one.path)));
  return {
    policy,
    ...ignored,
    places,
    ...(asksNamed === true && !edited && { hooks: await files.hooks(root) }),
    ...(below.length > 0 && { below: [...new Set(below.flat())] }),
    links: await files.links(
      root,
      ownPlacesOf(value).map((place) => place.path),
    ),
    ...(instructions.length > 0 && { instructions: await files.instructions(root, instructions) }),
    ...(named.length > 0 && { named: await files.named(root, named) }),
    ...(await askProject(files, value, root, options)),
  };
}

/** Says whether ai.project.json is there; asked only for a person before a run, and where a task needs it. */
async function askProject(
  files: PlanFiles,
  value: JsonObject,
  root: string,
  { defaultWorker = defaultAgent, looksAtProject }: PlanCheckOptions,
): Promise<Pick<DiskAnswers, 'project'>> {
  if (looksAtProject !== true || !asksForProject(judgedTasksOf(value), defaultWorker)) return {};
  const project = files.project(root);
  const reading = await judgedProject(await project.read(), project);
  if (reading.kind === 'absent') return { project: { kind: 'missing' } };
  if (reading.kind === 'unreadable') return { project: { kind: 'invalid', why: reading.reason } };
  const wrong = reading.findings.find(({ severity }) => severity === 'error');
  return { project: wrong ? { kind: 'invalid', why: wrong.message.replace(/\.$/, '') } : { kind: 'valid' } };
}

/** Git cannot be asked on Node 20, where plans are checked as well. */
async function askGit(
  files: PlanFiles,
  root: string | null,
  paths: readonly string[],
): Promise<NonNullable<DiskAnswers['ignored']>> {
  const unknown = paths.map(() => null);
  return root === null ? unknown : files.ignored(root, paths).catch(() => unknown);
}

/** The workspace of a plan in `docs/plans`; null: the plan lies elsewhere. */
export function workspaceOf(path: string | null): string | null {
  return /^(.+?)[\\/]docs[\\/]plans[\\/][^\\/]+$/s.exec(path ?? '')?.[1] ?? null;
}
