import { fileStep } from '../../base/text/steps';
import { executionHeaderSchema, type ExecutionHeader } from '../../contracts/record/header';
import type { Plan } from '../../contracts/plan';
import type { TaskEvidence } from '../../contracts/taskEvidence';
import { evidenceNames } from '../../contracts/vocabulary/files/evidenceFiles';
import { notObservedExternally } from '../../core/evidence/external';
import { evidenceDir, headerPath, lockedPlanPath, utcSeconds } from '../../core/evidence/places';
import { isOver } from '../../core/execution/envelope';
import { refuseOtherBytes, reused, spelledOtherwise } from '../../core/mission/start';
import type { ApprovedPlan } from '../../core/plan/approvedPlan';
import { approvedPlanOf } from '../../core/plan/normalize';
import { headerDocument } from '../effects/write/writeDocuments';
import { checkPlan, defaultWorkerOfPlans } from '../plans/check';
import type { AskedPlan } from '../plans/approvals';
import type { Clock } from '../ports/time';
import type { EvidenceFiles, ReadFile } from '../ports/evidence';
import type { PlanFiles } from '../ports/plans';
import { done, refused, type Outcome, type Refusal } from '../../base/outcome';
import { parsedJson } from '../../base/json';

/** They observe nothing, but keep sequence, hash lock and evidence honest (contract 001). Callers hold the lease. */
export interface OrchPorts {
  readonly evidence: EvidenceFiles;
  readonly plans: PlanFiles;
  readonly clock: Clock;
  /** HEAD commit, or null. */
  head(): Promise<string | null>;
  /** Every mission in the journal, open or ended. */
  missions(): Promise<readonly { readonly mission_id: string; readonly plan_id: string }[]>;
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
  { plan_path, plan_file, workspace_dir, tool }: OrchPlan & Pick<ExecutionHeader, 'tool'>,
): Promise<Outcome<OrchWritten<ExecutionHeader>>> {
  const checked = await checkPlan(ports.plans, plan_file, { workspaceDir: workspace_dir });
  if (checked.plan === null || checked.plan_sha256 === null || checked.bytes === null) {
    const errors = checked.findings.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    const reason = `The plan is not valid (${checked.code}): ${errors.slice(0, 5).join(' ')}`;
    return refused('PLAN_INVALID', reason, fileStep('plan validate', plan_path));
  }
  const plan = externalPlanOf(checked.plan);
  const { plan_id } = plan;
  const place = `docs/plans/PLAN_${plan_id}.json`;
  if (plan_path !== place)
    return refused('PLAN_MISPLACED', `The plan belongs into ${place}, not ${plan_path}.`, `Move it to ${place}.`);
  const { plan_sha256, canonical_sha256 } = checked;
  const other_forms = checked.text.other_forms ?? [];
  const asked = { plan_id, plan_path, plan_sha256, other_forms };
  const refusal =
    (await refusalForEarlier(ports, asked)) ?? refuseOtherBytes(await ports.approvedOtherwise(asked), plan_path);
  if (refusal !== null) return { ok: false, refusal };

  const locked = await ports.evidence.write(lockedPlanPath(plan_id), checked.bytes);
  if (!locked.ok) return locked;
  if (locked.value.sha256 !== plan_sha256) {
    const why = 'The plan changed while it was read, because another program writes at the same time.';
    return refused('EVIDENCE_INVALID', why, `mission evidence verify ${plan_id}`);
  }
  const at = ports.clock.now();
  return writeHeader(ports.evidence, {
    contract_version: 'S2-B-06.v1',
    plan_id,
    goal_id: plan.goal_id,
    plan_path,
    plan_sha256,
    plan_canonical_sha256: canonical_sha256 ?? undefined,
    started_at_utc: utcSeconds(at),
    state: 'LOCKED',
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
    locked_plan: { file: evidenceNames.lockedPlan, sha256: plan_sha256 },
    summary: null,
    tasks: plan.tasks.map(({ task_id }) => headerRow({ task_id, evidence: null, sha256: null })),
    success_criteria: [],
    journal: null,
    tool,
    not_observed: [notObservedExternally, ...milestonesLeftOut(checked.plan)],
  });
}

