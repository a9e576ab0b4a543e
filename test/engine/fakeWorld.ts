import type { Clock, Timers } from '../../src/engine/ports/time';

/** A clock that the test moves, and timers that go by it. */
export class FakeTime implements Clock, Timers {
  #now: number;
  #timers: { readonly due: number; readonly callback: () => void }[] = [];

  constructor(start = '2026-01-31T20:00:00.000Z') {
    this.#now = Date.parse(start);
  }

  now(): string {
    return new Date(this.#now).toISOString();
  }

  after(time: string, seconds: number): string {
    return new Date(Date.parse(time) + seconds * 1000).toISOString();
  }

  at(time: string, callback: () => void): { dispose(): void } {
    const timer = { due: Date.parse(time), callback };
    this.#timers.push(timer);
    return { dispose: () => (this.#timers = this.#timers.filter((other) => other !== timer)) };
  }

  /** When the next timer is due; null without timers. */
  get next(): string | null {
    return this.#timers.length === 0 ? null : new Date(Math.min(...this.#timers.map(({ due }) => due))).toISOString();
  }

  /** Lets time pass timer by timer, with everything that follows from each. */
  async pass(seconds: number): Promise<void> {
    const end = this.#now + seconds * 1000;
    await settle();
    for (;;) {
      const [first] = this.#timers.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
      if (first === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== first);
      this.#now = Math.max(this.#now, first.due);
      first.callback();
      await settle();
    }
    this.#now = end;
  }

  /** The wall clock jumps, as when the machine slept: timers that are due fire late, all at once. */
  async jump(seconds: number): Promise<void> {
    this.#now += seconds * 1000;
    await this.pass(0);
  }
}

/** Everything that was waiting for a promise has gone on. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** The machine's clock with a shift that a test adds: what is due fires, and no test waits for it. */
export class ShiftedTime implements Clock, Timers {
  #shift = 0;
  readonly #timers = new Set<{ readonly due: number; readonly callback: () => void; handle: NodeJS.Timeout }>();

  now(): string {
    return new Date(Date.now() + this.#shift).toISOString();
  }

  after(time: string, seconds: number): string {
    return new Date(Date.parse(time) + seconds * 1000).toISOString();
  }

  at(time: string, callback: () => void): { dispose(): void } {
    const due = Date.parse(time);
    const timer = { due, callback, handle: setTimeout(() => undefined, 0) };
    this.#arm(timer);
    this.#timers.add(timer);
    return {
      dispose: () => {
        clearTimeout(timer.handle);
        this.#timers.delete(timer);
      },
    };
  }

  advance(seconds: number): void {
    this.#shift += seconds * 1000;
    for (const timer of this.#timers) this.#arm(timer);
  }

  #arm(timer: { readonly due: number; readonly callback: () => void; handle: NodeJS.Timeout }): void {
    clearTimeout(timer.handle);
    const rest = Math.max(0, timer.due - Date.now() - this.#shift);
    timer.handle = setTimeout(
      () => {
        this.#timers.delete(timer);
        timer.callback();
      },
      Math.min(rest, 2 ** 30),
    );
  }
}
