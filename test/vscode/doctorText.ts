import type { VscodeWindow } from './harness/window';

/** What the doctor's page says, a check a line; empty: it is not open. */
export async function doctorText(window: VscodeWindow): Promise<string> {
  const [page] = await window.webviewFrames('Doctor');
  if (!page) return '';
  const lines = "[...document.querySelectorAll('li')].map((check) => check.textContent.replace(/\\s+/g, ' ').trim())";
  return ((await page.evaluate(lines)) as readonly string[]).join('\n');
}
