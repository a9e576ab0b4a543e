import { clock } from '../shell/time';

/** The time axis that all rows share. */
export interface Axis {
  /** Milliseconds. */
  readonly from: number;
  readonly until: number;
  /** Percent of the width. */
  at(time: number): number;
  readonly ticks: readonly { readonly percent: number; readonly text: string }[];
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400];

/** @param marks at most so many time marks; half of them if the times are long */
export function axisOf(from: number, until: number, marks: number): Axis {
  const seconds = Math.max(1, (until - from) / 1000);
  const most = seconds < 3600 ? marks : marks / 2;
  const step = steps.find((candidate) => seconds / candidate <= most) ?? Math.ceil(seconds / most);
  const at = (time: number): number => Math.min(100, Math.max(0, ((time - from) / 1000 / seconds) * 100));
  const ticks = Array.from({ length: Math.floor(seconds / step) + 1 }, (_, index) => ({
    percent: at(from + index * step * 1000),
    text: clock(index * step * 1000),
  }));
  return { from, until, at, ticks };
}
