import { plainFileSystem } from '../locks/lockPath';
import { changed, drafting } from '../model/draft';
import type { MissionEvent, EventOf } from '../model/events';
import type { FoldedEntry } from '../model/journalEntry';
import type { Mission } from '../model/state';
import { attemptEvents } from './events/attempt';
import { launchEvents } from './events/launch';
import { missionEvents } from './events/mission';
import { orchestratorEvents } from './events/orchestrator';
import { taskEvents } from './events/task';
import { withHandoffDue } from './handoff/handoffs';
import type { EventEntry, EventTable } from './parts/evolveParts';

/** Every event of the journal, with all that it means. */
const eventTable: EventTable = {
  ...missionEvents,
  ...taskEvents,
  ...attemptEvents,
  ...launchEvents,
  ...orchestratorEvents,
};

/** Returns what an event means. A journal may hold a forged event that the compiler does not know. */
export function entryOf<E extends MissionEvent>({ type }: E): EventEntry<E> {
  if (!Object.hasOwn(eventTable, type))
    throw new Error(`Broken invariant: the journal holds an event of unknown type ${type}.`);
  return eventTable[type] as unknown as EventEntry<E>;
}

/** Folds one journal entry into the mission; null before the first. Throws only on a broken invariant. */
export function evolve(mission: Mission | null, entry: FoldedEntry<MissionEvent>): Mission {
  return withPosition(entry, step(mission, entry));
}

/** Folds many entries onto `from`, as `evolve` one by one would, without its copies. */
export function fold(entries: readonly FoldedEntry<MissionEvent>[], from: Mission | null = null): Mission | null {
  return drafting(() => {
    let mission = from;
    for (const entry of entries) mission = step(mission, entry);
    const last = entries.at(-1);
    return mission && last ? withPosition(last, mission) : mission;
  });
}

/** Leaves `last_seq` and the like to `withPosition`: no step reads them. */
function step(mission: Mission | null, entry: FoldedEntry<MissionEvent>): Mission {
  return withHandoffDue(apply(mission, entry), entry.event);
}

function withPosition({ seq, hash, at }: FoldedEntry<MissionEvent>, mission: Mission): Mission {
  return changed(mission, { last_seq: seq, last_hash: hash ?? mission.last_hash, last_at: at });
}

function apply(mission: Mission | null, entry: FoldedEntry<MissionEvent>): Mission {
  const { event } = entry;
  if (mission) return entryOf(event).fold(mission, event, entry);
  if (event.type !== 'MissionReceived') throw new Error(`Broken invariant: ${event.type} before MissionReceived.`);
  return receivedMission(entry, event);
}

/** A mission before its plan is validated: nothing of it has begun. */
function receivedMission(entry: FoldedEntry<MissionEvent>, event: EventOf<'MissionReceived'>): Mission {
  const { type: _type, earlier: _earlier, ...received } = event;
  return {
    ...received,
    run_id: entry.run_id,
    received_at: entry.at,
    execution: 'RECEIVED',
    execution_history: [{ state: 'RECEIVED', at: entry.at }],
    ...{ warnings: [], header_written: false, archived: null, moved_aside: [], trouble: null },
    rows: event.plan.tasks.map((task) => ({
      task,
      scope: { paths: task.paths, forbidden_paths: task.forbidden_paths },
      status: 'todo',
      lock: 'none',
      ...{ code: null, reason: '', version: 0, locked_at: null, unproven: null },
      ...{ carried: null, revised: null, attempts: [], retry: null, validates: null, grants: [], answers: [] },
      ...{ revisions: [], notes: [], acceptance: null, outdated: null, skipped: null },
      ...{ undoing: null, undone: [], outstanding: [] },
      ...{ started_at: null, ended_at: null, ended_seq: null, evidence: null },
      earlier: event.earlier.find(({ task_id }) => task_id === task.task_id)?.outputs ?? [],
    })),
    file_system: plainFileSystem,
    used_before: { tokens: 0, usd: 0 },
    ...{ lanes: [], launches: 0, packets: [], sessions: [], handoffs: [], handoff_due: null, moved: null },
    hold: { kind: 'none' },
    ...{ resumed_from: null, closing_sha256: null, budgets_asked: 0, cancel: null, superseded: null },
    ...{ criteria: null, ending: null, acknowledged: null, answers: {} },
    last_seq: entry.seq,
    last_hash: entry.hash ?? '',
    last_at: entry.at,
  };
}
