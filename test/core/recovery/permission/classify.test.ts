import assert from 'node:assert/strict';
import type { WorkerSignal } from '../../../../src/contracts/launch';
import type { AgentName } from '../../../../src/contracts/vocabulary/workers';
import { classifyDenial, triggers } from '../../../../src/core/recovery/permission/classify';

const denial = (reason: string, source: 'event' | 'stderr' = 'event', path: string | null = null): WorkerSignal => ({
  kind: 'denial',
  tool: null,
  path,
  reason,
  source,
});
const failed = (reason: string): WorkerSignal => ({ kind: 'final', ok: false, reason, text: null, structured: null });

describe('permission triggers', () => {
  it('hold the five rows of the contract as they stand there', () => {
    assert.deepEqual(
      triggers.filter(({ seed }) => seed).map(({ agent, pattern, issue }) => [agent, pattern.source, issue]),
      [
        ['claude', 'Access blocked', 'SANDBOX_ERROR'],
        ['codex', 'Not inside a trusted directory', 'GIT_TRUST_ERROR'],
        ['codex', 'Repository check failed', 'GIT_CHECK_ERROR'],
        ['gemini', 'Path must be within.*workspace directories', 'DIR_SCOPE_ERROR'],
        ['gemini', 'Permission denied', 'FS_PERM_ERROR'],
      ],
    );
  });

  const told: readonly [AgentName, WorkerSignal, issue: string, action: string, path: string | null][] = [
    [
      'gemini',
      denial('File path must be within one of the workspace directories: /w'),
      'DIR_SCOPE_ERROR',
      'RELAUNCH_WITH_INCLUDE_DIRECTORIES',
      null,
    ],
    [
      'gemini',
      denial('invalid_tool_params: Path not in workspace: Attempted path "/o/x y" resolves outside'),
      'DIR_SCOPE_ERROR',
      'RELAUNCH_WITH_INCLUDE_DIRECTORIES',
      '/o/x y',
    ],
    [
      'gemini',
      denial('permission_denied: Permission denied writing to file: /w/ro (EACCES)', 'event', '/w/ro'),
      'FS_PERM_ERROR',
      'CHMOD_AND_RELAUNCH',
      '/w/ro',
    ],
    [
      'gemini',
      denial(
        "file_write_failure: Error writing to file '/w/a': EROFS: read-only file system, open '/w/a'",
        'event',
        '/w/a',
      ),
      'SANDBOX_ERROR',
      'RELAUNCH_WITH_INCLUDE_DIRECTORIES',
      '/w/a',
    ],
    [
      'gemini',
      denial("file_write_failure: Error writing to file '/w/n/a': ENOENT: no such file or directory, mkdir '/w/n'"),
      'SANDBOX_ERROR',
      'RELAUNCH_WITH_INCLUDE_DIRECTORIES',
      null,
    ],
    [
      'gemini',
      denial('Gemini CLI is not running in a trusted directory. To proceed', 'stderr'),
      'FOLDER_TRUST_ERROR',
      'RELAUNCH_WITH_SKIP_TRUST',
      null,
    ],
    ['gemini', denial('policy_violation: Tool execution denied by policy.'), 'TOOL_DENIED', 'ESCALATE', null],
    [
      'codex',
      denial('Not inside a trusted directory and --skip-git-repo-check was not specified.', 'stderr'),
      'GIT_TRUST_ERROR',
      'RELAUNCH_WITH_SKIP_GIT_CHECK',
      null,
    ],
    ['codex', denial('Repository check failed', 'stderr'), 'GIT_CHECK_ERROR', 'RELAUNCH_WITH_SKIP_GIT_CHECK', null],
    [
      'codex',
      denial(
        'Sandbox violation: resource=filesystem backend=linux_sandbox reason=read_only_file_system',
        'stderr',
        '/o',
      ),
      'SANDBOX_ERROR',
      'RELAUNCH_WITH_ADD_DIR',
      '/o',
    ],
    ['codex', denial('Sandbox violation: resource=network', 'stderr'), 'TOOL_DENIED', 'ESCALATE', null],
    ['claude', denial('Access blocked'), 'SANDBOX_ERROR', 'RELAUNCH_WITH_ADD_DIR', null],
    [
      'claude',
      denial('workingDir: Path is outside allowed working directories. Claude requested permissions', 'event', '/o'),
      'SANDBOX_ERROR',
      'RELAUNCH_WITH_ADD_DIR',
      '/o',
    ],
    [
      'claude',
      denial("EBUSY: resource busy or locked, rename '/w/a.tmp.1.ab' -> '/w/a'", 'event', '/w/a'),
      'SANDBOX_ERROR',
      'RELAUNCH_WITH_ADD_DIR',
      '/w/a',
    ],
    ['claude', denial('mode: Permission to use Bash has been denied'), 'TOOL_DENIED', 'ESCALATE', null],
    [
      'opencode',
      denial('Unknown: FileSystem.writeFile (/w/a)', 'event', '/w/a'),
      'SANDBOX_ERROR',
      'RELAUNCH_WITH_ADD_DIR',
      '/w/a',
    ],
    [
      'opencode',
      denial('external_directory: A rule of the launch line denies it.', 'event', '/o'),
      'DIR_SCOPE_ERROR',
      'RELAUNCH_WITH_ADD_DIR',
      '/o',
    ],
    ['opencode', denial('A rule of the launch line denies it.'), 'TOOL_DENIED', 'ESCALATE', null],
    ['claude', denial('Nobody has ever said this.', 'event', '/o'), 'UNKNOWN_PERMISSION_ERROR', 'ESCALATE', '/o'],
    ['claude', failed('success: Not logged in · Please run /login'), 'LOGIN_REQUIRED', 'ESCALATE', null],
    ['claude', failed('success: OAuth token revoked · Please run /login'), 'LOGIN_REQUIRED', 'ESCALATE', null],
    [
      'gemini',
      { kind: 'error', message: 'FatalCancellationError: Authentication cancelled by user.', fatal: true },
      'LOGIN_REQUIRED',
      'ESCALATE',
      null,
    ],
    [
      'claude',
      failed('api_error: API Error: 429 {"type":"error","error":{"type":"rate_limit_error"}}'),
      'RATE_LIMITED',
      'BLOCK',
      null,
    ],
    [
      'gemini',
      failed('[API Error: {"error":{"code":429,"message":"Resource has been exhausted"}}]'),
      'RATE_LIMITED',
      'BLOCK',
      null,
    ],
    ['codex', failed('exceeded retry limit, last status: 429 Too Many Requests'), 'RATE_LIMITED', 'BLOCK', null],
    [
      'gemini',
      { kind: 'error', message: 'GEMINI_SANDBOX is true but failed to determine', fatal: true },
      'SANDBOX_MISSING',
      'ESCALATE',
      null,
    ],
  ];
  for (const [agent, signal, issue, action, path] of told)
    it(`${agent}: ${JSON.stringify('reason' in signal ? signal.reason : signal).slice(0, 60)} is ${issue}`, () => {
      const match = classifyDenial(agent, null, signal);
      assert.deepEqual(match && { issue: match.issue, action: match.action, path: match.path }, {
        issue,
        action,
        path,
      });
    });

  it('read a text only in the versions that say it', () => {
    const today = denial('invalid_tool_params: Path not in workspace: Attempted path "/o" resolves outside');
    assert.equal(classifyDenial('gemini', '0.61.0', today)?.issue, 'DIR_SCOPE_ERROR');
    assert.equal(classifyDenial('gemini', '0.26.9', today)?.issue, 'UNKNOWN_PERMISSION_ERROR');
    const early = denial('File path must be within the root directory (/w): /o');
    assert.equal(classifyDenial('gemini', '0.26.9', early)?.issue, 'DIR_SCOPE_ERROR');
    assert.equal(classifyDenial('gemini', '0.27.0', early)?.issue, 'UNKNOWN_PERMISSION_ERROR');
  });

  it('read a text only from the CLI and on the channel that says it', () => {
    const untrusted = 'Not inside a trusted directory and --skip-git-repo-check was not specified.';
    assert.equal(classifyDenial('claude', null, denial(untrusted, 'stderr'))?.issue, 'UNKNOWN_PERMISSION_ERROR');
    const outside = 'Sandbox violation: resource=filesystem reason=read_only_file_system';
    assert.equal(classifyDenial('codex', null, denial(outside, 'event'))?.issue, 'UNKNOWN_PERMISSION_ERROR');
  });

  it('leave alone an end that mentions the sign-in of a registry or of an MCP server', () => {
    assert.equal(
      classifyDenial('opencode', null, failed('npm error 401 Unauthorized - GET https://registry.example/x')),
      null,
    );
    assert.equal(classifyDenial('codex', null, failed('MCP server jira: 401 Unauthorized')), null);
  });

  it('leave alone an end that mentions a sandbox', () => {
    assert.equal(classifyDenial('codex', null, failed('no such tool: landlock')), null);
    const ruleset = failed('error running landlock: Sandbox(LandlockRestrict)');
    assert.equal(classifyDenial('codex', null, ruleset)?.issue, 'SANDBOX_MISSING');
    assert.equal(
      classifyDenial('claude', null, failed('max_turns: it expects "sandbox required but unavailable"')),
      null,
    );
  });

  it('leave alone what is no denial and no end', () => {
    const text = 'Not inside a trusted directory. Permission denied. Access blocked. 429 rate limit';
    const harmless: readonly WorkerSignal[] = [
      { kind: 'message', text },
      { kind: 'progress', text },
      { kind: 'tool_use', tool: 'shell', callId: null, detail: text },
      { kind: 'waiting', seconds: 5, reason: text },
      { kind: 'error', message: text, fatal: false },
      { kind: 'final', ok: true, reason: null, text, structured: text },
    ];
    for (const agent of ['claude', 'codex', 'gemini', 'opencode'] as const)
      for (const signal of harmless) assert.equal(classifyDenial(agent, null, signal), null);
  });
});
