import type { Page } from './playwright';

/** One row of the Problems panel. Line and column count from 1, as VS Code shows them. */
export interface ProblemEntry {
  /** Absolute path of the file. */
  file: string;
  severity: 'error' | 'warning' | 'info';
  message: string;
  source: string;
  code: string;
  line: number;
  column: number;
}

/** Reads the open Problems panel, top to bottom; it draws only rows in view, so the list is scrolled through. */
export async function readProblems(page: Page): Promise<ProblemEntry[]> {
  const panel = page.locator('.markers-panel-container');
  await panel.waitFor({ timeout: 20_000 });
  const rows = new Map<number, Row>();
  for (;;) {
    const inView = JSON.parse(String(await page.evaluate(ROWS_IN_VIEW))) as Row[];
    const before = rows.size;
    for (const row of inView) rows.set(row.index, row);
    if (rows.size === before || inView.some((row) => row.last)) break;
    await page.evaluate(SCROLL_DOWN);
  }
  await page.evaluate(SCROLL_UP);
  const entries: ProblemEntry[] = [];
  let file = '';
  for (const row of [...rows.values()].sort((a, b) => a.index - b.index)) {
    if (row.level === 1) file = row.file;
    const position = /\[Ln (\d+), Col (\d+)\]/.exec(row.position);
    if (row.level !== 2 || position === null) continue;
    const severity = row.icon.includes('error') ? 'error' : row.icon.includes('warning') ? 'warning' : 'info';
    const { message, source, code } = row;
    entries.push({ file, severity, message, source, code, line: Number(position[1]), column: Number(position[2]) });
  }
  return entries;
}

interface Row {
  index: number;
  level: number;
  last: boolean;
  file: string;
  icon: string;
  message: string;
  source: string;
  code: string;
  position: string;
}

const LIST = `document.querySelector('.markers-panel-container .monaco-list')`;

const ROWS_IN_VIEW = `JSON.stringify([...${LIST}.querySelectorAll('.monaco-list-rows > .monaco-list-row')].map((row) => {
  const text = (selector) => row.querySelector(selector)?.textContent?.trim() ?? '';
  return {
    index: Number(row.dataset.index),
    level: Number(row.getAttribute('aria-level')),
    last: row.dataset.lastElement === 'true',
    file: (row.querySelector('.resource-label-container .monaco-icon-label')?.getAttribute('aria-label') ?? '').split(' • ')[0],
    icon: row.querySelector('.marker-icon')?.className ?? '',
    message: [...row.querySelectorAll('.marker-message')].map((line) => line.textContent).join('\\n').trim(),
    source: text('.marker-source'),
    code: text('.marker-code'),
    position: text('.marker-line'),
  };
}))`;

const wheel = (deltaY: number): string =>
  `${LIST}.querySelector('.monaco-scrollable-element').dispatchEvent(new WheelEvent('wheel', { deltaY: ${deltaY}, bubbles: true, cancelable: true }))
   , new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`;
const SCROLL_DOWN = wheel(100);
const SCROLL_UP = wheel(-1_000_000);
