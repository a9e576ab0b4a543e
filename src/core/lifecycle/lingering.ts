import type { Launch } from '../model/attempt';
import type { LaunchEnd } from '../model/facts';
import type { PlannedTask } from '../plan/approvedPlan';

type Quiet = NonNullable<Launch['lingered']>;

/** Why an agent is ended that told its end and stays: in the stop request, the exit record and the evidence. */
export function lingeredWords({ quiet_seconds }: Quiet): string {
  return `The agent told its end and did not exit by itself; it was ended after ${quiet_seconds} s without a word.`;
}

/**
 * The end of a launch, marked where it was ended because it did not exit, or where its deadline came before that. One
 * that something else ended as well, or that exited after all, is judged by that.
 */
export function markedEnd(
  { lingered }: Launch,
  end: LaunchEnd,
  task: Pick<PlannedTask, 'max_runtime_seconds'>,
): LaunchEnd {
  if (!lingered || !end.final_seen) return end;
  const ours = [lingeredWords(lingered), deadlineWords(task.max_runtime_seconds)];
  const words = end.reason === 'stop_requested' ? ours[0] : end.reason === 'deadline' ? ours[1] : undefined;
  if (words === undefined || !end.error?.startsWith(words)) return end;
  const rest = end.error.slice(words.length).trim();
  return { ...end, error: rest === '' ? null : rest, did_not_exit: lingered };
}

/** What there is to say of an end besides its code: why an agent was ended that did not exit, and what went wrong. */
export function wordsOfEnd({ did_not_exit, error }: Pick<LaunchEnd, 'did_not_exit' | 'error'>): string | null {
  const words = [...(did_not_exit ? [lingeredWords(did_not_exit)] : []), ...(error === null ? [] : [error])];
  return words.length === 0 ? null : words.join(' ');
}

/** How a supervisor says that the time of a launch is over. */
export function deadlineWords(seconds: number): string {
  return `The worker ran longer than ${seconds} seconds.`;
}

/** Whether a launch came to its end without anybody's stop, as far as its work is concerned. */
export function endedUnstopped({ reason, did_not_exit }: Pick<LaunchEnd, 'reason' | 'did_not_exit'>): boolean {
  return reason === 'exited' || did_not_exit !== undefined;
}
