import type { Outcome } from '../../base/outcome';
import type { RevisionOverview } from '../../base/text/revision';
import { terminal } from '../../base/text/terminal';
import type { ApprovedFile } from '../../contracts/missionCommand';
import type { Plan } from '../../contracts/plan';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import type { Finding } from '../../core/documents/finding';
import { lockedOtherwise } from '../../engine/mission/lockedOtherwise';
import { checkCarried } from '../../engine/mission/carried';
import { comesWithHandoff, refusalOfRevision, revisionOverview } from '../../engine/mission/revisionOverview';
import type { PlanText } from '../../engine/ports/plans';
import { humanCommand } from '../owner/decide';
import { withMissions } from '../owner/missions';
import type { Invocation } from '../shell/command';
import { exitCodes, type ExitCode } from '../shell/exitCodes';

export interface RevisionFacts {
  /** Null for a plan that supersedes none. */
  readonly revision: RevisionOverview | null;
  readonly findings: readonly Finding[];
  /** The mission of the plan that has not ended, so that another run is refused; null: a run can begin. */
  readonly open: string | null;
}

/** Returns what a person has to know of a plan before they approve it. Refuses bytes that could not run. */
export async function reviseFacts(
  call: Invocation,
  plan: Plan,
  text: PlanText,
  options: { readonly defaultWorker: WorkerName; readonly approvedBefore: boolean; readonly plan_sha256: string },
): Promise<Outcome<RevisionFacts>> {
  const asked = { plan_id: plan.plan_id, plan_sha256: options.plan_sha256, other_forms: text.other_forms ?? [] };
  const found = await withMissions(call.workspace, async ({ missions, ports }) => ({
    late: lockedOtherwise(asked, missions)?.refusal ?? refusalOfRevision(plan, missions, options.approvedBefore),
    revision: await revisionOverview(plan, missions, ports, options.defaultWorker),
    findings:
      plan.supersedes === undefined || comesWithHandoff(plan, missions, options.approvedBefore)
        ? []
        : (await checkCarried(plan, text, ports, options)).findings,
    open: missions.find((one) => one.plan.plan_id === plan.plan_id && one.execution !== 'REPORTED')?.mission_id ?? null,
  }));
  // A plan can be approved in its file although the journal cannot be read. Only a revision needs the journal.
  if (!found.ok && plan.supersedes === undefined)
    return { ok: true, value: { revision: null, findings: [], open: null } };
  if (!found.ok || found.value.late === null) return found;
  const { late } = found.value;
  return { ok: false, refusal: { ...late, reason: `Nothing was written. ${late.reason}` } };
}

/** Ends the missions that the approved revision supersedes, one after another, and then reports the approval. */
export async function endSuperseded(
  call: Invocation,
  [first, ...others]: RevisionOverview['missions'],
  { plan_id, plan_sha256 }: ApprovedFile,
  showApproved: () => Promise<ExitCode>,
): Promise<ExitCode> {
  if (!first) return showApproved();
  const { mission_id, does } = first;
  const then = { reached: false };
  const exit = await humanCommand(call, {
    mission_id,
    command: { type: 'SupersedeMission', plan_id, plan_sha256 },
    then: does === 'end' ? 'finish' : 'record',
    reason: call.text('note') ?? `Plan ${plan_id} was approved, which supersedes its plan.`,
    after: () => {
      then.reached = true;
      return endSuperseded(call, others, { plan_id, plan_path: '', plan_sha256 }, showApproved);
    },
  });
  if (exit !== exitCodes.ok && !then.reached)
    call.out.note(
      terminal`Plan ${plan_id} is approved, and mission ${mission_id} has not ended: the revision runs when it has. Repeat this command.`,
    );
  return exit;
}
