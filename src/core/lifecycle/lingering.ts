import { deadlineWords, lingeredWords } from '../../base/text/endWords';
import type { Launch } from '../model/attempt';
import type { LaunchEnd } from '../model/facts';
import type { PlannedTask } from '../plan/approvedPlan';

/**
 * The end of a launch, marked where it was ended because it did not exit. It is marked as well
 * where its deadline came before that. One that something else ended as well, or that exited after
 * all, is judged by that.
 */
export function markedEnd(
  { lingered }: Launch,
  end: LaunchEnd,
  task: Pick<PlannedTask, 'max_runtime_seconds'>,
): LaunchEnd {
  if (!lingered || !end.final_seen) return end;
  const ours = [lingeredWords(lingered), deadlineWords(task.max_runtime_seconds)];
  const sentence = end.reason === 'stop_requested' ? ours[0] : end.reason === 'deadline' ? ours[1] : undefined;
  if (sentence === undefined || !end.error?.startsWith(sentence)) return end;
  const rest = end.error.slice(sentence.length).trim();
  return { ...end, error: rest === '' ? null : rest, did_not_exit: lingered };
}
