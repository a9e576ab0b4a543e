import { durationText } from '../../src/contracts/missionView';
import { page, type PageText } from '../../src/base/text/page';

/** Text reaches the page as text nodes only, with every character visible: a worker's output is never markup. */
export type Child = Node | string | PageText | null;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | PageText>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, page`${value}`.toString());
  for (const child of children) {
    if (child !== null) node.append(child instanceof Node ? child : page`${child}`.toString());
  }
  return node;
}

/** A command line; its words go whole to the next line: a browser would break `--by` between its dashes. */
export function commandLine(command: string): HTMLElement {
  const words = command.split(' ').flatMap((word) => [' ', el('span', { class: 'word' }, word)]);
  return el('code', { class: 'command' }, ...words.slice(1));
}

/** How far the sender's clock is ahead of this one, in milliseconds. */
let ahead = 0;

/** Sets the sender's time, as of a snapshot: it may be a machine with another clock. */
export function setNow(iso: string): void {
  const at = Date.parse(iso);
  if (!Number.isNaN(at)) ahead = at - Date.now();
}

/** A running duration since a time; null when it is unknown. Screen readers do not announce every second. */
export function since(iso: string | null, before = '', after = ''): HTMLElement | null {
  if (iso === null || Number.isNaN(Date.parse(iso))) return null;
  const node = el('span', { role: 'timer', 'data-since': iso, 'data-before': before, 'data-after': after, title: iso });
  showDuration(node);
  return node;
}

/** Called once a second. */
export function tick(): void {
  for (const node of document.querySelectorAll<HTMLElement>('[data-since]')) showDuration(node);
}

function showDuration(node: HTMLElement): void {
  const { since: iso = '', before = '', after = '' } = node.dataset;
  node.textContent = `${before}${durationText(Date.now() + ahead - Date.parse(iso))}${after}`;
}

/** A time of the snapshot in the reader's time zone. */
export function time(iso: string | null): HTMLElement {
  if (iso === null) return el('span', { class: 'muted' }, 'unknown');
  const date = new Date(iso);
  return el('time', { datetime: iso, title: iso }, Number.isNaN(date.getTime()) ? iso : date.toLocaleTimeString());
}
