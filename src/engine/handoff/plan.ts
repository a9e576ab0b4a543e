import { handoffNames } from '../../contracts/vocabulary/handoff';
import type { ApprovedPlan } from '../../core/plan/approvedPlan';
import { approvedPlanOf } from '../../core/plan/normalize';
import {
  exportAgain,
  handoffRefused,
  type Judged,
  type ReadHandoff,
  applyDiffStep,
  type ResumeRequest,
} from './reading';
import { fileStep } from '../../base/text/steps';
import { checkPlan, checkPlanText, type PlanCheck, type PlanCheckOptions } from '../plans/check';
import { askDisk } from '../plans/disk';
import type { EnginePorts } from '../ports/engine';
import type { PlanFiles } from '../ports/plans';

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
    return handoffRefused(
      'MISSING_REQUIRED_INPUT',
      `The plan ${place} cannot be read.`,
      `Copy ${handoffNames.lockedPlan} of the handoff to that place.`,
    );
  const placed = absent ? await ports.plans.place(file) : null;
  if (placed?.ok === false) return { ok: false, refusal: placed.refusal };
  if (check.plan_sha256.toUpperCase() !== given.plan_sha256.toUpperCase())
    return handoffRefused(
      'PLAN_HASH_MISMATCH',
      `${place} has the hash ${check.plan_sha256}; the run is locked to ${given.plan_sha256}.`,
      `Copy ${handoffNames.lockedPlan} of the handoff to that place; line ends count (docs/plans/*.json -text in .gitattributes).`,
    );
  if (!check.valid || !check.plan || !check.bytes)
    return handoffRefused(
      'PLAN_INVALID',
      `The plan is not valid here: ${check.findings.find(({ severity }) => severity === 'error')?.message ?? check.code}`,
      fileStep('plan validate', place),
    );
  const plan = approvedPlanOf(check.plan, { defaultWorker: request.default_worker });
  return given.plan_path === place && plan.plan_id === given.plan_id
    ? { ok: true, value: { plan, check, absent } }
    : handoffRefused(
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
