/** Types of scripts/reference/codesPage.mjs, for the test of the pages. */
export interface ShownSection {
  readonly title: string;
  readonly shownBy: string;
  readonly of: (message: { readonly code: string }) => boolean;
  readonly codes: Readonly<
    Record<string, { readonly severity?: string; readonly meaning?: string; readonly next?: string }>
  > | null;
}
export function codesPage(messages: readonly { readonly code: string }[], sections: readonly ShownSection[]): string;
