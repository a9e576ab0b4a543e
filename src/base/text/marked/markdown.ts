import { SafeText, safeTemplate, type Shown } from './safeText';
import { quotedArguments, visible } from './visible';

/** Markdown in which only our own source text is markup: headings, links, images, HTML, tables, fences. */
export type MarkdownText = SafeText<'markdown'>;
export type MarkdownValue = Shown<'markdown'>;

/** inMarkdown`Task ${code(task_id)} failed: ${reason}` */
export const inMarkdown = safeTemplate<'markdown'>(withoutMarkup);

/** Escapes markup at any place of a line, and what GitHub or VS Code turn into links and formulas. */
function withoutMarkup(text: string): string {
  return text
    .replace(/[\\`*_{}[\]<>|#~&$]/g, (character) => `\\${character}`)
    .replace(/:(?=\/\/)|(?<=\bwww)\.|@/gi, (character) => `\\${character}`)
    .replace(/^ +(?=\S)/, (blanks) => noBreak.repeat(blanks.length))
    .replace(/^(\u00a0*)(\d+(?=[.)])|[-+=](?!\d))/, (_, blanks: string, mark: string) =>
      /\d/.test(mark) ? `${blanks}${mark}\\` : `${blanks}\\${mark}`,
    );
}

/**
 * Blanks at the beginning of a line would make code or a list of it, or vanish. In this form they are seen as blanks,
 * and are no indentation of Markdown; one in foreign text is written out as `\xa0`.
 */
const noBreak = '\u00a0';

/** A value shown verbatim in a code span that its content cannot leave. */
export function code(text: string): MarkdownText {
  return span(visible(text));
}

export function commandSpan(argv: readonly string[]): MarkdownText {
  return span(quotedArguments(argv));
}

/** `code` for a table cell, where a bar ends the cell even in a code span. */
export function cell(text: string): MarkdownText {
  return inCell(code(text));
}

export function commandCell(argv: readonly string[]): MarkdownText {
  return inCell(commandSpan(argv));
}

/** Lines of foreign text in a fence longer than any run of backticks in them. */
export function block(text: string): MarkdownText {
  const body = text
    .replace(/(?:\r?\n)+$/, '')
    .split(/\r?\n/)
    .map(visible)
    .join('\n');
  const fence = '`'.repeat(Math.max(2, longestRun(body)) + 1);
  return new SafeText(`${fence}text\n${body}\n${fence}`);
}

export function table(head: readonly string[], rows: readonly (readonly MarkdownValue[])[]): MarkdownText {
  const line = (cells: readonly MarkdownValue[]): MarkdownText => inMarkdown`| ${inMarkdown.join(cells, ' | ')} |`;
  return inMarkdown.lines([
    line(head),
    inMarkdown`|${inMarkdown.join(
      head.map(() => inMarkdown` --- `),
      '|',
    )}|`,
    ...rows.map(line),
  ]);
}

export function list(items: readonly MarkdownValue[], none: MarkdownValue): MarkdownText {
  return items.length === 0 ? inMarkdown`${none}` : inMarkdown.lines(items.map((item) => inMarkdown`- ${item}`));
}

/** Parts with an empty line between them. */
export function paragraphs(parts: readonly MarkdownValue[]): MarkdownText {
  return inMarkdown.join(parts, inMarkdown`\n\n`);
}

function span(shown: string): MarkdownText {
  const fence = '`'.repeat(longestRun(shown) + 1);
  const padding = /^[` ]|[` ]$|^$/.test(shown) ? ' ' : '';
  return new SafeText(`${fence}${padding}${shown}${padding}${fence}`);
}

function inCell(text: MarkdownText): MarkdownText {
  return new SafeText(text.toString().replaceAll('|', '\\|'));
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
}
