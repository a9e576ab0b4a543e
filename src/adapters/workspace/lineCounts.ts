import { createTwoFilesPatch, structuredPatch } from 'diff';
import type { LineCount } from '../../engine/ports/contents';

/** Two texts with more different lines are not compared, because a person does not read so much. */
const maxEditLength = 20_000;
/**
 * Milliseconds. `one` bounds a pair of texts, and `all` the pairs together. Then each further pair
 * still gets `least`, because small texts take less.
 */
const limits = { one: 2_000, all: 10_000, least: 100 } as const;

/** Compares texts line by line. Gives up on a pair that takes long, and bounds the time of many such pairs. */
export class LineComparison {
  #left: number = limits.all;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Milliseconds that the next pair may take. */
  get patience(): number {
    return Math.max(limits.least, Math.min(limits.one, this.#left));
  }

  /** Null: one of the texts is unknown, or they differ in too much. */
  count(before: string | null, after: string | null): LineCount | null {
    if (before === null || after === null) return null;
    // One empty side needs no comparison, however long the other is.
    if (before === '' || after === '') return { added: linesIn(after), removed: linesIn(before) };
    const patch = this.#within((bounds) => structuredPatch('', '', before, after, '', '', { context: 0, ...bounds }));
    if (patch === undefined) return null;
    let [added, removed] = [0, 0];
    for (const line of patch.hunks.flatMap((hunk) => hunk.lines)) {
      if (line.startsWith('+')) added += 1;
      else if (line.startsWith('-')) removed += 1;
    }
    return { added, removed };
  }

  /** A unified diff; null: they differ in too much. `/dev/null` names an absent file. */
  unified(names: { readonly before: string; readonly after: string }, before: string, after: string): string | null {
    const { before: from, after: to } = names;
    return this.#within((bounds) => createTwoFilesPatch(from, to, before, after, undefined, undefined, bounds)) ?? null;
  }

  #within<T>(compare: (bounds: { readonly maxEditLength: number; readonly timeout: number }) => T): T {
    const began = this.now();
    try {
      return compare({ maxEditLength, timeout: this.patience });
    } finally {
      this.#left -= this.now() - began;
    }
  }
}

function linesIn(text: string): number {
  if (text === '') return 0;
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
