/** Types of scripts/tiers.mjs, for the test of it. */
export interface Tiers {
  /** Files (`cli/secrets`) and folders (`webview/`) that only `npm run test:all` runs. */
  readonly later: readonly string[];
  /** File to texts: `npm test` runs the tests whose full title holds one of them. */
  readonly partly: Readonly<Record<string, readonly string[]>>;
  /** Parts of the reasons for which a test may be skipped with CI=true. */
  readonly skips: readonly { readonly reason: string }[];
}
export type Tier = 'quick' | 'all';
export function readTiers(): Tiers;
export function nameInTiers(file: string): string;
export function chosen(
  files: readonly string[],
  tiers: Tiers,
  tier: Tier,
): readonly { readonly file: string; readonly texts: readonly string[] | null }[];
export function patternOf(texts: readonly string[]): string;
export const quickFolders: readonly string[];
export const browserFolders: readonly string[];
export function needsVscode(file: string): boolean;
