import type { Variants } from '../../base/variants';
import { errorCount } from '../../base/text/amounts';
import { fileStep } from '../../base/text/steps';
import type { Actor } from '../../contracts/vocabulary/actors';
import type { Plan } from '../../contracts/plan';
import type { ApprovalVerdict } from '../../core/plan/approvalRecord';
import type { ApprovedPlan } from '../../core/plan/approvedPlan';
import type { Finding } from '../../core/documents/finding';
import { isLackOfApproval } from '../../core/view/plan/editorFindings';
import { approvedPlanOf } from '../../core/plan/normalize';
import { runsElsewhere } from '../../core/mission/handoff/movedRun';
import { knownMission, refuseApproval, refuseStart } from '../../core/mission/start';
import { approvalVerdict, type MissionApproval } from '../plans/approvals';
import type { EngineOptions, EnginePorts, StartPorts } from '../ports/engine';
import { receivePlan } from './receivePlan';
import { approveStep, equipmentFor, machineFor, workerWords, type Machine, type RunRequest } from './startRequirements';
import { checkCarried } from './carried';
import { earlierWork } from './unfinishedOutputs';
import type { MissionEngine } from './engine';
import { olderThanStop } from './missedStop';
import { provenMissions } from '../views/reader';
import { checkPlan, type PlanCheck } from '../plans/check';
import { done, type Outcome, type Refusal } from '../../base/outcome';
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

