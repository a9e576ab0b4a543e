/** Types of scripts/short-sentences.mjs, for the test of titles that are data. */
export const longest: number;
export function wordsOf(text: string): string[];
