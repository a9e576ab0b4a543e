/** Text of others inside our Markdown: one line, no markup, no table break. */
export function inline(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>|#]/g, (character) => `\\${character}`);
}

/** A value shown verbatim in a code span that its content cannot leave. */
export function code(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  const padding = line.startsWith('`') || line.endsWith('`') || line === '' ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}

/** The same inside a table cell, where a bar ends the cell even in a code span. */
export function cell(text: string): string {
  return code(text).replaceAll('|', '\\|');
}

/** A fence longer than any run of backticks in the content. */
export function block(text: string): string {
  const body = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replace(/\n+$/, '');
  const longest = Math.max(2, ...[...body.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${body}\n${fence}`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function list(items: readonly string[], none: string): string {
  return items.length === 0 ? none : items.map((item) => `- ${item}`).join('\n');
}
