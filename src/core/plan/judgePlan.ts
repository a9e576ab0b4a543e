import { confinementModes, type ConfinementMode } from '../../contracts/vocabulary/confinement';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import { type Finding, collectFindings } from '../documents/finding';
import { strictestMode } from '../execution/confinementMode';
import { isObject, objectAt, quoted, textAt, type JsonObject } from '../../base/json';
import type { FindingCode } from '../../contracts/vocabulary/codes/findings';
import { allFields } from './fields/planFields';
import { judgedTasksOf, type AddPlanFinding } from './rules/judgedTask';
import { judgeApproval, isId, judgeIdentity } from './rules/identity';
import { judgeCarried } from './rules/carried';
import { judgeDependencies } from './rules/dependencies';
import type { NamedFile } from './fields/right';
import { instructionPathsOf, judgeInstructions, type InstructionsFact } from './rules/instructions';
import { judgeMilestones, validatorsOf } from './rules/milestones';
import { judgeModels } from './rules/models';
import type { PolicyReading } from '../policy/policy';
import { judgeLinks, judgeScratch, scratchPathsOf } from './rules/ownPlaces';
import { judgePlaces, type PlaceFact } from './rules/places';
import { judgeContextPaths, judgeProjectFile, type ProjectFact } from './rules/projectFile';
import { judgeScope } from './rules/scope';
import { judgeSecretTexts } from './rules/secrets';
import { judgeTasks } from './rules/tasks';

export interface JudgeOptions {
  readonly defaultWorker: WorkerName;
  /** Where the plan is stored, POSIX; null for a text that is in no file yet, whose place is not judged. */
  readonly path: string | null;
  /** Workspace root, POSIX, or null when it is not known. */
  readonly workspaceDir: string | null;
  /** ISO-8601. */
  readonly now: string;
  /** What setting or command line ask for; the plan can only be stricter. */
  readonly confinement?: ConfinementMode;
}

/** What lies outside the text; absent: the caller did not ask. */
export interface DiskAnswers {
  /** Whether git ignores each scratch path, in the order of `scratchPathsOf`. */
  readonly ignored?: readonly (boolean | null)[];
  readonly places?: readonly PlaceFact[];
  /** The link in each place of evidence and scratch, in the order of `ownPlacesOf`; null: no link. */
  readonly links?: readonly (string | null)[];
  readonly policy?: PolicyReading;
  readonly project?: ProjectFact;
  /** The files of instructions for agents, in the order of `instructionPathsOf`. */
  readonly instructions?: readonly InstructionsFact[];
  /** The files that commands name; read for a person who approves. */
  readonly named?: readonly NamedFile[];
  /** What lies below approved folders; read for a person who approves. */
  readonly below?: readonly string[];
  /** The folder of hooks in the workspace that git's configuration names; null: none. As `below`. */
  readonly hooks?: string | null;
}

/** Rules beyond the shape of single values, for any JSON value. The adapter that has the text adds positions. */
export function judgePlan(value: unknown, options: JudgeOptions & DiskAnswers): readonly Finding[] {
  const { report, list } = collectFindings<FindingCode>();
  if (!isObject(value)) {
    report('SCHEMA_INVALID', '', `A plan is a JSON object, not ${quoted(value)}; start from \`mission plan new\`.`);
    return list;
  }
  const tasks = judgedTasksOf(value);
  judgeIdentity(value, report);
  judgeApproval(value, options.now, report);
  judgeScope(value, tasks, report);
  judgeTasks(value, tasks, options.defaultWorker, report);
  judgeContextPaths(tasks, options.defaultWorker, report);
  if (options.project) judgeProjectFile(tasks, options.project, options.defaultWorker, report);
  judgeDependencies(tasks, report);
  judgeCarried(value, tasks, report);
  const { defaultWorker, workspaceDir } = options;
  const judged = { plan: value, execution: objectAt(value, 'execution'), tasks, defaultWorker, workspaceDir };
  for (const [, { judge }] of allFields) judge?.(judged, report);
  judgeMilestones(value, tasks, report);
  if (options.policy) judgeModels(tasks, options.defaultWorker, options.policy, report, validatorsOf(value));
  if (options.ignored) judgeScratch(scratchPathsOf(value), options.ignored, report);
  if (options.instructions) judgeInstructions(instructionPathsOf(value), options.instructions, report);
  if (options.links) judgeLinks(value, options.links, report);
  if (options.places) judgePlaces(value, tasks, { facts: options.places, mode: modeOf(value, options) }, report);
  judgeSecretTexts(value, report);
  judgePlace(value, options, report);
  return list;
}

function modeOf(plan: JsonObject, { confinement }: JudgeOptions): ConfinementMode {
  const asked = textAt(objectAt(plan, 'execution'), 'confinement');
  return strictestMode([confinement, confinementModes.find((mode) => mode === asked)]);
}

function judgePlace(plan: JsonObject, { path, workspaceDir }: JudgeOptions, report: AddPlanFinding): void {
  const planId = textAt(plan, 'plan_id');
  if (path === null || planId === null || !isId(planId)) return;
  const expected = `docs/plans/PLAN_${planId}.json`;
  const root = workspaceDir?.replace(/\/+$/, '');
  const inPlace =
    root === undefined ? path === expected || path.endsWith(`/${expected}`) : path === `${root}/${expected}`;
  if (!inPlace) {
    const message = `To run, this plan must be the file ${expected} of the workspace; move or rename it.`;
    report('PLAN_MISPLACED', '/plan_id', message, 'warning');
  }
}
