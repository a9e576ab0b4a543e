/** A word that a POSIX shell takes as it is: in single quotes, where it would read more than harmless punctuation in it. */
export function shellWord(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
