import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser';
import type { DocumentEdit } from '../../core/plan/approve';

/**
 * Sets values in a JSON text and keeps every other byte: white space, order, line ends and byte-order mark. The
 * formatter of jsonc-parser would also rearrange the lines it touches. The bytes must be JSON that was read without
 * error findings. Every object above a new member must exist.
 */
export function editJson(bytes: Uint8Array, edits: readonly DocumentEdit[]): Uint8Array {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  return new TextEncoder().encode(mark + setValues(text.slice(mark.length), edits));
}

/** Each edit names a place of its own, outside the values of the others: so the text is parsed once for all of them. */
export function setValues(text: string, edits: readonly DocumentEdit[]): string {
  const root = parseTree(text, undefined, { disallowComments: true });
  if (root === undefined) throw new Error('An edit needs a JSON document.');
  const style = styleOf(text);
  const changes: Change[] = [];
  const added = new Map<Node, DocumentEdit[]>();
  for (const { path, value } of edits) {
    const node = findNodeAtLocation(root, [...path]);
    if (node !== undefined) {
      const now = write(value, indentAt(text, node.offset), style);
      changes.push({ from: node.offset, to: node.offset + node.length, now });
      continue;
    }
    const parent = findNodeAtLocation(root, path.slice(0, -1));
    if (parent?.type !== 'object') throw new Error(`An edit needs an object for ${path.join('.')}.`);
    added.set(parent, [...(added.get(parent) ?? []), { path, value }]);
  }
  for (const [parent, members] of added) changes.push(addMembers(text, parent, members, style));
  return changes
    .toSorted((one, other) => other.from - one.from)
    .reduce((edited, { from, to, now }) => splice(edited, from, to, now), text);
}

interface Change {
  readonly from: number;
  readonly to: number;
  readonly now: string;
}

/** Adds the members after the last one, in the same layout: each on a line of its own, or on the same line. */
function addMembers(text: string, parent: Node, added: readonly DocumentEdit[], style: Style): Change {
  const last = parent.children?.at(-1);
  const outer = indentAt(text, parent.offset);
  const members = (between: string, indent: string, how: Style): string =>
    added
      .map(({ path, value }) => `${between}${JSON.stringify(String(path.at(-1)))}: ${write(value, indent, how)}`)
      .join(',');
  if (last === undefined) {
    const inner = outer + style.unit;
    const body =
      style.eol === null
        ? `{${members('', '', style)}}`
        : `{${members(style.eol + inner, inner, style)}${style.eol}${outer}}`;
    return { from: parent.offset, to: parent.offset + parent.length, now: body };
  }
  const end = last.offset + last.length;
  if (style.eol === null || !isFirstOnLine(text, last.offset)) {
    const between = style.eol === null ? '' : ' ';
    return { from: end, to: end, now: `,${members(between, '', { unit: style.unit, eol: null })}` };
  }
  const indent = indentAt(text, last.offset);
  return { from: end, to: end, now: `,${members(style.eol + indent, indent, style)}` };
}

export interface Style {
  /** One level of indentation. */
  readonly unit: string;
  /** Null: the document is on one line. */
  readonly eol: string | null;
}

export function styleOf(text: string): Style {
  return { unit: /[\r\n]([ \t]+)\S/.exec(text)?.[1] ?? '  ', eol: /\r\n|\n|\r/.exec(text.trim())?.[0] ?? null };
}

function write(value: unknown, indent: string, { unit, eol }: Style): string {
  return eol === null ? JSON.stringify(value) : JSON.stringify(value, null, unit).replaceAll('\n', eol + indent);
}

/** The white space at the beginning of this offset's line. */
export function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

export function isFirstOnLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStart(text, offset), offset));
}

function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}

export function splice(text: string, from: number, to: number, inserted: string): string {
  return text.slice(0, from) + inserted + text.slice(to);
}
