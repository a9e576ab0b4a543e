import assert from 'node:assert/strict';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import { agentWorkers } from '../../src/workers/registry';
import type { StreamParser } from '../../src/workers/worker';
import type { WorkerSignal } from '../../src/contracts/launch';

const events = (parser: StreamParser, ...values: readonly unknown[]): readonly WorkerSignal[] =>
  parser.push(
    'stdout',
    values.map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join(''),
  );

/** Every type a parser knows, with nothing else in the event or with the wrong things in it. */
const knownTypes = [
  'system',
  'assistant',
  'user',
  'result',
  'thread.started',
  'turn.started',
  'turn.completed',
  'turn.failed',
  'item.started',
  'item.updated',
  'item.completed',
  'error',
  'init',
  'message',
  'tool_use',
  'tool_result',
  'step_start',
  'step_finish',
  'text',
  'reasoning',
];
const hostileValues: readonly unknown[] = [
  null,
  1,
  -1,
  1.5,
  Number.POSITIVE_INFINITY,
  'text',
  true,
  [],
  [[]],
  {},
  { type: {} },
  [null, 1, { type: 'tool_use' }],
];
const ruleOfOpenCode = 'The user has specified a rule which prevents you from using this specific tool call.';
const fieldNames = [
  'subtype',
  'message',
  'content',
  'usage',
  'item',
  'error',
  'stats',
  'session_id',
  'thread_id',
  'role',
  'parameters',
  'tool_id',
  'tool_use_id',
  'permission_denials',
  'changes',
  'status',
  'result',
  'structured_output',
  'model',
  'tool_use_result',
  'part',
  'sessionID',
];

for (const agent of agentNames) {
  const create = (): StreamParser => agentWorkers[agent].createParser();

  describe(`${agent} stream parser and hostile output`, () => {
    it('counts what it does not know and goes on', () => {
      const parser = create();
      assert.deepEqual(
        events(parser, { type: 'brand_new_event' }, { type: 7 }, {}, 'not json', '[1]', 'null', '"text"', '{"type":'),
        [],
      );
      const { counts } = parser.summary();
      assert.deepEqual(counts, { events: 3, unknown: 3, malformed: 5, oversized: 0, toolUses: 0 });
    });

    it('survives any type with any wrong value', () => {
      for (const type of knownTypes) {
        for (const field of fieldNames) {
          for (const value of hostileValues) {
            const parser = create();
            events(
              parser,
              { type, [field]: value },
              { type, subtype: 'init', item: { type: 'file_change', [field]: value } },
            );
            parser.end();
            const summary = parser.summary();
            assert.ok(summary.sessionId === null || typeof summary.sessionId === 'string');
            assert.ok(
              summary.usage === null ||
                Object.values(summary.usage).every((count) => count === null || Number.isFinite(count)),
            );
          }
        }
      }
    });

    it('takes nothing from the prototype and puts nothing into it', () => {
      const parser = create();
      const evil =
        '{"__proto__":{"polluted":true,"type":"result","session_id":"evil"},"constructor":{"prototype":{"polluted":true}}';
      events(parser, `${evil}}`);
      for (const type of knownTypes)
        events(
          parser,
          `${evil},"type":"${type}","message":${evil}},"item":${evil}},"usage":${evil}},"stats":${evil}}}`,
        );
      parser.end();
      assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
      assert.equal(parser.summary().sessionId, null);
      assert.equal(parser.summary().usage, null);
    });

    it('takes no denial from what the model says', () => {
      const parser = create();
      const texts = [
        'Path not in workspace: Attempted path "/etc/passwd"',
        'Permission denied',
        'codex_sandboxing::violation: recorded sandbox violation: path=/etc',
      ];
      for (const text of texts) {
        events(
          parser,
          { type: 'assistant', message: { content: [{ type: 'text', text }] } },
          { type: 'message', role: 'assistant', content: text },
          { type: 'item.completed', item: { type: 'agent_message', text } },
          {
            type: 'item.completed',
            item: { type: 'command_execution', status: 'completed', exit_code: 0, aggregated_output: text },
          },
          { type: 'tool_result', tool_id: 'x', status: 'success', output: text },
          { type: 'text', part: { text } },
          { type: 'tool_use', part: { tool: 'read', state: { status: 'completed', input: {}, output: text } } },
        );
      }
      parser.end();
      assert.deepEqual(parser.summary().denials, []);
    });

    it('keeps a bounded summary of unbounded output', () => {
      const parser = create();
      for (let index = 0; index < 2000; index += 1) {
        // Every one is longer than what is kept of it; the first ones far longer.
        const path = `/w/${'p'.repeat(index < 50 ? 100_000 : 5_000)}`;
        events(
          parser,
          {
            type: 'assistant',
            message: {
              content: [{ type: 'tool_use', id: `c${index}`, name: 'Write', input: { file_path: `${index}${path}` } }],
            },
          },
          { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: `c${index}` }] } },
          { type: 'system', subtype: 'permission_denied', tool_use_id: `c${index}`, message: path },
          {
            type: 'item.completed',
            item: { type: 'file_change', status: 'completed', changes: [{ path: `${index}${path}`, kind: 'add' }] },
          },
          { type: 'item.completed', item: { type: 'file_change', status: 'failed', changes: [{ path }] } },
          {
            type: 'tool_use',
            tool_id: `c${index}`,
            tool_name: 'write_file',
            parameters: { file_path: `${index}${path}` },
          },
          { type: 'tool_result', tool_id: `c${index}`, status: 'success' },
          {
            type: 'tool_use',
            part: { tool: 'write', state: { status: 'completed', input: { filePath: `${index}${path}` } } },
          },
          { type: 'tool_use', part: { tool: 'bash', state: { status: 'error', error: `${ruleOfOpenCode}${path}` } } },
        );
      }
      const text = 'm'.repeat(600 * 1024);
      events(
        parser,
        { type: 'assistant', message: { content: [{ type: 'text', text }] } },
        { type: 'item.completed', item: { type: 'agent_message', text } },
      );
      events(
        parser,
        { type: 'message', role: 'assistant', content: text },
        { type: 'message', role: 'assistant', content: text },
        { type: 'text', part: { text } },
      );
      parser.end();
      const summary = parser.summary();
      assert.ok(summary.denials.length <= 100);
      assert.ok(summary.fileChanges.length <= 1000);
      assert.ok(summary.fileChanges.every((changed) => changed.length <= 4096));
      assert.equal(summary.lastMessage?.length, 256 * 1024);
      assert.ok(JSON.stringify(summary).length < 6 * 1024 * 1024);
    });

    it('drops a line of more than 10 MB, counts it and reads the next', () => {
      const parser = create();
      const piece = 'x'.repeat(1024 * 1024);
      parser.push('stdout', '{"type":"message","content":"');
      for (let count = 0; count < 11; count += 1) parser.push('stdout', piece);
      parser.push('stdout', '"}\n');
      events(parser, { type: 'brand_new_event' });
      assert.deepEqual(parser.summary().counts, { events: 1, unknown: 1, malformed: 0, oversized: 1, toolUses: 0 });
    });
  });
}

