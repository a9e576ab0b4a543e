/**
 * Within `work`, objects that `changed`, `exchanged` and `appended` made are changed in place. This
 * serves a fold of many entries, because only the fold sees the many states in between. The input
 * of `work`, and its result once it has returned, are not changed.
 */
export function drafting<T>(work: () => T): T {
  const before = own;
  own = new Set();
  try {
    return work();
  } finally {
    own = before;
  }
}

/** The value with some members changed; the same object if the draft made it. */
export function changed<T extends object>(value: T, members: Partial<T>): T {
  if (own?.has(value)) return Object.assign(value, members);
  return made({ ...value, ...members });
}

/** The list with one item exchanged; the same list if the draft made it. */
export function exchanged<T>(items: readonly T[], index: number, item: T): readonly T[] {
  if (items[index] === item) return items;
  if (!own?.has(items)) return made(items.with(index, item));
  (items as T[])[index] = item;
  return items;
}

/** The list with one more item; the same list if the draft made it. */
export function appended<T>(items: readonly T[], item: T): readonly T[] {
  if (!own?.has(items)) return made([...items, item]);
  (items as T[]).push(item);
  return items;
}

/** What the current draft has made; null: no draft, so every change makes a copy. */
let own: Set<object> | null = null;

function made<T extends object>(value: T): T {
  own?.add(value);
  return value;
}
