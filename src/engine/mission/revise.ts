import { isObject, listAt, objectAt, type JsonObject } from '../../base/json';
import { done, refused, type Outcome } from '../../base/outcome';
import type { PlanEdit } from '../../contracts/vocabulary/steps';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import { errorLines, type Finding } from '../../core/documents/finding';
import { carriable, type CarryProblem } from '../../core/mission/revision/carryOver';
import { cameBackAs, cameBackRefusal, givenAway, givenAwayRefusal } from '../../core/mission/handoff/movedRun';
import { reviseStep } from '../../core/mission/revision/supersede';
import { editProblem, withEdit } from '../../core/mission/resolve/planEdits';
import type { ReceivedPlan } from '../../core/model/envelopeEvents';
import { rowOf, type Mission, type TaskRow } from '../../core/model/state';
import type { CarriedFrom, PlannedTask } from '../../core/plan/approvedPlan';
import { approvedPlanOf } from '../../core/plan/normalize';
import { revisionId, revisionNumber, revisionText } from '../../core/plan/revision';
import { planPathOf } from '../../core/plan/template';
import { idFault } from '../../core/plan/rules/identity';
import { readLockedPlan } from '../effects/launch/planHash';
import { asApproved, type PlannedApproval } from '../plans/approval';
import { checkEditedPlan, defaultWorkerOfPlans } from '../plans/check';
import { ignoredOutput } from '../plans/draft';
import type { MissionPaths, EnginePorts } from '../ports/engine';
import type { PlanFiles } from '../ports/plans';
import type { Clock } from '../ports/time';
import { readCarry, type CarriedPorts } from './carried';
import {
  leftOutside,
  lineageOf,
  notTakenOver,
  unfinishedWork,
  type NotTakenOver,
  type Unfinished,
} from './unfinishedOutputs';
import { cannotPropose } from '../../core/mission/orchestrator/asked';
import { sessionOf } from '../../core/model/session';
import type { Propose } from '../effects/orchestrator/answerRequest';
import { MissionReader } from '../views/reader';

export interface RevisePorts extends CarriedPorts {
  readonly plans: PlanFiles;
  readonly paths: MissionPaths;
  readonly clock: Clock;
}

export interface ReviseRequest {
  readonly mission: Mission;
  /** All of the workspace, the newest first. */
  readonly missions: readonly Mission[];
  /** Who writes the revision. */
  readonly planner: string;
  readonly defaultWorker: WorkerName;
  /** Ids of plans that were executed here, which no revision takes. */
  readonly taken: readonly string[];
  /** Absolute path of the file to be written; absent: the next free revision in docs/plans. */
  readonly out?: string;
  /** The line that the draft is written with; absent: the locked bytes as they are. */
  readonly edit?: PlanEdit;
  /** Reuses a file that holds the same draft, because an owner may be killed between file and record. */
  readonly once?: true;
}

export interface WrittenRevision {
  readonly plan_id: string;
  /** Relative to the workspace root, or absolute where it lies outside. */
  readonly plan_path: string;
  readonly supersedes: string;
  readonly mission_id: string;
  readonly carried: readonly string[];
  /** Tasks that were done and will be done again, and why. */
  readonly again: readonly CarryProblem[];
  /** Files that a task changed outside its approved paths, and that are still changed. */
  readonly left: readonly string[];
  /** Files that open tasks, and those that are done again, left within their paths. */
  readonly unfinished: readonly Unfinished[];
  /** Revisions by a person in the mission that the draft does not contain. */
  readonly not_taken_over: readonly NotTakenOver[];
  /** What is wrong with the draft, apart from its missing approval. */
  readonly findings: readonly Finding[];
}

/** Characters of a plan that an orchestrator proposes. */
const longestProposal = 200_000;

