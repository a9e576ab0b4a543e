/**
 * Equal for two spellings of one acceptance criterion. An agent reads criteria as a list and quotes them as it quotes:
 * with numbers or bullets, in bold or quotation marks, in one line, without the full stop. None of that is another
 * criterion.
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
