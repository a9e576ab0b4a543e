import { eventText, placeText, type EventText, type StreamClient } from '../../adapters/events/client';
import type { FedPage } from '../../engine/views/eventFeed';
import type { OpenJournal, ServedWorkspace } from './workspace';

/** Pages that clients share: those who read along ask for the same one. */
const keptPages = 8;

/** Where a client begins: behind the event with this id, with what happens from now on, or with the first one. */
export type Beginning = { readonly after: string } | 'now' | 'start';

/** How far a client is; the id says the same of another journal that holds the same entries. */
interface Place {
  readonly journal: OpenJournal;
  readonly place: number;
  readonly id: string | null;
}

interface WrittenPage extends Pick<FedPage, 'place' | 'end'> {
  /** Null: it holds no event of those that are wanted. */
  readonly written: { readonly text: EventText; readonly last: string | null } | null;
  /** Whether it is the same at every later look. */
  readonly stays: boolean;
}

interface KeptPage {
  readonly made: Promise<WrittenPage>;
  /** The look in which it was made; null: the page is full, so it stays as it is. */
  turn: number | null;
}

/** Sends the events of a workspace to every client, from where each of them is; a page is made once for all. */
export class EventStream {
  readonly #pages = new Map<string, KeptPage>();
  #of: OpenJournal | null = null;

  constructor(private readonly served: Pick<ServedWorkspace, 'looks' | 'journal' | 'problem' | 'doubt'>) {}

  /**
   * Runs until the client is gone, or until the journal is one that does not know where it was.
   *
   * @param missionId only of this one; null: of all
   */
  async run(client: StreamClient, begins: Beginning, missionId: string | null): Promise<void> {
    const { looks } = this.served;
    // Where there is no journal yet, everything that will be in it is new.
    let from: Beginning = this.served.journal === null && begins === 'now' ? 'start' : begins;
    let at = null as Place | null;
    let sentProblem: string | null = null;
    while (client.open && !looks.hasEnded) {
      const turn = looks.number;
      const { journal, problem } = this.served;
      if (problem !== null && problem !== sentProblem) client.send(problemText(problem));
      sentProblem = problem;
      if (journal !== null)
        try {
          at = at?.journal === journal ? at : await this.#begin(client, journal, from);
          if (at === null) return;
          at = await this.#send(client, at, missionId);
          if (at.id !== null) from = { after: at.id };
        } catch (error) {
          this.served.doubt(error);
        }
      await Promise.race([looks.after(turn), client.gone]);
    }
  }

  /** Null: this journal has no such event. */
  async #begin(client: StreamClient, journal: OpenJournal, begins: Beginning): Promise<Place | null> {
    if (begins === 'start') return { journal, place: 0, id: null };
    if (begins !== 'now') {
      const place = await journal.feed.placeOf(begins.after);
      return place === null ? null : { journal, place, id: begins.after };
    }
    const newest = await journal.feed.newest();
    // A client that comes back goes on from here, even if it got no event yet.
    if (newest.id !== null) client.send(placeText(newest.id));
    return { journal, ...newest };
  }

  async #send(client: StreamClient, from: Place, missionId: string | null): Promise<Place> {
    for (let at = from; ;) {
      const { written, place, end } = await this.#page(at.journal, at.place, missionId);
      if (written) client.send(written.text);
      at = { ...at, place, id: written?.last ?? at.id };
      // Makes nothing more for a client before the client has read this.
      if (!(await client.hasRead()) || end) return at;
    }
  }

  #page(journal: OpenJournal, place: number, missionId: string | null): Promise<WrittenPage> {
    if (this.#of !== journal) this.#pages.clear();
    this.#of = journal;
    const key = `${place} ${missionId ?? ''}`;
    const turn = this.served.looks.number;
    const known = this.#pages.get(key);
    if (known && (known.turn === null || known.turn === turn)) return known.made;
    const made = journal.feed.page(place, missionId).then(writtenPage);
    const kept: KeptPage = { made, turn };
    made.then(
      ({ stays }) => (kept.turn = stays ? null : turn),
      () => this.#pages.get(key) === kept && this.#pages.delete(key),
    );
    this.#pages.delete(key);
    this.#pages.set(key, kept);
    for (const old of this.#pages.keys()) {
      if (this.#pages.size <= keptPages) break;
      this.#pages.delete(old);
    }
    return made;
  }
}

function writtenPage(page: FedPage): WrittenPage {
  const { place, end, events } = page;
  // What could not be read now may be read at the next look.
  return { place, end, written: writtenOf(page), stays: !end && !events.some(({ event }) => event.type === 'error') };
}

function writtenOf({ events }: FedPage): WrittenPage['written'] {
  if (events.length === 0) return null;
  const last = events.findLast(({ id }) => id !== null)?.id ?? null;
  return { text: eventText(events.map(({ id, event }) => ({ name: event.type, id, data: event }))), last };
}

/** No id: it is no place in a journal. */
function problemText(problem: string): EventText {
  const data = { mission_id: null, seq: null, event: null, actor: null, task_id: null, code: 'NOT_READABLE' };
  const payload = { text: `The journal cannot be read: ${problem}`, data };
  return eventText([
    {
      name: 'error',
      id: null,
      data: { type: 'error', id: 'journal', agent: 'runner', timestamp: new Date().toISOString(), payload },
    },
  ]);
}
