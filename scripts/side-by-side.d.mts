/** Types of scripts/side-by-side.mjs, for the test of it. */
export interface Job {
  readonly name: string;
  readonly kind: 'gate' | 'suite';
  readonly program: string;
  readonly args: readonly string[];
  readonly minutes: number;
  /** Keeps a core busy by itself. */
  readonly heavy?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}
export interface Results {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: readonly { readonly title: string; readonly reason: string }[];
  readonly failures: readonly string[];
}
export function runSideBySide(
  jobs: readonly Job[],
  atOnce: number,
): Promise<Results & { readonly times: readonly { readonly name: string; readonly seconds: number }[] }>;
export function closingLines(results: Results): readonly string[];
