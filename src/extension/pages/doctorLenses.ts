import { CodeLens, EventEmitter, Range, languages, type CodeLensProvider, type TextDocument, type Uri } from 'vscode';
import type { Contribution } from '../registry/contribution';
import { commands, pageScheme } from '../registry/registry';
import { lensTitle } from '../window/ui';
import type { DoctorPage } from './doctor';
import { doctorRemedies, type DoctorRemedy } from './doctorRemedies';

/** The name of the doctor's page. */
export const doctorPageName = 'Mission Control Doctor.txt';

/** Buttons above the checks of the doctor's page. A button names a remedy of a page that was shown, and nothing else. */
export class DoctorLenses implements Contribution, CodeLensProvider {
  readonly #pages = new Map<string, readonly { readonly line: number; readonly remedy: DoctorRemedy }[]>();
  readonly #changed = new EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #registration = languages.registerCodeLensProvider(
    { scheme: pageScheme, pattern: `**/${doctorPageName}` },
    this,
  );

  /** The page that was shown last is the one whose buttons count. */
  follow(page: Uri, { places }: DoctorPage, trusted: boolean): void {
    this.#pages.clear();
    this.#pages.set(
      page.path,
      places.flatMap(({ line, check }) => doctorRemedies(check, trusted).map((remedy) => ({ line, remedy }))),
    );
    this.#changed.fire();
  }

  /** What a button stands for; null: no button of the page that was shown last. */
  remedyOf(argument: unknown): DoctorRemedy | null {
    const { page, at } = (argument ?? {}) as { readonly page?: unknown; readonly at?: unknown };
    if (typeof page !== 'string' || typeof at !== 'number') return null;
    return this.#pages.get(page)?.[at]?.remedy ?? null;
  }

  provideCodeLenses({ uri }: TextDocument): CodeLens[] {
    return (this.#pages.get(uri.path) ?? []).map(
      ({ line, remedy }, at) =>
        new CodeLens(new Range(line, 0, line, 0), {
          title: lensTitle(remedy.title),
          command: commands.doctorRemedy.id,
          arguments: [{ page: uri.path, at }],
        }),
    );
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}
