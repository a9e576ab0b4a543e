import assert from 'node:assert/strict';
import { agentNames, type AgentName } from '../../src/contracts/vocabulary/workers';
import { classifyDenial } from '../../src/core/recovery/permission/classify';
import { agentWorkers } from '../../src/workers/registry';
import { claudeTool, geminiTool, openTool, signalsOf, type Written } from './sessions';

/** The five rows of the contract (seed 002): whose words they are, as its pattern has them and as a CLI puts them. */
const rows: readonly [AgentName, issue: string, words: readonly string[]][] = [
  [
    'gemini',
    'DIR_SCOPE_ERROR',
    [
      'Path must be within one of the workspace directories: /w or within the project temp directory: /t',
      'File path must be within one of the workspace directories: /w',
    ],
  ],
  [
    'gemini',
    'FS_PERM_ERROR',
    [
      'Permission denied',
      'Permission denied writing to file: /w/ro/new.txt (EACCES)',
      "EACCES: permission denied, open '/w/ro/new.txt'",
    ],
  ],
  ['codex', 'GIT_TRUST_ERROR', ['Not inside a trusted directory and --skip-git-repo-check was not specified.']],
  ['codex', 'GIT_CHECK_ERROR', ['Repository check failed']],
  ['claude', 'SANDBOX_ERROR', ['Access blocked', 'Access blocked: /o/f.txt is outside /w']],
];

/** Where a CLI prints its own errors: on stderr and in its structured output. `begun`: after an event. */
const channels: Readonly<Record<AgentName, Readonly<Record<string, (words: string) => Written>>>> = {
  gemini: {
    'a first line of stderr': (words) => ({ stderr: [words] }),
    'a coloured line of stderr': (words) => ({ stderr: [`\u001b[31m${words}\u001b[0m`] }),
    'a line of stderr after events': (words) => ({ stdout: [begun.gemini], stderr: [words] }),
    'an error on stderr': (words) => ({ stdout: [begun.gemini], stderr: [`Error: ${words}`] }),
    'the error of a file tool on stderr': (words) => ({
      stdout: [begun.gemini],
      stderr: [`Error executing tool write_file: ${words}`],
    }),
    'the error of a file tool': (words) => ({
      stdout: geminiTool('write_file', /permission denied/i.test(words) ? 'permission_denied' : scopeError, words),
    }),
    'the error of its result': (words) => ({ stdout: [begun.gemini, geminiEnd(words)] }),
    'an error event': (words) => ({ stdout: [begun.gemini, { type: 'error', severity: 'error', message: words }] }),
    'the error of its one document': (words) => ({ stdout: [{ session_id: 's', error: { message: words } }] }),
  },
  codex: {
    'a first line of stderr': (words) => ({ stderr: [words] }),
    'an error on stderr': (words) => ({ stderr: [`Error: ${words}`] }),
    'a coloured line of stderr': (words) => ({ stderr: [`\u001b[31mError: ${words}\u001b[0m`] }),
    'a line of stderr after events': (words) => ({ stdout: [begun.codex], stderr: [words] }),
    'an error on stderr after events': (words) => ({ stdout: [begun.codex], stderr: [`Error: ${words}`] }),
    'an error event': (words) => ({ stdout: [begun.codex, { type: 'error', message: words }] }),
    'an error item': (words) => ({
      stdout: [begun.codex, { type: 'item.completed', item: { type: 'error', message: words } }],
    }),
    'a failed turn': (words) => ({ stdout: [begun.codex, { type: 'turn.failed', error: { message: words } }] }),
  },
  claude: {
    'a first line of stderr': (words) => ({ stderr: [words] }),
    'an error on stderr': (words) => ({ stderr: [`Error: ${words}`] }),
    'a coloured line of stderr': (words) => ({ stderr: [`\u001b[31m${words}\u001b[0m`] }),
    'a line of stderr after events': (words) => ({ stdout: [begun.claude], stderr: [words] }),
    'the error of a file tool': (words) => ({
      stdout: [begun.claude, ...claudeTool('Read', { file_path: 'f' }, words)],
    }),
    'the error of a file tool in blocks': (words) => ({
      stdout: [begun.claude, ...claudeTool('Write', { file_path: 'f' }, [{ type: 'text', text: words }])],
    }),
    'its failed result': (words) => ({ stdout: [begun.claude, claudeEnd({ is_error: true, result: words })] }),
    'the errors of its failed result': (words) => ({
      stdout: [begun.claude, claudeEnd({ subtype: 'error_during_execution', is_error: true, errors: [words] })],
    }),
  },
  opencode: {
    'a line of stderr': (words) => ({ stderr: [words] }),
    'an error on stderr': (words) => ({ stderr: [`Error: ${words}`] }),
    'an error event': (words) => ({
      stdout: [{ type: 'error', error: { name: 'UnknownError', data: { message: words } } }],
    }),
    'the error of a tool': (words) => ({ stdout: openTool('read', words) }),
  },
};

