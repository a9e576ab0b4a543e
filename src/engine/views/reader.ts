import { errorWords } from '../../base/outcome';
import { leftBehind } from '../../core/mission/handoff/handoffs';
import { fold } from '../../core/mission/evolve';
import type { MissionEvent } from '../../core/model/events';
import type { JournalEntry } from '../../core/model/journalEntry';
import type { Mission } from '../../core/model/state';
import type { Journal, MissionSource, SeenPlace } from '../ports/journal';
import { isMissionStream } from '../ports/workspaceEvents';
import type { Handoff } from '../../core/model/handoffFacts';
import type { EventLine } from '../../contracts/page/missionView';
import { eventsAtOnce } from '../../contracts/page/panelMessages';
import { eventLine } from '../../core/view/events/eventLine';

export interface ReadMission {
  readonly mission: Mission;
  /** The newest entries, at most `keptEntries`, oldest first. */
  readonly entries: readonly JournalEntry<MissionEvent>[];
  /** The host of a fleet that runs it; absent: it is of this workspace. */
  readonly place?: SeenPlace;
  /** This user's key did not seal its journal as it is, so nothing of it runs or counts. Absent: it did. */
  readonly foreign?: true;
}
export interface ReadMissions {
  /** Newest first. */
  readonly missions: readonly ReadMission[];
  readonly unreadable: readonly { readonly mission_id: string; readonly reason: string }[];
}

/** Missions of this workspace and this user alone. */
export function ofWorkspace({ missions }: Pick<ReadMissions, 'missions'>): readonly Mission[] {
  return missions.flatMap(({ mission, place, foreign }) => (place || foreign ? [] : [mission]));
}

/** Without a journal, or before the first look. */
export const noMissions: ReadMissions = { missions: [], unreadable: [] };

const keptEntries = 200;

/**
 * Reads the missions that a decision rests on, each with its chain proven from its first entry. One that was changed is
 * unreadable. Proving 30,000 entries took half a second more than reading them.
 */
export function provenMissions(journal: MissionSource): Promise<ReadMissions> {
  return new MissionReader({
    streams: () => journal.streams(),
    read: (...asked) => journal.read(...asked),
    pages: (stream) => journal.pages(stream, { verified: true }),
  }).read();
}

/**
 * Follows the journal from any process: each call reads only what was appended since. It proves only that this user's key
 * sealed the last entry. A start and what it carries over read proven missions.
 */
export class MissionReader {
  readonly #known = new Map<string, ReadMission>();
  readonly #unreadable = new Map<string, string>();
  #places: ReadonlyMap<string, SeenPlace> = new Map();

  constructor(private readonly journal: MissionSource) {}

  /** @param except the id of a mission to leave out */
  async read(except?: string): Promise<ReadMissions> {
    const streams = await this.journal.streams();
    const places = (await this.journal.places?.()) ?? this.#places;
    const present = new Set(streams.map(({ stream }) => stream));
    const foreign = new Set(streams.flatMap(({ stream, sealed }) => (sealed ? [] : [stream])));
    const isKept = (stream: string): boolean =>
      present.has(stream) && this.#places.get(stream)?.run_id === places.get(stream)?.run_id;
    // Another host that goes on with a mission of a fleet has a journal of its own.
    for (const known of [this.#known, this.#unreadable])
      for (const stream of known.keys()) if (!isKept(stream)) known.delete(stream);
    this.#places = places;
    for (const { stream, last_seq } of streams) {
      if (stream !== except && isMissionStream(stream) && (this.#known.get(stream)?.mission.last_seq ?? 0) < last_seq)
        await this.#follow(stream);
    }
    const missions = [...this.#known]
      .map(([stream, read]) => {
        const place = places.get(stream);
        return { ...read, ...(place && { place }), ...(foreign.has(stream) && { foreign: true as const }) };
      })
      .sort((left, right) => (left.mission.received_at < right.mission.received_at ? 1 : -1));
    return { missions, unreadable: [...this.#unreadable].map(([mission_id, reason]) => ({ mission_id, reason })) };
  }

  async #follow(stream: string): Promise<void> {
    const known = this.#known.get(stream);
    try {
      let mission: Mission | null = known?.mission ?? null;
      for await (const page of this.journal.pages(stream, { afterSeq: mission?.last_seq ?? 0 }))
        mission = fold(page, mission);
      if (mission)
        this.#known.set(stream, { mission, entries: await this.#newest(stream, mission, known?.entries ?? []) });
      this.#unreadable.delete(stream);
    } catch (error) {
      this.#unreadable.set(stream, errorWords(error));
    }
  }

  /** Reads whole entries for display, because a fold reads less of each. */
  async #newest(stream: string, { last_seq }: Mission, known: ReadMission['entries']): Promise<ReadMission['entries']> {
    const after = Math.max(known.at(-1)?.seq ?? 0, last_seq - keptEntries);
    const read = await this.journal.read(stream, after);
    // Drops an entry that was appended meanwhile, because the state does not have it yet.
    return [...known, ...read.filter(({ seq }) => seq <= last_seq)].slice(-keptEntries);
  }
}

/** One given away only once the run has ended here; null: neither written nor refused. */
export async function askedHandoff(
  reader: MissionReader,
  missionId: string,
  commandId: string,
): Promise<(Handoff & { readonly left_behind: string }) | null> {
  const { missions } = await reader.read();
  const mission = missions.find((found) => found.mission.mission_id === missionId)?.mission;
  const handoff = mission?.handoffs.find(({ command_id }) => command_id === commandId);
  if (!handoff || handoff.state.kind === 'pending') return null;
  const ended = !handoff.move || handoff.state.kind === 'refused' || mission?.execution === 'REPORTED';
  return mission && ended ? { ...handoff, left_behind: leftBehind(mission) } : null;
}

export interface EventRange {
  /** Number of the first one, from 1. */
  readonly from: number;
  readonly events: readonly EventLine[];
  /** How many events the mission has. */
  readonly total: number;
}

/** Reads at most `eventsAtOnce`, and none after the state of `mission`. */
export async function readEventRange(
  journal: Pick<Journal<MissionEvent>, 'read'>,
  mission: Mission,
  from: number,
  count: number,
): Promise<EventRange> {
  const total = mission.last_seq;
  const first = Math.max(1, Math.min(from, total + 1));
  const most = Math.max(0, Math.min(count, eventsAtOnce, total + 1 - first));
  const read = most === 0 ? [] : await journal.read(mission.mission_id, first - 1, most);
  return { from: first, events: read.slice(0, most).map((entry) => eventLine(entry, mission)), total };
}
