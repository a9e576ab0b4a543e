import type { MissionHandoff } from '../../contracts/handoff';
import type { TaskEvent } from '../../contracts/taskEvent';
import type { MissionEvent } from '../model/events';
import type { CarriedDecision } from '../model/handoffFacts';
import type { JournalEntry } from '../model/journalEntry';
import type { Mission } from '../model/state';

type Entries = readonly JournalEntry<MissionEvent>[];

/** Every transition of the run, as events of the contract, in order; those before an earlier handoff are among them. */
export function taskEventsOf(entries: Entries): readonly TaskEvent[] {
  return entries.flatMap(({ event, seq, at, actor }): readonly TaskEvent[] =>
    event.type === 'RowTransitioned'
      ? [
          {
            id: seq,
            task_id: event.task_id,
            event_type: 'state_transition',
            from_state: event.from,
            to_state: event.to,
            actor: `${actor.kind} ${actor.name}`,
            reason: event.reason,
            payload: { code: event.code },
            created_at: at,
          },
        ]
      : [],
  );
}

/** Every decision of a person, in order: those that came with a handoff first, then those of this journal. */
export function decisionsOf(mission: Mission, entries: Entries): MissionHandoff['decisions'] {
  const before = mission.resumed_from?.decisions ?? [];
  const own = entries.flatMap(({ event }) => decisionIn(mission, event));
  const all = [...before, ...own];
  const seen = new Set<string>();
  return all.flatMap(({ decision, task_id, packet_id, actor, reason, at }) => {
    const key = JSON.stringify([decision, task_id, actor, reason, at]);
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ decision, task_id, packet_id, actor: { kind: actor.kind, name: actor.name }, reason, at }];
  });
}

function decisionIn(mission: Mission, event: MissionEvent): readonly CarriedDecision[] {
  if (event.type === 'PacketResolved') {
    const { packet_id, outcome, decision } = event;
    const task_id = mission.packets.find((packet) => packet.packet_id === packet_id)?.task_id ?? null;
    return [{ decision: outcome, task_id, packet_id, ...decision }];
  }
  const mission_wide = { task_id: null, packet_id: null };
  if (event.type === 'TaskStopRequested')
    return [{ decision: 'stop', task_id: event.task_id, packet_id: null, ...event.decision }];
  if (event.type === 'ChangesAccepted')
    return [{ decision: 'accept', task_id: event.task_id, packet_id: null, ...event.decision }];
  if (event.type === 'PauseRequested') return [{ decision: 'pause', ...mission_wide, ...event.decision }];
  if (event.type === 'MissionResumed') return [{ decision: 'resume', ...mission_wide, ...event.decision }];
  if (event.type === 'CancelRequested') return [{ decision: 'cancel', ...mission_wide, ...event.decision }];
  if (event.type === 'FailureAcknowledged') return [{ decision: 'acknowledge', ...mission_wide, ...event.decision }];
  if (event.type === 'HandoffImported')
    return [{ decision: 'handoff resume', ...mission_wide, ...event.source.decision }];
  return event.type === 'HandoffRequested' && event.move ? [{ decision: 'move', ...mission_wide, ...event.move }] : [];
}
