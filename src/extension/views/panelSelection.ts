import { EventEmitter, type Event } from 'vscode';
import type { Contribution } from '../registry/registry';

/** The entry that the page shows: a person chose it, or the page began with it. Null: none yet. */
export class PanelSelection implements Contribution {
  readonly #selected = new EventEmitter<string | null>();
  #entry: string | null = null;
  readonly onDidSelect: Event<string | null> = this.#selected.event;
  /** The mission in front of the person, on which a command of the palette is called; null: none is in sight. */
  mission: { readonly folder: string; readonly missionId: string } | null = null;

  /** A `PanelEntry.id`. */
  get entry(): string | null {
    return this.#entry;
  }

  select(entry: string | null): void {
    if (entry === this.#entry) return;
    this.#entry = entry;
    this.#selected.fire(entry);
  }

  dispose(): void {
    this.#selected.dispose();
  }
}
