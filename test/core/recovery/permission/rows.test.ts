import assert from 'node:assert/strict';
import type { WorkerSignal } from '../../../../src/contracts/launch';
import type { AgentName } from '../../../../src/contracts/vocabulary/workers';
import { classifyDenial, triggers } from '../../../../src/core/recovery/permission/classify';
import { agentWorkers } from '../../../../src/workers/registry';

type Channel = 'event' | 'stderr' | 'error';

/** For each row words that no row before it knows, and a part of its pattern that no other row of that CLI has. */
const samples: readonly [AgentName, Channel, words: string, row: string, outcome: string][] = [
  ['claude', 'event', "EROFS: read-only file system, open '/w/a'", 'EROFS', 'SANDBOX_ERROR RELAUNCH_WITH_ADD_DIR'],
  ['claude', 'event', "EACCES: permission denied, open '/w/a'", 'EACCES', 'FS_PERM_ERROR CHMOD_AND_RELAUNCH'],
  [
    'claude',
    'event',
    "cat in '/o/a b' was blocked. For security, Claude Code may only read below /w",
    'was blocked',
    'SANDBOX_ERROR RELAUNCH_WITH_ADD_DIR',
  ],
  ['claude', 'event', 'workingDir: it lies elsewhere', '^workingDir', 'SANDBOX_ERROR RELAUNCH_WITH_ADD_DIR'],
  ['claude', 'event', 'safetyCheck: no', 'safetyCheck', 'TOOL_DENIED ESCALATE'],
  ['claude', 'event', 'This command requires approval', 'requires approval', 'TOOL_DENIED ESCALATE'],
  ['claude', 'event', 'Permission denied.', 'Permission denied', 'TOOL_DENIED ESCALATE'],
  ['claude', 'stderr', 'Access blocked', 'Access blocked', 'SANDBOX_ERROR RELAUNCH_WITH_ADD_DIR'],
  ['claude', 'error', 'success: Not logged in · Please run /login', 'Not logged in', 'LOGIN_REQUIRED ESCALATE'],
  ['claude', 'error', 'api_error: API Error: 401 no', 'Not logged in', 'LOGIN_REQUIRED ESCALATE'],
  [
    'claude',
    'error',
    'Error: sandbox required but unavailable: bubblewrap (bwrap) not installed',
    'sandbox required',
    'SANDBOX_MISSING ESCALATE',
  ],
  ['claude', 'error', 'api_error: API Error: 529 overloaded', 'limit reached', 'RATE_LIMITED BLOCK'],

  [
    'codex',
    'stderr',
    'Sandbox violation: resource=filesystem backend=linux_sandbox reason=read_only_file_system',
    'read_only_file_system',
    'SANDBOX_ERROR RELAUNCH_WITH_ADD_DIR',
  ],
  [
    'codex',
    'stderr',
    'Sandbox violation: resource=filesystem backend=linux_sandbox reason=permission_denied',
    'reason=permission_denied',
    'FS_PERM_ERROR CHMOD_AND_RELAUNCH',
  ],
  ['codex', 'stderr', 'Sandbox violation: resource=network', 'violation: resource=', 'TOOL_DENIED ESCALATE'],
  ['codex', 'event', 'Command declined: rm', 'declined', 'TOOL_DENIED ESCALATE'],
  ['codex', 'event', 'MCP tool call requires approval', 'declined', 'TOOL_DENIED ESCALATE'],
  [
    'codex',
    'stderr',
    'Not inside a trusted directory and --skip-git-repo-check was not specified.',
    'Not inside',
    'GIT_TRUST_ERROR RELAUNCH_WITH_SKIP_GIT_CHECK',
  ],
  ['codex', 'stderr', 'Repository check failed', 'Repository', 'GIT_CHECK_ERROR RELAUNCH_WITH_SKIP_GIT_CHECK'],
  ['codex', 'error', 'unexpected status 401 Unauthorized: no', 'refresh token', 'LOGIN_REQUIRED ESCALATE'],
  ['codex', 'error', 'error building bubblewrap command', 'bubblewrap', 'SANDBOX_MISSING ESCALATE'],
  ['codex', 'error', 'last status: 429 Too Many Requests', 'high demand', 'RATE_LIMITED BLOCK'],

  [
    'gemini',
    'event',
    "file_write_failure: ENOENT: no such file or directory, mkdir '/w/n'",
    'EROFS',
    'SANDBOX_ERROR RELAUNCH_WITH_INCLUDE_DIRECTORIES',
  ],
  ['gemini', 'event', "EPERM: operation not permitted, open '/w/a'", 'EACCES', 'FS_PERM_ERROR CHMOD_AND_RELAUNCH'],
  [
    'gemini',
    'event',
    'Path not in workspace: Attempted path "/o/f" resolves outside',
    'Attempted path',
    'DIR_SCOPE_ERROR RELAUNCH_WITH_INCLUDE_DIRECTORIES',
  ],
  [
    'gemini',
    'event',
    'path must be within the root directory',
    'root directory',
    'DIR_SCOPE_ERROR RELAUNCH_WITH_INCLUDE_DIRECTORIES',
  ],
  [
    'gemini',
    'stderr',
    'Gemini CLI is not running in a trusted directory.',
    'not running',
    'FOLDER_TRUST_ERROR RELAUNCH_WITH_SKIP_TRUST',
  ],
  ['gemini', 'event', 'policy_violation: denied', 'policy_violation', 'TOOL_DENIED ESCALATE'],
  [
    'gemini',
    'event',
    'Path must be within one of the workspace directories: /w',
    'Path must be within',
    'DIR_SCOPE_ERROR RELAUNCH_WITH_INCLUDE_DIRECTORIES',
  ],
  ['gemini', 'stderr', 'Permission denied', 'Permission denied', 'FS_PERM_ERROR CHMOD_AND_RELAUNCH'],
  ['gemini', 'error', 'Please set an Auth method in your settings', 'Auth method', 'LOGIN_REQUIRED ESCALATE'],
  [
    'gemini',
    'error',
    'When using Gemini API, you must specify the GEMINI_API_KEY environment variable.',
    'Auth method',
    'LOGIN_REQUIRED ESCALATE',
  ],
  ['gemini', 'error', 'FatalSandboxError: its image is missing', 'GEMINI_SANDBOX', 'SANDBOX_MISSING ESCALATE'],
  ['gemini', 'error', 'GEMINI_SANDBOX is true but failed', 'GEMINI_SANDBOX', 'SANDBOX_MISSING ESCALATE'],
  ['gemini', 'error', '[API Error: {"error":{"code":429}}]', 'RESOURCE_EXHAUSTED', 'RATE_LIMITED BLOCK'],

  ['opencode', 'event', 'external_directory: denied', 'external', 'DIR_SCOPE_ERROR RELAUNCH_WITH_ADD_DIR'],
  [
    'opencode',
    'event',
    'PermissionDenied: FileSystem.open (/w/a)',
    'PermissionDenied',
    'FS_PERM_ERROR CHMOD_AND_RELAUNCH',
  ],
  ['opencode', 'event', 'Unknown: FileSystem.open (/w/a)', 'Unknown', 'SANDBOX_ERROR RELAUNCH_WITH_ADD_DIR'],
  ['opencode', 'event', 'A rule of the launch line denies it.', 'launch line', 'TOOL_DENIED ESCALATE'],
  ['opencode', 'error', 'HTTP 401: no', '401', 'LOGIN_REQUIRED ESCALATE'],
  ['opencode', 'error', 'HTTP 529: no', '429', 'RATE_LIMITED BLOCK'],
  ['opencode', 'error', 'HTTP 503: no', '503', 'RATE_LIMITED BLOCK'],
  ['codex', 'error', 'We’re currently experiencing high demand, which may', 'high demand', 'RATE_LIMITED BLOCK'],
];

