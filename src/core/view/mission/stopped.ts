import type { TaskRow } from '../../model/state';

/** Returns whether a task is blocked because a person stopped it. */
export function isStopped({ status, attempts }: Pick<TaskRow, 'status' | 'attempts'>): boolean {
  const failure = attempts.at(-1)?.failure;
  return status === 'blocked' && failure?.kind === 'recoverable' && failure.human_only === 'stopped_by_human';
}
