/**
 * Folding many entries makes many states that nobody but the fold sees. What the fold itself has made is changed in place
 * from then on; what it was given, and what it gives away, is never touched again.
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

/** The value with some members changed; the same value where it is the draft's own. */
export function changed<T extends object>(value: T, members: Partial<T>): T {
  if (own?.has(value)) return Object.assign(value, members);
  return made({ ...value, ...members });
}

/** The list with one item exchanged; the same list where it is the draft's own. */
export function exchanged<T>(items: readonly T[], index: number, item: T): readonly T[] {
  if (items[index] === item) return items;
  if (!own?.has(items)) return made(items.with(index, item));
  (items as T[])[index] = item;
  return items;
}

/** The list with one item more; the same list where it is the draft's own. */
export function appended<T>(items: readonly T[], item: T): readonly T[] {
  if (!own?.has(items)) return made([...items, item]);
  (items as T[]).push(item);
  return items;
}

/** What the fold under way has made; null: every change makes a copy. */
let own: Set<object> | null = null;

function made<T extends object>(value: T): T {
  own?.add(value);
  return value;
}