function signalOf(channel: Channel, words: string): WorkerSignal {
  return channel === 'error'
    ? { kind: 'final', ok: false, reason: words, text: null, structured: null }
    : { kind: 'denial', tool: null, path: null, reason: words, source: channel };
}

describe('each row of the trigger table', () => {
  for (const [agent, channel, words, row, outcome] of samples)
    it(`${agent} ${row} knows its words`, () => {
      // From before the newest of the bounds, so that every row counts.
      const found = classifyDenial(agent, null, signalOf(channel, words));
      assert.equal(`${found?.issue} ${found?.action}`, outcome);
      assert.ok(found?.pattern?.includes(row), found?.pattern ?? 'no row');
    });

  it('has words that show when it is gone', () => {
    const reached = new Set(
      samples.map(([agent, channel, words]) => {
        const found = classifyDenial(agent, null, signalOf(channel, words));
        return `${agent} ${found?.pattern ?? 'none'} ${found?.issue ?? ''}`;
      }),
    );
    const rows = triggers.map(({ agent, pattern, issue }) => `${agent} ${pattern.source} ${issue}`);
    assert.deepEqual(
      rows.filter((row) => !reached.has(row)),
      [],
    );
  });

  it('counts for the versions that say it, and for no other', () => {
    for (const { agent, from, before, pattern } of triggers) {
      const sample = samples.find(([name, channel, words]) => {
        return name === agent && classifyDenial(agent, null, signalOf(channel, words))?.pattern === pattern.source;
      });
      const [, channel = 'event', words = ''] = sample ?? [];
      const at = (version: string): string | null | undefined =>
        classifyDenial(agent, version, signalOf(channel, words))?.pattern;
      assert.equal(at('0.0.1') === pattern.source, from === undefined, `${pattern.source} before ${from}`);
      assert.equal(at('999.0.0') === pattern.source, before === undefined, `${pattern.source} from ${before} on`);
      if (from !== undefined) assert.equal(at(from), pattern.source);
      if (before !== undefined) assert.notEqual(at(before), pattern.source);
    }
  });
});

