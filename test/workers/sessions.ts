import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readMessages } from '../../scripts/messages.mjs';
import { type AgentName, agentNames } from '../../src/contracts/vocabulary/workers';
import type { WorkerSignal } from '../../src/contracts/launch';
import { agentWorkers } from '../../src/workers/registry';
import { triggers } from '../../src/core/recovery/permission/classify';

/** What a CLI wrote. */
export interface Written {
  readonly stdout?: readonly object[];
  readonly stderr?: readonly string[];
  /** On stdout after its events, where it is no event. */
  readonly text?: string;
}

/** The signals of what an agent wrote, and the last one as the runner sees it of a launch that has ended. */
export function signalsOf(agent: AgentName, { stdout = [], stderr = [], text = '' }: Written) {
  const parser = agentWorkers[agent].createParser();
  const signals: readonly WorkerSignal[] = [
    ...stdout.flatMap((event) => parser.push('stdout', `${JSON.stringify(event)}\n`)),
    ...parser.push('stdout', text),
    ...stderr.flatMap((line) => parser.push('stderr', `${line}\n`)),
    ...parser.end(),
  ];
  const { finalOk, finalReason, limit } = parser.summary();
  const end: WorkerSignal = { kind: 'final', ok: finalOk, reason: finalReason, text: null, structured: null, limit };
  return { signals, end };
}

export const claudeTool = (name: string, input: object, content: unknown, failed = true): readonly object[] => [
  { type: 'assistant', message: { content: [{ type: 'tool_use', id: 't1', name, input }] } },
  { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', is_error: failed, content }] } },
];
export const geminiTool = (name: string, type: string, message: string): readonly object[] => [
  { type: 'tool_use', tool_name: name, tool_id: 't1', parameters: { file_path: 'f.txt' } },
  { type: 'tool_result', tool_id: 't1', status: 'error', error: { type, message } },
];
export const openTool = (tool: string, error: string): readonly object[] => [
  { type: 'tool_use', part: { tool, state: { status: 'error', input: { filePath: '/w/a' }, error } } },
];

/**
 * What an agent can read here: the project's documents and sources, every pattern, and the documents of `readings/`,
 * which speak of denials: whole, and line by line.
 */
export function readable(): readonly string[] {
  const documents = [
    ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
    ...['docs/reference/codes.md', 'docs/guide/blocked.md'],
  ];
  const folders = [
    'src/core/recovery/permission',
    'src/workers/shared',
    'test/workers/readings',
    ...agentNames.map((name) => `src/workers/${name}`),
  ];
  const files = folders.flatMap((one) => readdirSync(one).map((name) => path.join(one, name)));
  const tests = ['test/workers/corpus.test.ts', 'test/core/recovery/permission/rows.test.ts'];
  const decisions = readdirSync('docs/internals/decisions').map((name) =>
    readFileSync(path.join('docs/internals/decisions', name), 'utf8'),
  );
  const single = [...documents, ...files, ...tests].map((file) => readFileSync(file, 'utf8'));
  const messages = readMessages(process.cwd()).flatMap(({ text, steps }) => [text, ...steps]);
  const texts = [...single, decisions.join('\n'), messages.join('\n')];
  const lines = texts.flatMap((text) => text.split('\n'));
  const telling = lines.filter((line) => triggers.some(({ pattern }) => pattern.test(line)));
  return [...new Set([...texts, ...telling, ...triggers.map(({ pattern }) => pattern.source)])];
}

/** An agent of each CLI reads `text`, prints it, fails at it and speaks of it. */
export function harmless(agent: AgentName, text: string): Written {
  switch (agent) {
    case 'claude':
      return {
        stdout: [
          { type: 'system', subtype: 'init', session_id: 's' },
          { type: 'assistant', message: { content: [{ type: 'text', text }] } },
          ...claudeTool('Read', { file_path: '/w/f' }, text, false),
          ...claudeTool('Bash', { command: `printf %s ${text}` }, text, false),
          ...claudeTool('Bash', { command: 'npm test' }, `Exit code 1\n${text}`),
          ...claudeTool('Bash', { command: 'cat f; false' }, text),
          ...claudeTool('Edit', { file_path: '/w/f' }, `String to replace not found in file.\nString: ${text}`),
          ...claudeTool('Grep', { pattern: text }, text, false),
          { type: 'result', subtype: 'success', is_error: false, result: text },
        ],
      };
    case 'codex': {
      const command = { type: 'command_execution', command: text, aggregated_output: text };
      return {
        stdout: [
          { type: 'thread.started', thread_id: 's' },
          { type: 'item.completed', item: { type: 'agent_message', text } },
          { type: 'item.completed', item: { type: 'reasoning', text } },
          { type: 'item.completed', item: { ...command, exit_code: 0, status: 'completed' } },
          { type: 'item.completed', item: { ...command, exit_code: 1, status: 'failed' } },
          { type: 'item.completed', item: { type: 'file_change', status: 'failed', changes: [{ path: text }] } },
          {
            type: 'item.completed',
            item: { type: 'mcp_tool_call', status: 'failed', error: { message: `it said: ${text}` } },
          },
          { type: 'turn.completed', usage: {} },
        ],
      };
    }
    case 'gemini': {
      const edit = `Failed to edit, 0 occurrences found for old_string in /w/f. Original old_string was (${text}) in /w/f`;
      return {
        stdout: [
          { type: 'init', session_id: 's' },
          { type: 'message', role: 'user', content: text },
          { type: 'message', role: 'assistant', content: text },
          { type: 'tool_use', tool_name: 'read_file', tool_id: 't0', parameters: { file_path: text } },
          { type: 'tool_result', tool_id: 't0', status: 'success', output: text },
          ...geminiTool('replace', 'edit_no_occurrence_found', edit),
          ...geminiTool('write_file', 'invalid_tool_params', `params/content: ${text}`),
          ...geminiTool('mcp_x', 'mcp_tool_error', text),
          ...geminiTool('run_shell_command', 'shell_execute_error', text),
          { type: 'result', status: 'success', stats: {} },
        ],
        stderr: [
          ...`Error executing tool run_shell_command: Command failed: cat f\n${text}`.split('\n'),
          ...`Error executing tool replace: ${edit}`.split('\n'),
        ],
      };
    }
    case 'opencode':
      return {
        stdout: [
          { type: 'step_start', sessionID: 's', part: {} },
          { type: 'text', part: { text } },
          { type: 'tool_use', part: { tool: 'read', state: { status: 'completed', input: {}, output: text } } },
          ...openTool('edit', `oldString not found in content: ${text}`),
          ...openTool('bash', `Exit code 1\n${text}`),
          { type: 'step_finish', part: { reason: 'stop' } },
        ],
      };
  }
}
