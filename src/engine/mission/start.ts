import type { Variants } from '../../base/variants';
import { errorCount } from '../../base/text/amounts';
import { fileStep } from '../../base/text/steps';
import type { Actor } from '../../contracts/vocabulary/actors';
import type { ApprovalVerdict } from '../../core/plan/approvalRecord';
import type { ApprovedPlan } from '../../core/plan/approvedPlan';
import type { Finding } from '../../core/documents/finding';
import { isLackOfApproval } from '../../core/view/plan/editorFindings';
import { approvedPlanOf } from '../../core/plan/normalize';
import type { Mission } from '../../core/model/state';
import { runsElsewhere } from '../../core/mission/handoff/movedRun';
import { knownMission, refuseStart, type ExistingEvidence, type StartFacts } from '../../core/mission/start';
import { approvalVerdict, type MissionApproval } from '../plans/approvals';
import type { EngineOptions } from '../ports/context';
import type { EnginePorts } from '../ports/engine';
import { receivePlan } from './receivePlan';
import { approveStep, equipmentFor, workerWords, type RunRequest } from './startRequirements';
import { checkCarried } from './carried';
import { earlierWork } from './unfinishedOutputs';
import type { MissionEngine } from './engine';
import { olderThanStop } from './olderThanStop';
import { MissionReader } from '../views/reader';
import { checkPlan, type PlanCheck } from '../plans/check';
import type { Journal } from '../ports/journal';
import type { PlanText } from '../ports/plans';
import type { Refusal } from '../../base/outcome';
import { refusalsStream, type WorkspaceEvent } from '../ports/workspaceEvents';

export interface StartRequest extends RunRequest {
  /** Absolute path of the plan file. */
  readonly plan_path: string;
  readonly require_approval_record: boolean;
}

export type Started = Variants<
  'kind',
  {
    started: { engine: MissionEngine; findings: readonly Finding[]; approval: MissionApproval };
    refused: { refusal: Refusal; findings: readonly Finding[]; plan_id: string | null };
  }
>;

/**
 * Reads and validates a plan, checks every reason not to start, and only then journals the first events. `busy`:
 * missions running now. The caller holds the lease. Every refusal is journalled; before LOCKED the evidence is not
 * written.
 */
export async function startMission(
  request: StartRequest,
  ports: EnginePorts,
  records: Journal<WorkspaceEvent>,
  options: EngineOptions,
  busy: ReadonlySet<string> = new Set(),
): Promise<Started> {
  const { asked_at = ports.clock.now() } = request;
  const check = await checkPlan(ports.plans, request.plan_path, {
    defaultWorker: request.default_worker,
    workspaceDir: ports.paths.workspace_dir,
    ...(request.confinement === undefined ? {} : { confinement: request.confinement }),
  });
  const plan_path = ports.paths.relative(request.plan_path) ?? request.plan_path;
  const refuse = async (refusal: Refusal): Promise<Started> => {
    const event = startRefused(refusal, check, plan_path);
    await appendRecord({ stream: refusalsStream, event, actor: request.actor }, ports, records, options.fence);
    return { kind: 'refused', refusal, findings: check.findings, plan_id: check.plan?.plan_id ?? null };
  };
  const { plan_sha256, canonical_sha256, bytes, findings } = check;
  if (!check.valid || !check.plan || plan_sha256 === null || canonical_sha256 === null || !bytes) {
    const errors = check.findings.filter((finding) => finding.severity === 'error');
    const unheld = errors.find(({ code }) => code === 'CONFINEMENT_TOO_COARSE' || code === 'PATH_BEHIND_LINK');
    if (unheld !== undefined && errors[0] === unheld) {
      const reason = `${unheld.message} Nothing was started.`;
      return refuse({ code: 'CONFINEMENT_UNAVAILABLE', reason, next: [validateStep(request)] });
    }
    return refuse({
      code: 'PLAN_INVALID',
      reason: `The plan has ${errorCount(errors.length)}: ${errors[0]?.message ?? check.code}`,
      next: [
        errors.length > 0 && errors.every(isLackOfApproval) ? approveStep(request, plan_path) : validateStep(request),
      ],
    });
  }
  const plan = approvedPlanOf(check.plan, { defaultWorker: request.default_worker });
  const approval = await approvalVerdict(
    records,
    ports.approvals,
    {
      plan_id: plan.plan_id,
      plan_path,
      plan_sha256,
      other_forms: check.text.other_forms ?? [],
      risk_level: plan.risk_level,
    },
    ports.clock.now(),
    request.approval_hours,
  );
  const { require_approval_record } = request;
  const wanted = { plan, check, plan_path, approval, require_approval_record, busy, from: null };
  const refusal = await refusalOfStart(wanted, ports);
  if (refusal) return refuse(refusal);
  const { carried, findings: lost } = await checkCarried(check.plan, check.text, ports, {
    defaultWorker: request.default_worker,
  });
  if (lost[0]) {
    const reason = `What the plan carries over does not hold: ${lost[0].message}`;
    return refuse({ code: 'PLAN_INVALID', reason, next: [validateStep(request)] });
  }
  const over = new Set(carried.map(({ task_id }) => task_id));
  const earlier = await earlierWork(plan, over, ports);
  const equipment = await equipmentFor({ plan, plan_path, approval }, request, over, ports);
  if (!equipment.ok) return refuse(equipment.refusal);
  // Asked last, because programs that do not answer may have held up the earlier checks.
  const late = await olderThanStop(asked_at, ports);
  if (late) return refuse(late);
  const received = await receivePlan(
    {
      mission_id: missionIdOf(plan.plan_id, ports.clock.now(), ports.ids.base36(6)),
      plan,
      plan_path,
      plan_sha256,
      canonical_sha256,
      bytes,
      findings,
      approval,
      equipment: equipment.value,
      request,
      keeps: new Map(),
      absent: false,
      carried,
      earlier,
      handoff: null,
    },
    ports,
    options,
  );
  return received.ok ? { kind: 'started', findings, ...received.value } : refuse(received.refusal);
}

