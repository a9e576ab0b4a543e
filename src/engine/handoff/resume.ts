import type { MissionHandoff } from '../../contracts/handoff';
import { evidenceProblem, importOf, ledgerAgainstPlan, transitionsOf } from '../../core/handoff/import';
import { decisionsProblem } from '../../core/handoff/decisions';
import { revisionsProblem } from '../../core/handoff/revisions';
import { contractCode } from '../../core/documents/verdict';
import { strictestMode, strictestNetwork } from '../../core/execution/confinementMode';
import type { ApprovedPlan } from '../../core/plan/approvedPlan';
import type { ApprovalVerdict } from '../../core/plan/approvalRecord';
import { approvalVerdict, takeApproval, type MissionApproval } from '../plans/approvals';
import type { EngineOptions } from '../ports/context';
import { HandoffChecks, type HandoffCheck } from './checks';
import { judgeAssignments } from './assignments';
import { keptHandoffFolder } from '../effects/handoffFolder';
import { fileStep } from '../../base/text/steps';
import { exportAgain, readHandoff, reconcileHandoff, type HandoffRefusal, type ReadHandoff } from './reading';
import { MissionEngine } from '../mission/engine';
import { takenOver } from './takenOver';
import { judgeOutputs, planOf } from './planAndOutputs';
import type { PlanCheck } from '../plans/check';
import type { ResumeRequest } from './request';
import { freezeInstructions } from '../effects/frozenInstructions';
import { lockedPlanFile } from '../effects/planHash';
import { instructionsNow, refusalOfHandedInstructions } from '../plans/instructions';
import type { InstructionsFile } from '../../core/plan/rules/instructions';
import type { Journal } from '../ports/journal';
import type { EnginePorts } from '../ports/engine';
import { olderThanStop } from '../mission/olderThanStop';
import { appendRecord, refusalOfStart } from '../mission/start';
import type { EffectivePolicy } from '../../core/policy/policy';
import { missionPolicy } from '../mission/missionPolicy';
import { refusalOfConfinement, refusalOfWorkers, type AskedConfinement } from '../mission/unfit';
import { refusalsStream, type WorkspaceEvent } from '../ports/workspaceEvents';

export type Resumed =
  | {
      readonly kind: 'started';
      readonly engine: MissionEngine;
      readonly checks: readonly HandoffCheck[];
      readonly notes: readonly string[];
      readonly approval: MissionApproval;
    }
  | {
      readonly kind: 'refused';
      readonly refusal: HandoffRefusal;
      readonly checks: readonly HandoffCheck[];
      readonly plan_id: string | null;
    };

/**
 * Continues a run from its handoff and the repository only. Works through the session reset protocol and the minimal
 * start checklist of seed 003 before the first event; journals every refusal.
 */
