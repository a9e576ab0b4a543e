import type { MissionHandoff } from '../../contracts/handoff';
import type { TaskEvent } from '../../contracts/taskEvent';
import type { MissionEvent } from '../model/events';
import type { HumanDecision } from '../observation/outstanding';
import type { CarriedDecision } from '../model/handoffFacts';
import type { JournalEntry } from '../model/journalEntry';
import type { Mission } from '../model/state';

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

function decisionIn(mission: Mission, event: MissionEvent): readonly CarriedDecision[] {
  if ('decision' in event) return [ownDecision(mission, event)].filter((found) => found !== null);
  const mission_wide = { task_id: null, packet_id: null };
  if (event.type === 'HandoffImported')
    return [{ decision: 'handoff resume', ...mission_wide, ...event.source.decision }];
  return event.type === 'HandoffRequested' && event.move ? [{ decision: 'move', ...mission_wide, ...event.move }] : [];
}

function ownDecision(mission: Mission, event: DecisionEvent): CarriedDecision | null {
  const { decision } = event;
  const mission_wide = { task_id: null, packet_id: null, ...decision };
  switch (event.type) {
    case 'PacketResolved': {
      const { packet_id, outcome } = event;
      const task_id = mission.packets.find((packet) => packet.packet_id === packet_id)?.task_id ?? null;
      return { decision: outcome, task_id, packet_id, ...decision };
    }
    case 'TaskStopRequested':
      return { ...mission_wide, decision: 'stop', task_id: event.task_id };
    case 'ChangesAccepted':
      return { ...mission_wide, decision: 'accept', task_id: event.task_id };
    case 'DirectoryGranted':
      return { ...mission_wide, decision: 'grant', task_id: event.task_id, packet_id: event.packet_id };
    case 'InterventionCompleted':
      return { ...mission_wide, decision: 'intervene', task_id: event.task_id };
    case 'QuestionAsked':
      return { ...mission_wide, decision: 'ask', task_id: event.task_id, packet_id: event.packet_id };
    case 'QuestionAnswered':
      return { ...mission_wide, decision: 'answer', task_id: event.task_id, packet_id: event.packet_id };
    case 'MemoryDecided':
      return { ...mission_wide, decision: 'memory confirm', task_id: event.task_id };
    case 'MetadataRevised':
      return { ...mission_wide, decision: 'revise', task_id: event.task_id, packet_id: event.packet_id };
    case 'TasksSkipped':
      return { ...mission_wide, decision: 'skip', task_id: event.task_id };
    case 'PauseRequested':
      return { decision: 'pause', ...mission_wide };
    case 'MissionResumed':
      return { decision: 'resume', ...mission_wide };
    case 'CancelRequested':
      return { decision: 'cancel', ...mission_wide };
    case 'FailureAcknowledged':
      return { decision: 'acknowledge', ...mission_wide };
    case 'MissionSuperseded':
      return { ...mission_wide, decision: 'supersede' };
    // The move is recorded with the request for the handoff.
    case 'MissionMoved':
      return null;
  }
}
