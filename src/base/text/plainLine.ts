/** A text on one line, with one blank between its words. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** A sentence without the full stop at its end, to go on after it. */
export function withoutEnd(sentence: string): string {
  return sentence.replace(/[.\s]+$/, '');
}

/** At most `length` characters in whole words, because redaction knows only whole secrets; `…` shows the cut. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const whole = text.slice(0, length - 1).replace(/\S*$/, '');
  return `${whole}…`;
}
