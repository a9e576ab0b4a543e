/** What no sentence for a person may hold. */
export const forbiddenInMessages: Readonly<Record<string, RegExp>> = {
  'a regular expression': /\\[dSsw]|\(\?[:=!<]|\[0-9A-Za-z]|\{\d+,\d*\}|\^\[|\]\$/,
  'a sentence of a validator':
    /Invalid (?:input|option|string|ISO)|expected .+ received|must (?:match|NOT|be equal to)/,
  'an error of the system': /\bE(?:NOENT|ACCES|PERM|ISDIR|NOTDIR|LOOP)\b|SyntaxError|TypeError|\bat position \d/,
  'a placeholder': /\b(?:FILE|DIR|PLAN|KIND)\b(?!\.|_|")|undefined|\[object |NaN\b/,
  'the same type twice': /must be [^,;]*\b(an object|a list|a text|a number|null)\b[^,;]*, not \1\b/,
  'a count where a name is known': /at least 5 entries/,
};

/** Without what is quoted from a document. */
export function withoutValues(message: string): string {
  return message.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
}