/** Writes a DRAFT of the locked plan, whatever became of its file; done tasks are marked. Replaces no file. */
export async function writeRevision(request: ReviseRequest, ports: RevisePorts): Promise<Outcome<WrittenRevision>> {
  const { mission } = request;
  const open = revisionRefusal(request);
  if (open) return open;
  const bytes = await readLockedPlan(mission, ports);
  const plan = bytes && ports.plans.parse(bytes).value;
  if (!isObject(plan))
    return refused(
      'EVIDENCE_MISSING',
      `The locked bytes of the plan (SHA-256 ${mission.plan_sha256}) are gone, so it is unknown what would be revised.`,
      `Put the approved bytes back in ${mission.plan_path}.`,
    );
  if (!request.edit) return write(request, await withScratch(plan, mission, ports), mission.plan.tasks, ports);
  const edited = await editedPlan(plan, request.edit, request, ports);
  return edited.ok ? write(request, edited.value, mission.plan.tasks, ports) : edited;
}

/** Proposes ignored folders for output as scratch where a task is blocked, because its build may be the cause. */
async function withScratch(
  plan: JsonObject,
  { rows }: Pick<Mission, 'rows'>,
  { plans, paths }: Pick<RevisePorts, 'plans' | 'paths'>,
): Promise<JsonObject> {
  const execution = objectAt(plan, 'execution');
  if (!execution || 'scratch' in execution || !rows.some(({ status }) => status === 'blocked')) return plan;
  const scratch = await ignoredOutput(plans, paths.workspace_dir);
  return scratch.length === 0 ? plan : { ...plan, execution: { ...execution, scratch } };
}

/** Writes the line into the plan. Refused where the rules of a plan judge it to be an error. */
async function editedPlan(
  plan: JsonObject,
  edit: PlanEdit,
  request: ReviseRequest,
  ports: RevisePorts,
): Promise<Outcome<JsonObject>> {
  const execution = objectAt(plan, 'execution') ?? {};
  const { mission } = request;
  const no = editProblem(mission, edit);
  if (no !== null) return refused('REVISION_INVALID', no, reviseStep(mission));
  if (edit.kind !== 'writes') return done({ ...plan, execution: withEdit(execution, edit) });
  const row = rowOf(mission, edit.task);
  const places = await Promise.all(edit.paths.map((path) => placeToOpen(path, row, ports)));
  const added = (object: JsonObject, list: 'scratch' | 'paths'): JsonObject => {
    const more = places.flatMap(({ path, scratch }) => (scratch === (list === 'scratch') ? [path] : []));
    return more.length === 0 ? object : { ...object, [list]: [...(listAt(object, list) ?? []), ...new Set(more)] };
  };
  const open = (task: unknown): unknown =>
    isObject(task) && task['task_id'] === edit.task ? added(task, 'paths') : task;
  const wider = added(execution, 'scratch');
  return done({
    ...plan,
    ...(wider !== execution && { execution: wider }),
    tasks: (listAt(plan, 'tasks') ?? []).map(open),
  });
}

/**
 * The folder that the program makes around the file, because it writes more there; else the file. Scratch only opens to
 * commands, so a path that git ignores is a path of the task for an agent.
 */
async function placeToOpen(
  wanted: string,
  { task, attempts }: TaskRow,
  { plans, paths }: RevisePorts,
): Promise<{ readonly path: string; readonly scratch: boolean }> {
  const root = paths.workspace_dir;
  const parts = wanted.split('/').filter((part) => part !== '' && part !== '.');
  const around = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
  const byCommand = task.worker === 'command' || (attempts.at(-1)?.verify.length ?? 0) > 0;
  const first = byCommand ? (await plans.ignored(root, around)).indexOf(true) : -1;
  if (first >= 0) return { path: around[first] ?? wanted, scratch: true };
  const places = await plans.places(root, around);
  const missing = around.find((path) => places.some((place) => place.path === path && place.kind === 'missing'));
  const isFolder = missing !== undefined && missing !== around.at(-1);
  return { path: isFolder ? `${missing}/` : (around.at(-1) ?? wanted), scratch: false };
}

