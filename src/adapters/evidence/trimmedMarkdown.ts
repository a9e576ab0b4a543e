/**
 * Our own forms of a Markdown text: no blanks at line ends, one newline at the end, table cells without padding. The
 * second form keeps the blanks in lines of code. Latin-1 preserves every byte.
 */
export function trimmedMarkdown(bytes: Uint8Array): readonly Uint8Array[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const lines = (text.startsWith(mark) ? text.slice(mark.length) : text).replaceAll('\r\n', '\n').split('\n');
  return [trimmed(lines, withoutBlanksAtEnd), trimmed(lines, (line) => line)];
}

const mark = '\u00ef\u00bb\u00bf';

/** @param inCode makes the new line of each line between two fences */
function trimmed(lines: readonly string[], inCode: (line: string) => string): Uint8Array {
  const written: string[] = [];
  let fence: string | null = null;
  for (const line of lines) {
    const short = withoutBlanksAtEnd(line);
    if (fence === null) {
      fence = /^`{3,}/.exec(short)?.[0] ?? null;
      written.push(withoutPadding(short));
    } else if (short === fence) {
      fence = null;
      written.push(short);
    } else written.push(inCode(line));
  }
  while (written.at(-1) === '') written.pop();
  return Buffer.from(`${written.join('\n')}\n`, 'latin1');
}

/**
 * Returns a row of a table as our writer makes it, because a formatter pads cells to their column's
 * width.
 */
function withoutPadding(line: string): string {
  if (!line.startsWith('|') || !line.endsWith('|') || line.length < 2) return line;
  const cells = line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => withoutBlanksAtEnd(withoutBlanksAtStart(cell)));
  const ruled = cells.every((cell) => /^-+$/.test(cell));
  return `| ${(ruled ? cells.map(() => '---') : cells).join(' | ')} |`;
}

// A loop, because `/[ \t]+$/` takes quadratic time on a long run of blanks inside a line.
function withoutBlanksAtEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isBlank(text[end - 1])) end -= 1;
  return text.slice(0, end);
}

function withoutBlanksAtStart(text: string): string {
  let start = 0;
  while (start < text.length && isBlank(text[start])) start += 1;
  return text.slice(start);
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}
