import { valueAt } from '../../base/json';
import { done, refused, type Outcome, type Refusal } from '../../base/outcome';
import { toSupersede, type RevisionOverview } from '../../base/text/revision';
import type { ApprovedFile } from '../../contracts/commands/missionCommand';
import type { Plan } from '../../contracts/plan';
import type { IgnoredBy } from '../../contracts/vocabulary/files/evidenceFiles';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import type { Finding } from '../../core/documents/finding';
import type { ApprovalSummary, MachineConfinement } from '../../core/plan/approvalSummary';
import type { ApprovalDecision } from '../../core/plan/approve';
import { checkCarried, type MissionSources } from './carried';
import type { PlanFiles } from '../ports/plans';
import { planApproval } from '../plans/approval';
import { approvalOverview } from '../plans/approvalOverview';
import { checkPlan, defaultWorkerOfPlans, type PlanCheckOptions } from '../plans/check';
import { approvedInstructions } from '../plans/instructions';
import { givenAwayRefusal, runsElsewhere, type GivenAway } from '../../core/mission/handoff/movedRun';
import { missionStatus } from '../../core/mission/status';
import { ranInstead } from '../../core/mission/revision/supersede';
import type { Mission, Course } from '../../core/model/state';
import { differences } from '../../core/plan/differences';
import { approvedPlanOf } from '../../core/plan/normalize';
import type { HandoffFiles } from '../ports/handoff';
import { leftOutside, lineageOf, unfinishedWork } from './unfinishedOutputs';
import { reused, type StartFacts } from '../../core/mission/start';

/** A plan file as it would be approved, as data, with what a person sees of it. */
export type PlannedFile =
  | {
      readonly ok: true;
      readonly plan_id: string;
      /** The bytes to write; those of the file when it was approved already (`changed` is false). */
      readonly bytes: Uint8Array;
      readonly changed: boolean;
      readonly plan_sha256: string;
      /** Digest of the bytes for which the approval was made. */
      readonly read_sha256: string;
      /** The approval that `bytes` hold. */
      readonly approval: Plan['approval'];
      readonly overview: ApprovalSummary;
      /** Warnings that remain. */
      readonly findings: readonly Finding[];
    }
  | { readonly ok: false; readonly read_sha256: string | null; readonly findings: readonly Finding[] };

/** Reads a plan, and returns what approving would write, without writing it. `path`: absolute. */
export async function plannedFile(
  files: PlanFiles,
  path: string,
  { decision, machine }: { readonly decision: ApprovalDecision; readonly machine: MachineConfinement },
  options: PlanCheckOptions,
): Promise<PlannedFile> {
  const check = await checkPlan(files, path, { ...options, asksNamed: true });
  const planned = planApproval(files, check, path, decision, options);
  const read_sha256 = check.plan_sha256;
  if (!planned.ok || read_sha256 === null) return { ok: false, read_sha256, findings: planned.findings };
  const { bytes, changed, plan_sha256, plan, findings } = planned;
  const { defaultWorker = defaultWorkerOfPlans } = options;
  const overview = approvalOverview(check, planned, { defaultWorker, machine });
  const { plan_id, approval } = plan;
  return { ok: true, plan_id, bytes, changed, plan_sha256, read_sha256, approval, overview, findings };
}

/** Says whether an unapproved plan has agents and does not say which corrections are allowed. */
export function asksRecovery(plan: unknown): boolean {
  if (
    valueAt(plan, 'status') === 'APPROVED' ||
    valueAt(valueAt(valueAt(plan, 'execution'), 'recovery'), 'allow') !== undefined
  )
    return false;
  const tasks = valueAt(plan, 'tasks');
  return Array.isArray(tasks) && !tasks.every((task) => valueAt(task, 'worker') === 'command');
}

/** What a person reads before they approve. */
export type ApprovalReview = ApprovalSummary & {
  readonly revision?: RevisionOverview;
  readonly evidence_ignored?: IgnoredBy;
};

/** The place where a person approves a plan: a terminal or a window. */
export interface ApprovalDesk {
  readonly plans: Pick<PlanFiles, 'read' | 'parse' | 'write'>;
  /** Absolute path of the plan, and the path that the journal records. */
  readonly path: string;
  readonly plan_path: string;
  readonly defaultWorker: WorkerName;
  /** Looks at the missions of the workspace; refused where its journal cannot be read. */
  missions<T>(look: (sources: MissionSources) => Promise<T>): Promise<Outcome<T>>;
  evidenceIgnored(planId: string): Promise<IgnoredBy | null>;
  /** Shows what is approved and asks for it. False: the person does not approve. */
  confirm(shown: ApprovalReview): Promise<boolean>;
  /** Returns whether an editor holds changes of the plan that the disk does not have yet. */
  unsaved?(): boolean;
  /** Journals the approval. Null: it is journalled. */
  record(approved: ApprovedFile): Promise<NotApproved | null>;
  /** Called when the plan was written. */
  written?(): Promise<void>;
}

export type NotApproved = Omit<Refusal, 'code'> & { readonly code: string };

