/** The known word that differs in case, dashes, blanks or one letter, two if it is longer than five; else null. */
export function nearest(word: string, known: readonly string[]): string | null {
  if (word.length > longest) return null;
  const plain = word.toLowerCase().replaceAll(/[-_ ]/g, '');
  return (
    known.find((one) => one.toLowerCase().replaceAll(/[-_ ]/g, '') === plain) ??
    known.find((one) => distance(word.toLowerCase(), one.toLowerCase()) <= (one.length > 5 ? 2 : 1)) ??
    null
  );
}

/** A longer word is no typing error, and its distance takes long to compute. */
const longest = 40;

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1),
        ),
      );
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
