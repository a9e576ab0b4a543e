import type { LaunchEnd } from './facts';

/** Returns whether the work of a launch came to its end without a stop. */
export function endedUnstopped({ reason, did_not_exit }: Pick<LaunchEnd, 'reason' | 'did_not_exit'>): boolean {
  return reason === 'exited' || did_not_exit !== undefined;
}
