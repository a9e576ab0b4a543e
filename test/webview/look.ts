import type { Pane } from './pane';

/**
 * What of the page cannot be read as it is painted, one line each: it scrolls sideways, text is cut and its whole is
 * nowhere to be had, a word is broken in the middle, letters stand in a column, contrast is below 4.5.
 */
export async function unreadable({ page }: Pick<Pane, 'page'>): Promise<readonly string[]> {
  return (await page.evaluate(look)) as readonly string[];
}

/** The texts of which nothing stands in what is seen without scrolling. */
export async function notAtFirst({ page }: Pane, wanted: readonly (string | RegExp)[]): Promise<readonly string[]> {
  const seen = ((await page.evaluate(firstScreen)) as string).replace(/\s+/g, ' ');
  return wanted
    .filter((text) => (typeof text === 'string' ? !seen.includes(text) : !text.test(seen)))
    .map((text) => `${String(text)} is not in: ${seen}`);
}

/** The lines of text whose upper half is on the screen. */
const firstScreen = `(() => {
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest('script, style') || !node.parentElement.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width > 1 && box.top + Math.min(box.height, 16) / 2 < innerHeight) lines.push(node.textContent);
  }
  return lines.join(' ');
})()`;

/**
 * Colours are read by painting them, because a page may mix some. A cut text counts as whole where its element or one
 * around it has a title that holds it.
 */
const look = `(() => {
  const found = new Set();
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) found.add('the page is ' + root.scrollWidth + ' wide in ' + root.clientWidth);
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const known = new Map();
  const painted = (colour) => {
    if (known.has(colour)) return known.get(colour);
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    known.set(colour, [r, g, b, a / 255]);
    return known.get(colour);
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((one, index) => one * a + below[index] * (1 - a));
  // A text in a block of its own may lie outside the lines that an inline element paints.
  const liesIn = (box, element) => [...element.getClientRects()].some(({ top, bottom }) => top < box.bottom - 4 && bottom > box.top + 4);
  const groundOf = (element, boxes) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const { display, backgroundColor } = getComputedStyle(at);
      if (display !== 'inline' || boxes.every((box) => liesIn(box, at))) layers.push(painted(backgroundColor));
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const opacityOf = (element) => {
    let opacity = 1;
    for (let at = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    return opacity;
  };
  const luminance = (colour) => {
    const [r, g, b] = colour.map((one) => {
      const part = one / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (element, boxes) => {
    const ground = groundOf(element, boxes);
    const style = getComputedStyle(element);
    const [r, g, b, a] = painted(element instanceof SVGElement ? style.fill : style.color);
    const [light, dark] = [over([r, g, b, a * opacityOf(element)], ground), ground].map(luminance).sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const elementName = (element) => element.tagName.toLowerCase() + [...element.classList].map((name) => '.' + name).join('');
  // For screen readers alone.
  const unseen = (element) => {
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      const { clipPath, clip, position } = getComputedStyle(at);
      const { width, height } = at.getBoundingClientRect();
      if (clipPath !== 'none' || (position === 'absolute' && clip !== 'auto') || (position === 'absolute' && width <= 1 && height <= 1)) return true;
    }
    return false;
  };
  const squeezed = (text) => text.replace(/\\s+/g, ' ').trim();
  const wholeElsewhere = (element, text) => {
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      const title = at.getAttribute('title') ?? at.querySelector(':scope > title')?.textContent;
      if (title && squeezed(title).includes(squeezed(text))) return true;
    }
    return false;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent.trim();
    if (text === '' || element.closest('style, script, title') || !element.checkVisibility({ visibilityProperty: true })) continue;
    if (unseen(element)) continue;
    const told = elementName(element) + ' "' + text.slice(0, 60) + '"';
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].slice(0, 50);
    for (const box of boxes) {
      let hidden = false;
      for (let at = element; at && at !== document.body; at = at.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(at);
        const edge = at.getBoundingClientRect();
        const wide = box.right > edge.right + 1 || box.left < edge.left - 1;
        const tall = box.bottom > edge.bottom + 3 || box.top < edge.top - 3;
        const cut = (wide && /hidden|clip/.test(overflowX)) || (tall && /hidden|clip/.test(overflowY));
        if (cut) hidden = true;
        if (cut && !wholeElsewhere(element, text)) found.add('cut: ' + told);
        if (/auto|scroll/.test(overflowX) && at.scrollWidth > at.clientWidth + 1) found.add('scrolls sideways: ' + told);
      }
      if (!hidden && (box.right > root.clientWidth + 1 || box.left < -1)) found.add('out of the page: ' + told);
    }
    // Words of letters and digits that a line can hold; a path may end a line anywhere where none holds all of it.
    const runs = [...node.textContent.slice(0, 5000).matchAll(/\\S+/g)].filter(({ 0: run }) => run.length > 24);
    const inLongRun = (at) => runs.some(({ 0: run, index }) => at >= index && at < index + run.length);
    for (const { 0: word, index } of node.textContent.slice(0, 5000).matchAll(/[\\p{L}\\p{N}]+/gu)) {
      if (word.length < 2 || word.length > 20 || inLongRun(index)) continue;
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
      if (Math.max(...tops) - Math.min(...tops) > 6) found.add('broken word ' + word + ': ' + told);
    }
    const longest = Math.max(...text.split(/\\s+/).map((word) => word.length));
    const lines = new Set(boxes.map(({ top }) => Math.round(top))).size;
    if (lines > 2 && text.length / lines < Math.min(longest, 8)) found.add('a column of letters: ' + told);
    const ratio = contrast(element, boxes);
    if (ratio < 4.5) found.add('contrast ' + ratio.toFixed(2) + ': ' + told);
  }
  return [...found].sort();
})()`;
