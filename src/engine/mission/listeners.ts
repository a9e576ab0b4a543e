import type { MissionEvent } from '../../core/model/events';
import type { JournalEntry } from '../../core/model/journalEntry';
import type { Mission } from '../../core/model/state';

/** The reason why an engine stopped before the end. The next start continues from the journal. */
export interface Halt {
  readonly code:
    | 'INVARIANT_BROKEN'
    | 'STALE_SEQUENCE'
    | 'FENCED'
    | 'WRITE_FAILED'
    | 'EFFECT_FAILED'
    /** The file holds another history than memory does. */
    | 'STATE_STORE_CORRUPT';
  readonly reason: string;
  /** The phase of each attempt under way, such as `T1, phase 5 (execution)`; absent: no attempt was under way. */
  readonly phases?: readonly string[];
}

export interface EngineListener {
  /** After every append: the new state and the new entries. */
  onEntries?(mission: Mission, entries: readonly JournalEntry<MissionEvent>[]): void;
  onHalt?(halt: Halt): void;
}

export class EngineListeners {
  readonly #listeners = new Set<EngineListener>();

  add(listener: EngineListener): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Calls every listener. Removes one that throws, and rethrows its error outside of the mission. */
  tell(news: (listener: EngineListener) => void): void {
    for (const listener of [...this.#listeners]) {
      try {
        news(listener);
      } catch (error) {
        this.#listeners.delete(listener);
        void Promise.reject(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }
}
