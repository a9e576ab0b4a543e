/** Types of scripts/side-by-side.mjs, for the tests of it. */
export interface Job {
  readonly name: string;
  readonly kind: 'gate' | 'suite';
  readonly program: string;
  readonly args: readonly string[];
  readonly minutes: number;
  /** What it weighs beside others; absent: nothing. */
  readonly heavy?: number;
  /** Names of jobs that must have ended before. */
  readonly after?: readonly string[];
  /** How its failed tests are run once more (scripts/again.mjs); absent: never. */
  readonly again?: 'titles' | 'whole';
  readonly env?: Readonly<Record<string, string>>;
}
export interface Results {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: readonly { readonly title: string; readonly reason: string }[];
  readonly failures: readonly string[];
}
export interface Ran extends Results {
  readonly job: Job;
  readonly seconds: number;
  /** Seconds; NaN where the system does not tell. */
  readonly cpu: number;
  /** A phrase: `exit code 1`, `stopped after 15 minutes`. */
  readonly ended: string;
  /** Full titles of the failed tests; a failure of a hook or of the whole job has none. */
  readonly titles: readonly string[];
  /** The tests of each file, by its name on the command line. */
  readonly files?: Readonly<Record<string, { readonly passed: number; readonly failed: number }>>;
}
export function runSideBySide(
  jobs: readonly Job[],
  atOnce: number,
  heavyAtOnce?: number,
  print?: (text: string | Buffer) => unknown,
): Promise<Results & { readonly ran: readonly Ran[] }>;
export function added(ran: readonly Ran[]): Results;
export function closingLines(results: Results): readonly string[];
