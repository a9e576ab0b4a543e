import type { Page } from './playwright';

export interface StatusBarEntry {
  /** `publisher.name.id` for an extension's item. */
  id: string;
  text: string;
  /** What a screen reader says: text and plain tooltip. */
  ariaLabel: string;
  /** The background that marks it. */
  kind: 'error' | 'warning' | 'none';
}

/** All items in one look: a window that loads again takes items away between two. */
export async function readStatusBar(page: Page): Promise<StatusBarEntry[]> {
  const items = (await page.evaluate(`[...document.querySelectorAll('.part.statusbar .statusbar-item')].map((item) => ({
    id: item.id,
    text: item.innerText,
    ariaLabel: item.getAttribute('aria-label') ?? '',
    classes: item.className,
  }))`)) as readonly (Pick<StatusBarEntry, 'id' | 'text' | 'ariaLabel'> & { readonly classes: string })[];
  return items.map(({ id, text, ariaLabel, classes }) => ({
    id,
    text: text
      .replace(/[\uE000-\uF8FF]/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
    ariaLabel,
    kind: classes.includes('error-kind') ? 'error' : classes.includes('warning-kind') ? 'warning' : 'none',
  }));
}

export async function readStatusBarTooltip(page: Page, id: string): Promise<string> {
  await page.locator(`.part.statusbar .statusbar-item[id$="${id}"] a`).first().hover();
  const hover = page.locator('.monaco-hover:not(.hidden) .hover-contents, .workbench-hover .hover-contents');
  await hover.first().waitFor({ timeout: 20_000 });
  // VS Code makes every space of such a text one that does not break.
  const text = (await hover.first().innerText()).replaceAll('\u00a0', ' ').trim();
  await page.mouse.move(700, 300);
  return text;
}
