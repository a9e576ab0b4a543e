import type { StreamEvent } from '../../../contracts/record/streamEvent';
import { entryOf } from '../../mission/evolve';
import { blockerOf, recoveryEvents } from '../../mission/evidence/recoveryDocuments';
import type { MissionEvent } from '../../model/events';
import type { JournalEntry } from '../../model/journalEntry';
import { attemptOf, type Mission, rowOf, type Tasks } from '../../model/state';
import { eventLine, taskOfEvent } from './eventLine';

/** Names an event for `Last-Event-ID`. */
export function streamEventId(missionId: string, seq: number): string {
  return `${missionId}:${seq}`;
}

/** Null: no event has such an id. A mission's id holds no colon. */
export function placeOfEventId(id: string): { readonly mission_id: string; readonly seq: number } | null {
  const [, mission_id, seq] = /^([A-Za-z0-9][A-Za-z0-9._-]{0,199}):([1-9][0-9]{0,14})$/.exec(id) ?? [];
  return mission_id === undefined ? null : { mission_id, seq: Number(seq) };
}

/**
 * An entry of a journal as one event of the stream. The end of a recovery and the block of a task
 * are the contract's events. Everything else is a sentence under one of its types. One entry is one
 * event, so that an id is a place.
 *
 * @param mission as it is now, not as it was then
 */
export function streamEvent(entry: JournalEntry<MissionEvent>, mission: Mission): StreamEvent {
  const { event } = entry;
  return recoveryOf(event, mission) ?? blockOf(event, mission) ?? progressEvent(entry, mission);
}

/** The event of a stored entry that cannot be read, because the stream has to go on. */
export function unreadableEvent(
  { stream, seq, at }: { readonly stream: string; readonly seq: number; readonly at: string },
  reason: string,
): StreamEvent {
  const data = { mission_id: stream, seq, event: null, actor: null, task_id: null, code: 'STATE_STORE_CORRUPT' };
  const text = `This entry of the journal cannot be read: ${reason}`;
  return { type: 'error', id: streamEventId(stream, seq), agent: runner, timestamp: at, payload: { text, data } };
}

const runner = 'runner';

function recoveryOf(event: MissionEvent, mission: Tasks): StreamEvent | null {
  const isEnd =
    event.type === 'RecoverySucceeded' || event.type === 'RecoveryFailed' || event.type === 'RecoveryEscalated';
  if (!isEnd) return null;
  const found = recoveryEvents(mission).find(({ type, id }) => type === 'recovery' && id === event.recovery_id);
  return found?.type === 'recovery' ? { ...found, payload: { ...found.payload, run_id: mission.run_id } } : null;
}

function blockOf(event: MissionEvent, mission: Tasks): StreamEvent | null {
  if (event.type !== 'PacketIssued') return null;
  const attempt = attemptOf(mission, event);
  return attempt ? blockerOf(rowOf(mission, event.task_id), attempt) : null;
}

function progressEvent(entry: JournalEntry<MissionEvent>, mission: Mission): StreamEvent {
  const { stream, seq, at, actor, event } = entry;
  const task_id = taskOfEvent(event, mission);
  const agent = task_id === null ? runner : rowOf(mission, task_id).task.worker;
  const code = 'code' in event && typeof event.code === 'string' ? event.code : null;
  return {
    type: entryOf(event).shown.stream,
    id: streamEventId(stream, seq),
    agent,
    timestamp: at,
    payload: {
      text: eventLine(entry, mission).text,
      data: {
        mission_id: stream,
        ...{ seq, event: event.type, actor: actor.name, task_id, code },
        // Source: seed 003, "explicit recovery event with resumed run_id context".
        ...(event.type === 'OwnerResumed' && { run_id: mission.run_id }),
      },
    },
  };
}
