import { activitySchema, heartbeatSchema, runFiles } from '../../contracts/launch';
import type { LiveFacts } from '../../core/view/mission/missionView';
import { readRunFile } from './files';

/**
 * Returns what the supervisor reports about its worker: the heartbeat, which is judged, and the activity of its output,
 * which is only shown. Null: neither can be read.
 */
export async function readLiveFacts(runDir: string): Promise<LiveFacts | null> {
  const [beat, activity] = await Promise.all([
    readRunFile(runDir, runFiles.heartbeat, heartbeatSchema),
    readRunFile(runDir, runFiles.activity, activitySchema),
  ]);
  const latest = activity.kind === 'ok' ? activity.value : null;
  if (beat.kind !== 'ok') return latest && { ...latest, last_progress_at: latest.last_output_at };
  const { last_progress_at, output_bytes } = beat.value;
  return {
    // Output counts as progress here, because the heartbeat reports it only once in each interval.
    last_progress_at: later(last_progress_at, latest?.last_output_at ?? null),
    last_output_at: latest?.last_output_at ?? null,
    output_bytes: Math.max(output_bytes, latest?.output_bytes ?? 0),
    output_lines: latest?.output_lines ?? null,
    ...(latest?.waiting && { waiting: latest.waiting }),
    ...(latest?.actions && { actions: latest.actions }),
  };
}

function later(left: string, right: string | null): string {
  return right !== null && Date.parse(right) > Date.parse(left) ? right : left;
}
