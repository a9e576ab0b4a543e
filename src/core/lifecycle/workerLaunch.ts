import type { AttemptRecord, Launch } from '../model/state';

/** The launch whose result the attempt judges: its own worker's, or that of the attempt it validates. */
export function workerLaunch(attempt: Pick<AttemptRecord, 'launches' | 'validates'>): Launch | undefined {
  return attempt.launches.findLast((launch) => launch.purpose.kind === 'worker') ?? attempt.validates?.launch;
}
