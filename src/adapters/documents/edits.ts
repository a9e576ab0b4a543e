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
  const edited = edits.reduce(setValue, text.slice(mark.length));
  return new TextEncoder().encode(mark + edited);
}

export function setValue(text: string, { path, value }: DocumentEdit): string {
  const root = parseTree(text, undefined, { disallowComments: true });
  if (root === undefined) throw new Error('An edit needs a JSON document.');
  const style = styleOf(text);
  const node = findNodeAtLocation(root, [...path]);
  if (node !== undefined) {
    return splice(text, node.offset, node.offset + node.length, write(value, indentAt(text, node.offset), style));
  }
  const parent = findNodeAtLocation(root, path.slice(0, -1));
  if (parent?.type !== 'object') throw new Error(`An edit needs an object for ${path.join('.')}.`);
  return addMember(text, parent, String(path.at(-1)), value, style);
}

/** Adds the member after the last one, in the same layout: on a line of its own, or on the same line. */
function addMember(text: string, parent: Node, key: string, value: unknown, style: Style): string {
  const last = parent.children?.at(-1);
  const outer = indentAt(text, parent.offset);
  const member = (indent: string, how: Style): string => `${JSON.stringify(key)}: ${write(value, indent, how)}`;
  if (last === undefined) {
    const inner = outer + style.unit;
    const body =
      style.eol === null
        ? `{${member('', style)}}`
        : `{${style.eol}${inner}${member(inner, style)}${style.eol}${outer}}`;
    return splice(text, parent.offset, parent.offset + parent.length, body);
  }
  const end = last.offset + last.length;
  if (style.eol === null || !isFirstOnLine(text, last.offset)) {
    const compact = { unit: style.unit, eol: null };
    return splice(text, end, end, `,${style.eol === null ? '' : ' '}${member('', compact)}`);
  }
  const indent = indentAt(text, last.offset);
  return splice(text, end, end, `,${style.eol}${indent}${member(indent, style)}`);
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
