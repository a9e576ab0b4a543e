import assert from 'node:assert/strict';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import type { AgentName } from '../../src/contracts/vocabulary/workers';
import { classifyDenial } from '../../src/core/recovery/permission/classify';
import { claudeTool, geminiTool, harmless, openTool, readable, signalsOf, type Written } from './sessions';

/** `<issue> <path>` of everything that permission recovery would see. */
function matches(agent: AgentName, written: Written): readonly string[] {
  const { signals } = signalsOf(agent, written);
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

const apiError = (result: string): Written => ({
  stdout: [{ type: 'result', subtype: 'success', is_error: true, terminal_reason: 'api_error', result }],
});

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
  ['claude', apiError('API Error: Request rejected (429) · slow down please'), 'RATE_LIMITED -'],
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
  ['claude', apiError('Not logged in · Please run /login'), 'LOGIN_REQUIRED -'],
  [
    'claude',
    {
      stdout: [
        {
          type: 'result',
          subtype: 'error_during_execution',
          is_error: true,
          errors: ['Sandbox required but unavailable: bubblewrap (bwrap) not installed'],
        },
      ],
    },
    'SANDBOX_MISSING -',
  ],
  [
    'claude',
    { stderr: ['Error: sandbox required but unavailable: bubblewrap (bwrap) not installed'] },
    'SANDBOX_MISSING -',
  ],
  [
    'codex',
    { stdout: [{ type: 'turn.failed', error: { message: 'Missing environment variable: `CODEX_API_KEY`.' } }] },
    'LOGIN_REQUIRED -',
  ],
  [
    'codex',
    { stdout: [{ type: 'turn.failed', error: { message: 'unexpected status 401 Unauthorized: no, url: u' } }] },
    'LOGIN_REQUIRED -',
  ],
  [
    'codex',
    {
      stdout: [
        { type: 'item.completed', item: { type: 'command_execution', command: 'rm f', status: 'declined' } },
        { type: 'item.completed', item: { type: 'file_change', status: 'declined', changes: [{ path: '/o/f' }] } },
      ],
    },
    'TOOL_DENIED -, TOOL_DENIED /o/f',
  ],
  [
    'codex',
    {
      stdout: [
        {
          type: 'item.completed',
          item: {
            type: 'mcp_tool_call',
            status: 'failed',
            tool: 't',
            error: { message: 'MCP tool call requires approval, but approval policy is never' },
          },
        },
      ],
    },
    'TOOL_DENIED -',
  ],
  [
    'claude',
    {
      stdout: [
        {
          type: 'system',
          subtype: 'permission_denied',
          tool_name: 'Bash',
          decision_reason_type: 'mode',
          decision_reason: 'Permission to use Bash has been denied because of the mode',
        },
      ],
    },
    'TOOL_DENIED -',
  ],
  [
    'claude',
    {
      stdout: [
        {
          type: 'result',
          subtype: 'success',
          is_error: false,
          result: '',
          permission_denials: [{ tool_name: 'Read', tool_use_id: 't9', tool_input: { file_path: '/o/x' } }],
        },
      ],
    },
    'TOOL_DENIED /o/x',
  ],
  [
    'gemini',
    { stdout: geminiTool('run_shell_command', 'tool_not_registered', 'Tool "run_shell_command" not found.') },
    'TOOL_DENIED f.txt',
  ],
  [
    'gemini',
    { stderr: ['When using Gemini API, you must specify the GEMINI_API_KEY environment variable.'] },
    'LOGIN_REQUIRED -',
  ],
  ['gemini', { stderr: ['Invalid auth method selected.'] }, 'LOGIN_REQUIRED -'],
  [
    'gemini',
    { stderr: ['GEMINI_SANDBOX is true but failed to determine command for sandbox; install docker or podman'] },
    'SANDBOX_MISSING -',
  ],
  [
    'gemini',
    {
      stdout: [
        { type: 'result', status: 'error', error: { message: '[API Error: {"error":{"code":529,"message":"no"}}]' } },
      ],
    },
    'RATE_LIMITED -',
  ],
  ['opencode', { stdout: openTool('bash', 'Model tried to call unavailable tool bash') }, 'TOOL_DENIED /w/a'],
  [
    'opencode',
    { stdout: openTool('edit', 'The user rejected permission to use this specific tool call.') },
    'TOOL_DENIED /w/a',
  ],
  ['opencode', { stdout: openTool('read', 'PermissionDenied: FileSystem.open (/w/c)') }, 'FS_PERM_ERROR /w/c'],
  ...([401, 429, 503, 529] as const).map((statusCode): [AgentName, Written, string] => [
    'opencode',
    {
      stdout: [{ type: 'error', error: { name: 'APIError', data: { message: 'slow down please', statusCode } } }],
    },
    statusCode === 401 ? 'LOGIN_REQUIRED -' : 'RATE_LIMITED -',
  ]),
];

const every = process.env['MISSION_TESTS_TIER'] === 'quick' ? 4 : 1;

for (const agent of agentNames) {
  describe(`denials of ${agent}`, () => {
    for (const [, written, expected] of told.filter(([name]) => name === agent))
      it(`${expected} is found in ${JSON.stringify(written.stdout?.at(-1) ?? written.stderr).slice(0, 90)}`, () => {
        assert.deepEqual(matches(agent, written), expected.split(', '));
      });

    it('do not count in what an agent reads, prints, says or quotes', () => {
      const said = told.flatMap(([, { stdout = [], stderr = [] }]) => [JSON.stringify(stdout), stderr.join('\n')]);
      const texts = [...readable(), ...said];
      assert.ok(texts.length > 200, 'the documents speak of denials');
      for (const text of texts.filter((_, index) => index % every === 0))
        assert.deepEqual(matches(agent, harmless(agent, text)), [], text.slice(0, 200));
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
    [
      'opencode',
      {
        stderr: [
          'timestamp=2026-01-01T00:00:00.000Z level=ERROR run=d4f4e513 message="stream error" providerID=mock modelID=m session.id=ses_1 small=false agent=a mode=primary error.error="AI_APICallError: slow down please"',
        ],
      },
      null,
      'AI_APICallError: slow down please',
    ],
  ];
  for (const [agent, written, seconds, reason] of waits)
    it(`${agent} says so`, () => {
      assert.deepEqual(signalsOf(agent, written).signals, [{ kind: 'waiting', seconds, reason }]);
    });
});