/** Trusts nothing in it: the id is ours, the journal says what is done, and it has no approval. */
export async function proposeRevision(
  request: Omit<ReviseRequest, 'out'> & { readonly text: string },
  ports: RevisePorts,
): Promise<Outcome<WrittenRevision>> {
  const { mission, text, defaultWorker, planner } = request;
  const open = revisionRefusal(request);
  if (open) return open;
  if (text.length > longestProposal)
    return invalid(`The proposed plan has ${text.length} characters; at most ${longestProposal} are taken.`);
  const parsed = ports.plans.parse(text);
  const unread = errorsIn(parsed.findings);
  if (unread !== '') return invalid(`The proposal is no JSON document that can be read: ${unread}`);
  if (!isObject(parsed.value) || listAt(parsed.value, 'tasks') === null)
    return invalid('The proposal is no plan: it has no list of tasks.');
  const facts = {
    plan_id: revisionId(mission.plan.plan_id, revisionNumber(mission.plan.plan_id) + 1),
    supersedes: mission.plan.plan_id,
    created_at: ports.clock.now(),
    planner,
  };
  const judged = await judgeDraft(revisionText(parsed.value, { ...facts, carried: new Map() }), request, ports);
  if (!judged.ok) return invalid(`The proposed plan is not valid: ${errorsIn(judged.findings)}`);
  const { tasks } = approvedPlanOf(judged.plan, { defaultWorker });
  return write({ ...request, once: true }, parsed.value, tasks, ports);
}

/** Says why the plan of a mission cannot be revised; null: it can. */
function revisionRefusal({
  mission,
  missions,
  taken,
}: Pick<ReviseRequest, 'mission' | 'missions' | 'taken'>): Outcome<never> | null {
  const { mission_id, superseded } = mission;
  const away = givenAway(mission);
  const back = away && cameBackAs(mission, missions);
  if (away && back !== null)
    return { ok: false, refusal: cameBackRefusal(mission, back, reviseStep({ mission_id: back })) };
  if (away) return { ok: false, refusal: givenAwayRefusal(away) };
  // A revision that never ran may be replaced by another one.
  if (superseded === null || !taken.includes(superseded.plan_id)) return null;
  const reason = `Mission ${mission_id} is superseded by plan ${superseded.plan_id}: a further revision is one of that plan.`;
  return refused('PLAN_SUPERSEDED', reason, reviseStep({ mission_id: superseded.plan_id }));
}

async function write(
  request: ReviseRequest,
  plan: JsonObject,
  tasks: readonly PlannedTask[],
  ports: RevisePorts,
): Promise<Outcome<WrittenRevision>> {
  const { mission, planner, out } = request;
  const { carried, problems } = carriable(mission, tasks, await readCarry(mission, ports));
  const marks = new Map(carried.map(({ task_id, from }): [string, CarriedFrom] => [task_id, from]));
  const facts = { supersedes: mission.plan.plan_id, created_at: ports.clock.now(), planner, carried: marks };
  const taken = new Set(request.taken.map((id) => id.toLowerCase()));
  const first = revisionNumber(mission.plan.plan_id) + 1;
  for (let n = first; n < first + 1000; n += 1) {
    const named = /PLAN_([^\\/]+)\.json$/.exec(out ?? '')?.[1] ?? '';
    const plan_id = out === undefined ? revisionId(mission.plan.plan_id, n) : named;
    const file = out ?? ports.paths.absolute(planPathOf(plan_id));
    const misplaced = misplacedDraft(plan_id, ports.paths.relative(file), mission);
    if (misplaced) return misplaced;
    if (taken.has(plan_id.toLowerCase())) {
      if (out === undefined) continue;
      return refused('PLAN_ID_REUSED', `Plan id ${plan_id} was executed here before.`, 'Choose another plan id.');
    }
    const text = revisionText(plan, { ...facts, plan_id });
    const written = await ports.plans.write(file, text, null);
    const exists = !written.ok && written.refusal.code === 'PLAN_ID_REUSED' && out === undefined;
    if (exists && !(request.once && (await holds(file, text, ports)))) continue;
    if (!written.ok && !exists) return written;
    const { findings } = await judgeDraft(text, request, ports);
    const earlier = lineageOf(mission, request.missions);
    const left = await leftOutside(earlier, tasks, ports);
    const again = new Set(problems.map(({ task_id }) => task_id));
    return done({
      plan_id,
      plan_path: ports.paths.relative(file) ?? file,
      supersedes: facts.supersedes,
      mission_id: mission.mission_id,
      carried: [...marks.keys()],
      again: problems,
      left,
      unfinished: await unfinishedWork(earlier, { again, elsewhere: left }, ports),
      not_taken_over: notTakenOver(mission, tasks),
      findings,
    });
  }
  const reason = 'There are a thousand revisions of this plan.';
  return refused('PLAN_ID_REUSED', reason, 'Give the next one a plan_id of its own.');
}

