export interface Fate<C, E> {
  /** The changes that count, oldest first: what was put back no longer does. */
  readonly changes: readonly C[];
  /** What was put back, and not changed again after that; null: nothing. */
  readonly gone: E | null;
}

/**
 * Folds the files that the attempts of a task changed, in their order. That a change is gone may be read at the baseline
 * of an attempt, before its worker runs: what the attempt itself changed comes after it.
 */
export function foldChanges<C extends Changed, E extends Listed>(
  attempts: readonly { readonly attempt: number; readonly changes: readonly C[] }[],
  listed: readonly E[],
): ReadonlyMap<string, Fate<C, E>> {
  const endedAttempts = new Set(attempts.map(({ attempt }) => attempt));
  const fates = new Map<string, { readonly made: readonly Made<C>[]; readonly gone: E | null }>();
  // What an attempt under way has read comes after all that ended.
  for (const { attempt, changes } of [...attempts, { attempt: null, changes: [] }]) {
    for (const entry of listed) {
      const by = goneIn(entry);
      const now = by !== null && (endedAttempts.has(by) ? by : null) === attempt;
      const known = now && isFile(entry) ? fates.get(entry.path) : undefined;
      const before = entry.category === 'verify_changed_files' ? entry.attempt + 1 : entry.attempt;
      if (known) fates.set(entry.path, { made: known.made.filter((one) => one.attempt < before), gone: entry });
    }
    for (const change of changes)
      if (isFile(change) && attempt !== null)
        fates.set(change.path, { made: [...(fates.get(change.path)?.made ?? []), { attempt, change }], gone: null });
  }
  return new Map(
    [...fates].map(([path, { made, gone }]) => [path, { changes: made.map(({ change }) => change), gone }]),
  );
}

interface Made<C> {
  readonly attempt: number;
  readonly change: C;
}

interface Changed {
  readonly path: string;
  readonly kind: string;
}

interface Listed extends Changed {
  readonly attempt: number;
  /** `verify_changed_files`: what its worker did stays, because only a check came after it. */
  readonly category?: string | undefined;
  readonly settled: { readonly how: 'gone'; readonly attempt: number } | { readonly how: 'accepted' | 'undone' } | null;
}

interface Undone {
  readonly attempt: number;
  readonly redo?: true | undefined;
  /** The attempt that comes after it. */
  readonly before_attempt: number;
  readonly paths: readonly string[];
}

/** Returns the undos, each with the paths that no later redo has put back again; without those that have none. */
export function undoneNow<U extends Undone>(all: readonly U[]): readonly U[] {
  const now: U[] = [];
  for (const one of all) {
    const place = one.redo ? now.findLastIndex(({ attempt }) => attempt === one.attempt) : -1;
    const known = now[place];
    const again = new Set(one.paths);
    if (known) now[place] = { ...known, paths: known.paths.filter((path) => !again.has(path)) };
    else now.push(one);
  }
  return now.filter(({ paths }) => paths.length > 0);
}

/** Returns what people undid of the attempts, as entries of the list that `foldChanges` takes. */
export function undoneChanges<C extends Changed>(
  attempts: readonly { readonly attempt: number; readonly changes: readonly C[] }[],
  undone: readonly Undone[],
): readonly (C & Listed)[] {
  return undoneNow(undone).flatMap(({ attempt, before_attempt, paths }) => {
    const taken = new Set(paths);
    const changes = attempts.find((one) => one.attempt === attempt)?.changes ?? [];
    return changes
      .filter((change) => isFile(change) && taken.has(change.path))
      .map((change) => ({ ...change, attempt, settled: { how: 'gone', attempt: before_attempt } as const }));
  });
}

/** The attempt that found a listed change gone; null: none did. */
export function goneIn({ settled }: Pick<Listed, 'settled'>): number | null {
  return settled?.how === 'gone' ? settled.attempt : null;
}

function isFile({ kind }: Changed): boolean {
  return kind !== 'git' && kind !== 'index_flag' && kind !== 'unread';
}
