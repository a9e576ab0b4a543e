/** A key that two spellings of a criterion share: numbers, bullets, bold type, quotation marks, lines, a full stop. */
export function criterionKey(text: string): string {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[*_`"'“”‘’«»]/g, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/^ ?(?:(?:[-–•+]|\(?\d{1,3}[.):]|\[[ x]?\]) )+/, '')
    .replace(/[ .;,:!]+$/, '');
  return words === '' ? text.trim() : words.trim();
}
