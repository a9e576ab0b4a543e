/** A command as a person typed it, and what it printed. */
export interface TerminalRun {
  readonly command: string;
  readonly output: string;
}

const columns = 100;
const fontSize = 14;
const lineHeight = 20;
const border = 16;
/** A character of the fonts below is so wide, for a height of 1. */
const widthOfCharacter = 0.602;

/** Draws a terminal after these commands as SVG: lines that are too long are broken between words. */
export function terminalPicture(runs: readonly TerminalRun[]): string {
  const lines = runs.flatMap(({ command, output }, index) => [
    ...(index === 0 ? [] : [{ text: '', typed: false }]),
    ...wrapped(`$ ${command}`).map((text) => ({ text, typed: true })),
    ...output
      .trimEnd()
      .split('\n')
      .flatMap(wrapped)
      .map((text) => ({ text, typed: false })),
  ]);
  const width = Math.round(columns * fontSize * widthOfCharacter + 2 * border);
  const height = lines.length * lineHeight + 2 * border;
  const texts = lines.flatMap(({ text, typed }, index) => {
    const y = border + index * lineHeight + fontSize;
    return text === '' ? [] : [`<text x="${border}" y="${y}"${typed ? ' class="typed"' : ''}>${escaped(text)}</text>`];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<style>text{font:${fontSize}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d4d4d4;white-space:pre}.typed{fill:#9cdcfe}</style>
<rect width="${width}" height="${height}" rx="8" fill="#1f1f1f"/>
${texts.join('\n')}
</svg>
`;
}

/** Breaks a line between words; what follows is as far in as the line, and two characters more. */
function wrapped(line: string): readonly string[] {
  const indent = `${/^ */.exec(line)?.[0] ?? ''}  `;
  const lines: string[] = [];
  let rest = line.trimEnd();
  while (rest.length > columns) {
    const blank = rest.lastIndexOf(' ', columns);
    const at = blank > indent.length ? blank : columns;
    lines.push(rest.slice(0, at).trimEnd());
    rest = `${indent}${rest.slice(at).trimStart()}`;
  }
  return [...lines, rest];
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
