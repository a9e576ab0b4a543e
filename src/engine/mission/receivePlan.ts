import { refused, type Outcome } from '../../base/outcome';
import type { CarriedTask, EarlierWork } from '../../core/model/carried';
import type { HandoffImport } from '../../core/model/handoffFacts';
import type { ApprovalVerdict } from '../../core/plan/approvalRecord';
import type { ApprovedPlan } from '../../core/plan/approvedPlan';
import { freezeInstructions } from '../effects/launch/frozenInstructions';
import { lockedPlanFile } from '../effects/launch/planHash';
import { takeApproval, type MissionApproval } from '../plans/approvals';
import type { PlanCheck } from '../plans/check';
import type { EngineOptions, EnginePorts } from '../ports/engine';
import { MissionEngine } from './engine';
import { approveStep, type Equipment, type RunRequest } from './startRequirements';

/** A run that may begin or go on here, with all that its mission is given. */
export interface AcceptedRun {
  readonly mission_id: string;
  readonly plan: ApprovedPlan;
  readonly plan_path: string;
  /** A valid one. */
  readonly check: PlanCheck;
  readonly approval: ApprovalVerdict;
  readonly equipment: Equipment;
  readonly request: RunRequest;
  /** Files that the mission keeps beside its locked plan, by their name in its folder. */
  readonly keeps: ReadonlyMap<string, { readonly bytes: Uint8Array }>;
  /** The plan is not in this workspace yet, so its locked bytes are written there. */
  readonly absent: boolean;
  readonly carried: readonly CarriedTask[];
  readonly earlier: readonly EarlierWork[];
  readonly handoff: HandoffImport | null;
}

/** Keeps what the journal will refer to, takes the approval, and journals the first events of the mission. */
export async function receivePlan(
  run: AcceptedRun,
  ports: EnginePorts,
  options: EngineOptions,
): Promise<Outcome<{ readonly engine: MissionEngine; readonly approval: MissionApproval }>> {
  const { mission_id, plan, plan_path, check, request } = run;
  const bytes = check.bytes ?? new Uint8Array();
  const { asked, policy, instructions } = run.equipment;
  for (const [name, file] of [[lockedPlanFile, { bytes }] as const, ...run.keeps]) {
    const kept = await ports.evidence.write(ports.paths.missionFile(mission_id, name), file.bytes);
    if (!kept.ok) return kept;
  }
  const frozen = await freezeInstructions(mission_id, instructions, ports);
  if (!frozen.ok) return frozen;
  const approval = await takeApproval(run.approval, mission_id, ports.approvals);
  const { approval_source, approved_here, warnings } = approval;
  if (request.require_approval_record && !approved_here)
    return refused(
      'APPROVAL_RECORD_REQUIRED',
      warnings[0] ?? 'The approval no longer counts.',
      approveStep(request, plan_path),
    );
  const written = run.absent ? await ports.plans.write(ports.paths.absolute(plan_path), bytes, null) : null;
  if (written?.ok === false) return written;
  const engine = MissionEngine.create(mission_id, ports, options);
  await engine.submit(
    {
      type: 'PlanReceived',
      mission_id,
      plan,
      plan_path,
      plan_sha256: check.plan_sha256 ?? '',
      plan_canonical_sha256: check.canonical_sha256 ?? '',
      approval_source,
      approved_here,
      warnings: [
        ...check.findings.map((finding) => `${finding.code} ${finding.pointer}: ${finding.message}`),
        ...warnings,
      ],
      ...asked,
      policy,
      instructions: frozen.value,
      carried: run.carried,
      earlier: run.earlier,
      orchestrator: request.orchestrator ?? null,
      tool_version: options.tool_version,
      handoff: run.handoff,
    },
    request.actor,
  );
  if (engine.halt) {
    const reason = `The journal did not take the mission: ${engine.halt.reason}`;
    return refused('STATE_STORE_UNWRITABLE', reason, 'mission doctor');
  }
  return { ok: true, value: { engine, approval } };
}
