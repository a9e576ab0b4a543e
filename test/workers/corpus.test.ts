import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import type { AgentName } from '../../src/contracts/vocabulary/workers';
import { classifyDenial } from '../../src/core/recovery/permission/classify';
import { agentWorkers } from '../../src/workers/registry';

interface Written {
  readonly stdout?: readonly object[];
  readonly stderr?: readonly string[];
}

/** `<issue> <path>` of everything that permission recovery would see. */
function matches(agent: AgentName, { stdout = [], stderr = [] }: Written): readonly string[] {
  const parser = agentWorkers[agent].createParser();
  const signals = [
    ...stdout.flatMap((event) => parser.push('stdout', `${JSON.stringify(event)}\n`)),
    ...stderr.flatMap((line) => parser.push('stderr', `${line}\n`)),
    ...parser.end(),
  ];
  const found = signals.map((signal) => classifyDenial(agent, null, signal)).filter((match) => match !== null);
  return [...new Set(found.map(({ issue, path: named }) => `${issue} ${named ?? '-'}`))];
}

const rule =
  'The user has specified a rule which prevents you from using this specific tool call. Here are some of the relevant rules';
const erofs = "EROFS: read-only file system, open '/w/a.txt.tmp.2.5b7bc64faf21'";
const untrusted = 'Not inside a trusted directory and --skip-git-repo-check was not specified.';
const folder =
  'Gemini CLI is not running in a trusted directory. To proceed, either use `--skip-trust`, set the `GEMINI_CLI_TRUST_WORKSPACE=true` environment variable, or trust this directory in interactive mode.';
const attempted =
  'Path not in workspace: Attempted path "/o/f.txt" resolves outside the allowed workspace directories: /w';
const violation = (reason: string, at: string): string =>
  `2026-01-01T00:00:00.000Z  WARN codex_sandboxing::violation: recorded sandbox violation: resource=filesystem backend=linux_sandbox reason=${reason} path=${at}`;

