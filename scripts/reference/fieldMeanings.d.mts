/** Types of scripts/reference/fieldMeanings.mjs, for the test of the pages. */
export class FieldMeanings {
  constructor(table: Readonly<Record<string, string>>);
  take(document: string, at: string): string | undefined;
  mustBeTaken(): void;
}
