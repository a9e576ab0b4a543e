import { errorWords } from '../../base/errorWords';
import type { StreamEvent } from '../../contracts/streamEvent';
import type { MissionEvent } from '../../core/model/events';
import { placeOfEventId, streamEvent, streamEventId, unreadableEvent } from '../../core/view/streamEvent';
import type { Journal, JournalFeed, PlacedEntry } from '../ports/journal';
import { isMissionStream } from '../ports/workspaceEvents';
import type { MissionReader, ReadMissions } from './reader';

export interface FedEvent {
  /**
   * The value of `Last-Event-ID`; null: its mission has a name that no mission gets, which would be more than an id on
   * the wire.
   */
  readonly id: string | null;
  readonly event: StreamEvent;
}

export interface FedPage {
  readonly events: readonly FedEvent[];
  /** Where the next page begins. */
  readonly place: number;
  /** Whether nothing more is stored now. */
  readonly end: boolean;
}

/** Entries of a page: few enough that one page of each client is little memory. */
const pageEntries = 200;

/** The events of all missions of a journal in the order in which they were appended, a page at a time. */
export class EventFeed {
  constructor(
    private readonly journal: JournalFeed<MissionEvent> & Pick<Journal<MissionEvent>, 'streams'>,
    private readonly reader: Pick<MissionReader, 'read'>,
  ) {}

  /** The place of the event with this id; null: the journal has no such event. */
  async placeOf(lastEventId: string): Promise<number | null> {
    const named = placeOfEventId(lastEventId);
    if (named === null || !isMissionStream(named.mission_id)) return null;
    return this.journal.placeOf(named.mission_id, named.seq);
  }

  /** Finds where the next event will come; the id, if there is one, says the same. */
  async newest(): Promise<{ readonly place: number; readonly id: string | null }> {
    const streams = (await this.journal.streams()).filter(
      ({ stream, last_seq }) => isMissionStream(stream) && idOf(stream, last_seq) !== null,
    );
    const places = await Promise.all(
      streams.map(async ({ stream, last_seq }) => ({
        place: (await this.journal.placeOf(stream, last_seq)) ?? 0,
        id: streamEventId(stream, last_seq),
      })),
    );
    return places.reduce((last, one) => (one.place > last.place ? one : last), { place: 0, id: null as string | null });
  }

  /** @param missionId only of this one; null: of all */
  async page(place: number, missionId: string | null): Promise<FedPage> {
    const entries = await this.journal.after(place, pageEntries);
    const last = entries.at(-1);
    if (last === undefined) return { events: [], place, end: true };
    const wanted = entries.filter(
      ({ stream }) => isMissionStream(stream) && (missionId === null || stream === missionId),
    );
    // Read after the entries, so that each mission is at least as far as they are.
    const missions = wanted.length === 0 ? null : await this.reader.read();
    return {
      events: missions === null ? [] : wanted.map((entry) => fedEvent(entry, missions)),
      place: last.place,
      end: entries.length < pageEntries,
    };
  }
}

/** Reports an entry that cannot be read as unreadable, because one bad entry must not end the stream of the others. */
function fedEvent(placed: PlacedEntry<MissionEvent>, { missions, unreadable }: ReadMissions): FedEvent {
  const { stream, seq, entry } = placed;
  const id = idOf(stream, seq);
  const mission = missions.find((read) => read.mission.mission_id === stream)?.mission;
  const why = unreadable.find(({ mission_id }) => mission_id === stream)?.reason;
  if (entry === null || mission === undefined)
    return { id, event: unreadableEvent(placed, why ?? 'what is stored is no event.') };
  try {
    return { id, event: streamEvent(entry, mission) };
  } catch (error) {
    return { id, event: unreadableEvent(placed, errorWords(error)) };
  }
}

/**
 * Null: a client could not come back with it. A journal may hold any name; line ends in one would be other fields and
 * events.
 */
function idOf(missionId: string, seq: number): string | null {
  const id = streamEventId(missionId, seq);
  return placeOfEventId(id) === null ? null : id;
}
