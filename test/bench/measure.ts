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
  /** Where the time goes, by a profile, where the aim is missed. */
  readonly why?: string;
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
/**
 * For work that waits for nothing: a busy machine, on which a thread also waits its turn, gives the same numbers. Linux
 * books a thread's time every few milliseconds only: what is timed must take many times that.
 */
export const threadTime: Stopwatch = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/**
 * Times several pieces of work in turns, so that whatever slows the machine down slows all of them; answers with the
 * median milliseconds of each, where a round repeats the work `times`. The first round is not counted.
 */
export async function interleaved(
  rounds: number,
  now: Stopwatch,
  works: readonly ((round: number) => Promise<void> | void)[],
  times = 1,
): Promise<readonly number[]> {
  const taken = works.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, work] of works.entries()) {
      const began = now();
      for (let time = 0; time < times; time++) await work(round);
      if (round > 0) taken[index]?.push((now() - began) / times);
    }
  }
  return taken.map(median);
}

/** Linux books CPU time at its ticks, at most 10 ms apart (usually 4). */
const bookedEveryMs = process.platform === 'linux' ? 4 : 0;

/**
 * The longest time, milliseconds, before this thread's event loop turns again while `work` is under way: what nothing
 * else can interrupt. By the clock on the wall, but no more than the thread's own CPU time can have been: on a busy
 * machine a thread also just waits its turn.
 */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = { wall: wallTime(), cpu: threadTime() };
  let running = true;
  const turn = (): void => {
    const now = { wall: wallTime(), cpu: threadTime() };
    longest = Math.max(longest, Math.min(now.wall - last.wall, now.cpu - last.cpu + bookedEveryMs));
    last = { wall: wallTime(), cpu: threadTime() };
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
