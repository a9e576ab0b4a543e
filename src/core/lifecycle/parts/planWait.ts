import type { PauseCode } from '../../../contracts/vocabulary/codes/codes';
import { keptPlanPath } from '../../../contracts/vocabulary/files/evidenceFiles';
import type { Attempt } from '../../model/attempt';
import type { MissionEvent } from '../../model/events';
import type { Mission, ReceivedPlan } from '../../model/state';
import type { RawChange } from '../../observation/change';
import type { PlanRead } from '../../plan/mismatch';

export const planChanged = 'PLAN_HASH_MISMATCH' satisfies PauseCode;

export function isApproved({ plan_sha256 }: Pick<Mission, 'plan_sha256'>, observed: string | null): boolean {
  return observed?.toUpperCase() === plan_sha256.toUpperCase();
}

export function planDiffers(mission: ReceivedPlan, { plan_sha256_observed }: Attempt): boolean {
  return !isApproved(mission, plan_sha256_observed);
}

/** The attempt waits where it is: what was observed is recorded, and nothing is launched or judged. */
export function planWait({ task_id, ...attempt }: Attempt): MissionEvent {
  const { plan_sha256_observed: observed, plan_hash_explanation: explanation } = attempt;
  return { type: 'PlanHashChecked', task_id, observed, matches: false, explanation };
}

export function planPause(mission: ReceivedPlan, attempt: Attempt): MissionEvent {
  const { plan_sha256_observed: observed, plan_hash_explanation: explanation } = attempt;
  const reason = `${planWords(mission, { observed, explanation })} Nothing is launched or judged before the approved bytes are back.`;
  return { type: 'MissionPaused', code: planChanged, reason };
}

export function planWords({ plan_path, plan_sha256 }: ReceivedPlan, { observed, explanation }: PlanRead): string {
  const unread = observed === null ? 'The file is gone or cannot be read.' : null;
  const why = [explanation ?? unread].flatMap((sentence) => (sentence === null ? [] : [` ${sentence}`])).join('');
  const digests =
    observed === null ? '' : ` The approved SHA-256 is ${digits(plan_sha256)}, and the file has ${digits(observed)}.`;
  return `${plan_path} is not the approved plan.${why}${digests}`;
}

/** Says how a person brings the approved bytes back; the copy is there whatever became of the branch. */
export function planStep({ mission_id, plan_path }: ReceivedPlan): string {
  return `Bring the approved bytes back: \`git checkout\` the branch that has ${plan_path}, or copy ${keptPlanPath(mission_id)} over it.`;
}

export function isOfPlan(
  { plan_path }: Pick<Mission, 'plan_path'>,
  { path, kind }: Pick<RawChange, 'path' | 'kind'>,
): boolean {
  return path === plan_path && (kind === 'added' || kind === 'modified' || kind === 'deleted');
}

function digits(sha256: string): string {
  return sha256.slice(0, 12);
}
