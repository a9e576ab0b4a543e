import { SafeText, safeTemplate, type Shown } from './safeText';

/** Text for a terminal or a file of plain text: one line, unless it was made of `terminal.lines`. */
export type TerminalText = SafeText<'terminal'>;
export type TerminalValue = Shown<'terminal'>;

/** terminal`Task ${task_id} failed: ${reason}` */
export const terminal = safeTemplate<'terminal'>((text) => text);

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

const sgr: Readonly<Record<Style, string>> = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33', cyan: '36' };

export function painted(style: Style, text: TerminalValue): TerminalText {
  return new SafeText(`\u001b[${sgr[style]}m${terminal`${text}`.toString()}\u001b[0m`);
}

/** The number of terminal columns: wide characters take two, combining marks and our colours none. */
export function widthOf(text: TerminalValue): number {
  const shown = terminal`${text}`.toString();
  const plain = shown.includes('\u001b') ? shown.replace(colours, '') : shown;
  if (narrow.test(plain)) return plain.length;
  let width = 0;
  for (const character of plain) width += columnsOf(character);
  return width;
}

/** Cuts to a number of terminal columns, with an ellipsis and a colour reset at the end. */
export function fit(text: TerminalText, columns: number): TerminalText {
  if (widthOf(text) <= columns) return text;
  let used = 0;
  let kept = '';
  for (const part of text.toString().split(colours)) {
    if (part.startsWith('\u001b')) kept += part;
    else
      for (const character of part) {
        used += columnsOf(character);
        if (used > columns - 1) return new SafeText(`${kept}…${kept.includes('\u001b') ? '\u001b[0m' : ''}`);
        kept += character;
      }
  }
  return new SafeText(kept);
}

/** Columns of equal width, two spaces apart. */
export function inColumns(rows: readonly (readonly TerminalValue[])[], indent = ''): readonly TerminalText[] {
  const widths: number[] = [];
  const measured = rows.map((row) =>
    row.map((cell, index) => {
      const text = terminal`${cell}`;
      const width = widthOf(text);
      widths[index] = Math.max(widths[index] ?? 0, width);
      return { text: text.toString(), width };
    }),
  );
  return measured.map((row) => {
    const filled = row.findLastIndex(({ width }) => width > 0);
    const cells = row.slice(0, filled + 1);
    const texts = cells.map(({ text, width }, index) =>
      index === filled ? text : text + ' '.repeat((widths[index] ?? 0) - width),
    );
    return terminal`${indent}${new SafeText<'terminal'>(texts.join('  '))}`;
  });
}

const narrow = /^[ -~]*$/;

// oxlint-disable-next-line no-control-regex -- our own colours
const colours = /(\u001b\[\d*m)/g;

function columnsOf(character: string): number {
  if (/\p{M}/u.test(character)) return 0;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x1100) return 1;
  const wide =
    code <= 0x115f ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    code >= 0x1f300;
  return wide ? 2 : 1;
}
