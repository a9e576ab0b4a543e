/**
 * At most `length` characters of a text, whole words of it, because redaction comes later and knows a secret only
 * whole; an ellipsis says that it was cut.
 */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const whole = text.slice(0, length - 1).replace(/\S*$/, '');
  return `${whole}…`;
}
