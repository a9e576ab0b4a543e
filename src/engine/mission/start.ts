import type { Actor } from '../../contracts/vocabulary/actors';
import type { RefusalCode } from '../../contracts/vocabulary/codes';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import type { ApprovalVerdict } from '../../core/plan/approvalRecord';
import type { ApprovedPlan } from '../../core/plan/approvedPlan';
import type { Finding } from '../../core/documents/finding';
import { overlaps } from '../../core/paths/compare';
import { approvedPlanOf } from '../../core/plan/normalize';
import { knownMission, refuseStart } from '../../core/mission/start';
import { approvalVerdict, takeApproval } from '../plans/approvals';
import type { EngineOptions } from '../ports/context';
import { refusalOfExtraArguments } from '../plans/extraArguments';
import type { EnginePorts } from '../ports/engine';
import { MissionEngine } from './engine';
import { MissionReader } from '../views/reader';
import { checkPlan, defaultWorkerOfPlans } from '../plans/check';
import { lockedPlanFile } from '../effects/planHash';
import type { Journal } from '../ports/journal';
import type { PlanText } from '../ports/plans';
import type { Refusal } from '../../base/outcome';
import { refusalsStream, type WorkspaceEvent } from '../ports/workspaceEvents';

export interface StartRequest {
  /** Absolute path of the plan file. */
  readonly plan_path: string;
  readonly actor: Actor;
  readonly default_worker: WorkerName;
  readonly require_approval_record: boolean;
  /** How long an approval counts from risk level 2 on; default 24. */
  readonly approval_hours?: number;
}

export type Started =
  | { readonly kind: 'started'; readonly engine: MissionEngine; readonly findings: readonly Finding[] }
  | {
      readonly kind: 'refused';
      readonly refusal: Refusal;
      readonly findings: readonly Finding[];
      readonly plan_id: string | null;
    };

/**
 * Receives a plan (`busy`: missions that are driven right now): one read, validation, every reason not to start, and only then the first events. The
 * caller owns the lease. Every refusal is journalled; before LOCKED nothing is written to the evidence.
 */
export async function startMission(
  request: StartRequest,
  ports: EnginePorts,
  records: Journal<WorkspaceEvent>,
  options: EngineOptions,
  busy: ReadonlySet<string> = new Set(),
): Promise<Started> {
  const check = await checkPlan(ports.plans, request.plan_path, {
    defaultWorker: request.default_worker,
    workspaceDir: ports.paths.workspace_dir,
  });
  const refuse = async (refusal: Refusal): Promise<Started> => {
    await recordRefusal(request, check, refusal, ports, records, options);
    return { kind: 'refused', refusal, findings: check.findings, plan_id: check.plan?.plan_id ?? null };
  };
  if (!check.valid || !check.plan || check.plan_sha256 === null || !check.bytes) {
    const errors = check.findings.filter((finding) => finding.severity === 'error');
    return refuse({
      code: 'PLAN_INVALID',
      reason: `The plan has ${errors.length} error(s): ${errors[0]?.message ?? check.code}`,
      next: [validateStep(request)],
    });
  }
  const plan = approvedPlanOf(check.plan, { defaultWorker: request.default_worker });
  const relative = ports.paths.relative(request.plan_path);
  const approval = await approvalVerdict(
    records,
    ports.approvals,
    { plan_sha256: check.plan_sha256, other_forms: check.text.other_forms ?? [], risk_level: plan.risk_level },
    ports.clock.now(),
    request.approval_hours,
  );
  const refusal = await refusalOfStart(
    plan,
    check,
    relative ?? request.plan_path,
    ports,
    busy,
    null,
    approval,
    request.require_approval_record,
  );
  if (refusal) return refuse(refusal);
  const unfit = refusalOfOwnFolder(plan, ports) ?? (await refusalOfWorkers(plan, ports));
  if (unfit) return refuse(unfit);
  return receive(
    plan,
    relative ?? request.plan_path,
    check.plan_sha256,
    check.bytes,
    check.findings,
    request,
    approval,
    ports,
    options,
    refuse,
  );
}

/** The same judgement once more: who performs tasks that name nobody is part of it. */
function validateStep({ plan_path, default_worker }: StartRequest): string {
  const worker = default_worker === defaultWorkerOfPlans ? '' : ` --worker ${default_worker}`;
  return `mission plan validate ${plan_path}${worker}`;
}

/** Why a valid plan may not be executed here and now. `from`: the mission that is resumed; its evidence is its own. */
export async function refusalOfStart(
  plan: ApprovedPlan,
  check: { readonly plan_sha256: string | null; readonly text?: Pick<PlanText, 'other_forms'> },
  planPath: string,
  ports: EnginePorts,
  busy: ReadonlySet<string>,
  from: string | null,
  approval: ApprovalVerdict,
  requireApprovalRecord: boolean,
): Promise<Refusal | null> {
  const trouble = await ports.stateTrouble?.();
  if (trouble) return trouble;
  const plan_sha256 = check.plan_sha256 ?? '';
  const { missions } = await new MissionReader(ports.journal).read();
  const found = await ports.evidence.existing(plan.plan_id);
  const executions = await ports.evidence.executions();
  if (!executions.ok) return executions.refusal;
  const own =
    from !== null && found.kind === 'present' && found.mission_id === from && found.plan_sha256 === plan_sha256;
  return refuseStart({
    plan_id: plan.plan_id,
    plan_sha256,
    other_forms: check.text?.other_forms ?? [],
    plan_path: planPath,
    approval_missing: requireApprovalRecord && !approval.counts ? approval.why : null,
    evidence: own ? { kind: 'none' } : found,
    executions: executions.value,
    missions: missions.map(({ mission }) => knownMission(mission, busy.has(mission.mission_id))),
  });
}

