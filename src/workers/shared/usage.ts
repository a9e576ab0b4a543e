import type { Usage } from '../../contracts/launch';

/** Adds two usages; a field that either one lacks is null. @param before null: nothing came before */
export function addUsage(before: Usage | null, more: Usage): Usage {
  if (before === null) return more;
  const add = (left: number | null, right: number | null): number | null =>
    left === null || right === null ? null : left + right;
  return {
    inputTokens: add(before.inputTokens, more.inputTokens),
    cachedInputTokens: add(before.cachedInputTokens, more.cachedInputTokens),
    outputTokens: add(before.outputTokens, more.outputTokens),
    costUsd: add(before.costUsd, more.costUsd),
  };
}
