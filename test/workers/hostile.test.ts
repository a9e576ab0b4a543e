import assert from 'node:assert/strict';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import type { AgentName } from '../../src/contracts/vocabulary/workers';
import { agentWorkers } from '../../src/workers/registry';
import { claudeTool, geminiTool, openTool } from './sessions';

/** What reads each character again for each one would take minutes with either. */
const size = process.env['MISSION_TESTS_TIER'] === 'quick' ? 200_000 : 1_000_000;
const beginnings = [
  ...['EROFS: x, open ', "EROFS: x, open '", "EBUSY: x, rename 'a' -> '", "EACCES: a, open 'b' (EACCES", 'EROFS: '],
  ...['Attempt 1 failed ', 'Retrying after 9', 'Path not in workspace: Attempted path "', "Directory '"],
  ...['2026-01-01T00:00:00.000Z  WARN codex_sandboxing::violation: recorded sandbox violation: ', 'path='],
  ...['timestamp=a level=ERROR run=b message="stream error" error.error="', 'error.error="\\"', '\u001b[', '\u001b[1'],
  ...['Unknown: FileSystem.a (', '"permission":"a"', '*** Add File: ', 'Error: ', 'Reconnecting... ', ' ', 'a'],
];
const hostile = beginnings.flatMap((words) => [words.repeat(Math.ceil(size / words.length)), words + 'x'.repeat(size)]);

/** Where the CLI's own words are looked at closely. */
function refusals(agent: AgentName, text: string): readonly object[] {
  switch (agent) {
    case 'claude':
      return [...claudeTool('Write', { file_path: text }, text), { type: 'result', subtype: text, result: text }];
    case 'codex':
      return [
        { type: 'item.completed', item: { type: 'mcp_tool_call', status: 'failed', error: { message: text } } },
        { type: 'item.completed', item: { type: 'command_execution', status: 'declined', command: text } },
        { type: 'error', message: text },
      ];
    case 'gemini':
      return [
        ...geminiTool('write_file', 'file_write_failure', text),
        ...geminiTool('read_file', 'invalid_tool_params', text),
      ];
    case 'opencode':
      return [...openTool('write', text), ...openTool('edit', `The user has specified a rule ${text}`)];
  }
}

for (const agent of agentNames)
  describe(`a line of ${size} characters from ${agent}`, () => {
    it('is read at once on stderr, before and after the first event', () => {
      for (const text of hostile) {
        const parser = agentWorkers[agent].createParser();
        parser.push('stderr', `${text}\n`);
        parser.push('stdout', '{"type":"system"}\n');
        assert.ok(parser.push('stderr', `${text}\n`).every((signal) => JSON.stringify(signal).length < 20_000));
      }
    });

    it('is read at once on stdout, as no event and as what a tool was refused', () => {
      for (const text of hostile) {
        const parser = agentWorkers[agent].createParser();
        parser.push('stdout', `${text}\n`);
        for (const event of refusals(agent, text)) {
          const told = parser.push('stdout', `${JSON.stringify(event)}\n`);
          const small = told.filter(({ kind }) => kind !== 'final');
          assert.ok(small.every((signal) => JSON.stringify(signal).length < 40_000));
        }
      }
    });
  });

describe('a structured answer that is nested too deeply', () => {
  it('does not count, so that its writer does not end', () => {
    const parser = agentWorkers.claude.createParser();
    const [deep, flat] = [100_000, 60].map((levels) => '['.repeat(levels) + ']'.repeat(levels));
    const event = (nested: string): string => `{"type":"result","result":"x","structured_output":{"a":${nested}}}\n`;
    for (const signal of parser.push('stdout', event(deep ?? ''))) assert.ok(JSON.stringify(signal).length < 20_000);
    assert.equal(parser.summary().structured, null);
    parser.push('stdout', event(flat ?? ''));
    assert.notEqual(parser.summary().structured, null);
  });
});
