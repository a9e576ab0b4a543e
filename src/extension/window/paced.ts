/** Work that is done once for all who ask meanwhile: with a pause before it, and never twice at once. */
export class Paced {
  #timer: NodeJS.Timeout | null = null;
  #works = false;
  #again = false;

  /** @param pause milliseconds @param work reports its own failures */
  constructor(
    private readonly pause: number,
    private readonly work: () => Promise<void>,
  ) {}

  ask(): void {
    if (this.#works) this.#again = true;
    else this.#timer ??= setTimeout(() => void this.#run(), this.pause);
  }

  dispose(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    this.#timer = null;
    this.#works = true;
    await this.work();
    this.#works = false;
    if (this.#again) this.ask();
    this.#again = false;
  }
}
