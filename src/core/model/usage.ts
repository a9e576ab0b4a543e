import type { UsageFacts } from '../../contracts/launchEvidence';
import type { Launch } from './attempt';

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

/**
 * The tokens of a launch that count against a limit: in and out, as its CLI reports them. A launch that resumes a
 * session sends the conversation again. What the provider has of that in its cache counted when it was first sent.
 */
export function spentTokens({
  end,
  usage_seen,
  adjustment,
}: Pick<Launch, 'end' | 'usage_seen' | 'adjustment'>): number {
  const usage = end?.usage ?? usage_seen;
  const input = usage?.input_tokens ?? 0;
  const again = (adjustment?.resume_session_id ?? null) === null ? 0 : (usage?.cached_input_tokens ?? 0);
  return Math.max(0, input - again) + (usage?.output_tokens ?? 0);
}
