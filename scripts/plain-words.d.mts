/** Types of scripts/plain-words.mjs, for the tests of sentences. */
export const unplainWords: Readonly<Record<string, string>>;
