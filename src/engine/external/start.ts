import { fileStep } from '../../base/text/steps';
import { executionHeaderSchema, type ExecutionHeader } from '../../contracts/record/header';
import type { Plan } from '../../contracts/plan';
import type { TaskEvidence } from '../../contracts/taskEvidence';
import { headerDocument } from '../evidence/headerDocument';
import { headerPath, lockedPlanPath, utcSeconds } from '../../core/evidence/places';
import { notObservedExternally } from '../../core/evidence/external';
import { lineEndsNext, refuseOtherBytes, spelledOtherwise } from '../../core/mission/start';
import { evidenceNames, lineEndsHint } from '../../contracts/vocabulary/files/evidenceFiles';
import type { ApprovedPlan } from '../../core/plan/approvedPlan';
import { approvedPlanOf } from '../../core/plan/normalize';
import { checkPlan, defaultWorkerOfPlans } from '../plans/check';
import type { AskedPlan } from '../plans/approvals';
import type { Clock } from '../ports/time';
import type { EvidenceFiles, ReadFile } from '../ports/evidence';
import type { PlanFiles } from '../ports/plans';
import { refused, type Outcome, type Refusal } from '../../base/outcome';
import { parsedJson } from '../../base/json';

/**
 * The three tools of contract 001 for an external executor: validate and lock (`orchStart`), record the start and the
 * end of each task (`orchTask` in task.ts). They observe nothing, but keep sequence, hash lock and evidence honest.
 * Callers must hold the workspace's lease around each call.
 */
export interface OrchPorts {
  readonly evidence: EvidenceFiles;
  readonly plans: PlanFiles;
  readonly clock: Clock;
  /** HEAD commit, or null. */
  head(): Promise<string | null>;
  planIds(): Promise<readonly string[]>;
  /** Id of a mission in the journal, open or ended, that executed this plan id; null: no mission did. */
  missionOf(planId: string): Promise<string | null>;
  /** See `approvedOtherBytes`. */
  approvedOtherwise(plan: AskedPlan): Promise<string | null>;
}

export interface OrchPlan {
  /** POSIX path relative to the workspace root: docs/plans/PLAN_<plan_id>.json. */
  readonly plan_path: string;
  /** Absolute path of the same file. */
  readonly plan_file: string;
  readonly workspace_dir: string;
}

export interface OrchStartRequest extends OrchPlan {
  readonly tool: { readonly name: string; readonly version: string };
  /** Host and user name, recorded only when requested. */
  readonly identity: { readonly host: string; readonly user: string } | null;
}

export interface OrchWritten<D> {
  readonly path: string;
  readonly sha256: string;
  readonly document: D;
}
export interface OrchTaskWritten extends OrchWritten<TaskEvidence> {
  readonly header: OrchWritten<ExecutionHeader>;
}

/** Validates the plan, locks the validated bytes and writes the header in state LOCKED. */
export async function orchStart(
  ports: OrchPorts,
  request: OrchStartRequest,
): Promise<Outcome<OrchWritten<ExecutionHeader>>> {
  const checked = await checkPlan(ports.plans, request.plan_file, { workspaceDir: request.workspace_dir });
  if (checked.plan === null || checked.plan_sha256 === null || checked.bytes === null) {
    const errors = checked.findings.filter((finding) => finding.severity === 'error');
    return refused(
      'PLAN_INVALID',
      `The plan is not valid (${checked.code}): ${errors
        .map((finding) => finding.message)
        .slice(0, 5)
        .join(' ')}`,
      fileStep('plan validate', request.plan_path),
    );
  }
  const plan = externalPlanOf(checked.plan);
  if (planIdOfPath(request.plan_path) !== plan.plan_id) {
    return refused(
      'PLAN_MISPLACED',
      `The plan belongs into docs/plans/PLAN_${plan.plan_id}.json, not ${request.plan_path}.`,
      `Move it to docs/plans/PLAN_${plan.plan_id}.json.`,
    );
  }
  const taken = await refusalForEarlier(ports, plan.plan_id, checked.plan_sha256, checked.text.other_forms ?? []);
  if (taken !== null) return { ok: false, refusal: taken };
  const { plan_path } = request;
  const asked = { plan_id: plan.plan_id, plan_path, plan_sha256: checked.plan_sha256 };
  const other_forms = checked.text.other_forms ?? [];
  const changed = refuseOtherBytes(await ports.approvedOtherwise({ ...asked, other_forms }), plan_path);
  if (changed) return { ok: false, refusal: changed };

  const locked = await ports.evidence.write(lockedPlanPath(plan.plan_id), checked.bytes);
  if (!locked.ok) return locked;
  if (locked.value.sha256 !== checked.plan_sha256)
    return refused(
      'EVIDENCE_INVALID',
      'The plan changed while it was read, because another program writes at the same time.',
      `mission evidence verify ${plan.plan_id}`,
    );
  const at = ports.clock.now();
  return writeHeader(ports.evidence, {
    contract_version: 'S2-B-06.v1',
    plan_id: plan.plan_id,
    goal_id: plan.goal_id,
    plan_path: request.plan_path,
    plan_sha256: checked.plan_sha256,
    plan_canonical_sha256: checked.canonical_sha256 ?? undefined,
    started_at_utc: utcSeconds(at),
    state: 'LOCKED',
    host: request.identity?.host,
    user: request.identity?.user,
    executor: 'external',
    mission_id: null,
    run_id: null,
    ended_at_utc: null,
    outcome: null,
    status: 'planned',
    cancelled: false,
    code: null,
    reason: null,
    approval_source: 'file',
    approved_by: plan.approved_by,
    approved_at: plan.approved_at,
    state_history: (['RECEIVED', 'VALIDATED', 'LOCKED'] as const).map((state) => ({ state, at })),
    locked_plan: { file: evidenceNames.lockedPlan, sha256: locked.value.sha256 },
    summary: null,
    tasks: plan.tasks.map((task) => ({
      task_id: task.task_id,
      status: null,
      code: null,
      attempts: 0,
      evidence_sha256: null,
    })),
    success_criteria: [],
    journal: null,
    tool: request.tool,
    not_observed: [notObservedExternally, ...milestonesLeftOut(checked.plan)],
  });
}

