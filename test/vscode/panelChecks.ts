import assert from 'node:assert/strict';
import type { Frame } from './harness/playwright';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';

/** What is wrong with how the page looks, one line each: overflow, cut text, contrast below 4.5. */
export async function looksOf(frame: Frame): Promise<readonly string[]> {
  return (await frame.evaluate(look)) as readonly string[];
}

/** What the open list at the top of the window cuts off: its placeholder, or what stands in its rows. */
export async function cutInList({ page, quickInput }: VscodeWindow): Promise<readonly string[]> {
  await waitFor(async () => (await quickInput.read()).items.length > 0, { what: 'the entries of the list' });
  return (await page.evaluate(CUT_IN_LIST)) as readonly string[];
}

/** The buttons of the toast with this text that VS Code cuts. */
export async function cutInToast({ page }: VscodeWindow, text: string): Promise<readonly string[]> {
  const script = `(${CUT_IN_TOAST})(${JSON.stringify(text)})`;
  const found = await waitFor(async () => page.evaluate(script), { what: `a toast that says ${text}` });
  return found as readonly string[];
}

/** Unfolds what is folded, so that it is looked at as well. */
export async function unfold(frame: Frame): Promise<void> {
  await frame.evaluate('for (const one of document.querySelectorAll(".foldTitle[aria-expanded=false]")) one.click();');
}

/** Opens or closes the details of a task. */
export async function openDetails(frame: Frame, task: string): Promise<void> {
  await frame.locator(`tr[data-task="${task}"] .taskName`).click();
}

export async function widthOf(frame: Frame): Promise<number> {
  const width = await frame.evaluate('window.innerWidth');
  assert.ok(typeof width === 'number');
  return width;
}

const CUT_IN_LIST = `(() => {
  const widget = document.querySelector('.quick-input-widget');
  const input = widget.querySelector('.quick-input-box input');
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = getComputedStyle(input).font;
  const { paddingLeft, paddingRight } = getComputedStyle(input);
  const room = input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  const cut = pen.measureText(input.placeholder).width > room ? [input.placeholder] : [];
  for (const element of widget.querySelectorAll('.quick-input-list .monaco-list-row *'))
    if (getComputedStyle(element).textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth) cut.push(element.innerText);
  return [...new Set(cut)];
})()`;

const CUT_IN_TOAST = `(text) => {
  const toasts = [...document.querySelectorAll('.notifications-toasts .notification-list-item')];
  const buttons = toasts.find((toast) => toast.innerText.includes(text))?.querySelectorAll('.monaco-button');
  if (!buttons?.length) return null;
  return [...buttons].filter((button) => button.scrollWidth > button.clientWidth).map((button) => button.innerText);
}`;

/**
 * Colours are read by painting them, because the page mixes some. A text counts as cut where its box hides what does not
 * fit in it and nothing shows it: no scroll bar of its own, no title.
 */
const look = `(() => {
  const found = new Set();
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) found.add('the page is ' + root.scrollWidth + ' wide in ' + root.clientWidth);
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const painted = (colour) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((one, index) => one * a + below[index] * (1 - a));
  const groundOf = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(painted(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const luminance = (colour) => {
    const [r, g, b] = colour.map((one) => {
      const part = one / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (element) => {
    const ground = groundOf(element);
    const [light, dark] = [over(painted(getComputedStyle(element).color), ground), ground].map(luminance).sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const elementName = (element) => element.tagName.toLowerCase() + [...element.classList].map((name) => '.' + name).join('');
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent.trim();
    if (text === '' || element.closest('style, script') || element.getClientRects().length === 0) continue;
    // For screen readers alone: what it says stands elsewhere on the page, as a colour or a bar.
    if (element.closest('.hidden')) continue;
    const told = elementName(element) + ' "' + text.slice(0, 40) + '"';
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      const titled = element.closest('[title]');
      const cutInSight = titled && getComputedStyle(titled).overflowX === 'hidden' && titled.getBoundingClientRect().right <= root.clientWidth + 1;
      if (!cutInSight && (box.right > root.clientWidth + 1 || box.left < -1)) found.add('out of the page: ' + told);
      // A person cannot read a text that runs letter by letter down a column.
      for (let at = element; at && at !== document.body; at = at.parentElement) {
        const { overflowX, textOverflow } = getComputedStyle(at);
        const edge = at.getBoundingClientRect();
        const hides = overflowX === 'hidden' || overflowX === 'clip' || textOverflow === 'ellipsis';
        // What hides its end and has it as a title can be read.
        if (hides && at.title) break;
        if (hides && (box.right > edge.right + 1 || box.left < edge.left - 1)) found.add('cut: ' + told);
        if (/auto|scroll/.test(overflowX) && at.scrollWidth > at.clientWidth + 1) found.add('scrolls sideways: ' + told);
      }
    }
    const longest = Math.max(...text.split(/\\s+/).map((word) => word.length));
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    if (lines > 2 && text.length / lines < Math.min(longest, 8)) found.add('a column of letters: ' + told);
    const ratio = contrast(element);
    if (ratio < 4.5) found.add('contrast ' + ratio.toFixed(2) + ': ' + told);
  }
  return [...found].sort();
})()`;
