/** Types of scripts/again.mjs, for the test of it. */
import type { Ran, Results, runSideBySide } from './side-by-side.mjs';

export interface Judged extends Results {
  /** `FILE: TITLE: what it said first` of each test that failed and passed when it ran alone. */
  readonly flaky: readonly string[];
}
export function runAgain(ran: readonly Ran[], allowed: number, runJobs?: typeof runSideBySide): Promise<Judged>;
export function againOf(file: string): 'titles' | 'whole' | undefined;
