/** Text reaches the page as text nodes only: whatever a worker wrote, it is never markup. */
export type Child = Node | string | null;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  for (const child of children) {
    if (child !== null) node.append(child);
  }
  return node;
}

/** A time of the snapshot as the reader's own clock shows it. */
export function time(iso: string | null): HTMLElement {
  if (iso === null) return el('span', { class: 'muted' }, 'unknown');
  const date = new Date(iso);
  return el('time', { datetime: iso, title: iso }, Number.isNaN(date.getTime()) ? iso : date.toLocaleTimeString());
}
