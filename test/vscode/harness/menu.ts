import type { Page } from './playwright';
import { isMatch, waitFor } from './waitFor';

/** A menu that VS Code itself draws. */
export interface Menu {
  /** Its entries when it came, from above. */
  readonly items: readonly string[];
  /** Clicks the entry with this text, and opens the menu again where it closed before VS Code took the click. */
  choose(item: string): Promise<void>;
  /** Moves to the entry with the arrow keys, and takes it with Enter. */
  chooseByKeys(item: string): Promise<void>;
}

/**
 * Opens a menu and reads it. VS Code closes a menu when its window loses the focus, as to the page that was clicked or
 * to a terminal that opens: a person opens it again, and so does this.
 *
 * @param open shows the menu on `what`, each time that it is called
 */
export async function openMenu(page: Page, what: string, open: () => Promise<unknown>): Promise<Menu> {
  const items = await opened(page, what, open);
  const again = async (): Promise<unknown> => (await itemsOf(page)).length > 0 || opened(page, what, open);
  return {
    items,
    choose: (item) =>
      waitFor(
        async () => {
          await again();
          return clicked(page, item);
        },
        { what: `the menu on ${what} to take ${item}` },
      ).then(() => undefined),
    chooseByKeys: (item) =>
      waitFor(
        async () => {
          await again();
          return enteredByKeys(page, item);
        },
        { what: `the menu on ${what} to take ${item} by the keyboard` },
      ).then(() => undefined),
  };
}

/** Milliseconds for one try, which is repeated. */
const patience = 5000;

function opened(page: Page, what: string, open: () => Promise<unknown>): Promise<readonly string[]> {
  let tries = 0;
  return waitFor(
    async () => {
      // One that was slow to come is there now, and would be closed by what opens it.
      if (tries === 0 || (await itemsOf(page)).length === 0) {
        tries += 1;
        await open();
        await page.locator('.monaco-menu .action-item').first().waitFor({ timeout: patience });
      }
      const items = await itemsOf(page);
      return items.length > 0 && items;
    },
    { what: `the menu on ${what}` },
  );
}

async function itemsOf(page: Page): Promise<readonly string[]> {
  const shown = await page.locator('.monaco-menu .action-item .action-label').allInnerTexts();
  return shown.map((item) => item.trim()).filter((item) => item !== '');
}

/** False where VS Code did not take the click: in the first moments of a menu it passes one over. */
async function clicked(page: Page, item: string): Promise<boolean> {
  const entry = page.locator('.monaco-menu .action-item', { hasText: item }).first();
  await page.evaluate(HEAR_NEXT_CLICK);
  await entry.click({ timeout: patience });
  // What was chosen may load the page anew, and nothing is left to ask then.
  const heard = await page.evaluate('globalThis.missionControlMenu').catch(() => 'taken');
  return heard === 'taken';
}

/** False where the menu closed before Enter. */
async function enteredByKeys(page: Page, item: string): Promise<boolean> {
  const count = (await itemsOf(page)).length;
  for (let steps = 0; steps <= count; steps += 1) {
    const focused = await page.evaluate(FOCUSED_ENTRY);
    if (typeof focused !== 'string' && steps > 0) return false;
    if (typeof focused === 'string' && focused.startsWith(item)) {
      await page.keyboard.press('Enter');
      return true;
    }
    await page.keyboard.press('ArrowDown');
  }
  return false;
}

/**
 * VS Code runs an entry when the mouse button comes up on it, and lets that event go no further. Menus lie in a shadow
 * tree of their own.
 */
const HEAR_NEXT_CLICK = `(() => {
  globalThis.missionControlMenu = 'nothing';
  const heard = (event) => {
    const entry = event.composedPath().find((one) => one.classList?.contains('action-item'));
    if (!entry?.closest('.monaco-menu')) return;
    globalThis.missionControlMenu = 'taken';
    entry.parentElement.addEventListener('mouseup', () => (globalThis.missionControlMenu = 'too early'), { once: true });
  };
  addEventListener('mouseup', heard, { capture: true, once: true });
})()`;

/** Null: no entry of a menu has the focus. */
const FOCUSED_ENTRY = `(() => {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused?.closest('.monaco-menu') ? focused.innerText.trim() : null;
})()`;

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
