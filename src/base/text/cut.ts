/** At most `length` characters in whole words, because redaction knows only whole secrets; `…` shows the cut. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const whole = text.slice(0, length - 1).replace(/\S*$/, '');
  return `${whole}…`;
}