function validateStep(request: StartRequest): string {
  return fileStep('plan validate', request.plan_path, ...workerWords(request.default_worker));
}

/** A valid plan that is to run. */
interface WantedStart {
  readonly plan: ApprovedPlan;
  readonly check: { readonly plan_sha256: string | null; readonly text?: Pick<PlanText, 'other_forms'> };
  readonly plan_path: string;
  readonly approval: ApprovalVerdict;
  readonly require_approval_record: boolean;
  /** Missions running now. */
  readonly busy: ReadonlySet<string>;
  /** The mission that is resumed, whose evidence may exist; null for a new one. */
  readonly from: string | null;
}

/** Says why a valid plan may not run here and now. */
export async function refusalOfStart(wanted: WantedStart, ports: EnginePorts): Promise<Refusal | null> {
  const { plan, check, plan_path, approval, busy, from } = wanted;
  const trouble = (await ports.stateTrouble()) ?? (await ports.startsHeld());
  if (trouble) return trouble;
  const plan_sha256 = check.plan_sha256 ?? '';
  const { missions, unreadable } = await new MissionReader(ports.journal).read();
  const [damaged] = unreadable;
  if (damaged)
    return {
      code: 'STATE_STORE_CORRUPT',
      reason: `Mission ${damaged.mission_id} of this workspace cannot be read, so it is unknown whether it runs, waits or failed: ${damaged.reason}`,
      next: [
        `mission journal verify ${damaged.mission_id}`,
        'When nothing of it runs, move .mission-control to a place where you keep it. Evidence stays in docs/ops/executions.',
      ],
    };
  const found = await ports.evidence.existing(plan.plan_id);
  const executions = await ports.evidence.executions();
  if (!executions.ok) return executions.refusal;
  const own =
    from !== null && found.kind === 'present' && found.mission_id === from && found.plan_sha256 === plan_sha256;
  return refuseStart({
    plan_id: plan.plan_id,
    plan_sha256,
    supersedes: plan.supersedes,
    other_forms: check.text?.other_forms ?? [],
    plan_path,
    approval_missing: wanted.require_approval_record && !approval.counts ? approval.why : null,
    approved_otherwise: !approval.counts && approval.recorded === 'others' ? approval.why : null,
    evidence: own ? { kind: 'none' } : judgedBy(from, found),
    executions: executions.value,
    missions: missions.map(({ mission }) =>
      knownMission(
        mission,
        busy.has(mission.mission_id),
        plan.tasks.flatMap(({ paths }) => paths),
      ),
    ),
    // The handoff of a resumed run decides whether it may go on here.
    given_away: from === null ? runsElsewhere(missions.map(({ mission }) => mission)) : [],
  });
}

/**
 * Says what other missions of the workspace have against a start, before a person reads and approves its plan. A
 * revision is not asked for, because its approval ends the mission that it supersedes.
 *
 * @param busy missions running now
 */
export function refusedByMissions(
  plan: Pick<StartFacts, 'plan_id' | 'plan_path' | 'plan_sha256'> & { readonly paths: readonly string[] },
  missions: readonly Mission[],
  busy: ReadonlySet<string>,
): Refusal | null {
  return refuseStart({
    ...plan,
    ...{ supersedes: null, approval_missing: null, approved_otherwise: null, evidence: { kind: 'none' } },
    executions: [],
    missions: missions.map((mission) => knownMission(mission, busy.has(mission.mission_id), plan.paths)),
    given_away: runsElsewhere(missions),
  });
}

/** Ignores that a resumed run was given away, because its handoff decides whether it goes on. */
function judgedBy(from: string | null, found: ExistingEvidence): ExistingEvidence {
  return from !== null && found.kind === 'present' ? { ...found, code: null } : found;
}

/** `<plan_id>-<yyyyMMddTHHmmssZ>-<6 base36>`. */
export function missionIdOf(planId: string, now: string, random: string): string {
  return `${planId}-${now.slice(0, 19).replaceAll(/[-:]/g, '')}Z-${random}`;
}

function startRefused(
  { code, reason }: Refusal,
  check: Pick<PlanCheck, 'plan' | 'plan_sha256' | 'findings'>,
  plan_path: string,
): WorkspaceEvent {
  return {
    type: 'StartRefused',
    plan_path,
    plan_id: check.plan?.plan_id ?? null,
    plan_sha256: check.plan_sha256,
    code,
    reason,
    findings: check.findings.slice(0, 100).map((finding) => `${finding.code} ${finding.pointer}`),
  };
}

/** Appends to a stream of the workspace; false when the journal refused. */
export async function appendRecord(
  { stream, event, actor }: { readonly stream: string; readonly event: WorkspaceEvent; readonly actor: Actor },
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
