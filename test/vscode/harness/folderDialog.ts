import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from './playwright';
import { waitFor } from './waitFor';

/**
 * Chooses this folder in VS Code's own dialog, which is open or about to open. It reads its first folder, and then
 * puts that in place of what was typed meanwhile. An Enter before that takes that first folder. With a row in focus an
 * Enter goes into the folder of the row. So the Enter waits for the list of this folder, and for none in focus. It is
 * pressed again where the dialog took it for a look at what was typed: an Enter more does no harm then.
 */
export async function chooseFolder(page: Page, folder: string): Promise<void> {
  const input = page.locator('.quick-input-widget .quick-input-box input');
  const wanted = path.join(folder, path.sep);
  const within = new Set(['..', ...subfolders(folder)]);
  await waitFor(async () => (await look(page)) !== null, { what: 'the dialog for a folder' });
  await waitFor(
    async () => {
      const shown = await look(page);
      if (shown === null) return true;
      if (shown.value !== wanted) await input.fill(wanted, { timeout: 5000 });
      else if (shown.rows.length > 0 && !shown.isRowFocused && shown.rows.every((row) => within.has(row)))
        await input.press('Enter', { timeout: 5000 });
      return undefined;
    },
    { what: `the dialog to take ${folder}` },
  );
}

function subfolders(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

interface Shown {
  readonly value: string;
  readonly rows: readonly string[];
  readonly isRowFocused: boolean;
}

/** Null where another input is open, or none. */
async function look(page: Page): Promise<Shown | null> {
  return (await page.evaluate(DIALOG)) as Shown | null;
}

const DIALOG = `(() => {
  const widget = document.querySelector('.quick-input-widget');
  const input = widget?.querySelector('.quick-input-box input');
  if (!input?.checkVisibility() || input.getAttribute('placeholder') !== 'Folder path') return null;
  const rows = [...widget.querySelectorAll('.quick-input-list .monaco-list-row')];
  return {
    value: input.value,
    rows: rows.map((row) => row.querySelector('.label-name')?.innerText.trim() ?? ''),
    isRowFocused: rows.some((row) => row.classList.contains('focused')),
  };
})()`;
