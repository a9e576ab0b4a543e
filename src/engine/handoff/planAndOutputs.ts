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
import { checkPlan, checkPlanText, type PlanCheck, type PlanCheckOptions } from '../plans/check';
import { askDisk } from '../plans/disk';
import type { UndoPatch } from '../ports/handoff';
import type { EnginePorts } from '../ports/engine';
import type { PlanFiles } from '../ports/plans';
import type { ResumeRequest } from './request';

export interface JudgedPlan {
  readonly plan: ApprovedPlan;
  readonly check: PlanCheck;
  /** The plan is not in this repository, and a person asked to write it from the handoff. */
  readonly absent: boolean;
}

/**
 * Returns the run's plan, which must be valid and have the locked bytes. Takes those of the handoff where the
 * repository has no plan of the run and a person asked for that. The digest of the bundle proves them.
 */
export async function planOf(
  request: ResumeRequest,
  { given, files }: ReadHandoff,
  ports: EnginePorts,
): Promise<Judged<JudgedPlan>> {
  const refuse = (code: HandoffRefusalCode, reason: string, ...next: string[]): Judged<never> => ({
    ok: false,
    refusal: { code, reason, next },
  });
  const place = `docs/plans/PLAN_${given.plan_id}.json`;
  const file = ports.paths.absolute(place);
  const options = {
    defaultWorker: request.default_worker,
    workspaceDir: ports.paths.workspace_dir,
    ...(request.confinement !== undefined && { confinement: request.confinement }),
  };
  const found = await checkPlan(ports.plans, file, options);
  const isGone = found.findings.some(({ code }) => code === 'FILE_NOT_FOUND');
  const locked = files.get(handoffNames.lockedPlan)?.bytes;
  const absent = isGone && request.apply_diff && locked !== undefined;
  const check = absent ? await checkLocked(locked, file, options, ports.plans) : found;
  if (isGone && !absent)
    return {
      ok: false,
      refusal: {
        code: 'MISSING_REQUIRED_INPUT',
        reason: `The plan ${place} is not in this repository.`,
        next: [
          applyDiffStep(request),
          `Or check out the commit that has it, or copy ${handoffNames.lockedPlan} of the handoff to that place.`,
        ],
        ...(locked && { lacks: 'plan' }),
      },
    };
  if (check.plan_sha256 === null)
    return refuse(
      'MISSING_REQUIRED_INPUT',
      `The plan ${place} cannot be read.`,
      `Copy ${handoffNames.lockedPlan} of the handoff to that place.`,
    );
  const placed = absent ? await ports.plans.place(file) : null;
  if (placed?.ok === false) return { ok: false, refusal: placed.refusal };
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
    ? { ok: true, value: { plan, check, absent } }
    : refuse(
        'PLAN_MISPLACED',
        `The bundle names the plan ${given.plan_path}; a plan runs only from ${place}.`,
        exportAgain(given.mission_id),
      );
}

/** Judges the locked bytes as if they were the plan file. */
async function checkLocked(
  bytes: Uint8Array,
  file: string,
  options: PlanCheckOptions,
  plans: PlanFiles,
): Promise<PlanCheck> {
  const disk = await askDisk(plans, plans.parse(bytes).value, file, options);
  return checkPlanText(plans, bytes, file, { ...options, ...disk });
}

function applyDiffStep({ folder }: ResumeRequest): string {
  return decisionStep('handoff resume', commandLine([folder]).toString(), '--apply-diff');
}

function unusable({ mission_id }: MissionHandoff): string {
  return `Do not use this handoff. ${exportAgain(mission_id)}`;
}

/** The steps by which a person brings files. A run that was given away cannot be exported again. */
function byHand({ folder }: ResumeRequest, given: MissionHandoff, files: string): readonly string[] {
  return [
    `Copy from where the run was exported: ${files}. Leave out --apply-diff when you resume.`,
    decisionStep('handoff resume', commandLine([folder]).toString()),
    ...(given.moved ? [] : [exportAgain(given.mission_id)]),
  ];
}

export interface JudgedOutputs {
  readonly notes: readonly string[];
  /** Restores the files when the run does not begin. */
  readonly undo: UndoPatch | null;
}

/** Checks that the outputs of done tasks are in this tree; `apply_diff` first applies the handoff's diff. */
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
  const { base_commit } = given;
  const isThere = base_commit === null || (await ports.workspace.head()) === base_commit;
  const base = isThere ? [] : [`git checkout ${base_commit}`];
  const list = missing.slice(0, 10).join(', ');
  const what = `${missing.length} output(s) of done tasks are not in this tree as they were left: ${list}.`;
  const covered = missing.every((path) => given.changes.some((change) => change.path === path && change.in_diff));
  if (!diff || !covered)
    return inconsistent(
      `${what} The diff of the handoff does not hold all of them.`,
      ...base,
      ...byHand(request, given, list),
    );
  if (!request.apply_diff) {
    const next = [...base, command, `Or: ${applyDiffStep(request)}`];
    return { ok: false, refusal: { code: 'LEDGER_INCONSISTENT', reason: what, next, lacks: 'outputs' } };
  }
  const starts = new Map(
    given.changes.flatMap(({ path, before_sha256 }) =>
      before_sha256 === null ? [] : [[path, before_sha256] as const],
    ),
  );
  const tried = await ports.handoffs.tryPatch(diff.bytes, starts);
  if (!tried.ok) return inconsistent(`${what} ${tried.refusal.reason}`, ...base, ...byHand(request, given, list));
  const problem = diffProblem(tried.value, given, plan, ports.paths.scope.comparison);
  if (problem) return { ok: false, refusal: { ...problem, next: [unusable(given)] } };
  const applied = await ports.handoffs.apply(diff.bytes, starts);
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
