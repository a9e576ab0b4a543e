import { amountOf, countOf, member, textOf } from '../shared/json';
import { limits } from '../shared/stream';
import { addUsage } from '../shared/usage';
import type { Usage } from '../worker';

/**
 * Adds up what the messages of a launch report. Each block of a message repeats the usage of the whole message, and
 * messages of subagents come in between.
 */
export class RunningUsage {
  readonly #messages = new Map<string, Usage>();
  #before: Usage | null = null;

  /** The total with this message; null when the message says nothing new. */
  of(message: unknown): Usage | null {
    const id = textOf(message, 'id');
    const usage = usageOf(message, true);
    if (id === null || id.length > limits.name || usage === null) return null;
    const known = this.#messages.get(id);
    if (known?.inputTokens === usage.inputTokens && known.outputTokens === usage.outputTokens) return null;
    this.#messages.set(id, usage);
    const [oldest] = this.#messages;
    if (oldest && this.#messages.size > remembered) {
      this.#messages.delete(oldest[0]);
      this.#before = addUsage(this.#before, oldest[1]);
    }
    const total = [...this.#messages.values()].reduce<Usage | null>(addUsage, this.#before);
    return total?.inputTokens === 0 && total.outputTokens === 0 ? null : total;
  }
}

const remembered = 32;

/** `usage` counts this launch alone; `total_cost_usd` includes the earlier launches of a resumed session. */
export function usageOf(event: unknown, resumed: boolean): Usage | null {
  const usage = member(event, 'usage');
  const fresh = countOf(usage, 'input_tokens');
  const output = countOf(usage, 'output_tokens');
  if (fresh === null && output === null) return null;
  const cached = countOf(usage, 'cache_read_input_tokens');
  const stored = countOf(usage, 'cache_creation_input_tokens');
  return {
    inputTokens: fresh === null ? null : fresh + (cached ?? 0) + (stored ?? 0),
    cachedInputTokens: cached,
    outputTokens: output,
    costUsd: resumed ? null : amountOf(event, 'total_cost_usd'),
  };
}
