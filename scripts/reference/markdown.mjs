// The parts of the pages of docs/reference: tables, code and text in Markdown.

/** A table with the columns `head` and one row for each entry of `rows`. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

/** Shows any text as code. */
export function code(text) {
  const fence = text.includes('`') ? '``' : '`';
  const blank = fence === '``' ? ' ' : '';
  return `${fence}${blank}${text}${blank}${fence}`;
}

/** Text of the sources; names with `<` become code, so that they begin no HTML. */
export function prose(text) {
  const part = (found, index) => {
    if (index % 2 === 0) return found.replaceAll('<', '&lt;');
    return found.startsWith('`') ? found : code(found);
  };
  return text
    .split(/(`[^`]*`|[\w./-]*<\w+>(?:[\w./-]*\w)?)/)
    .map(part)
    .join('');
}

/** A page whose first lines say what it is and what it is made from. */
export function page(title, about, lines) {
  const made = 'Generated from the sources by `npm run generate`.';
  return `${[`# ${title}`, '', `${about} ${made}`, '', ...lines].join('\n').trimEnd()}\n`;
}
