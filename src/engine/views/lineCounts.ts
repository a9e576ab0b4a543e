import type { LinesView } from '../../contracts/page/panelView';
import type { Mission } from '../../core/model/state';

/** Reads the contents of all files that tasks changed, in a thread of its own. */
export type CountLines = (mission: Mission) => Promise<ReadonlyMap<string, LinesView>>;

/** Counts when an ended mission is opened. A view shows without waiting; `changed` reports the counts. */
export class LineCounts {
  readonly #known = new Map<string, { readonly key: string; readonly lines: ReadonlyMap<string, LinesView> | null }>();
  #running: Promise<void> = Promise.resolve();

  constructor(
    private readonly count: CountLines,
    private readonly changed: () => void,
  ) {}

  /** A person opens it; its files may have changed since the last count. */
  opened(missionId: string): void {
    this.#known.delete(missionId);
  }

  /** By task; null: not counted, or not counted yet. */
  of(mission: Mission): ReadonlyMap<string, LinesView> | null {
    // A running mission changes with every look, so it is not counted.
    if (mission.ending === null) return null;
    const key = String(mission.last_seq);
    const known = this.#known.get(mission.mission_id);
    if (known?.key === key) return known.lines;
    this.#start(mission, key);
    return null;
  }

  #start(mission: Mission, key: string): void {
    const { mission_id } = mission;
    this.#known.set(mission_id, { key, lines: null });
    this.#running = this.#running.then(async () => {
      const lines = await this.count(mission).catch(() => null);
      if (lines === null || this.#known.get(mission_id)?.key !== key) return;
      this.#known.set(mission_id, { key, lines });
      this.changed();
    });
  }
}