const claudeTool = (name: string, input: object, content: unknown, failed = true): readonly object[] => [
  { type: 'assistant', message: { content: [{ type: 'tool_use', id: 't1', name, input }] } },
  { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', is_error: failed, content }] } },
];
const geminiTool = (name: string, type: string, message: string): readonly object[] => [
  { type: 'tool_use', tool_name: name, tool_id: 't1', parameters: { file_path: 'f.txt' } },
  { type: 'tool_result', tool_id: 't1', status: 'error', error: { type, message } },
];
const openTool = (tool: string, error: string): readonly object[] => [
  { type: 'tool_use', part: { tool, state: { status: 'error', input: { filePath: '/w/a' }, error } } },
];

/** What the CLIs really said when they were held back, and what recovery makes of it. */
const told: readonly [AgentName, Written, string][] = [
  ['claude', { stdout: claudeTool('Write', { file_path: '/w/a.txt' }, erofs) }, 'SANDBOX_ERROR /w/a.txt'],
  [
    'claude',
    { stdout: claudeTool('Write', {}, "EROFS: read-only file system, mkdir '/w/other'") },
    'SANDBOX_ERROR /w/other',
  ],
  [
    'claude',
    { stdout: claudeTool('Edit', {}, "EBUSY: resource busy or locked, rename '/w/b.txt.tmp.2.ab12' -> '/w/b.txt'") },
    'SANDBOX_ERROR /w/b.txt',
  ],
  [
    'claude',
    { stdout: claudeTool('Read', {}, [{ type: 'text', text: "EACCES: permission denied, open '/w/c'" }]) },
    'FS_PERM_ERROR /w/c',
  ],
  [
    'gemini',
    {
      stdout: geminiTool(
        'write_file',
        'file_write_failure',
        "Error writing to file '/w/a': EROFS: read-only file system, open '/w/a' (EROFS)",
      ),
    },
    'SANDBOX_ERROR /w/a',
  ],
  [
    'gemini',
    {
      stdout: geminiTool(
        'write_file',
        'file_write_failure',
        "Error writing to file '/w/n/d': ENOENT: no such file or directory, mkdir '/w/n' (ENOENT)",
      ),
    },
    'SANDBOX_ERROR /w/n',
  ],
  ['gemini', { stdout: geminiTool('read_file', 'invalid_tool_params', attempted) }, 'DIR_SCOPE_ERROR /o/f.txt'],
  [
    'gemini',
    {
      stdout: geminiTool(
        'read_file',
        'read_content_failure',
        "Error reading file x: EACCES: permission denied, open '/w/x'",
      ),
    },
    'FS_PERM_ERROR /w/x',
  ],
  [
    'gemini',
    { stdout: geminiTool('web_fetch', 'policy_violation', 'Tool execution denied by policy.') },
    'TOOL_DENIED f.txt',
  ],
  ['gemini', { stderr: [`\u001b[31m${folder}\u001b[0m`] }, 'FOLDER_TRUST_ERROR -'],
  ['codex', { stderr: [untrusted] }, 'GIT_TRUST_ERROR -'],
  ['codex', { stderr: ['Repository check failed'] }, 'GIT_CHECK_ERROR -'],
  ['codex', { stderr: [violation('read_only_file_system', '/o/a b.txt')] }, 'SANDBOX_ERROR /o/a b.txt'],
  ['codex', { stderr: [violation('read_only_file_system', 'unknown')] }, 'SANDBOX_ERROR -'],
  [
    'codex',
    { stderr: [violation('operation_not_permitted', '/dev/tcp/127.0.0.1/9')] },
    'TOOL_DENIED /dev/tcp/127.0.0.1/9',
  ],
  ['opencode', { stdout: openTool('write', 'Unknown: FileSystem.writeFile (/w/no.txt)') }, 'SANDBOX_ERROR /w/no.txt'],
  ['opencode', { stdout: openTool('write', 'Unknown: FileSystem.makeDirectory (/w/n)') }, 'SANDBOX_ERROR /w/n'],
  [
    'opencode',
    { stdout: openTool('read', `${rule} [{"permission":"*"},{"permission":"external_directory"}]`) },
    'DIR_SCOPE_ERROR /w/a',
  ],
  ['opencode', { stdout: openTool('edit', `${rule} [{"permission":"edit"}]`) }, 'TOOL_DENIED /w/a'],
  [
    'claude',
    {
      stdout: [
        {
          type: 'result',
          subtype: 'success',
          is_error: true,
          terminal_reason: 'api_error',
          result: 'API Error: Request rejected (429) · slow down please',
        },
      ],
    },
    'RATE_LIMITED -',
  ],
  [
    'codex',
    {
      stdout: [
        {
          type: 'turn.failed',
          error: { message: 'exceeded retry limit, last status: 429 Too Many Requests, request id: r' },
        },
      ],
    },
    'RATE_LIMITED -',
  ],
  [
    'gemini',
    {
      stdout: [
        {
          type: 'result',
          status: 'error',
          error: { message: '[API Error: slow down]\nPlease wait and try again later. To increase your limits' },
        },
      ],
    },
    'RATE_LIMITED -',
  ],
];

/** Every text that a trigger knows, and the documents that speak of them. */
function readable(): readonly string[] {
  const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/messages.md'];
  const sources = [
    'src/core/recovery/permission',
    'src/workers/shared',
    ...agentNames.map((name) => `src/workers/${name}`),
  ];
  const files = sources.flatMap((one) => readdirSync(one).map((name) => path.join(one, name)));
  return [
    ...[...documents, ...files, 'test/workers/corpus.test.ts'].map((file) => readFileSync(file, 'utf8')),
    ...[erofs, untrusted, folder, attempted, rule, violation('read_only_file_system', '/o'), 'Repository check failed'],
    ...[
      'Path must be within one of the workspace directories',
      'Permission denied',
      'Access blocked',
      '429 rate limit',
    ],
    ...told.flatMap(([, { stdout = [], stderr = [] }]) => [JSON.stringify(stdout), stderr.join('\n')]),
  ];
}

/** An agent of each CLI reads `text`, prints it, fails at it and speaks of it. */
function harmless(agent: AgentName, text: string): Written {
  switch (agent) {
    case 'claude':
      return {
        stdout: [
          { type: 'assistant', message: { content: [{ type: 'text', text }] } },
          ...claudeTool('Read', { file_path: '/w/f' }, text, false),
          ...claudeTool('Bash', { command: 'cat f' }, text, false),
          ...claudeTool('Bash', { command: 'npm test' }, `Exit code 1\n${text}`),
          ...claudeTool('Bash', { command: 'cat f; false' }, text),
          ...claudeTool('Edit', { file_path: '/w/f' }, `String to replace not found in file.\nString: ${text}`),
          { type: 'result', subtype: 'success', is_error: false, result: text },
        ],
      };
    case 'codex': {
      const command = { type: 'command_execution', command: text, aggregated_output: text };
      return {
        stdout: [
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
        stderr: `Error executing tool replace: ${edit}`.split('\n'),
      };
    }
    case 'opencode':
      return {
        stdout: [
          { type: 'text', part: { text } },
          { type: 'tool_use', part: { tool: 'read', state: { status: 'completed', input: {}, output: text } } },
          ...openTool('edit', `oldString not found in content: ${text}`),
          ...openTool('bash', text === rule ? `said: ${text}` : text),
          { type: 'step_finish', part: { reason: 'stop' } },
        ],
      };
  }
}

for (const agent of agentNames) {
  describe(`denials of ${agent}`, () => {
    for (const [, written, expected] of told.filter(([name]) => name === agent))
      it(`${expected} is told of ${JSON.stringify(written.stdout?.at(-1) ?? written.stderr).slice(0, 90)}`, () => {
        assert.deepEqual(matches(agent, written), [expected]);
      });

    it('are none in what an agent reads, prints, says or quotes', () => {
      for (const text of readable()) assert.deepEqual(matches(agent, harmless(agent, text)), [], text.slice(0, 200));
    });
  });
}

describe('a CLI that waits for its provider', () => {
  const waits: readonly [AgentName, Written, number | null, string][] = [
    [
      'claude',
      {
        stdout: [
          { type: 'system', subtype: 'api_retry', retry_delay_ms: 1248, error_status: 429, error: 'rate_limit' },
        ],
      },
      1.248,
      'rate_limit (429)',
    ],
    [
      'codex',
      { stdout: [{ type: 'error', message: 'Reconnecting... 1/5 (last status: 429)' }] },
      null,
      '1/5 (last status: 429)',
    ],
    [
      'gemini',
      { stderr: ['Attempt 1 failed with status 429. Retrying with backoff... _ApiError: {}'] },
      null,
      'Attempt 1 failed with status 429.',
    ],
  ];
  for (const [agent, { stdout = [], stderr = [] }, seconds, reason] of waits)
    it(`${agent} says so`, () => {
      const parser = agentWorkers[agent].createParser();
      const signals = [
        ...stdout.flatMap((event) => parser.push('stdout', `${JSON.stringify(event)}\n`)),
        ...stderr.flatMap((line) => parser.push('stderr', `${line}\n`)),
      ];
      assert.deepEqual(signals, [{ kind: 'waiting', seconds, reason }]);
    });
});
