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

export function firstLines(all: readonly string[], where: string): readonly string[] {
  return firstNamed(all, where, (words) => words);
}

function moreWords(count: number, where: string): string {
  const digits = String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `and ${digits} more; the whole list is in ${where}`;
}
