/** `1 error`, `2 errors` */
export function errorCount(errors: number): string {
  return `${errors} error${errors === 1 ? '' : 's'}`;
}

/** `800`, `61 k`, `1.2 M` */
export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  return count < 999_500 ? `${Math.round(count / 1000)} k` : `${(count / 1e6).toFixed(1)} M`;
}

/** Null: no CLI reported it. */
export interface Used {
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cost_usd: number | null;
}

/** `61 k tokens, $0.20`; empty: nothing was reported. */
export function shortUsage({ input_tokens, output_tokens, cost_usd }: Used): string {
  const hasTokens = input_tokens !== null || output_tokens !== null;
  return [
    ...(hasTokens ? [`${shortCount((input_tokens ?? 0) + (output_tokens ?? 0))} tokens`] : []),
    ...(cost_usd === null ? [] : [`$${cost_usd.toFixed(2)}`]),
  ].join(', ');
}

/** `2026-01-31 09:30 UTC` of a time as documents have it; another text stays as it is. */
export function utcText(at: string): string {
  return at.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z$/, '$1 $2 UTC');
}

/** A sentence with times in it, as the page shows in the reader's own time. */
export function lineText(line: readonly (string | { readonly at: string })[]): string {
  return line.map((part) => (typeof part === 'string' ? part : utcText(part.at))).join('');
}

/** `0:04`, `6:03`, `1 h 2 min`, `2 d 3 h`. */
export function clock(ms: number): string {
  if (Number.isNaN(ms)) return '?';
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const hours = Math.floor(seconds / 3600);
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  const minutes = Math.floor(seconds / 60);
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
}
