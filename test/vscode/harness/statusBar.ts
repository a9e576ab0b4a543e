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

export async function readStatusBar(page: Page): Promise<StatusBarEntry[]> {
  const entries: StatusBarEntry[] = [];
  for (const item of await page.locator('.part.statusbar .statusbar-item').all()) {
    const classes = (await item.getAttribute('class')) ?? '';
    entries.push({
      id: (await item.getAttribute('id')) ?? '',
      text: (await item.innerText())
        .replace(/[\uE000-\uF8FF]/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
      ariaLabel: (await item.getAttribute('aria-label')) ?? '',
      kind: classes.includes('error-kind') ? 'error' : classes.includes('warning-kind') ? 'warning' : 'none',
    });
  }
  return entries;
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
