import type { LaunchEnd } from './facts';

/** Whether a launch came to its end without anybody's stop, as far as its work is concerned. */
export function endedUnstopped({ reason, did_not_exit }: Pick<LaunchEnd, 'reason' | 'did_not_exit'>): boolean {
  return reason === 'exited' || did_not_exit !== undefined;
}
