import { terminal, type TerminalText } from '../../base/text/marked/terminal';
import type { LiveWorkerView } from '../../contracts/page/liveView';

/** Returns what runs on after an owner let go of a mission, one line for each process. */
export function whatGoesOn(lanes: readonly LiveWorkerView[]): readonly TerminalText[] {
  const lines = lanes.flatMap((lane) => {
    const who = `${lane.purpose === 'worker' ? 'the worker' : 'a verify command'} of ${lane.task_id}`;
    if (lane.pid !== null)
      return [terminal`Let go: ${who} goes on under its supervisor (process ${String(lane.pid)}).`];
    // A prepared launch says what confines it. From then on a supervisor may take it, seen by the owner or not.
    if (lane.confinement === null) return [];
    return [
      terminal`Let go: ${who} was being started. If it runs, it goes on under its supervisor, and nothing starts it twice.`,
    ];
  });
  return lines.length === 0 ? [terminal`Let go: no worker is running.`] : lines;
}
