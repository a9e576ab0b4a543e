import type { MissionHandoff } from '../../contracts/handoff';
import { handoffNames } from '../../contracts/vocabulary/handoff';
import { diffProblem } from '../../core/handoff/diff';
import { missingOutputs } from '../../core/handoff/import';
import type { ApprovedPlan } from '../../core/plan/approvedPlan';
import { approvedPlanOf } from '../../core/plan/normalize';
import type { HandoffRefusalCode } from './checks';
import { exportAgain, type Judged, type ReadHandoff } from './reading';
import { commandLine } from '../../base/text/oneLine';
import { decisionStep, fileStep } from '../../base/text/steps';
import { checkPlan, type PlanCheck } from '../plans/check';
import type { UndoPatch } from '../ports/handoff';
import type { EnginePorts } from '../ports/engine';
import type { ResumeRequest } from './request';

/** The next step that makes a refused resume apply the handoff's diff. */
export function applyDiffStep(folder: string): string {
  return `Or: ${decisionStep('handoff resume', commandLine([folder]).toString(), '--apply-diff')}`;
}

/** The run's plan in this repository: it must exist, be valid, and have the locked bytes. */
export async function planOf(
  request: ResumeRequest,
  given: MissionHandoff,
  ports: EnginePorts,
): Promise<Judged<{ readonly plan: ApprovedPlan; readonly check: PlanCheck }>> {
  const refuse = (code: HandoffRefusalCode, reason: string, ...next: string[]): Judged<never> => ({
    ok: false,
    refusal: { code, reason, next },
  });
  const place = `docs/plans/PLAN_${given.plan_id}.json`;
  const check = await checkPlan(ports.plans, ports.paths.absolute(place), {
    defaultWorker: request.default_worker,
    workspaceDir: ports.paths.workspace_dir,
  });
  if (check.plan_sha256 === null)
    return refuse(
      'MISSING_REQUIRED_INPUT',
      `The plan ${place} is not in this repository.`,
      `Check out the commit that has it, or copy ${handoffNames.lockedPlan} of the handoff to that place.`,
    );
  if (check.plan_sha256.toUpperCase() !== given.plan_sha256.toUpperCase())
    return refuse(
      'PLAN_HASH_MISMATCH',
      `${place} has the hash ${check.plan_sha256}; the run is locked to ${given.plan_sha256}.`,
      `Copy ${handoffNames.lockedPlan} of the handoff to that place; line ends count (docs/plans/*.json -text in .gitattributes).`,
    );
  if (!check.valid || !check.plan || !check.bytes)
    return refuse(
      'PLAN_INVALID',
      `The plan is not valid here: ${check.findings.find(({ severity }) => severity === 'error')?.message ?? check.code}`,
      fileStep('plan validate', place),
    );
  const plan = approvedPlanOf(check.plan, { defaultWorker: request.default_worker });
  return given.plan_path === place && plan.plan_id === given.plan_id
    ? { ok: true, value: { plan, check } }
    : refuse(
        'PLAN_MISPLACED',
        `The bundle names the plan ${given.plan_path}; a plan runs only from ${place}.`,
        exportAgain(given.mission_id),
      );
}

function unusable({ mission_id }: MissionHandoff): string {
  return `Do not use this handoff. ${exportAgain(mission_id)}`;
}

export interface JudgedOutputs {
  readonly notes: readonly string[];
  /** Restores the files when the run does not begin after all. */
  readonly undo: UndoPatch | null;
}

/** The outputs of done tasks must be in this tree; `apply_diff` applies the handoff's diff for that. */
export async function judgeOutputs(
  request: ResumeRequest,
  { given, files }: ReadHandoff,
  plan: ApprovedPlan,
  ports: EnginePorts,
): Promise<Judged<JudgedOutputs>> {
  const paths = [...new Set([...given.outputs, ...given.changes].map(({ path }) => path))];
  const look = async (): Promise<readonly string[]> => missingOutputs(given, await ports.handoffs.digests(paths));
  const missing = await look();
  const diff = files.get(handoffNames.diff);
  const command = `git apply ${JSON.stringify(`${request.folder}/${handoffNames.diff}`)}`;
  const inconsistent = (reason: string, ...next: string[]): Judged<never> => ({
    ok: false,
    refusal: { code: 'LEDGER_INCONSISTENT', reason, next },
  });
  if (missing.length === 0) return { ok: true, value: { notes: [], undo: null } };
  const base = given.base_commit === null ? [] : [`git checkout ${given.base_commit}`];
  const list = missing.slice(0, 10).join(', ');
  const what = `${missing.length} output(s) of done tasks are not in this tree as they were left: ${list}.`;
  const covered = missing.every((path) => given.changes.some((change) => change.path === path && change.in_diff));
  if (!diff || !covered)
    return inconsistent(
      `${what} The diff of the handoff does not hold all of them.`,
      ...base,
      'Bring the files from where the run was exported.',
    );
  if (!request.apply_diff) return inconsistent(what, ...base, command, applyDiffStep(request.folder));
  const tried = await ports.handoffs.tryPatch(diff.bytes);
  if (!tried.ok) return inconsistent(`${what} ${tried.refusal.reason}`, ...base, unusable(given));
  const problem = diffProblem(tried.value, given, plan, ports.paths.scope.comparison);
  if (problem) return { ok: false, refusal: { ...problem, next: [unusable(given)] } };
  const applied = await ports.handoffs.apply(diff.bytes);
  if (!applied.ok)
    return inconsistent(
      `${what} ${applied.refusal.reason}`,
      ...base,
      `Look at ${JSON.stringify(`${request.folder}/${handoffNames.diff}`)}.`,
    );
  const still = await look();
  if (still.length > 0) {
    const undone = await applied.value();
    const left = `The diff was applied, and still not as they were left: ${still.slice(0, 10).join(', ')}.`;
    return inconsistent(
      undone.ok ? `${left} It was taken back.` : `${left} ${undone.refusal.reason}`,
      ...base,
      unusable(given),
    );
  }
  const notes = [`${tried.value.length} file(s) were written from the diff of the handoff`];
  return { ok: true, value: { notes, undo: applied.value } };
}