export type Approval =
  | {
      readonly kind: 'approved';
      readonly planned: PlannedFile & { readonly ok: true };
      readonly approved: ApprovedFile;
      /** Why the journal has no record of it, although the file has; null: it has. */
      readonly unrecorded: NotApproved | null;
      /** The mission of the plan that has not ended, so that another run is refused; null: a run can begin. */
      readonly open: string | null;
      /** Null for a plan that supersedes none. */
      readonly revision: RevisionOverview | null;
      readonly ends: RevisionOverview['missions'];
    }
  | { readonly kind: 'invalid'; readonly findings: readonly Finding[] }
  /** Nothing was written. */
  | { readonly kind: 'refused'; readonly refusal: NotApproved }
  | { readonly kind: 'declined' };

/** Approves a plan: shows it, asks, writes the approval into the file, and journals it. */
export async function approvePlan(planned: PlannedFile, desk: ApprovalDesk): Promise<Approval> {
  if (!planned.ok) return { kind: 'invalid', findings: planned.findings };
  const { plan_id, plan_sha256, overview } = planned;
  const known = await desk.missions((sources) => amongMissions(planned, desk, sources));
  // A plan can be approved in its file although the journal cannot be read. Only a revision needs the journal.
  if (!known.ok && overview.supersedes !== null) return unwritten(known.refusal);
  const { revision, findings, late, open } = known.ok ? known.value : unrelated;
  if (late) return unwritten(late);
  if (findings.length > 0) return { kind: 'invalid', findings };
  const ignored = await desk.evidenceIgnored(plan_id);
  const shown = { ...overview, ...(revision && { revision }), ...(ignored && { evidence_ignored: ignored }) };
  if (!(await desk.confirm(shown))) return { kind: 'declined' };
  const still = await asShown(desk, planned.read_sha256);
  if (!still.ok) return { kind: 'refused', refusal: still.refusal };
  const instructions = approvedInstructions(overview.instructions);
  const approved = {
    ...{ plan_id, plan_path: desk.plan_path, plan_sha256 },
    ...(overview.speaks_to && { speaks_to: overview.speaks_to }),
    ...(instructions && { instructions }),
  };
  const ends = revision ? toSupersede(revision) : [];
  // A revision is written only where its approval can be recorded, because the mission would not end by it otherwise.
  const before = ends.length > 0 ? await desk.record(approved) : null;
  if (before) return unwritten(before);
  if (planned.changed) {
    const written = await desk.plans.write(desk.path, planned.bytes, planned.read_sha256);
    if (!written.ok) return { kind: 'refused', refusal: written.refusal };
    await desk.written?.();
  }
  const unrecorded = ends.length > 0 ? null : await desk.record(approved);
  return { kind: 'approved', planned, approved, unrecorded, open, revision, ends };
}

function unwritten(refusal: NotApproved): Approval {
  return { kind: 'refused', refusal: { ...refusal, reason: `Nothing was written. ${refusal.reason}` } };
}

interface AmongMissions {
  readonly revision: RevisionOverview | null;
  readonly findings: readonly Finding[];
  /** Why the plan is not approved although it is valid. */
  readonly late: Refusal | null;
  readonly open: string | null;
}

const unrelated: AmongMissions = { revision: null, findings: [], late: null, open: null };

async function amongMissions(
  { plan_id, plan_sha256, bytes, changed, overview: { supersedes } }: Extract<PlannedFile, { ok: true }>,
  { plans, path, defaultWorker }: ApprovalDesk,
  { missions, ports }: MissionSources,
): Promise<AmongMissions> {
  const own = missions.filter(({ plan }) => plan.plan_id === plan_id);
  // Parses only where it has to, because a large plan would keep a window waiting.
  if (own.length === 0 && supersedes === null) return unrelated;
  const { value, other_forms = [] } = plans.parse(bytes);
  const locked = lockedOtherwise({ plan_id, plan_sha256, other_forms }, missions)?.refusal ?? null;
  const open = own.find(({ execution }) => execution !== 'REPORTED')?.mission_id ?? null;
  if (locked || supersedes === null) return { ...unrelated, late: locked, open };
  // The cast holds, because these bytes were judged, and schema and type have one source.
  const plan = value as Plan;
  return {
    revision: await revisionOverview(plan, missions, ports, defaultWorker),
    // Approved where the run went on: its start judges it, and what it carries over was done there.
    findings:
      !changed && elsewhere(plan.supersedes, missions)
        ? []
        : (await checkCarried(plan, await plans.read(path), ports, { defaultWorker })).findings,
    late: refusalOfRevision(plan, missions, !changed),
    open,
  };
}

/**
 * Refuses a plan that is not what the person saw, because a question may stay open for hours. A plan that says APPROVED
 * already gets no write that would notice the change.
 */
