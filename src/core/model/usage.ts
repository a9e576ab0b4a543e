import type { UsageFacts } from '../../contracts/launchEvidence';

/**
 * Returns whether usage that a running launch reports is worth an event. Where the budget stops it, each report of more
 * is. Else only another tenth is, so that a journal grows with the amount, not with the number of reports.
 */
export function isNews(known: UsageFacts | undefined, usage: UsageFacts, exact: boolean): boolean {
  const [before, now] = [known ? amounts(known) : [0, 0], amounts(usage)] as const;
  return now.some((amount, index) => amount > (before[index] ?? 0) * (exact ? 1 : 1.1));
}

function amounts({ input_tokens, output_tokens, cost_usd }: UsageFacts): readonly number[] {
  return [(input_tokens ?? 0) + (output_tokens ?? 0), cost_usd ?? 0];
}
