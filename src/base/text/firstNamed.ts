/** So many are named where a person reads; all of them stand in one file. */
export const namedAtMost = 100;

/**
 * The first hundred, then one more that says how many are left out and where they stand. Only what is told is cut: who
 * judges looks at all of them.
 *
 * @param where completes "the whole list is in ..."
 */
export function firstNamed<T>(all: readonly T[], where: string, rest: (words: string) => T): readonly T[] {
  if (all.length <= namedAtMost) return all;
  return [...all.slice(0, namedAtMost), rest(moreWords(all.length - namedAtMost, where))];
}

/**
 * In a sentence: three names at most, each told once, and whole: what takes secrets out of a text knows one by its
 * beginning, and does so after this.
 */
export function fewNamed(names: readonly string[]): string {
  const all = [...new Set(names)];
  const shown = all.slice(0, all.length > 3 ? 2 : 3);
  const last = all.length > 3 ? `${digitsOf(all.length - 2)} more` : (shown.pop() ?? '');
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}

export function firstLines(all: readonly string[], where: string): readonly string[] {
  return firstNamed(all, where, (words) => words);
}

function moreWords(count: number, where: string): string {
  return `and ${digitsOf(count)} more; the whole list is in ${where}`;
}

function digitsOf(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}
