import type { ApprovalSource } from '../../contracts/vocabulary/execution';
import { lineEndsHint } from '../../contracts/vocabulary/evidenceFiles';
import { defaultApprovalHours } from '../../contracts/vocabulary/plan';
import { judgeApproval, type ApprovalVerdict, type ApprovedHere } from '../../core/plan/approvalRecord';
import type { Journal } from '../ports/journal';
import type { Approvals } from '../ports/engine';
import { approvalsStream, type WorkspaceEvent } from '../ports/workspaceEvents';

/** Says whether a person approved exactly these bytes here, and whether that counts for a mission starting now. */
export async function approvalVerdict(
  records: Journal<WorkspaceEvent>,
  approvals: Approvals,
  plan: { readonly plan_sha256: string; readonly other_forms?: readonly string[]; readonly risk_level: number },
  now: string,
  hours: number = defaultApprovalHours,
): Promise<ApprovalVerdict> {
  const events = await records.read(approvalsStream);
  const found = events.flatMap(({ event, actor, at }) =>
    event.type === 'PlanApproved' && event.plan_sha256 === plan.plan_sha256
      ? [{ by: actor.name, at, record: event.sealed ?? null }]
      : [],
  );
  const { here, seals } = await approvals.look(found.map(({ record }) => record));
  const recorded = found.map((one, index) => {
    // A record of other bytes or another person does not belong to the entry.
    const own = one.record?.plan_sha256 === plan.plan_sha256 && one.record.by === one.by;
    return { ...one, sealed: own && (seals[index]?.sealed ?? false), used_by: seals[index]?.used_by ?? null };
  });
  const verdict = judgeApproval(recorded, { risk_level: plan.risk_level, now, hours, here });
  const converted = events.some(
    ({ event }) => event.type === 'PlanApproved' && plan.other_forms?.includes(event.plan_sha256) === true,
  );
  if (verdict.counts || verdict.recorded || !converted) return verdict;
  return { counts: false, recorded: true, why: `The plan was approved here with other bytes. ${lineEndsHint}` };
}

/** What a mission's journal records of its approval. Taking it uses up an approval that counts once. */
export interface MissionApproval {
  readonly approval_source: ApprovalSource;
  readonly approved_here: ApprovedHere | null;
  /** Why a recorded approval does not count. */
  readonly warnings: readonly string[];
}

export async function takeApproval(
  verdict: ApprovalVerdict,
  missionId: string,
  approvals: Approvals,
): Promise<MissionApproval> {
  const used = verdict.counts && verdict.once ? await approvals.use(verdict.approved.nonce, missionId) : null;
  if (verdict.counts && (used?.ok ?? true))
    return { approval_source: 'journal', approved_here: verdict.approved, warnings: [] };
  const why = used?.ok === false ? used.refusal.reason : verdict.counts || !verdict.recorded ? null : verdict.why;
  return { approval_source: 'file', approved_here: null, warnings: why === null ? [] : [why] };
}
