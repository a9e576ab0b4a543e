import assert from 'node:assert/strict';
import { createParser } from '../../src/workers/opencode/stream';
import type { StreamParser } from '../../src/workers/worker';
import type { WorkerSignal } from '../../src/contracts/launch';

const events = (parser: StreamParser, ...values: readonly object[]): readonly WorkerSignal[] =>
  parser.push('stdout', values.map((value) => `${JSON.stringify(value)}\n`).join(''));

const rule = 'The user has specified a rule which prevents you from using this specific tool call.';

describe('what OpenCode says', () => {
  const openCodeDenials: readonly [error: string, tool: string, denied: boolean][] = [
    [`${rule} Here are some of the relevant rules [...]`, 'write', true],
    ["Model tried to call unavailable tool 'invalid'. Available tools: edit, read.", 'bash', true],
    ["Model tried to call unavailable tool 'invalid'. Available tools: edit, read.", 'no_such_tool', false],
    ['File not found: /w/x', 'read', false],
  ];
  for (const [error, tool, denied] of openCodeDenials) {
    it(`${tool} with "${error.slice(0, 40)}" is ${denied ? 'a denial' : 'no denial'}`, () => {
      const parser = createParser();
      events(parser, {
        type: 'tool_use',
        part: { tool, state: { status: 'error', input: { filePath: '/o' }, error } },
      });
      assert.deepEqual(
        parser.summary().denials.map(({ path }) => path),
        denied ? ['/o'] : [],
      );
    });
  }

  const step = (reason: string): object => {
    const tokens = { input: 100, output: 20, reasoning: 3, cache: { read: 10, write: 1 } };
    return { type: 'step_finish', sessionID: 'ses_1', part: { reason, cost: 0.5, tokens } };
  };
  const begun = { type: 'step_start', sessionID: 'ses_1' };
  const failed = { type: 'error', error: { name: 'APIError', data: { message: 'out of order' } } };
  const endOf = (lines: readonly object[]): readonly [seen: boolean, ok: boolean, reason: string | null] => {
    const parser = createParser();
    events(parser, ...lines);
    parser.end();
    const { finalSeen, finalOk, finalReason } = parser.summary();
    return [finalSeen, finalOk, finalReason];
  };

  it('tokens add up over the steps, with what came from a cache', () => {
    const parser = createParser();
    events(parser, step('tool-calls'), step('stop'));
    const { usage, sessionId } = parser.summary();
    assert.deepEqual(
      { usage, sessionId },
      { usage: { inputTokens: 222, cachedInputTokens: 20, outputTokens: 46, costUsd: 1 }, sessionId: 'ses_1' },
    );
  });

  it('only the last step is final, and an error after it wins', () => {
    assert.deepEqual(endOf([begun, step('tool-calls')]), [false, false, null]);
    assert.deepEqual(endOf([begun, step('stop')]), [true, true, null]);
    assert.deepEqual(endOf([begun, step('stop'), begun, step('length')]), [true, false, 'length']);
    assert.deepEqual(endOf([begun, step('stop'), begun]), [false, false, null]);
    assert.deepEqual(endOf([begun, step('stop'), begun, step('tool-calls')]), [false, false, null]);
    assert.deepEqual(endOf([begun, step('stop'), failed]), [true, false, 'out of order']);
    assert.deepEqual(endOf([begun, failed, begun, step('stop')]), [true, true, null]);
  });

  it('the end of a turn is reported while it runs, but not that of a step that goes on', () => {
    const kinds = (reason: string): readonly string[] =>
      events(createParser(), begun, step(reason)).map(({ kind }) => kind);
    assert.equal(kinds('stop').at(-1), 'turn_ended');
    assert.equal(kinds('length').at(-1), 'turn_ended');
    assert.ok(!kinds('tool-calls').includes('turn_ended'));
  });

  it('an end as another agent is a failed one', () => {
    for (const line of [
      '\u001b[93m\u001b[1m!\u001b[0m agent "mission-control" not found. Falling back to default agent',
      '! agent "x" is a subagent, not a primary agent. Falling back to default agent',
    ]) {
      const parser = createParser();
      parser.push('stderr', `${line}\n`);
      events(parser, begun, step('stop'));
      parser.end();
      const { finalSeen, finalOk, finalReason } = parser.summary();
      assert.deepEqual([finalSeen, finalOk], [true, false]);
      assert.match(finalReason ?? '', /agent/);
    }
  });

  it('an error on stderr is one in colour as well', () => {
    const parser = createParser();
    const signals = parser.push(
      'stderr',
      '\u001b[91m\u001b[1mError: \u001b[0mSession not found\nError: x\nno Error: y\n',
    );
    assert.deepEqual(
      signals.map((signal) => signal.kind === 'error' && signal.message),
      ['Error: Session not found', 'Error: x'],
    );
  });

  it('every file of a patch is a change, of a refused one none', () => {
    const patchText = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** End Patch';
    const files = [
      { filePath: '/w/a', type: 'add' },
      { filePath: '/w/b', type: 'update' },
      { filePath: '/w/c', type: 'delete' },
      { filePath: '/w/d', type: 'move', movePath: '/w/e' },
      { filePath: 7, type: 'add' },
    ];
    const parser = createParser();
    const patch = (state: object): object => ({ type: 'tool_use', part: { tool: 'apply_patch', state } });
    const signals = events(
      parser,
      patch({ status: 'completed', input: { patchText }, metadata: { files } }),
      patch({ status: 'completed', input: { patchText }, metadata: {} }),
      patch({ status: 'error', input: { patchText }, error: rule }),
    );
    assert.deepEqual(
      signals.flatMap((signal) => (signal.kind === 'file_change' ? [[signal.path, signal.change]] : [])),
      [
        ['/w/a', 'add'],
        ['/w/b', 'update'],
        ['/w/c', 'delete'],
        ['/w/d', 'delete'],
        ['/w/e', 'add'],
        ['src/a.ts', 'update'],
      ],
    );
    assert.deepEqual(
      parser.summary().denials.map(({ path }) => path),
      ['src/a.ts'],
    );
  });

  it('an empty last text does not take the place of the result', () => {
    const parser = createParser();
    for (const text of ['{"status":"done"}', '', ' \n']) events(parser, { type: 'text', part: { text } });
    parser.end();
    assert.equal(parser.summary().lastMessage, '{"status":"done"}');
  });
});
