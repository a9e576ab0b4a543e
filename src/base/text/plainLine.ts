/** A text on one line, with one blank between its words. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** A sentence without the full stop at its end, to go on after it. */
export function withoutEnd(sentence: string): string {
  return sentence.replace(/[.\s]+$/, '');
}
