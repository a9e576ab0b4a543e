import { applyEdits, modify } from 'jsonc-parser';
import type { DocumentEdit } from '../core/plan/approve';

/**
 * Sets values in a JSON text and keeps every other byte: white space, order, line ends and byte-order mark.
 * The bytes must be a JSON text that was read without error findings.
 */
export function editJson(bytes: Uint8Array, edits: readonly DocumentEdit[]): Uint8Array {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const body = text.slice(mark.length);
  const formattingOptions = formattingOf(body);
  const edited = edits.reduce(
    (current, { path, value }) => applyEdits(current, modify(current, [...path], value, { formattingOptions })),
    body,
  );
  return new TextEncoder().encode(mark + edited);
}

/** The indentation of the first indented line and the first line end: what an editor would guess. */
function formattingOf(text: string): { insertSpaces: boolean; tabSize: number; eol: string } {
  const indent = /[\r\n]([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 4 : indent.length,
    eol: /\r\n|\n|\r/.exec(text)?.[0] ?? '\n',
  };
}