describe('signals', () => {
  it('a path that a CLI names twice is one changed file', () => {
    const parser = agentWorkers.codex.createParser();
    const event = {
      type: 'item.completed',
      item: { type: 'file_change', status: 'completed', changes: [{ path: '/w/a', kind: 'update' }] },
    };
    assert.equal(events(parser, event, event).length, 2);
    assert.deepEqual(parser.summary().fileChanges, ['/w/a']);
  });

  it('claude: success with is_error is a failure', () => {
    const parser = agentWorkers.claude.createParser();
    events(parser, { type: 'result', subtype: 'success', is_error: true, result: 'Not logged in · Please run /login' });
    const { finalSeen, finalOk, finalReason } = parser.summary();
    assert.deepEqual(
      { finalSeen, finalOk, finalReason },
      { finalSeen: true, finalOk: false, finalReason: 'success: Not logged in · Please run /login' },
    );
  });

  it('claude: a denial that only the result lists is reported once', () => {
    const parser = agentWorkers.claude.createParser();
    events(
      parser,
      {
        type: 'system',
        subtype: 'permission_denied',
        tool_name: 'Write',
        tool_use_id: 'a',
        decision_reason_type: 'workingDir',
        message: 'no',
      },
      {
        type: 'result',
        subtype: 'success',
        is_error: false,
        permission_denials: [
          { tool_use_id: 'a', tool_name: 'Write' },
          { tool_use_id: 'b', tool_name: 'Read', tool_input: { file_path: '/x' } },
        ],
      },
    );
    assert.deepEqual(
      parser.summary().denials.map(({ tool, path }) => [tool, path]),
      [
        ['Write', null],
        ['Read', '/x'],
      ],
    );
  });

  it('claude: cached input counts as input', () => {
    const parser = agentWorkers.claude.createParser();
    const usage = { input_tokens: 1, cache_read_input_tokens: 10, cache_creation_input_tokens: 100, output_tokens: 5 };
    events(parser, { type: 'result', subtype: 'success', is_error: false, usage, total_cost_usd: 0.5 });
    assert.deepEqual(parser.summary().usage, {
      inputTokens: 111,
      cachedInputTokens: 10,
      outputTokens: 5,
      costUsd: 0.5,
    });
  });

  it('gemini: what the model thought counts as output, which the CLI reports in the total alone', () => {
    const stats = { total_tokens: 1133, input_tokens: 111, output_tokens: 22, cached: 11, input: 100 };
    const tokens = { prompt: 111, candidates: 22, total: 1133, cached: 11, thoughts: 1000, tool: 0 };
    for (const told of [
      { type: 'result', status: 'success', stats },
      { session_id: 's', response: 'x', stats: { models: { 'gemini-2.5-pro': { tokens } } } },
    ]) {
      const parser = agentWorkers.gemini.createParser();
      events(parser, told);
      assert.deepEqual(parser.summary().usage, {
        inputTokens: 111,
        cachedInputTokens: 11,
        outputTokens: 1022,
        costUsd: null,
      });
    }
  });

  it('codex: an error item is no failure, turn.failed is', () => {
    const parser = agentWorkers.codex.createParser();
    events(
      parser,
      { type: 'item.completed', item: { type: 'error', message: 'Model metadata not found' } },
      { type: 'error', message: 'Reconnecting... 1/5' },
    );
    assert.equal(parser.summary().finalSeen, false);
    events(parser, { type: 'turn.failed', error: { message: 'gone' } });
    assert.deepEqual(
      [parser.summary().finalSeen, parser.summary().finalOk, parser.summary().finalReason],
      [true, false, 'gone'],
    );
  });

  it('codex: a path with spaces in a sandbox warning arrives whole', () => {
    const parser = agentWorkers.codex.createParser();
    const [signal] = parser.push(
      'stderr',
      '2026-01-01T00:00:00Z  WARN codex_sandboxing::violation: recorded sandbox violation: resource=filesystem backend=linux_sandbox reason=read_only_file_system path=/a b/c d.txt\n',
    );
    assert.deepEqual(signal, {
      kind: 'denial',
      tool: 'shell',
      path: '/a b/c d.txt',
      source: 'stderr',
      reason: 'Sandbox violation: resource=filesystem backend=linux_sandbox reason=read_only_file_system',
    });
  });

  const geminiDenials: readonly [type: string, message: string, tool: string, denied: boolean][] = [
    ['invalid_tool_params', 'Path not in workspace: Attempted path "/o" resolves outside', 'read_file', true],
    ['invalid_tool_params', 'File path must be within one of the workspace directories: /w', 'write_file', true],
    ['invalid_tool_params', 'params must have required property content', 'write_file', false],
    ['permission_denied', 'Permission denied writing to file: /w/ro (EACCES)', 'write_file', true],
    ['read_content_failure', "Error reading file x: EACCES: permission denied, open 'x'", 'read_file', true],
    ['policy_violation', 'Tool execution denied by policy.', 'web_fetch', true],
    ['tool_not_registered', 'Tool "run_shell_command" not found.', 'run_shell_command', true],
    ['tool_not_registered', 'Tool "no_such_tool" not found.', 'no_such_tool', false],
  ];
  for (const [type, message, tool, denied] of geminiDenials) {
    it(`gemini: ${type} "${message.slice(0, 40)}" is ${denied ? 'a denial' : 'no denial'}`, () => {
      const parser = agentWorkers.gemini.createParser();
      events(
        parser,
        { type: 'tool_use', tool_name: tool, tool_id: 't', parameters: { file_path: '/o' } },
        { type: 'tool_result', tool_id: 't', status: 'error', error: { type, message } },
      );
      assert.equal(parser.summary().denials.length, denied ? 1 : 0);
    });
  }

  it('gemini: deltas become one message', () => {
    const parser = agentWorkers.gemini.createParser();
    const delta = (content: string): object => ({ type: 'message', role: 'assistant', content, delta: true });
    events(
      parser,
      delta('one '),
      delta('two'),
      { type: 'tool_use', tool_name: 'glob', tool_id: 'g' },
      delta('thr'),
      delta('ee'),
    );
    parser.end();
    assert.equal(parser.summary().lastMessage, 'three');
  });
});

describe('what an agent says after its final event', () => {
  it('does not take the place of its result, until it reports another end', () => {
    const say = (text: string): unknown => ({ type: 'item.completed', item: { type: 'agent_message', text } });
    const parser = agentWorkers.codex.createParser();
    events(parser, say('the result'), { type: 'turn.completed' }, { type: 'turn.started' }, say('and another thing'));
    assert.equal(parser.summary().lastMessage, 'the result');
    events(parser, { type: 'turn.completed' });
    assert.equal(parser.summary().lastMessage, 'and another thing');
  });
});