/** The header's row of a task; null: it has no such file yet. */
export function headerRow(task: {
  readonly task_id: string;
  readonly evidence: TaskEvidence | null;
  readonly sha256: string | null;
}): NonNullable<ExecutionHeader['tasks']>[number] {
  const { task_id, evidence, sha256 } = task;
  return {
    task_id,
    status: evidence?.status ?? null,
    code: evidence?.code ?? null,
    attempts: 0,
    evidence_sha256: sha256,
  };
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

export async function writeHeader(
  evidence: EvidenceFiles,
  header: ExecutionHeader,
): Promise<Outcome<OrchWritten<ExecutionHeader>>> {
  const written = await evidence.write(headerPath(header.plan_id), headerDocument(header));
  return written.ok ? readHeader(evidence, header.plan_id) : written;
}

/** Reads the header; refuses one that is not intact. */
export async function readHeader(
  evidence: EvidenceFiles,
  planId: string,
): Promise<Outcome<OrchWritten<ExecutionHeader>>> {
  const path = headerPath(planId);
  const file = await evidence.read(path);
  if (!file.ok) return file;
  if (file.value === null) {
    const step = `mission orch start --plan docs/plans/PLAN_${planId}.json`;
    return refused('EVIDENCE_MISSING', `${path} does not exist: the execution was not started.`, step);
  }
  const document = executionHeaderSchema.safeParse(parsedJson(file.value.text));
  if (!document.success || file.value.sealed === false) {
    const known = document.success ? file.value : null;
    return refused(
      'EVIDENCE_INVALID',
      withReason(`${path} was changed or damaged after it was written.`, known, null),
      `mission evidence verify ${planId}`,
    );
  }
  return done({ path, sha256: file.value.sha256, document: document.data });
}

/** Appends the reason why a file has other bytes, where its content is proven to be the recorded one. */
export function withReason(sentence: string, file: ReadFile | null, digest: string | null): string {
  const explained = file?.explained?.(digest) ?? null;
  return explained === null ? sentence : `${sentence} ${explained}`;
}

async function refusalForEarlier(ports: OrchPorts, plan: AskedPlan): Promise<Refusal | null> {
  const { plan_id } = plan;
  const own = await refuseMission(ports, plan_id);
  if (own !== null) return own;
  const executions = await ports.evidence.executions();
  if (!executions.ok) return executions.refusal;
  const missions = (await ports.missions()).map((mission) => mission.plan_id);
  const otherwise = spelledOtherwise(plan_id, [...executions.value, ...missions]);
  if (otherwise !== null) return otherwise;
  const existing = await ports.evidence.existing(plan_id);
  if (existing.kind === 'none') return null;
  const { mission_id, plan_sha256, state } = existing;
  if (mission_id !== null) return ownMission(plan_id, mission_id);
  const verify = `mission evidence verify ${plan_id}`;
  if (plan_sha256 === null) {
    const folder = evidenceDir(plan_id);
    const reason = `${folder} holds evidence that cannot be read.`;
    return { code: 'EVIDENCE_FOREIGN', reason, next: [verify, `Look at ${folder}, then move it away.`] };
  }
  if (plan_sha256 !== plan.plan_sha256) return reused(plan, plan_sha256, null);
  const newId = 'Give the plan a new plan_id and its own approval.';
  return isOver(state)
    ? { code: 'MISSION_CLOSED', reason: `${plan_id} was executed already; its evidence stays.`, next: [newId] }
    : {
        code: 'MISSION_OPEN',
        reason: `${plan_id} was started already and is ${state ?? 'open'}.`,
        next: [verify, 'Go on with its next task.'],
      };
}

export async function refuseMission(ports: OrchPorts, planId: string): Promise<Refusal | null> {
  const mission = (await ports.missions()).find(({ plan_id }) => plan_id === planId);
  return mission ? ownMission(planId, mission.mission_id) : null;
}

/** Refuses evidence with a mission id, because it belongs to a mission of Mission Control. */
export function ownMission(planId: string, missionId: string): Refusal {
  const reason = `${planId} belongs to mission ${missionId}, which records its own evidence.`;
  return { code: 'MISSION_ACTIVE', reason, next: [`mission status ${missionId}`] };
}
