import type { WebviewPanel } from 'vscode';
import { ui } from '../../base/text/marked/ui';
import { type Contribution, commands, views } from '../registry/registry';
import { doctorPage, type DoctorSection, type DoctorRemedy, type DoctorWindow } from './doctor';
import { openPlainPage, showPlainPage, type PageContext } from './plainPage';

/** The doctor's page. Its buttons can only name remedies that it shows now. */
export class DoctorPages implements Contribution {
  #panel: WebviewPanel | null = null;
  #remedies: ReadonlyMap<string, DoctorRemedy> = new Map();

  constructor(private readonly context: PageContext) {}

  show(toolVersion: string, sections: readonly DoctorSection[], window: DoctorWindow): void {
    const { body, remedies } = doctorPage(toolVersion, sections, window);
    this.#remedies = remedies;
    if (this.#panel) this.#panel.reveal();
    else this.#panel = this.#opened();
    showPlainPage(this.context, this.#panel, { title, body });
  }

  get isOpen(): boolean {
    return this.#panel !== null;
  }

  /** Returns the remedy of a button; null: the open page has no such button. */
  remedyOf(argument: unknown): DoctorRemedy | null {
    return (typeof argument === 'string' && this.#remedies.get(argument)) || null;
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #opened(): WebviewPanel {
    const panel = openPlainPage(this.context, { ...views.doctor, title, command: commands.doctorRemedy.id });
    panel.onDidDispose(() => {
      this.#panel = null;
      this.#remedies = new Map();
    });
    return panel;
  }
}

const title = ui`Doctor`;