describe('a provider that does not answer', () => {
  const said: readonly [AgentName, string][] = [
    ['claude', 'api_error: API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)'],
    ['claude', 'api_error: API Error: 500 no. This is a server-side issue, usually temporary'],
    ['codex', 'unexpected status 502 Bad Gateway: no, url: u'],
    ['codex', 'stream disconnected before completion: error sending request for url (u)'],
    ['gemini', '[API Error: exception TypeError: fetch failed sending request]'],
    ['gemini', '[API Error: {"error":{"code":500,"message":"no"}}]'],
    ['opencode', 'HTTP 500: no'],
    ['opencode', 'Cannot connect to API: Unable to connect. Is the computer able to access the url?'],
  ];
  for (const [agent, words] of said)
    it(`is known by what ${agent} says: ${words.slice(0, 60)}`, () => {
      assert.match(words, agentWorkers[agent].words.noAnswer);
      assert.equal(classifyDenial(agent, null, signalOf('error', words)), null);
    });
});

describe('hostile words', () => {
  const size = 1_000_000;
  const beginnings = samples.map(([, , words]) => words);
  const fillers = ['a', ' ', '\u0000', '\u001b[31m', "'", '"', '(', '\n', '\ud800', '../', 'API Error: ', 'E'];
  const hostile = [
    ...fillers.map((filler) => filler.repeat(size / filler.length)),
    ...beginnings.map((words) => words.repeat(Math.ceil(size / words.length))),
    ...beginnings.map((words) => `${words.slice(0, -1)}${'x'.repeat(size)}`),
    ...['Path must be within', 'Sandbox violation: resource=filesystem ', "in '"].map((words) => words.repeat(50_000)),
  ];

  for (const { agent, channels, pattern } of triggers)
    it(`of a million characters are judged at once by ${agent} ${pattern.source}`, () => {
      for (const words of hostile)
        for (const channel of channels) {
          const found = classifyDenial(agent, null, signalOf(channel, words));
          assert.ok((found?.detected.length ?? 0) <= 4_096, 'what is recorded stays small');
        }
    });

  it('that no row knows are for a person, whatever they are', () => {
    for (const agent of ['claude', 'codex', 'gemini', 'opencode'] as const)
      for (const words of ['', ' ', '\u0000\u001b[2J', 'Zugriff verweigert', '\u202eDenied', '.*', '__proto__']) {
        const found = classifyDenial(agent, null, signalOf('event', words));
        assert.deepEqual([found?.issue, found?.action, found?.pattern], ['UNKNOWN_PERMISSION_ERROR', 'ESCALATE', null]);
      }
  });
});
