import assert from 'node:assert/strict';
import { createParser } from '../../src/workers/claude/stream';
import type { Usage } from '../../src/contracts/launch';

/** What the stream says of the usage so far, message by message; null: nothing new. */
class RunningUsage {
  readonly #parser = createParser();

  of(message: unknown): Usage | null {
    const line = `${JSON.stringify({ type: 'assistant', message })}\n`;
    const found = this.#parser.push('stdout', line).find(({ kind }) => kind === 'usage');
    return found?.kind === 'usage' ? found.usage : null;
  }
}

const message = (id: string, input: number, output: number): object => ({
  id,
  usage: { input_tokens: input, output_tokens: output, cache_read_input_tokens: 10, cache_creation_input_tokens: 0 },
});

describe('the usage of Claude Code while it runs', () => {
  it('counts each message once, however many blocks repeat it and subagents come in between', () => {
    const used = new RunningUsage();
    const told = [message('a', 100, 1), message('a', 100, 1), message('b', 5, 2), message('a', 100, 7), {}, null].map(
      (one) => used.of(one),
    );
    assert.deepEqual(
      told.map((total) => total && [total.inputTokens, total.cachedInputTokens, total.outputTokens, total.costUsd]),
      [[110, 10, 1, null], null, [125, 20, 3, null], [125, 20, 9, null], null, null],
    );
  });

  it('stays exact and small over thousands of messages', () => {
    const used = new RunningUsage();
    let last = null;
    for (let n = 0; n < 5000; n += 1) last = used.of(message(`m${n}`, 1, 1));
    assert.deepEqual([last?.inputTokens, last?.outputTokens], [55_000, 5000]);
  });

  it('takes hostile ids and numbers for nothing', () => {
    const used = new RunningUsage();
    for (const one of [message('x'.repeat(1e6), 1, 1), { id: 7, usage: {} }, { id: 'a', usage: 'much' }, 'text'])
      assert.equal(used.of(one), null);
    assert.equal(used.of({ id: 'zero', usage: { input_tokens: 0, output_tokens: 0 } }), null);
  });
});
