import { errorWords } from '../../base/outcome';
import type { StreamEvent } from '../../contracts/record/streamEvent';
import type { MissionEvent } from '../../core/model/events';
import { placeOfEventId, streamEvent, streamEventId, unreadableEvent } from '../../core/view/events/streamEvent';
import type { Journal, JournalFeed, PlacedEntry } from '../ports/journal';
import { isMissionStream } from '../ports/workspaceEvents';
import type { MissionReader, ReadMissions } from './reader';

export interface FedEvent {
  /** The value of `Last-Event-ID`; null: the name of its mission could break the wire format. */
  readonly id: string | null;
  readonly event: StreamEvent;
}

export interface FedPage {
  readonly events: readonly FedEvent[];
  /** Where the next page begins. */
  readonly place: number;
  /** Nothing more is stored now. */
  readonly end: boolean;
}

/** Entries of a page, few enough that a page for each client takes little memory. */
const pageEntries = 200;

/** Gives the events of all missions in the order of the appends. */
export class EventFeed {
  constructor(
    private readonly journal: JournalFeed<MissionEvent> & Pick<Journal<MissionEvent>, 'streams'>,
    private readonly reader: Pick<MissionReader, 'read'>,
  ) {}

  /** Null: the journal has no such event. */
  async placeOf(lastEventId: string): Promise<number | null> {
    const named = placeOfEventId(lastEventId);
    if (named === null || !isMissionStream(named.mission_id)) return null;
    return this.journal.placeOf(named.mission_id, named.seq);
  }

  /** Finds the place after the newest event, and that event's id if it has one. */
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
    // Read after the entries, so that no mission is older than its entries.
    const missions = wanted.length === 0 ? null : await this.reader.read();
    return {
      events: missions === null ? [] : wanted.map((entry) => fedEvent(entry, missions)),
      place: last.place,
      end: entries.length < pageEntries,
    };
  }
}

/** One bad entry must not end the stream. */
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

/** Null: a client could not send it back. A line end in a mission's name would forge fields and events. */
function idOf(missionId: string, seq: number): string | null {
  const id = streamEventId(missionId, seq);
  return placeOfEventId(id) === null ? null : id;
}
