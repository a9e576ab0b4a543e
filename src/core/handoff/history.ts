import type { HumanDecision } from '../../contracts/record/header';
import type { MissionHandoff } from '../../contracts/handoff';
import type { TaskEvent } from '../../contracts/taskEvent';
import { entryOf } from '../mission/evolve';
import type { MissionEvent } from '../model/events';
import type { CarriedDecision } from '../model/handoffFacts';
import type { JournalEntry } from '../model/journalEntry';
import type { Mission, Course } from '../model/state';

type Entries = readonly JournalEntry<MissionEvent>[];

/** Every transition of the run in order, as events of the contract, including those before an earlier handoff. */
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
            // The one end that a task comes back from: its milestone is validated again.
            payload: { code: event.code, ...(event.from === 'done' && { reopens_milestone: true }) },
            created_at: at,
          },
        ]
      : [],
  );
}

/** Every decision of a person, an orchestrator or the runner, in order. Those that came with a handoff are first. */
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

/** Every event that records a decision. */
type DecisionEvent = Extract<MissionEvent, { readonly decision: HumanDecision }>;

function decisionIn(mission: Course, event: MissionEvent): readonly CarriedDecision[] {
  if ('decision' in event) return [ownDecision(mission, event)].filter((found) => found !== null);
  const mission_wide = { task_id: null, packet_id: null };
  if (event.type === 'HandoffImported')
    return [{ decision: 'handoff resume', ...mission_wide, ...event.source.decision }];
  return event.type === 'HandoffRequested' && event.move ? [{ decision: 'move', ...mission_wide, ...event.move }] : [];
}

function ownDecision(mission: Course, event: DecisionEvent): CarriedDecision | null {
  const name = event.type === 'PacketResolved' ? event.outcome : entryOf(event).decision;
  if (name === null) return null;
  const packet_id = 'packet_id' in event ? event.packet_id : null;
  const packet = mission.packets.find((one) => one.packet_id === packet_id);
  const task_id =
    'task_id' in event ? event.task_id : event.type === 'PacketResolved' ? (packet?.task_id ?? null) : null;
  return { decision: name, task_id, packet_id, ...event.decision };
}