const scopeError = 'invalid_tool_params';
const begun = {
  gemini: { type: 'init', session_id: 's' },
  codex: { type: 'thread.started', thread_id: 's' },
  claude: { type: 'system', subtype: 'init', session_id: 's' },
};
function geminiEnd(message: string): object {
  return { type: 'result', status: 'error', error: { type: 'unknown', message } };
}
function claudeEnd(fields: object): object {
  return { type: 'result', subtype: 'success', is_error: false, terminal_reason: 'completed', ...fields };
}

/** What a model says, a file holds or a command prints, where a CLI passes it on. */
const quoted: Readonly<Record<AgentName, Readonly<Record<string, (words: string) => Written>>>> = {
  gemini: {
    'a message': (words) => ({ stdout: [{ type: 'message', role: 'assistant', content: words, delta: true }] }),
    'the prompt': (words) => ({ stdout: [{ type: 'message', role: 'user', content: words }] }),
    'a file': (words) => ({ stdout: [{ type: 'tool_result', tool_id: 't', status: 'success', output: words }] }),
    'the output of a command': (words) => ({
      stdout: geminiTool('run_shell_command', 'shell_execute_error', words),
      stderr: [`Error executing tool run_shell_command: ${words}`],
    }),
    'more output of a command': (words) => ({
      stderr: ['Error executing tool run_shell_command: exit 1', words, `Error: ${words}`],
    }),
    'the error of a server': (words) => ({ stderr: [`Error executing tool mcp_x: ${words}`] }),
    'an edit that does not fit': (words) => ({
      stdout: geminiTool('replace', 'edit_no_occurrence_found', `Failed to edit. old_string was (${words})`),
      stderr: ['Error executing tool replace: Failed to edit. old_string was (', words, ')'],
    }),
    'an edit that holds such a line': (words) => ({
      stderr: ['Error executing tool replace: Failed to edit.', `Error executing tool write_file: ${words}`],
    }),
    'a line that a command wrote': (words) => ({
      stdout: [begun.gemini],
      stderr: [`cat: /x: ${words}`, `sh: 1: ${words}`],
    }),
    'an answer of the provider': (words) => ({
      stdout: [geminiEnd(`[API Error: ${words} (Status: PERMISSION_DENIED)]`)],
    }),
  },
  codex: {
    'a message': (words) => ({ stdout: [{ type: 'item.completed', item: { type: 'agent_message', text: words } }] }),
    'its thoughts': (words) => ({ stdout: [{ type: 'item.completed', item: { type: 'reasoning', text: words } }] }),
    'the output of a command': (words) => ({ stdout: [command({ aggregated_output: words, exit_code: 0 })] }),
    'the output of a command that failed': (words) => ({
      stdout: [command({ aggregated_output: words, exit_code: 1, status: 'failed' })],
    }),
    'a command line': (words) => ({ stdout: [command({ command: `echo '${words}'`, exit_code: 0 })] }),
    'the error of a server': (words) => ({
      stdout: [
        { type: 'item.completed', item: { type: 'mcp_tool_call', status: 'failed', error: { message: words } } },
      ],
    }),
    'a line of its log': (words) => ({
      stdout: [begun.codex],
      stderr: [`2026-01-01T00:00:00.000Z ERROR codex_core::exec: output: ${words}`, `cat: /x: ${words}`],
    }),
    'more lines of its log': (words) => ({
      stdout: [begun.codex],
      stderr: [
        '2026-01-01T00:00:00.000Z ERROR codex_core::tools: patch rejected: *** Begin Patch',
        words,
        `Error: ${words}`,
      ],
    }),
    'an error that quotes': (words) => ({
      stdout: [{ type: 'turn.failed', error: { message: `invalid: "${words}"` } }],
    }),
  },
  claude: {
    'a message': (words) => ({
      stdout: [{ type: 'assistant', message: { content: [{ type: 'text', text: words }] } }],
    }),
    'a file': (words) => ({ stdout: claudeTool('Read', { file_path: 'f' }, words, false) }),
    'the output of a command': (words) => ({ stdout: claudeTool('Bash', { command: 'cat f' }, words, false) }),
    'the output of a command that failed': (words) => ({ stdout: claudeTool('Bash', { command: 'cat f' }, words) }),
    'the error of a server': (words) => ({ stdout: claudeTool('mcp__x__y', {}, words) }),
    'an edit that does not fit': (words) => ({
      stdout: claudeTool(
        'Edit',
        { file_path: 'f' },
        `String to replace not found in file.\nString: ${words}\n${words}`,
      ),
    }),
    'its result': (words) => ({ stdout: [claudeEnd({ result: words })] }),
    'a line that a command wrote': (words) => ({
      stdout: [begun.claude],
      stderr: [`hook: ${words}`, `cat: /x: ${words}`],
    }),
    'an answer of the provider': (words) => ({
      stdout: [claudeEnd({ is_error: true, terminal_reason: 'api_error', result: `API Error: 403 ${words}` })],
    }),
  },
  opencode: {
    'a message': (words) => ({ stdout: [{ type: 'text', part: { text: words } }] }),
    'the output of a command that failed': (words) => ({ stdout: openTool('bash', words) }),
  },
};

