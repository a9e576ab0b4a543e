import type { SandboxReach } from '../../../contracts/launchEvidence';
import type { Attempt, Launch } from '../../model/attempt';
import { rowOf, type Tasks } from '../../model/state';

/**
 * Finds where the launches since the baseline of an attempt could write, verify commands included. Empty unless a
 * sandbox of ours held every one of them that was started.
 */
export function reachesOf(mission: Tasks, attempt: Attempt): readonly SandboxReach[] {
  const since = attempt.validates?.attempt ?? attempt.attempt;
  const earlier = rowOf(mission, attempt.task_id)?.attempts.filter((one) => one.attempt >= since) ?? [];
  const launches = [...earlier, attempt].flatMap((one) => one.launches);
  return reaches(attempt.validates ? [attempt.validates.launch, ...launches] : launches);
}

/** The same for the verify commands of an attempt alone. */
export function reachesOfVerify({ launches }: Attempt): readonly SandboxReach[] {
  return reaches(launches.filter(({ purpose }) => purpose.kind === 'verify'));
}

function reaches(launches: readonly Launch[]): readonly SandboxReach[] {
  const started = launches.filter(({ process, end }) => process ?? end);
  const found = started.flatMap(({ prepared }) => prepared?.sandbox?.reach ?? []);
  return found.length === started.length ? found : [];
}
