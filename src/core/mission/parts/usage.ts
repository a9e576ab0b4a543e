import type { UsageFacts } from '../../../contracts/launchEvidence';
import { spentTokens } from '../../model/usage';
import type { Launch } from '../../model/attempt';
import type { Tasks } from '../../model/state';

/** Sums what CLIs have reported so far; null: none reported a value. Tokens are counts, cost is in US dollars. */
export function totalUsage(mission: Tasks): UsageFacts {
  return usageOf(agentLaunches(mission));
}

export function budgetedTokens(mission: Tasks): number {
  const launches = agentLaunches(mission).flatMap((attempt) => attempt.launches);
  return launches.reduce((sum, launch) => sum + spentTokens(launch), 0);
}

function agentLaunches({ rows, lanes, sessions }: Tasks): readonly { readonly launches: readonly Counted[] }[] {
  return [...rows.flatMap((row) => row.attempts), ...lanes, ...sessions.map(({ launch }) => ({ launches: [launch] }))];
}

type Counted = Pick<Launch, 'end' | 'usage_seen' | 'adjustment'>;

export function usageOf(attempts: readonly { readonly launches: readonly Counted[] }[]): UsageFacts {
  const all = attempts
    .flatMap((attempt) => attempt.launches)
    .flatMap(({ end, usage_seen }) => end?.usage ?? usage_seen ?? []);
  const sum = (pick: (usage: UsageFacts) => number | null): number | null => {
    const known = all.map(pick).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
  };
  return {
    input_tokens: sum((usage) => usage.input_tokens),
    cached_input_tokens: sum((usage) => usage.cached_input_tokens),
    output_tokens: sum((usage) => usage.output_tokens),
    cost_usd: sum((usage) => usage.cost_usd),
  };
}