/** The caller holds the lease. Journals each refusal; before LOCKED writes no evidence. `busy`: running missions. */
export async function startMission(
  request: StartRequest,
  ports: StartPorts,
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
    await appendRecord({ stream: refusalsStream, event, actor: request.actor }, ports, options.fence);
    return { kind: 'refused', refusal, findings: check.findings, plan_id: check.plan?.plan_id ?? null };
  };
  const wanted = wantedStart(check, request);
  const free = check.valid ? done(null) : await lookBeforeApproval(check, { plan_path, busy }, request, ports);
  if (!free.ok) return refuse(free.refusal);
  if (!check.plan || !wanted) {
    const errors = check.findings.filter((finding) => finding.severity === 'error');
    const unheld = errors.find(({ code }) => code === 'CONFINEMENT_TOO_COARSE' || code === 'PATH_BEHIND_LINK');
    if (unheld !== undefined && errors[0] === unheld) {
      const reason = `${unheld.message} Nothing was started.`;
      return refuse({ code: 'CONFINEMENT_UNAVAILABLE', reason, next: [validateStep(request)] });
    }
    return refuse({
      code: 'PLAN_INVALID',
      reason: `The plan has ${errorCount(errors.length)}: ${errors[0]?.message ?? check.code}`,
      next: [wanted ? approveStep(request, plan_path) : validateStep(request)],
    });
  }
  const { plan } = wanted;
  const admission = await admit({ ...wanted, plan_path, busy, from: null }, request, ports);
  if (!admission.ok) return refuse(admission.refusal);
  const { machine, approval } = admission.value;
  const { carried, findings: lost } = await checkCarried(check.plan, check.text, ports, {
    defaultWorker: request.default_worker,
  });
  if (lost[0]) {
    const reason = `What the plan carries over does not hold: ${lost[0].message}`;
    return refuse({ code: 'PLAN_INVALID', reason, next: [validateStep(request)] });
  }
  const earlier = await earlierWork(plan, wanted.done, ports);
  const equipment = await equipmentFor({ plan, plan_path, approval }, request, { done: wanted.done, machine }, ports);
  if (!equipment.ok) return refuse(equipment.refusal);
  // Asked last, because programs that do not answer may have held up the earlier checks.
  const late = await olderThanStop(asked_at, ports);
  if (late) return refuse(late);
  const received = await receivePlan(
    {
      mission_id: missionIdOf(plan.plan_id, ports.clock.now(), ports.ids.base36(6)),
      ...{ plan, plan_path, check, approval },
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
  return received.ok ? { kind: 'started', findings: check.findings, ...received.value } : refuse(received.refusal);
}

function validateStep(request: StartRequest): string {
  return fileStep('plan validate', request.plan_path, ...workerWords(request.default_worker));
}

/** A plan that is to run, as it is written, whatever its approval says. */
export interface WantedStart {
  readonly plan: ApprovedPlan;
  readonly plan_sha256: string;
  readonly other_forms: readonly string[];
  readonly plan_path: string;
  /** Missions running now. */
  readonly busy: ReadonlySet<string>;
  /** The mission that is resumed, whose evidence may exist; null for a new one. */
  readonly from: string | null;
  /** Ids of tasks that need no program and no model, because they are done. */
  readonly done: ReadonlySet<string>;
  /** A person reads it next: the approval of a revision ends the mission that it supersedes. */
  readonly unread?: true;
}

/** Null: it has other errors than those that an approval mends. */
function wantedStart(
  { valid, plan, findings, text, plan_sha256 }: PlanCheck,
  { default_worker }: Pick<Asked, 'default_worker'>,
): Pick<WantedStart, 'plan' | 'plan_sha256' | 'other_forms' | 'done'> | null {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const isDraft = !valid && errors.length > 0 && errors.every(isLackOfApproval);
  // The schema accepted all of a draft that no error names.
  const written = isDraft ? { ...(text.value as Plan), approval: { required: true } } : plan;
  if (!written) return null;
  return {
    plan: approvedPlanOf(written, { defaultWorker: default_worker }),
    plan_sha256: plan_sha256 ?? '',
    other_forms: text.other_forms ?? [],
    done: new Set(written.tasks.flatMap(({ task_id, carried_from }) => (carried_from ? [task_id] : []))),
  };
}

type Asked = Pick<RunRequest, 'default_worker' | 'confinement' | 'agent_network'>;

/** A start asks the same (`machineOrRefusal`). Errors that no approval mends are not refused here. */
export async function lookBeforeApproval(
  check: PlanCheck,
  { plan_path, busy }: Pick<WantedStart, 'plan_path' | 'busy'>,
  asked: Asked,
  ports: EnginePorts,
): Promise<Outcome<unknown>> {
  const wanted = wantedStart(check, asked);
  if (!wanted) return done(null);
  return machineOrRefusal({ ...wanted, plan_path, busy, from: null, unread: true }, asked, ports);
}

/** Returns what this machine gives a run, or what keeps it from starting whatever its approval says. */
async function machineOrRefusal(
  wanted: WantedStart,
  asked: Omit<Asked, 'default_worker'>,
  ports: EnginePorts,
): Promise<Outcome<Machine>> {
  const ends = wanted.unread === true && wanted.plan.supersedes !== null;
  const refusal =
    (await ports.stateTrouble()) ??
    (await ports.startsHeld()) ??
    (ends ? null : await refusalOfMissions(wanted, ports));
  return refusal ? { ok: false, refusal } : machineFor(wanted.plan, asked, wanted.done, ports);
}

/** The same for a run that is to begin now, with its approval, which counts where it has to. */
export async function admit(
  wanted: WantedStart,
  request: RunRequest,
  ports: StartPorts,
): Promise<Outcome<{ readonly machine: Machine; readonly approval: ApprovalVerdict }>> {
  const machine = await machineOrRefusal(wanted, request, ports);
  if (!machine.ok) return machine;
  const { plan, plan_path } = wanted;
  const asked = { ...wanted, plan_id: plan.plan_id, risk_level: plan.risk_level };
  const approval = await approvalVerdict(
    ports.records,
    ports.approvals,
    asked,
    ports.clock.now(),
    request.approval_hours,
  );
  const refusal = refuseApproval(approval, request.require_approval_record ?? false, plan_path);
  return refusal ? { ok: false, refusal } : done({ machine: machine.value, approval });
}

async function refusalOfMissions(wanted: WantedStart, ports: EnginePorts): Promise<Refusal | null> {
  const { plan, plan_sha256, plan_path, busy, from } = wanted;
  const { missions, unreadable } = await provenMissions(ports.journal);
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
  const paths = plan.tasks.flatMap((task) => task.paths);
  return refuseStart({
    plan_id: plan.plan_id,
    plan_sha256,
    supersedes: plan.supersedes,
    other_forms: wanted.other_forms,
    plan_path,
    executions: executions.value,
    missions: missions.map(({ mission }) => knownMission(mission, busy.has(mission.mission_id), paths)),
    // The handoff of a resumed run decides whether it may go on here.
    evidence: own ? { kind: 'none' } : from !== null && found.kind === 'present' ? { ...found, code: null } : found,
    given_away: from === null ? runsElsewhere(missions.map(({ mission }) => mission)) : [],
  });
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
  { clock, ids, records }: Pick<StartPorts, 'clock' | 'ids' | 'records'>,
  fence: number,
): Promise<boolean> {
  const last = (await records.streams()).find((info) => info.stream === stream)?.last_seq ?? 0;
  const appended = await records.append(stream, last, fence, [{ run_id: ids.uuid(), at: clock.now(), actor, event }]);
  return appended.ok;
}
