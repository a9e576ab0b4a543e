import { defaultAgent } from '../../contracts/vocabulary/workers';
import { isObject } from '../../base/json';
import type { DiskAnswers } from '../../core/plan/judgePlan';
import { namedPathsOf } from '../../core/plan/namedFiles';
import { instructionPathsOf } from '../../core/plan/rules/instructions';
import { asksForProject } from '../../core/plan/rules/projectFile';
import { approvedPathsOf } from '../../core/plan/rules/places';
import { ownPlacesOf } from '../../core/plan/rules/linkedPlaces';
import { scratchPathsOf } from '../../core/plan/rules/confinement';
import { judgedTasksOf } from '../../core/plan/rules/judgedTask';
import { readPolicy } from './policy';
import { judgedProject } from './projectReading';
import type { PlanCheckOptions, PlanFiles } from '../ports/plans';

/** Returns what the disk and git say about the paths of a plan. Leaves out questions that the ports do not offer. */
export async function askDisk(
  files: PlanFiles,
  value: unknown,
  path: string | null,
  options: PlanCheckOptions,
): Promise<DiskAnswers> {
  return {
    ...(await askGit(files, value, path, options)),
    ...(await askPlaces(files, value, path, options)),
    ...(await askInstructions(files, value, path, options)),
    ...(await askNamed(files, value, path, options)),
    ...(await askPolicy(files, path, options)),
    ...(await askProject(files, value, path, options)),
  };
}

/** Returns the model policy of this machine and workspace. */
export async function askPolicy(
  files: PlanFiles,
  path: string | null,
  { workspaceDir }: PlanCheckOptions,
): Promise<Pick<DiskAnswers, 'policy'>> {
  const policy = await readPolicy(files, workspaceDir ?? workspaceOf(path));
  return policy ? { policy } : {};
}

/** Returns what the disk has at approved paths, evidence and scratch; also asked for a text that is edited. */
export async function askPlaces(
  files: PlanFiles,
  value: unknown,
  path: string | null,
  { workspaceDir }: PlanCheckOptions,
): Promise<Pick<DiskAnswers, 'places' | 'links'>> {
  const root = workspaceDir ?? workspaceOf(path);
  if (root === null || files.places === undefined || !isObject(value)) return {};
  const own = ownPlacesOf(value).map((place) => place.path);
  return {
    places: await files.places(root, approvedPathsOf(judgedTasksOf(value))),
    ...(files.links && { links: await files.links(root, own) }),
  };
}

/** Returns the contents of the files of instructions for agents; also asked for a text that is edited. */
export async function askInstructions(
  files: PlanFiles,
  value: unknown,
  path: string | null,
  { workspaceDir }: PlanCheckOptions,
): Promise<Pick<DiskAnswers, 'instructions'>> {
  const root = workspaceDir ?? workspaceOf(path);
  const paths = isObject(value) ? instructionPathsOf(value).map(([one]) => one) : [];
  if (root === null || paths.length === 0 || files.instructions === undefined) return {};
  return { instructions: await files.instructions(root, paths) };
}

/** Returns what lies at the arguments of commands; asked only for a person who approves. */
async function askNamed(
  files: PlanFiles,
  value: unknown,
  path: string | null,
  { workspaceDir, asksNamed }: PlanCheckOptions,
): Promise<Pick<DiskAnswers, 'named'>> {
  const root = workspaceDir ?? workspaceOf(path);
  const paths = asksNamed === true && isObject(value) ? namedPathsOf(value) : [];
  if (root === null || paths.length === 0 || files.instructions === undefined) return {};
  return { named: await files.instructions(root, paths) };
}

/** Says whether ai.project.json is there; asked only for a person before a run, and where a task needs it. */
export async function askProject(
  files: PlanFiles,
  value: unknown,
  path: string | null,
  { workspaceDir, defaultWorker = defaultAgent, looksAtProject }: PlanCheckOptions,
): Promise<Pick<DiskAnswers, 'project'>> {
  const root = workspaceDir ?? workspaceOf(path);
  if (looksAtProject !== true || root === null || files.project === undefined || !isObject(value)) return {};
  if (!asksForProject(judgedTasksOf(value), defaultWorker)) return {};
  const project = files.project(root);
  const reading = await judgedProject(await project.read(), project);
  if (reading.kind === 'absent') return { project: { kind: 'missing' } };
  if (reading.kind === 'unreadable') return { project: { kind: 'invalid', why: reading.reason } };
  const wrong = reading.findings.find(({ severity }) => severity === 'error');
  return { project: wrong ? { kind: 'invalid', why: wrong.message.replace(/\.$/, '') } : { kind: 'valid' } };
}

async function askGit(
  files: PlanFiles,
  value: unknown,
  path: string | null,
  { workspaceDir }: PlanCheckOptions,
): Promise<Pick<DiskAnswers, 'ignored'>> {
  const root = workspaceDir ?? workspaceOf(path);
  const paths = isObject(value) ? scratchPathsOf(value).map(([path]) => path) : [];
  if (paths.length === 0) return {};
  const unknown = paths.map(() => null);
  // Git cannot be asked on Node 20, where plans are checked as well.
  const asked = root === null ? undefined : files.ignored?.(root, paths).catch(() => unknown);
  return { ignored: (await asked) ?? unknown };
}

/** The workspace of a plan in `docs/plans`; null: the plan lies elsewhere. */
export function workspaceOf(path: string | null): string | null {
  return /^(.+?)[\\/]docs[\\/]plans[\\/][^\\/]+$/s.exec(path ?? '')?.[1] ?? null;
}
