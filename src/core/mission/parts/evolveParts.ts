import type { ExecutionState } from '../../../contracts/vocabulary/execution';
import { assertLegalEdge } from '../../execution/envelope';
import { assertLegalTransition, reopens } from '../../ledger/transitions';
import { evolveAttempt, type AttemptEvent } from '../../lifecycle/evolveAttempt';
import { leadsTo, type FileSystemFacts } from '../../locks/lockPath';
import { changed, exchanged } from '../../model/draft';
import type { MissionEvent } from '../../model/events';
import type { FoldedEntry } from '../../model/journalEntry';
import { rowPlace } from '../../model/rowPlaces';
import type { Attempt } from '../../model/attempt';
import { rowOf, type CommandAnswer, type Mission, type Packet, type TaskRow } from '../../model/state';
import { retryTreeSearch } from '../takeover/survivingProcesses';

// One part of a mission changed, the rest kept. Throws only on a broken invariant.

export function enter(mission: Mission, state: ExecutionState, at: string): Mission {
  assertLegalEdge(mission.execution, state);
  return { ...mission, execution: state, execution_history: [...mission.execution_history, { state, at }] };
}

export function transition(
  row: TaskRow,
  event: Extract<MissionEvent, { type: 'RowTransitioned' }>,
  { at, seq }: FoldedEntry<MissionEvent>,
): TaskRow {
  if (row.status !== event.from)
    throw new Error(`Broken invariant: task ${event.task_id} is ${row.status}, not ${event.from}.`);
  if (!reopens(row.task, event)) assertLegalTransition(event.task_id, event.from, event.to);
  const ended = event.to === 'done' || event.to === 'failed' || event.to === 'canceled';
  return changed(row, {
    status: event.to,
    code: event.code,
    reason: event.reason,
    version: row.version + 1,
    started_at: row.started_at ?? (event.to === 'in_progress' ? at : null),
    ended_at: ended ? at : null,
    ended_seq: ended ? seq : null,
    ...(event.from === 'done' && { evidence: null }),
  });
}

export function resolved(mission: Mission, event: Extract<MissionEvent, { type: 'PacketResolved' }>): Mission {
  const next = withPacket(mission, event.packet_id, (packet) => ({
    ...packet,
    state: { kind: 'resolved', outcome: event.outcome, decision: event.decision },
  }));
  const packet = next.packets.find((candidate) => candidate.packet_id === event.packet_id);
  if (!packet || event.outcome === 'leave-blocked' || event.outcome === 'ask-user') return next;
  const whole = rowOf(next, packet.task_id)?.task.validator !== undefined;
  const validates = event.outcome === 'rerun-validation' && !whole ? packet.attempt : null;
  return retryTreeSearch(withRow(next, packet.task_id, (row) => ({ ...row, retry: event.decision, validates })));
}

export function withLane(
  mission: Mission,
  lane: Attempt | undefined,
  event: AttemptEvent,
  entry: FoldedEntry<MissionEvent>,
): Mission {
  if (!lane) throw new Error(`Broken invariant: ${event.type} without a live attempt.`);
  const place = mission.lanes.indexOf(lane);
  return changed(mission, { lanes: exchanged(mission.lanes, place, evolveAttempt(lane, event, entry)) });
}

export function withFileSystem(mission: Mission, { file_system }: { readonly file_system?: FileSystemFacts }): Mission {
  return file_system ? changed(mission, { file_system }) : mission;
}

/** Adds the targets of links, as read before any worker ran, to the scopes: no worker can widen its scope by a link. */
export function withScopes(mission: Mission): Mission {
  const { file_system } = mission;
  const meant = (paths: readonly string[]): readonly string[] => [
    ...new Set(paths.flatMap((path) => [path, ...[leadsTo(path, file_system)].filter((target) => target !== null)])),
  ];
  return {
    ...mission,
    rows: mission.rows.map((row) => ({
      ...row,
      scope: { paths: meant(row.task.paths), forbidden_paths: meant(row.task.forbidden_paths) },
    })),
  };
}

export function answered(
  mission: Mission,
  { command_id, reason }: { readonly command_id: string; readonly reason: string },
  { accepted, code, next }: Omit<CommandAnswer, 'reason'>,
): Mission {
  return { ...mission, answers: { ...mission.answers, [command_id]: { accepted, code, reason, next } } };
}

export function withRow(mission: Mission, taskId: string, change: (row: TaskRow) => TaskRow): Mission {
  const place = rowPlace(mission, taskId);
  const row = mission.rows[place];
  if (!row) throw new Error(`Broken invariant: no row for task ${taskId}.`);
  return changed(mission, { rows: exchanged(mission.rows, place, change(row)) });
}

export function withPacket(mission: Mission, packetId: string, change: (packet: Packet) => Packet): Mission {
  const place = mission.packets.findLastIndex((packet) => packet.packet_id === packetId);
  const packet = mission.packets[place];
  if (!packet) throw new Error(`Broken invariant: no packet ${packetId}.`);
  return changed(mission, { packets: exchanged(mission.packets, place, change(packet)) });
}
