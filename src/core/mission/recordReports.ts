import type { MissionEvent } from '../model/events';
import { attemptsOf } from './handoffs';
import type { Report } from '../model/inputs';
import { packetId } from '../model/packetId';
import { rowOf, type Mission } from '../model/state';

/** Processes that are still alive withdraw a retry: a new packet is issued, and the mission waits for a person. */
export function treeLook(
  mission: Mission,
  report: Extract<Report, { type: 'TreeWasLookedFor' }>,
): readonly MissionEvent[] {
  const row = rowOf(mission, report.task_id);
  if (!row?.unproven?.due || row.unproven.launch_id !== report.launch_id) return [];
  const { task_id, launch_id, gone, survivors } = report;
  const looked: MissionEvent = { type: 'TreeLookedFor', task_id, launch_id, gone, survivors };
  if (gone) return [looked, { type: 'LockReleased', task_id }];
  const who = survivors.length > 0 ? ` Still alive: ${survivors.map((pid) => `process ${pid}`).join(', ')}.` : '';
  const reason = `Processes of ${task_id} could still not be proven gone.${who} Nothing goes on before they are.`;
  const packet: readonly MissionEvent[] =
    row.status === 'blocked' && row.retry
      ? [
          {
            type: 'PacketIssued',
            packet_id: packetId(mission),
            task_id,
            attempt: attemptsOf(row),
            run_dir: row.unproven.run_dir,
          },
        ]
      : [];
  return [looked, ...packet, { type: 'MissionPaused', reason }];
}

export function taskEvidence(
  mission: Mission,
  report: Extract<Report, { type: 'TaskEvidenceWasWritten' }>,
): readonly MissionEvent[] {
  const row = rowOf(mission, report.task_id);
  if (!row || row.evidence) return [];
  switch (row.status) {
    case 'done':
      return [{ ...report, type: 'TaskEvidenceWritten', status: 'SUCCESS' }];
    case 'failed':
      return [{ ...report, type: 'TaskEvidenceWritten', status: 'FAILED' }];
    case 'canceled':
      return [{ ...report, type: 'TaskEvidenceWritten', status: 'SKIPPED' }];
    case 'todo':
    case 'in_progress':
    case 'blocked':
      return [];
  }
}
