/** One row of the report: what we do, and what the same work costs at least, measured in the same run. */
export interface Line {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  /** What `limit` is, in words. */
  readonly against: string;
  readonly limit: number | null;
  /** `ours / limit` should be at least, or at most, this; for `value` it is `ours` itself. */
  readonly aim: { readonly of: 'ratio' | 'value'; readonly is: 'at_least' | 'at_most'; readonly value: number } | null;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which the given share of the values lies; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Milliseconds, from any beginning: of the clock on the wall, or of this thread's own CPU time. */
export type Stopwatch = () => number;

export const wallTime: Stopwatch = () => performance.now();
/** For work that waits for nothing: a busy machine, on which a thread also waits its turn, gives the same numbers. */
export const threadTime: Stopwatch = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/**
 * Times several pieces of work in turns, so that whatever slows the machine down slows all of them; answers with the
 * median milliseconds of each. The first round is not counted.
 */
export async function interleaved(
  rounds: number,
  now: Stopwatch,
  works: readonly ((round: number) => Promise<void> | void)[],
): Promise<readonly number[]> {
  const times = works.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, work] of works.entries()) {
      const began = now();
      await work(round);
      if (round > 0) times[index]?.push(now() - began);
    }
  }
  return times.map(median);
}

/**
 * The most work this thread does, milliseconds of its own CPU time, before its event loop turns again, while `work` is
 * under way: what nothing else can interrupt. CPU time, because on a busy machine a thread also just waits its turn.
 */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = threadTime();
  let running = true;
  const turn = (): void => {
    longest = Math.max(longest, threadTime() - last);
    last = threadTime();
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  await new Promise((resolve) => setImmediate(resolve));
  longest = 0;
  await work();
  await new Promise((resolve) => setImmediate(resolve));
  running = false;
  return longest;
}
