import type { Launch } from '../../model/attempt';

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
