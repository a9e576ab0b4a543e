import { clock } from '../../../src/base/text/amounts';
import type { TaskRowView } from '../../../src/contracts/page/panelView';

/** The time axis that all rows share. Long times in which nothing worked are folded, so that the work stays visible. */
export interface Axis {
  /** Milliseconds. */
  readonly from: number;
  readonly until: number;
  /** Percent of the width. */
  at(time: number): number;
  readonly ticks: readonly { readonly percent: number; readonly text: string }[];
  readonly folds: readonly { readonly percent: number; readonly width: number; readonly text: string }[];
}

/** A stretch of time, milliseconds. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400];
/** A shorter time without work stays as long as it was, in milliseconds and as a share of the work. */
const folded = { above: 60_000, share: 0.25, width: 0.06 } as const;

/** @param marks at most so many time marks; half of them if the times are long */
export function axisOf(from: number, until: number, marks: number, rows: readonly TaskRowView[] = []): Axis {
  const idle = idleIn(from, until, rows);
  const work = until - from - total(idle);
  const folds =
    work <= 0 ? [] : idle.filter(({ from: a, to: b }) => b - a > Math.max(folded.above, work * folded.share));
  const foldWidth = work * folded.width;
  const length = Math.max(1000, until - from - total(folds) + folds.length * foldWidth);
  const at = (time: number): number => {
    const gone = folds.reduce((sum, fold) => {
      const within = Math.min(Math.max(time - fold.from, 0), fold.to - fold.from);
      return sum + within * (1 - foldWidth / (fold.to - fold.from));
    }, 0);
    return Math.min(100, Math.max(0, ((time - from - gone) / length) * 100));
  };
  const most = until - from < 3_600_000 ? marks : marks / 2;
  const step = steps.find((candidate) => length / 1000 / candidate <= most) ?? Math.ceil(length / 1000 / most);
  return {
    ...{ from, until, at },
    ticks: apart(
      between(folds, from, until).flatMap((stretch) => marksIn(stretch, from, step * 1000, at)),
      60 / most,
    ),
    folds: folds.map((fold) => ({
      percent: at(fold.from),
      width: at(fold.to) - at(fold.from),
      text: `Nothing worked for ${clock(fold.to - fold.from)}`,
    })),
  };
}

/** The times in which no task worked, because it waited, was blocked or had not begun. */
function idleIn(from: number, until: number, rows: readonly TaskRowView[]): readonly Stretch[] {
  const busy = rows
    .flatMap(({ spans }) => spans)
    .filter(({ kind }) => kind !== 'wait' && kind !== 'block')
    .map((span) => ({ from: Date.parse(span.from), to: span.to === null ? until : Date.parse(span.to) }))
    .sort((left, right) => left.from - right.from);
  return busy.length === 0 ? [] : between(busy, from, until);
}

function between(stretches: readonly Stretch[], from: number, until: number): readonly Stretch[] {
  const found: Stretch[] = [];
  let end = from;
  for (const stretch of stretches) {
    if (stretch.from > end) found.push({ from: end, to: Math.min(stretch.from, until) });
    end = Math.max(end, stretch.to);
  }
  return end < until ? [...found, { from: end, to: until }] : found;
}

function total(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { from, to }) => sum + to - from, 0);
}

function marksIn({ from, to }: Stretch, begin: number, step: number, at: Axis['at']): Axis['ticks'] {
  const first = Math.ceil((from - begin) / step);
  const last = Math.floor((to - begin) / step);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => ({
    percent: at(begin + (first + index) * step),
    text: clock((first + index) * step),
  }));
}

/** Leaves out a mark that a fold has brought too near to the one before. @param least percent */
function apart(ticks: Axis['ticks'], least: number): Axis['ticks'] {
  return ticks.reduce<Axis['ticks'][number][]>((kept, tick) => {
    const before = kept.at(-1);
    return before === undefined || tick.percent - before.percent >= least ? [...kept, tick] : kept;
  }, []);
}