export async function resumeHandoff(
  request: ResumeRequest,
  ports: EnginePorts,
  records: Journal<WorkspaceEvent>,
  options: EngineOptions,
  busy: ReadonlySet<string> = new Set(),
): Promise<Resumed> {
  const checks = new HandoffChecks();
  const { asked_at = ports.clock.now() } = request;
  let given: MissionHandoff | null = null;
  const refuse = async (refusal: HandoffRefusal): Promise<Resumed> => {
    const event: WorkspaceEvent = {
      type: 'HandoffResumeRefused',
      plan_id: given?.plan_id ?? null,
      mission_id: given?.mission_id ?? null,
      code: refusal.code,
      reason: refusal.reason,
    };
    await appendRecord({ stream: refusalsStream, event, actor: request.actor }, ports, records, options.fence);
    return { kind: 'refused', refusal, checks: checks.all, plan_id: given?.plan_id ?? null };
  };
  const read = await readHandoff(request.folder, ports, checks);
  if (!read.ok) return refuse(read.refusal);
  given = read.value.given;
  const { bundle } = read.value;
  const taken = await takenOver(request, read.value, ports);
  if (!taken.ok) {
    checks.fail('session_reset', 0, taken.refusal.code, taken.refusal.reason);
    return refuse(taken.refusal);
  }
  checks.pass(
    'session_reset',
    0,
    'only the handoff folder and the repository are read; no journal of this run goes on here',
  );
  const planned = await planOf(request, read.value, ports);
  if (!planned.ok) return refuse(planned.refusal);
  const { plan, check, absent } = planned.value;
  const approval = await approvalVerdict(
    records,
    ports.approvals,
    {
      plan_id: plan.plan_id,
      plan_path: given.plan_path,
      plan_sha256: given.plan_sha256.toUpperCase(),
      other_forms: check.text.other_forms ?? [],
      risk_level: plan.risk_level,
    },
    ports.clock.now(),
    request.approval_hours,
  );
  const { plan_path, mission_id: from } = given;
  const require_approval_record = request.require_approval_record ?? false;
  const wanted = { plan, check, plan_path, approval, require_approval_record, busy, from };
  const start = await refusalOfStart(wanted, ports);
  if (start) return refuse(start);
  const asked: AskedConfinement = {
    confinement: strictestMode([request.confinement, plan.confinement]),
    agent_network: strictestNetwork([request.agent_network, plan.agent_network]),
  };
  const unfit = (await refusalOfWorkers(plan, ports)) ?? (await refusalOfConfinement(asked, plan, ports));
  if (unfit) return refuse(unfit);
  const approveHere = fileStep('plan approve', plan_path, '--by NAME');
  const instructions = await instructionsNow(plan, approval, approveHere, ports);
  if (!instructions.ok) return refuse(instructions.refusal);
  const handed = refusalOfHandedInstructions(instructions.value, given.instructions, approval, approveHere);
  if (handed) return refuse(handed);
  const policy = await missionPolicy(plan, ports);
  if (!policy.ok) return refuse(policy.refusal);

  const finding = reconcileHandoff(read.value, ports);
  const transitions = transitionsOf(bundle, given, plan);
  const problem =
    (finding && { code: contractCode(finding.code), reason: finding.message }) ??
    ledgerAgainstPlan(bundle, plan) ??
    revisionsProblem(given, plan) ??
    decisionsProblem(given, plan) ??
    ('code' in transitions ? transitions : null);
  if (problem || 'code' in transitions) {
    const { code, reason } = problem ?? { code: 'LEDGER_INCONSISTENT' as const, reason: '' };
    checks.fail('session_reset', 4, code, reason);
    return refuse({ code, reason, next: [exportAgain(given.mission_id)] });
  }
  checks.pass(
    'session_reset',
    4,
    `${bundle.ledger.length} rows and ${transitions.length} transitions agree with each other and with the plan`,
  );

  const assignments = judgeAssignments(read.value, plan, ports, checks);
  if (assignments) return refuse(assignments);
  const evidence = evidenceProblem(bundle, given, read.value.rows);
  if (evidence) {
    checks.fail('session_reset', 3, evidence.code, evidence.reason);
    return refuse({ ...evidence, next: [exportAgain(given.mission_id)] });
  }
  const late = await olderThanStop(asked_at, ports);
  if (late) return refuse(late);
  const outputs = await judgeOutputs(request, read.value, plan, ports);
  if (!outputs.ok) {
    checks.fail('session_reset', 3, outputs.refusal.code, outputs.refusal.reason);
    return refuse(outputs.refusal);
  }
  const done = bundle.ledger.filter(({ status }) => status === 'done').length;
  checks.pass(
    'session_reset',
    3,
    `${done} done task(s), ${given.outputs.length} output(s) in this tree as they were left`,
  );
  const { notes, undo } = outputs.value;
  const { mission_id } = taken.value;
  const accepted = {
    request,
    read: read.value,
    plan,
    check,
    absent,
    mission_id,
    transitions,
    approval,
    asked,
    policy: policy.value,
    instructions: instructions.value,
    checks,
    notes,
  };
  return begin(accepted, ports, options, async (refusal) => {
    const undone = (await undo?.()) ?? null;
    return refuse(
      undone?.ok === false ? { ...refusal, reason: `${refusal.reason} ${undone.refusal.reason}` } : refusal,
    );
  });
}

