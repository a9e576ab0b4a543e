import { elapsedText, type LiveWorkerView } from '../../contracts/missionView';
import { terminal, type TerminalText } from '../../base/text/terminal';

/** Returns what is left of a lane whose mission no process runs; null: a process runs it, or it waits for a person. */
export function leftLine(
  { left, task_id, purpose, worker, last_output_at, run_dir }: LiveWorkerView,
  now: string,
): TerminalText | null {
  if (!left) return null;
  const output = elapsedText(last_output_at, now);
  const last = output === null ? '' : `; last output ${output} ago`;
  return terminal`  left: ${task_id}, ${purpose} ${worker}: ${left.text}${last}${run_dir === '' ? '' : `; ${run_dir}`}`;
}