/** Where HOME is the workspace, our own programs and the key of approvals lie in it: no task gets a lock on them. */
function refusalOfOwnFolder(plan: ApprovedPlan, { paths }: EnginePorts): Refusal | null {
  const { own, scope } = paths;
  for (const { task_id, paths: wanted } of plan.tasks) {
    for (const one of wanted) {
      const found = own.find((folder) => overlaps(one, folder, scope.comparison));
      if (found === undefined) continue;
      return {
        code: 'NON_COMPLIANT',
        reason: `${task_id} may write ${one}, and Mission Control keeps files of its own in ${found}.`,
        next: ['Narrow the paths of the task.'],
      };
    }
  }
  return null;
}

/**
 * The refusal of the first agent CLI of the plan that is not here, or is configured to run without its safety: better
 * now than after half of the tasks.
 */
export async function refusalOfWorkers(plan: ApprovedPlan, ports: EnginePorts): Promise<Refusal | null> {
  for (const worker of new Set(plan.tasks.map((task) => task.worker))) {
    const resolved = await ports.workers.resolve(worker);
    const refusal = resolved.ok
      ? refusalOfExtraArguments(worker, resolved.value.extra_args, ports.workers.surface)
      : resolved.refusal;
    if (refusal) return refusal;
  }
  return null;
}

async function receive(
  plan: ApprovedPlan,
  planPath: string,
  planSha256: string,
  bytes: Uint8Array,
  findings: readonly Finding[],
  request: StartRequest,
  verdict: ApprovalVerdict,
  ports: EnginePorts,
  options: EngineOptions,
  refuse: (refusal: Refusal) => Promise<Started>,
): Promise<Started> {
  const missionId = missionIdOf(plan.plan_id, ports.clock.now(), ports.ids.base36(6));
  // The bytes are kept before anything is journalled about them: LOCKED never points at nothing.
  const kept = await ports.evidence.write(ports.paths.missionFile(missionId, lockedPlanFile), bytes);
  if (!kept.ok) return refuse(kept.refusal);
  const { approval_source, approved_here, warnings } = await takeApproval(verdict, missionId, ports.approvals);
  if (request.require_approval_record && !approved_here)
    return refuse({
      code: 'APPROVAL_RECORD_REQUIRED',
      reason: warnings[0] ?? 'The approval does not count any more.',
      next: [`mission plan approve ${planPath} --by NAME`],
    });
  const engine = MissionEngine.create(missionId, ports, options);
  await engine.submit(
    {
      type: 'PlanReceived',
      mission_id: missionId,
      plan,
      plan_path: planPath,
      plan_sha256: planSha256,
      approval_source,
      approved_here,
      warnings: [...findings.map((finding) => `${finding.code} ${finding.pointer}: ${finding.message}`), ...warnings],
      tool_version: options.tool_version,
    },
    request.actor,
  );
  if (engine.halt) {
    const code: RefusalCode = 'STATE_STORE_UNWRITABLE';
    return {
      kind: 'refused',
      refusal: {
        code,
        reason: `The journal did not take the mission: ${engine.halt.reason}`,
        next: ['mission doctor'],
      },
      findings,
      plan_id: plan.plan_id,
    };
  }
  return { kind: 'started', engine, findings };
}

/** `<plan_id>-<yyyyMMddTHHmmssZ>-<6 base36>`. Source: decisions.md section 1. */
export function missionIdOf(planId: string, now: string, random: string): string {
  return `${planId}-${now.slice(0, 19).replaceAll(/[-:]/g, '')}Z-${random}`;
}

async function recordRefusal(
  request: StartRequest,
  check: {
    readonly plan: { readonly plan_id: string } | null;
    readonly plan_sha256: string | null;
    readonly findings: readonly Finding[];
  },
  refusal: Refusal,
  ports: EnginePorts,
  records: Journal<WorkspaceEvent>,
  options: EngineOptions,
): Promise<void> {
  const event: WorkspaceEvent = {
    type: 'StartRefused',
    plan_path: ports.paths.relative(request.plan_path) ?? request.plan_path,
    plan_id: check.plan?.plan_id ?? null,
    plan_sha256: check.plan_sha256,
    code: refusal.code,
    reason: refusal.reason,
    findings: check.findings.slice(0, 100).map((finding) => `${finding.code} ${finding.pointer}`),
  };
  await appendRecord(refusalsStream, event, request.actor, ports, records, options.fence);
}

/** Appends to a stream of the workspace; false when the journal did not take it. */
export async function appendRecord(
  stream: string,
  event: WorkspaceEvent,
  actor: Actor,
  ports: Pick<EnginePorts, 'clock' | 'ids'>,
  records: Journal<WorkspaceEvent>,
  fence: number,
): Promise<boolean> {
  const last = (await records.streams()).find((info) => info.stream === stream)?.last_seq ?? 0;
  const appended = await records.append(stream, last, fence, [
    { run_id: ports.ids.uuid(), at: ports.clock.now(), actor, event },
  ]);
  return appended.ok;
}
