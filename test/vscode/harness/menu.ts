import type { Page } from './playwright';
import { isMatch, waitFor } from './waitFor';

/** The entries of the context menu that is open, or about to open, on what was clicked. */
export function menuItems(page: Page, what: string): Promise<readonly string[]> {
  return waitFor(
    async () => {
      const shown = await page.locator('.monaco-menu .action-item .action-label').allInnerTexts();
      const items = shown.map((item) => item.trim()).filter((item) => item !== '');
      return items.length > 0 && items;
    },
    { what: `the menu on ${what}` },
  );
}

/** Clicks an entry until the menu is gone: VS Code takes no click in the first moments of a menu. */
export async function chooseInMenu(page: Page, item: string): Promise<void> {
  const entry = page.locator('.monaco-menu .action-item', { hasText: item }).first();
  await entry.waitFor();
  await waitFor(
    async () => {
      if (!(await entry.isVisible())) return true;
      await entry.click({ timeout: 2000 }).catch(() => undefined);
      await entry.waitFor({ state: 'hidden', timeout: 2000 });
      return true;
    },
    { what: `the menu to take ${item}` },
  );
}

/** The buttons in the title of the editor in front, in words or as icons, once this one is there. */
export function titleButtons({ page }: { readonly page: Page }, awaited: string | RegExp): Promise<readonly string[]> {
  const actions = page.locator('.editor-group-container.active .editor-actions .action-label');
  return waitFor(
    async () => {
      const all = await actions.all();
      const labels = await Promise.all(all.map(async (one) => (await one.getAttribute('aria-label')) ?? ''));
      return labels.some((label) => isMatch(label.replace(/ \(.*/, ''), awaited)) && labels;
    },
    { what: `the button ${String(awaited)} in the title` },
  );
}
