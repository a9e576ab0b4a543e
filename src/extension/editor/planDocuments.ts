import { Range, type DocumentFilter, type TextDocument } from 'vscode';
import type { Place } from '../../adapters/documents/planPlaces';
import { planGlob } from '../registry/registry';

/** Plans in the editor. */
export const planDocuments: DocumentFilter = { language: 'json', scheme: 'file', pattern: `**/${planGlob}` };

/** Characters; a larger plan is judged as well, but not at every key. */
const readUpTo = 1 << 20;

export function textOf(document: TextDocument): string | null {
  const text = document.getText();
  return text.length > readUpTo ? null : text;
}

export function rangeOf(document: TextDocument, { offset, length }: Place): Range {
  return new Range(document.positionAt(offset), document.positionAt(offset + length));
}
