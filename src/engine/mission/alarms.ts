import type { Effect } from '../../core/mission/effects';
import type { Report } from '../../core/model/inputs';
import type { Timers } from '../ports/time';

/**
 * The timers of effects that nothing but the time ends. What the mission no longer asks for is dropped, so that
 * a decision of a person leaves nothing under way.
 */
export class Alarms {
  readonly #set = new Map<string, { dispose(): void }>();

  constructor(
    private readonly timers: Timers,
    /** Resolves when the report is handled. */
    private readonly ring: (report: Report) => Promise<void>,
  ) {}

  /** Takes what the mission waits for now. One that rang and still stands here rings again. */
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

/** Says whether an effect does nothing but wait for its time. */
export function isTimed(effect: Effect): effect is Timed {
  return effect.kind === 'awaitLimit';
}
