/**
 * Counts something that happens again and again. A caller that waits misses no turn that comes after it began to wait.
 */
export class Turns {
  #ended = false;
  #number = 0;
  #waiting = waiting();

  /** How often it has happened. */
  get number(): number {
    return this.#number;
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  next(): void {
    const { resolve } = this.#waiting;
    this.#number += 1;
    this.#waiting = waiting();
    resolve();
  }

  /** Resolves with the turn after `number`, at once where it has come already. */
  after(number: number): Promise<void> {
    return this.#ended || this.#number > number ? Promise.resolve() : this.#waiting.promise;
  }

  /** Lets every present and later caller go on. */
  end(): void {
    this.#ended = true;
    this.next();
  }
}

function waiting(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
