/** Types of scripts/reference/schemaPage.mjs, for the test of the pages. */
import type { FieldMeanings } from './fieldMeanings.mjs';

export interface ShownDocument {
  readonly key: string;
  readonly name: string;
  readonly schema: object;
  /** Path of a field -> the comment beside it. */
  readonly comments?: ReadonlyMap<string, string>;
  readonly ownTable?: number;
}
export function schemaPage(
  title: string,
  about: string,
  documents: readonly ShownDocument[],
  meanings: FieldMeanings,
): string;
