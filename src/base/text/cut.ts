/**
 * Returns at most `length` characters of a text. Keeps only whole words, because redaction comes
 * later and knows a secret only whole. An ellipsis shows the cut.
 */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const whole = text.slice(0, length - 1).replace(/\S*$/, '');
  return `${whole}…`;
}
