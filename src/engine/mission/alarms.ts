import type { Wait } from '../../core/mission/resolve/waits';
import type { Timers } from '../ports/time';

/** The timers of waits that only the time ends. Drops the timer of a wait that is no more, as after a person's decision. */
export class Alarms {
  readonly #set = new Map<string, { dispose(): void }>();

  constructor(
    private readonly timers: Timers,
    private readonly ring: (wait: string) => void,
  ) {}

  /** Takes the waits of now; each begins once its packet is on disk. One that rang and still waits gets a new timer. */
  follow(waits: readonly Wait[]): void {
    for (const [key, timer] of this.#set) {
      if (waits.some((wait) => wait.key === key)) continue;
      timer.dispose();
      this.#set.delete(key);
    }
    for (const wait of waits) if (wait.packet.written && !this.#set.has(wait.key)) this.#arm(wait);
  }

  drop(): void {
    this.follow([]);
  }

  #arm({ key, at }: Wait): void {
    const timer = this.timers.at(at, () => {
      if (this.#set.get(key) !== timer) return;
      this.#set.delete(key);
      this.ring(key);
    });
    this.#set.set(key, timer);
  }
}
