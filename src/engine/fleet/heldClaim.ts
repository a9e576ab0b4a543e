import { runner } from '../../contracts/vocabulary/actors';
import type { JournalEntry } from '../../core/model/journalEntry';
import type { MissionEvent } from '../../core/model/events';
import type { Course } from '../../core/model/state';
import { errorWords, type Refusal } from '../../base/outcome';
import type { EngineListener } from '../mission/listeners';
import type { MissionHost } from '../owner/host';
import type { Claim, Hold } from '../ports/fleet';
import type { Launches } from '../ports/launches';
import type { Clock, Ids, Timers } from '../ports/time';

/** Seconds between two words of a host; a lease ends after ten. */
const beatSeconds = 3;

interface Run {
  readonly host: MissionHost;
  readonly mission_id: string;
}

export interface HeldBy {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
  /** The files of a handoff folder (relative to the workspace) as an export; null: they are too many or unreadable. */
  pack(path: string): Promise<{ readonly name: string; readonly content: string } | null>;
}

/**
 * A claim while its mission runs. It says a word in time. Before each attempt it records a handoff in the database,
 * which names what is done and what has begun. A launch begins only after that, while the claim is held. Without the
 * record another host would do again what is done here. A decision of a person is recorded so as well, because it
 * stands wherever the mission goes on.
 */
export class HeldClaim implements EngineListener {
  #hold: Hold = 'held';
  #beat: { dispose(): void } | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  /** The export since the last attempt or decision, as why it is not recorded (null: it is); null: none yet. */
  #exported: Promise<string | null> | null = null;
  #begin: (run: Run) => void = () => undefined;
  #exporting: Promise<unknown> = Promise.resolve();
  readonly #run = new Promise<Run>((resolve) => (this.#begin = resolve));
  readonly #awaited = new Map<string, (end: string | null | Promise<string | null>) => void>();
  #onLost: () => void = () => undefined;
  #onBeat: () => void = () => undefined;

  constructor(
    private readonly claim: Claim,
    private readonly by: HeldBy,
  ) {
    this.#later();
  }

  get isLost(): boolean {
    return this.#hold === 'lost';
  }

  /** Calls back when the claim is lost, at once where it is. */
  onLost(callback: () => void): void {
    this.#onLost = callback;
    if (this.isLost) callback();
  }

  /** Calls back after each word that the database took. */
  onBeat(callback: () => void): void {
    this.#onBeat = callback;
  }

  /** Names what runs; launches before that wait for it. */
  begin(run: Run): void {
    this.#begin(run);
  }

  dispose(): void {
    this.#beat?.dispose();
  }

  /** Asks the database in turn: the claim of a call that answers `lost` is lost for good. */
  ask(call: () => Promise<Hold>): Promise<Hold> {
    return this.#inTurn(() => this.#ask(call));
  }

  /** Returns launches that begin only while the claim is held. One that runs already is attached to as before. */
  guard(launches: Launches): Launches {
    return {
      ...launches,
      start: async (runDir, known, options) => {
        if ((await launches.standing(runDir, known)) === 'unstarted') {
          const why = this.isLost ? null : await this.#exportOnce();
          if (why !== null && !this.isLost) return { kind: 'refused', reason: unrecorded(why) };
          if ((await this.ask(() => this.claim.beat())) === 'lost') return { kind: 'refused', reason: lostReason };
        }
        return launches.start(runDir, known, options);
      },
    };
  }

  onEntries({ handoffs }: Course, entries: readonly JournalEntry<MissionEvent>[]): void {
    const decided = entries.some(isDecision);
    for (const { event } of entries) {
      if (event.type === 'AttemptStarted' || decided) this.#exported = null;
      if (event.type !== 'HandoffWritten' && event.type !== 'HandoffRefused') continue;
      const id = handoffs.find(({ n }) => n === event.n)?.command_id ?? '';
      const end = event.type === 'HandoffRefused' ? event.reason : this.#record(event.path);
      this.#awaited.get(id)?.(end);
      this.#awaited.delete(id);
    }
    if (decided) void this.#exportOnce();
  }

  onHalt({ reason }: Pick<Refusal, 'reason'>): void {
    for (const end of this.#awaited.values()) end(reason);
    this.#awaited.clear();
  }

  /** Resolves when what was written and decided so far is recorded, or cannot be. */
  async recorded(): Promise<void> {
    await this.#exported;
    await this.#turn;
  }

  async #ask(call: () => Promise<Hold>): Promise<Hold> {
    if (!this.isLost && (await call()) === 'lost') {
      this.#hold = 'lost';
      this.#onLost();
    }
    return this.#hold;
  }

  /** Attempts that begin together share an export; one that failed is tried again. */
  async #exportOnce(): Promise<string | null> {
    const run = await this.#run;
    if (this.#exported === null) {
      // One after the other, because handoffs that are written side by side can end in another order than they began.
      this.#exported = this.#exporting.then(() => this.#export(run));
      this.#exporting = this.#exported;
    }
    const exported = this.#exported;
    const why = await exported;
    if (why !== null && this.#exported === exported) this.#exported = null;
    return why;
  }

  /** Exports, and returns why nothing was recorded; null: it was. */
  async #export({ host, mission_id }: Run): Promise<string | null> {
    const id = this.by.ids.uuid();
    const end = new Promise<string | null>((resolve) => this.#awaited.set(id, resolve));
    const answer = await host
      .command({
        ...{ id, mission_id, actor: runner, expected_seq: null, from_worker: false },
        command: { type: 'ExportHandoff', move: false },
        reason: 'Another host goes on from here where this one is lost.',
      })
      .catch((error: unknown) => ({ accepted: false, reason: errorWords(error) }));
    if (answer.accepted) return end;
    this.#awaited.delete(id);
    return answer.reason;
  }

  #record(path: string): Promise<string | null> {
    return this.#inTurn(async () => {
      const packed = await this.by.pack(path);
      if (packed === null) return `The handoff ${path} cannot be sealed, or is larger than an export may be.`;
      return (await this.#ask(() => this.claim.record(packed.name, packed.content))) === 'held' ? null : lostReason;
    });
  }

  #later(): void {
    const { clock, timers } = this.by;
    this.#beat = timers.at(clock.after(clock.now(), beatSeconds), () => {
      void this.ask(() => this.claim.beat()).then((hold) => {
        if (hold !== 'held') return;
        this.#onBeat();
        this.#later();
      });
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work, work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}

/** Returns whether a person has decided what another host has to know; an export that a person asks for says nothing new. */
function isDecision({ actor, event }: JournalEntry<MissionEvent>): boolean {
  return event.type === 'CommandAccepted' && actor.kind === 'human' && event.command !== 'ExportHandoff';
}

function unrecorded(why: string): string {
  return `Another host could not go on from here, so nothing is started: ${why} Remove the cause, then retry the task in this folder.`;
}

const lostReason =
  'The fleet counts this host as lost, so another host may have the mission. This host starts nothing more of it.';