/** Says which milestones of a plan an external executor leaves out, as sentences. */
function milestonesLeftOut({ milestones = [] }: Plan): readonly string[] {
  const ids = milestones.flatMap(({ id, validate }) => (validate ? [id] : []));
  if (ids.length === 0) return [];
  return [
    `${ids.length === 1 ? 'Milestone' : 'Milestones'} ${ids.join(', ')} ${ids.length === 1 ? 'is' : 'are'} not validated or accepted here, because an external executor is given the tasks alone. Run the plan with mission run to have ${ids.length === 1 ? 'it' : 'them'} validated.`,
  ];
}

/** The plan with its tasks only, because an external executor validates no milestones. */
export function externalPlanOf(plan: Plan): ApprovedPlan {
  return approvedPlanOf({ ...plan, milestones: [] }, { defaultWorker: defaultWorkerOfPlans });
}

/** The id in `docs/plans/PLAN_<plan_id>.json`; null for other paths. */
export function planIdOfPath(planPath: string): string | null {
  const id = /^docs\/plans\/PLAN_([^/]+)\.json$/.exec(planPath)?.[1];
  return id !== undefined && /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/.test(id) && !id.includes('..') ? id : null;
}

/** Writes the header and returns it as read back. */
export async function writeHeader(
  evidence: EvidenceFiles,
  header: ExecutionHeader,
): Promise<Outcome<OrchWritten<ExecutionHeader>>> {
  const path = headerPath(header.plan_id);
  const written = await evidence.write(path, headerDocument(header));
  if (!written.ok) return written;
  return readHeader(evidence, header.plan_id);
}

/** Reads the header; refuses one that is not intact. */
export async function readHeader(
  evidence: EvidenceFiles,
  planId: string,
): Promise<Outcome<OrchWritten<ExecutionHeader>>> {
  const path = headerPath(planId);
  const file = await evidence.read(path);
  if (!file.ok) return file;
  if (file.value === null)
    return refused(
      'EVIDENCE_MISSING',
      `${path} does not exist: the execution was not started.`,
      `mission orch start --plan docs/plans/PLAN_${planId}.json`,
    );
  const document = executionHeaderSchema.safeParse(parsedJson(file.value.text));
  if (!document.success || file.value.sealed === false) {
    const known = document.success ? file.value : null;
    return refused(
      'EVIDENCE_INVALID',
      withReason(`${path} was changed or damaged after it was written.`, known, null),
      `mission evidence verify ${planId}`,
    );
  }
  return { ok: true, value: { path, sha256: file.value.sha256, document: document.data } };
}

/** Appends the reason why a file has other bytes, where its content is proven to be the recorded one. */
export function withReason(sentence: string, file: ReadFile | null, digest: string | null): string {
  const explained = file?.explained?.(digest) ?? null;
  return explained === null ? sentence : `${sentence} ${explained}`;
}

async function refusalForEarlier(
  ports: OrchPorts,
  planId: string,
  planSha256: string,
  otherForms: readonly string[],
): Promise<Refusal | null> {
  const mission = await ports.missionOf(planId);
  if (mission !== null) return ownMission(planId, mission);
  const executions = await ports.evidence.executions();
  if (!executions.ok) return executions.refusal;
  const otherwise = spelledOtherwise(planId, [...executions.value, ...(await ports.planIds())]);
  if (otherwise !== null) return otherwise;
  const existing = await ports.evidence.existing(planId);
  if (existing.kind === 'none') return null;
  if (existing.mission_id !== null) return ownMission(planId, existing.mission_id);
  const newId = 'Give the plan a new plan_id and its own approval.';
  if (!existing.readable) {
    return {
      code: 'EVIDENCE_FOREIGN',
      reason: `docs/ops/executions/${planId} holds evidence that cannot be read.`,
      next: [`mission evidence verify ${planId}`, `Look at docs/ops/executions/${planId}, then move it away.`],
    };
  }
  if (existing.plan_sha256 !== planSha256) {
    if (existing.plan_sha256 !== null && otherForms.includes(existing.plan_sha256))
      return {
        code: 'PLAN_ID_REUSED',
        reason: `${planId} was started with another plan hash (${existing.plan_sha256}). ${lineEndsHint}`,
        next: lineEndsNext(planId),
      };
    return {
      code: 'PLAN_ID_REUSED',
      reason: `${planId} was started with another plan hash (${existing.plan_sha256 ?? 'unknown'}).`,
      next: [newId],
    };
  }
  const over = ['COMPLETED', 'FAILED', 'REPORTED'].includes(existing.state ?? '');
  return over
    ? { code: 'MISSION_CLOSED', reason: `${planId} was executed already; its evidence stays.`, next: [newId] }
    : {
        code: 'MISSION_OPEN',
        reason: `${planId} was started already and is ${existing.state ?? 'open'}.`,
        next: [`mission evidence verify ${planId}`, 'Go on with its next task.'],
      };
}

/** Refuses evidence with a mission id, because it belongs to a mission of Mission Control. */
export function ownMission(planId: string, missionId: string): Refusal {
  return {
    code: 'MISSION_ACTIVE',
    reason: `${planId} belongs to mission ${missionId}, which records its own evidence.`,
    next: [`mission status ${missionId}`],
  };
}
