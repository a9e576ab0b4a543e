/** Visits the items in their order, so many at a time, from the one on that is asked for. */
export class Ahead<Item, Result> {
  private readonly visits = new Map<Item, Promise<Result>>();
  private readonly underWay = new Set<Promise<unknown>>();
  private from = 0;

  constructor(
    private readonly items: readonly Item[],
    private readonly places: number,
    private readonly visit: (item: Item) => Promise<Result>,
  ) {}

  /** Waits for a place where others have them all, then for the visit. */
  async of(item: Item): Promise<Result> {
    for (;;) {
      this.from = this.items.indexOf(item);
      this.start();
      const visiting = this.visits.get(item);
      if (visiting !== undefined) return visiting;
      await Promise.race(this.underWay);
    }
  }

  /** Those that have begun. */
  begun(): readonly Promise<Result>[] {
    return [...this.visits.values()];
  }

  private start(): void {
    for (const item of this.items.slice(this.from)) {
      if (this.underWay.size >= this.places) return;
      if (this.visits.has(item)) continue;
      const visiting = this.visit(item);
      this.visits.set(item, visiting);
      // A failure is heard by the one that asks for the visit.
      const ended: Promise<unknown> = visiting
        .catch(() => undefined)
        .then(() => {
          this.underWay.delete(ended);
          this.start();
        });
      this.underWay.add(ended);
    }
  }
}
