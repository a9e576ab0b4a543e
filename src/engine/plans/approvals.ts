import type { ApprovalSource } from '../../contracts/vocabulary/execution';
import { lineEndsHint } from '../../contracts/vocabulary/files/evidenceFiles';
import { defaultApprovalHours } from '../../contracts/vocabulary/plan';
import {
  approvedOtherwise,
  judgeApproval,
  type ApprovalVerdict,
  type ApprovedHere,
} from '../../core/plan/approvalRecord';
import type { StartFacts } from '../../core/mission/start';
import type { Mission } from '../../core/model/state';
import type { JournalEntry } from '../../core/model/journalEntry';
import type { Journal } from '../ports/journal';
import type { Approvals } from '../ports/engine';
import { approvalsStream, type WorkspaceEvent } from '../ports/workspaceEvents';

/** A plan whose approval is looked for. */
export type AskedPlan = Pick<StartFacts, 'plan_id' | 'plan_path' | 'plan_sha256' | 'other_forms'>;

/** Says whether a person approved exactly these bytes here, and whether that counts for a mission starting now. */
export async function approvalVerdict(
  records: Journal<WorkspaceEvent>,
  approvals: Approvals,
  plan: AskedPlan & { readonly risk_level: number },
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
    // A record of other bytes, or of another person, does not belong to the approval in the file.
    const own = one.record?.plan_sha256 === plan.plan_sha256 && one.record.by === one.by;
    return { ...one, sealed: own && (seals[index]?.sealed ?? false), used_by: seals[index]?.used_by ?? null };
  });
  const last = events.at(-1)?.at;
  const question = { risk_level: plan.risk_level, now, hours, here, ...(last !== undefined && { last }) };
  const verdict = judgeApproval(recorded, question);
  if (verdict.counts || verdict.recorded !== 'none') return verdict;
  const why = otherwise(events, plan);
  return why === null ? verdict : { counts: false, recorded: 'others', why };
}

/** Returns the missions that were approved in another workspace, from which their journal was copied. */
export async function approvedElsewhere(
  approvals: Pick<Approvals, 'look'>,
  missions: readonly Pick<Mission, 'mission_id' | 'approved_here'>[],
): Promise<ReadonlySet<string>> {
  if (missions.length === 0) return new Set();
  const { here } = await approvals.look([]);
  const place = 'workspace_dir' in here ? here.workspace_dir : undefined;
  const copied = missions.filter(({ approved_here }) => (approved_here?.workspace_dir ?? place) !== place);
  return new Set(copied.map(({ mission_id }) => mission_id));
}

/** Says that a person approved other bytes of a plan here, and no record approves these. Null: it may start. */
export async function approvedOtherBytes(records: Journal<WorkspaceEvent>, plan: AskedPlan): Promise<string | null> {
  return (await hasApproval(records, plan.plan_sha256)) ? null : otherwise(await records.read(approvalsStream), plan);
}

/** Returns whether an approval of these bytes is recorded, whether or not it counts. */
export async function hasApproval(records: Journal<WorkspaceEvent>, planSha256: string): Promise<boolean> {
  const events = await records.read(approvalsStream);
  return events.some(({ event }) => event.type === 'PlanApproved' && event.plan_sha256 === planSha256);
}

/** Ids that differ only in case are one id: they name one file where the file system ignores case. */
function otherwise(
  events: readonly JournalEntry<WorkspaceEvent>[],
  { plan_id, plan_path, plan_sha256, other_forms = [] }: AskedPlan,
): string | null {
  const others = events.flatMap(({ event, actor }) =>
    event.type === 'PlanApproved' &&
    (sameName(event.plan_id, plan_id) ||
      sameName(event.plan_path, plan_path) ||
      other_forms.includes(event.plan_sha256))
      ? [{ by: actor.name, plan_sha256: event.plan_sha256 }]
      : [],
  );
  const why = approvedOtherwise(others, plan_sha256);
  const converted = others.some((one) => other_forms.includes(one.plan_sha256));
  return why !== null && converted ? `${why} ${lineEndsHint}` : why;
}

function sameName(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

/** The part of an approval that a mission's journal records. Taking it uses up an approval that counts once. */
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
  const why =
    used?.ok === false ? used.refusal.reason : verdict.counts || verdict.recorded === 'none' ? null : verdict.why;
  return { approval_source: 'file', approved_here: null, warnings: why === null ? [] : [why] };
}
