import { withoutEnd } from '../../../base/text/plainLine';
import type { ReasonCategory } from '../../../contracts/vocabulary/codes/codes';
import type { AttemptFailure, LaunchEnd } from '../../model/facts';

/** A block after which a person, or without `human_only` the orchestrator, may decide about another attempt. */
export function recoverable(
  category: ReasonCategory,
  reason: string,
  details: readonly string[],
  more: Partial<Omit<Recoverable, 'kind'>> = {},
): Recoverable {
  return { kind: 'recoverable', category, reason, details, human_only: null, ...more };
}

type Recoverable = Extract<AttemptFailure, { kind: 'recoverable' }>;

/** Returns what the contract calls a worker that did not exit with 0; a worker that did has another category. */
export function categoryOfEnd({ exit_code }: Pick<LaunchEnd, 'exit_code'>, ofZero: ReasonCategory): ReasonCategory {
  return exit_code === 0 ? ofZero : 'child_exit_nonzero';
}

export function denialLines({ denials }: Pick<LaunchEnd, 'denials'>): readonly string[] {
  const lines = denials.map(({ tool, path, reason }) =>
    ['denied:', tool ?? 'tool', ...(path === null ? [] : [path]), reason].join(' ').trim(),
  );
  return [...new Set(lines)].slice(0, 20);
}

/** The first line; the run directory's log has the rest. */
export function firstLine(error: string | null): string {
  return withoutEnd((error ?? '').split(/\r?\n/, 1)[0] ?? '') || 'for an unknown reason';
}
