/** `1 error`, `2 errors` */
export function errorCount(errors: number): string {
  return `${errors} error${errors === 1 ? '' : 's'}`;
}

/** `800`, `61 k`, `1.2 M` */
export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  return count < 999_500 ? `${Math.round(count / 1000)} k` : `${(count / 1e6).toFixed(1)} M`;
}

/** `61 k tokens, $0.20`; empty: nothing was reported. */
export function shortUsage(usage: {
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cost_usd: number | null;
}): string {
  const { input_tokens, output_tokens, cost_usd } = usage;
  const hasTokens = input_tokens !== null || output_tokens !== null;
  return [
    ...(hasTokens ? [`${shortCount((input_tokens ?? 0) + (output_tokens ?? 0))} tokens`] : []),
    ...(cost_usd === null ? [] : [`$${cost_usd.toFixed(2)}`]),
  ].join(', ');
}
