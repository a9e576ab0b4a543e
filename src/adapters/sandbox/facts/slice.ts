import { setImmediate as nextTurn } from 'node:timers/promises';

/** The part of a frame for which this scan may block the thread. */
export class Slice {
  #since = performance.now();
  #asked = 0;

  isOver(): boolean {
    return (this.#asked += 1) % 32 === 0 && performance.now() - this.#since > 5;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
  }
}
