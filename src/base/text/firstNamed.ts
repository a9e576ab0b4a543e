/** The most items of a list that a person is shown; one file holds all of them. */
export const namedAtMost = 100;

/**
 * The first hundred, then one that says how many are left out and where they are. For display only: judgements use the
 * whole list.
 *
 * @param where completes "the whole list is in ..."
 */
export function firstNamed<T>(all: readonly T[], where: string, rest: (listed: string) => T): readonly T[] {
  if (all.length <= namedAtMost) return all;
  const more = `and ${digitsOf(all.length - namedAtMost)} more; the whole list is in ${where}`;
  return [...all.slice(0, namedAtMost), rest(more)];
}

/**
 * At most three names, each once. Each is whole, because redaction comes later and knows only whole secrets.
 *
 * @param unnamed how many there are beyond these names
 */
export function fewNamed(names: readonly string[], unnamed = 0): string {
  const all = [...new Set(names)];
  const count = all.length + unnamed;
  const shown = all.slice(0, count > 3 ? 2 : 3);
  const last = count > shown.length ? `${digitsOf(count - shown.length)} more` : (shown.pop() ?? '');
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}

export function firstLines(all: readonly string[], where: string): readonly string[] {
  return firstNamed(all, where, (listed) => listed);
}

function digitsOf(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}
