import { EventEmitter, type Event } from 'vscode';
import type { Contribution } from '../registry/contribution';

/** The entry that a person chose, in the page or in a tree; null: none yet. */
export class PanelSelection implements Contribution {
  readonly #selected = new EventEmitter<string | null>();
  #entry: string | null = null;
  readonly onDidSelect: Event<string | null> = this.#selected.event;

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
