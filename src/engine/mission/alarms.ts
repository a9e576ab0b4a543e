import type { Effect } from '../../core/mission/effects';
import type { Report } from '../../core/model/inputs';
import type { Timers } from '../ports/time';

/**
 * The timers of effects that only the time ends. Drops the timer of an effect that the mission no longer asks for, so a
 * person's decision leaves none.
 */
export class Alarms {
  readonly #set = new Map<string, { dispose(): void }>();

  constructor(
    private readonly timers: Timers,
    /** Resolves when the report is handled. */
    private readonly ring: (report: Report) => Promise<void>,
  ) {}

  /** Takes the effects that are pending now. An effect that rang and is still pending gets a new timer. */
  follow(pending: readonly Effect[]): void {
    for (const [key, timer] of this.#set) {
      if (pending.some((effect) => effect.key === key)) continue;
      timer.dispose();
      this.#set.delete(key);
    }
    for (const effect of pending) if (isTimed(effect) && !this.#set.has(effect.key)) this.#arm(effect);
  }

  drop(): void {
    this.follow([]);
  }

  #arm({ key, packet_id, at }: Timed): void {
    const timer = this.timers.at(at, () => {
      if (this.#set.get(key) !== timer) return;
      this.#set.delete(key);
      void this.ring({ type: 'LimitHasEnded', packet_id });
    });
    this.#set.set(key, timer);
  }
}

type Timed = Extract<Effect, { kind: 'awaitLimit' }>;

/** Says whether an effect only waits for its time. */
export function isTimed(effect: Effect): effect is Timed {
  return effect.kind === 'awaitLimit';
}
