/**
 * Folding many entries makes many states that nobody but the fold sees. A list that the fold itself has made is
 * changed in place from then on; what it was given, and what it gives away, is never touched again.
 */
export function drafting<T>(work: () => T): T {
  const before = own;
  own = new WeakSet();
  try {
    return work();
  } finally {
    own = before;
  }
}

/** The list with one item exchanged; the same list where it is the draft's own. */
export function exchanged<T>(items: readonly T[], index: number, item: T): readonly T[] {
  if (own?.has(items)) {
    (items as T[])[index] = item;
    return items;
  }
  const copy = items.with(index, item);
  own?.add(copy);
  return copy;
}

/** Lists that the fold under way has made. */
let own: WeakSet<object> | null = null;