/** Returns whether the file holds this draft, apart from its time. */
async function holds(file: string, text: string, { plans }: RevisePorts): Promise<boolean> {
  const [there, draft] = [(await plans.read(file)).value, plans.parse(text).value];
  if (!isObject(there) || !isObject(draft)) return false;
  return JSON.stringify({ ...there, created_at: null }) === JSON.stringify({ ...draft, created_at: null });
}

async function judgeDraft(
  text: string,
  { defaultWorker }: Pick<ReviseRequest, 'defaultWorker'>,
  { plans, paths, clock }: RevisePorts,
): Promise<PlannedApproval> {
  const options = { defaultWorker, workspaceDir: paths.workspace_dir };
  return asApproved(plans, await checkEditedPlan(plans, text, null, options), null, clock.now(), options);
}

/** The first errors, bounded; empty: it has no errors. */
function errorsIn(findings: readonly Finding[]): string {
  return errorLines(findings, 10)
    .map((line) => line.slice(0, 500))
    .join('\n');
}

function invalid(reason: string): Outcome<never> {
  return refused('PROPOSAL_INVALID', reason, 'Propose the whole plan again, with what is named here corrected.');
}

/** Says why a plan cannot run from there; null: it can. */
function misplacedDraft(planId: string, place: string | null, mission: ReceivedPlan): Outcome<never> | null {
  const step = `${reviseStep(mission)} --out docs/plans/PLAN_ID.json`;
  if (place?.replaceAll('\\', '/') !== planPathOf(planId))
    return refused('COMMAND_INVALID', 'A plan runs only from docs/plans/PLAN_ID.json of its workspace.', step);
  const fault = idFault(planId);
  return fault === null ? null : refused('COMMAND_INVALID', `The plan id ${JSON.stringify(planId)} ${fault}.`, step);
}

/** Writes the plan that a session proposes as a DRAFT of ours, once for each request. */
export function proposer(now: () => Mission, ports: EnginePorts): Propose {
  return async ({ launch_id, request_id, plan: text, reason }) => {
    const mission = now();
    const session = sessionOf(mission, launch_id);
    // The session has ended, or its answer is recorded already.
    if (!session || session.requests.some((one) => one.request_id === request_id))
      return refused('PACKET_CLOSED', 'The proposal was answered before.', 'Choose an outcome.');
    const not = cannotPropose(mission, session, reason);
    if (not) return { ok: false, refusal: not };
    const executed = await ports.evidence.executions();
    if (!executed.ok) return executed;
    const missions = (await new MissionReader(ports.journal).read()).missions.map((one) => one.mission);
    const taken = [...executed.value, ...missions.map(({ plan }) => plan.plan_id)];
    const planner = `orchestrator ${mission.orchestrator?.worker ?? ''}`;
    const request = { mission, missions, planner, defaultWorker: defaultWorkerOfPlans, taken, text };
    const written = await proposeRevision(request, ports);
    if (!written.ok) return written;
    const { plan_id, plan_path: path } = written.value;
    const { sha256 } = await ports.plans.read(ports.paths.absolute(path));
    return done({ plan_id, path, sha256: sha256 ?? '' });
  };
}
