/**
 * A key that two spellings of one acceptance criterion share. An agent may quote a criterion with numbers, bullets,
 * bold type or quotation marks. It may write it in one line, or without the full stop.
 */
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