async function asShown(desk: ApprovalDesk, sha256: string): Promise<Outcome<null>> {
  const changed = desk.unsaved?.() === true ? 'unsaved changes, which were not shown' : null;
  if (changed === null && (await desk.plans.read(desk.path)).sha256 === sha256) return done(null);
  const reason = `Nothing was approved, because the plan has ${changed ?? 'changed since it was shown'}.`;
  return refused('PLAN_HASH_MISMATCH', reason, 'Look at it again, then repeat the command.');
}

/** Null: the plan is no revision. `missions`: all of this workspace, the newest first. */
async function revisionOverview(
  plan: Plan,
  missions: readonly Mission[],
  ports: { readonly handoffs: Pick<HandoffFiles, 'found'> },
  defaultWorker: WorkerName,
): Promise<RevisionOverview | null> {
  const planned = approvedPlanOf(plan, { defaultWorker });
  const { tasks, supersedes, plan_id } = planned;
  if (supersedes === null) return null;
  const before = missions.filter((mission) => mission.plan.plan_id === supersedes && !mission.moved);
  const carried = tasks.filter(({ carried_from }) => carried_from);
  const from = carried[0]?.carried_from?.mission_id;
  const source = before.find(({ mission_id }) => mission_id === from) ?? before[0];
  const rows = source?.rows ?? [];
  const lineage = source && lineageOf(source, missions);
  const left = lineage ? await leftOutside(lineage, tasks, ports) : [];
  // A task that the revision renamed or dropped has left its work as well.
  const notCarried = rows
    .map(({ task }) => task.task_id)
    .filter((id) => !carried.some(({ task_id }) => task_id === id));
  const ids = (list: readonly { readonly task_id: string }[]): readonly string[] => list.map(({ task_id }) => task_id);
  return {
    supersedes,
    missions: before
      .filter((mission, index) => index === 0 || mission.execution !== 'REPORTED')
      .map((mission) => ({
        mission_id: mission.mission_id,
        status: missionStatus(mission),
        does: whatItDoes(mission, plan_id),
      })),
    compared_with: source?.mission_id ?? null,
    carried: ids(carried),
    again: ids(
      tasks.filter(
        ({ task_id, carried_from }) =>
          !carried_from && rows.some((row) => row.task.task_id === task_id && row.status === 'done'),
      ),
    ),
    added: source ? ids(tasks.filter(({ task_id }) => !rows.some(({ task }) => task.task_id === task_id))) : [],
    removed: ids(rows.map(({ task }) => task).filter((task) => !tasks.some(({ task_id }) => task_id === task.task_id))),
    differs: source ? differences(source.plan, planned) : [],
    left,
    left_inside: lineage ? await unfinishedWork(lineage, { again: new Set(notCarried), elsewhere: left }, ports) : [],
  };
}

/**
 * Says why a valid plan is not approved: another revision ran in its place, or the run that it revises goes on
 * elsewhere. Ask before it is written. `approvedBefore`: the approval is in the file, so nothing is written.
 */
function refusalOfRevision(
  { plan_id, supersedes }: Pick<Plan, 'plan_id' | 'supersedes'>,
  missions: readonly Mission[],
  approvedBefore: boolean,
): Refusal | null {
  for (const mission of missions.filter(({ plan }) => plan.plan_id === supersedes)) {
    const ran = missions.filter(({ plan }) => plan.plan_id === mission.superseded?.plan_id);
    const late = ranInstead(
      mission,
      plan_id,
      ran.map(({ mission_id }) => mission_id),
    );
    if (late) return late;
  }
  const away = elsewhere(supersedes, missions);
  return away && !approvedBefore ? givenAwayRefusal(away) : null;
}

function elsewhere(planId: string | undefined, missions: readonly Mission[]): GivenAway | undefined {
  return runsElsewhere(missions).find((mission) => mission.plan_id === planId);
}

function whatItDoes(mission: Course, planId: string): RevisionOverview['missions'][number]['does'] {
  const { superseded, execution, ending, acknowledged } = mission;
  if (superseded?.plan_id === planId && execution === 'REPORTED') return 'nothing';
  if (ending === null) return 'end';
  return ending.outcome === 'FAILED' && !ending.cancelled && acknowledged === null ? 'acknowledge' : 'follow';
}

/** A mission that holds the id of a plan for other bytes. */
interface LockedOtherwise {
  readonly mission_id: string;
  /** Says why the bytes are not approved, as a start of them does. */
  readonly refusal: Refusal;
}

/**
 * Finds the mission because of which bytes of a plan could never run: it locked other bytes under the plan's id. Ask
 * before the approval is written. `missions`: all of this workspace, the newest first.
 */
export function lockedOtherwise(
  asked: Pick<StartFacts, 'plan_id' | 'plan_sha256' | 'other_forms'>,
  missions: readonly Mission[],
): LockedOtherwise | null {
  const own = missions.filter(({ plan }) => plan.plan_id === asked.plan_id);
  const other = own.find((mission) => mission.plan_sha256 !== asked.plan_sha256);
  if (!other || own.some((mission) => mission.plan_sha256 === asked.plan_sha256)) return null;
  const { mission_id, plan_sha256 } = other;
  return { mission_id, refusal: reused(asked, plan_sha256, mission_id) };
}