interface AcceptedHandoff {
  readonly request: ResumeRequest;
  readonly read: ReadHandoff;
  readonly plan: ApprovedPlan;
  readonly check: PlanCheck;
  /** See `JudgedPlan`. */
  readonly absent: boolean;
  readonly mission_id: string;
  readonly transitions: Exclude<ReturnType<typeof transitionsOf>, { readonly code: string }>;
  readonly approval: ApprovalVerdict;
  readonly asked: AskedConfinement;
  readonly policy: EffectivePolicy | null;
  readonly instructions: readonly InstructionsFile[];
  readonly checks: HandoffChecks;
  readonly notes: readonly string[];
}

async function begin(
  {
    request,
    read,
    plan,
    check,
    absent,
    mission_id,
    transitions,
    approval,
    asked,
    policy,
    instructions,
    checks,
    notes,
  }: AcceptedHandoff,
  ports: EnginePorts,
  options: EngineOptions,
  refuse: (refusal: HandoffRefusal) => Promise<Resumed>,
): Promise<Resumed> {
  const { bundle, given, files, rows, bundle_sha256 } = read;
  // Copies first, so that no journal entry refers to a folder that may be deleted.
  const bytes = check.bytes ?? new Uint8Array();
  const kept = await ports.evidence.write(ports.paths.missionFile(mission_id, lockedPlanFile), bytes);
  if (!kept.ok) return refuse(kept.refusal);
  const frozen = await freezeInstructions(mission_id, instructions, ports);
  if (!frozen.ok) return refuse(frozen.refusal);
  for (const [name, file] of files) {
    const copy = await ports.evidence.write(
      ports.paths.missionFile(mission_id, `${keptHandoffFolder}/${name}`),
      file.bytes,
    );
    if (!copy.ok) return refuse(copy.refusal);
  }
  const taken = await takeApproval(approval, mission_id, ports.approvals);
  const { approval_source, approved_here, warnings } = taken;
  if (request.require_approval_record && !approved_here)
    return refuse({
      code: 'APPROVAL_RECORD_REQUIRED',
      reason: warnings[0] ?? 'The approval no longer counts.',
      next: [fileStep('plan approve', given.plan_path, '--by NAME')],
    });
  const written = absent ? await ports.plans.write(ports.paths.absolute(given.plan_path), bytes, null) : null;
  if (written?.ok === false) return refuse(written.refusal);
  const engine = MissionEngine.create(mission_id, ports, options);
  const handoff = importOf(
    { bundle, given, transitions, rows },
    {
      bundle_sha256,
      kept_in: keptHandoffFolder,
      reason: request.reason ?? `The run was given away with handoff ${given.handoff} of ${given.mission_id}.`,
      at: ports.clock.now(),
    },
  );
  await engine.submit(
    {
      type: 'PlanReceived',
      mission_id,
      plan,
      plan_path: given.plan_path,
      plan_sha256: check.plan_sha256 ?? given.plan_sha256,
      ...(check.canonical_sha256 !== null && { plan_canonical_sha256: check.canonical_sha256 }),
      approval_source,
      approved_here,
      warnings: [...check.findings.map((found) => `${found.code} ${found.pointer}: ${found.message}`), ...warnings],
      ...asked,
      ...(policy && { policy }),
      ...(frozen.value && { instructions: frozen.value }),
      ...(request.orchestrator && { orchestrator: request.orchestrator }),
      tool_version: options.tool_version,
      handoff,
    },
    request.actor,
  );
  if (engine.halt)
    return refuse({
      code: 'STATE_STORE_UNWRITABLE',
      reason: `The journal did not take the mission: ${engine.halt.reason}`,
      next: ['mission doctor'],
    });
  const fromHandoff = absent ? [`${given.plan_path} was written from the handoff`] : [];
  return { kind: 'started', engine, checks: checks.all, notes: [...fromHandoff, ...notes], approval: taken };
}
