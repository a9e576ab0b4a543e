import type { LaunchEnd } from '../model/facts';

/** What is known of the output of a command that failed. */
export type Printed = Pick<LaunchEnd, 'stderr_tail' | 'own_error'>;

/**
 * The texts that a failed command printed: its own error, which may lie above the ends of its
 * output, then these. A test runner prints errors to standard output.
 *
 * @param tail the end of its whole output
 */
export function printedBy({ stderr_tail, own_error = [] }: Printed, tail: string): readonly string[] {
  return [own_error.join('\n'), stderr_tail, tail];
}