function command(fields: object): object {
  return { type: 'item.completed', item: { type: 'command_execution', command: 'x', status: 'completed', ...fields } };
}

function issues(agent: AgentName, written: Written): readonly string[] {
  const { signals } = signalsOf(agent, written);
  return [...new Set(signals.flatMap((signal) => classifyDenial(agent, null, signal)?.issue ?? []))];
}

for (const agent of agentNames)
  describe(`the rows of the contract in what ${agent} writes`, () => {
    for (const [owner, issue, all] of rows) {
      // Node's words are in a row of each CLI that is written for it.
      const texts = owner === agent ? all : all.filter((words) => !words.startsWith('EACCES'));
      for (const [channel, write] of Object.entries(channels[agent]))
        it(`${issue} of ${owner}: ${owner === agent ? 'found' : 'none'} in ${channel}`, () => {
          for (const words of texts)
            assert.deepEqual(issues(agent, write(words)), owner === agent ? [issue] : [], words);
        });
      for (const [place, write] of Object.entries(quoted[agent]))
        it(`${issue} of ${owner}: none in ${place}`, () => {
          for (const words of texts) assert.deepEqual(issues(agent, write(words)), [], words);
        });
    }
  });

describe('a row of the contract on stderr of Gemini CLI', () => {
  it('names the tool and the path', () => {
    const parser = agentWorkers.gemini.createParser();
    const [denial] = parser.push(
      'stderr',
      'Error executing tool write_file: Permission denied writing to file: /w/a b (EACCES)\n',
    );
    assert.deepEqual(denial?.kind === 'denial' && [denial.tool, denial.path, denial.source], [
      'write_file',
      '/w/a b',
      'stderr',
    ]);
  });
});
