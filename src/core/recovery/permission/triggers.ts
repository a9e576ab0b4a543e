import type { AgentName } from '../../../contracts/vocabulary/workers';
import type { PermissionAction } from '../../../contracts/vocabulary/permission';
import { seedTriggers } from './seedTriggers';
import type { Trigger } from './trigger';

/** What brings a directory into a CLI's scope. OpenCode has no flag: its permissions, in its environment, name it. */
const widening: Readonly<Record<AgentName, PermissionAction>> = {
  claude: 'RELAUNCH_WITH_ADD_DIR',
  codex: 'RELAUNCH_WITH_ADD_DIR',
  gemini: 'RELAUNCH_WITH_INCLUDE_DIRECTORIES',
  opencode: 'RELAUNCH_WITH_ADD_DIR',
};

/** The words of Node's file system, in a CLI's own file tool: a read-only mount of our sandbox, and a mode. */
const fileSystem: readonly Trigger[] = (['claude', 'gemini'] as const).flatMap((agent): Trigger[] => [
  {
    agent,
    channels: ['event'],
    // A folder and file that are new, and the rename onto a file that is kept read-only among writable ones. Gemini's
    // recursive mkdir says ENOENT of a folder that may not be made.
    pattern: /\b(?:EROFS: |EBUSY: [^,\n]{1,80}, (?:rename|unlink|rmdir) |ENOENT: [^,\n]{1,80}, mkdir )/,
    issue: 'SANDBOX_ERROR',
    action: widening[agent],
  },
  {
    agent,
    channels: ['event'],
    pattern: /\b(?:EACCES|EPERM)\b/,
    issue: 'FS_PERM_ERROR',
    action: 'CHMOD_AND_RELAUNCH',
  },
]);

/** Texts and structured denials of the tested versions, and of earlier ones where they are known. */
const todaysTriggers: readonly Trigger[] = [
  {
    agent: 'gemini',
    from: '0.27.0',
    channels: ['event'],
    pattern: /Path not in workspace: Attempted path "(?<path>[^"\n]{1,4096})"/i,
    issue: 'DIR_SCOPE_ERROR',
    action: widening.gemini,
  },
  {
    agent: 'gemini',
    before: '0.27.0',
    channels: ['event'],
    pattern: /within the root directory/i,
    issue: 'DIR_SCOPE_ERROR',
    action: widening.gemini,
  },
  {
    agent: 'gemini',
    channels: ['stderr'],
    pattern: /not running in a trusted directory/i,
    issue: 'FOLDER_TRUST_ERROR',
    action: 'RELAUNCH_WITH_SKIP_TRUST',
  },
  {
    agent: 'gemini',
    channels: ['event'],
    pattern: /^(?:policy_violation|tool_not_registered): /,
    issue: 'TOOL_DENIED',
    action: 'ESCALATE',
  },
  {
    agent: 'codex',
    channels: ['stderr'],
    pattern: /^Sandbox violation: resource=filesystem .*reason=read_only_file_system\b/,
    issue: 'SANDBOX_ERROR',
    action: widening.codex,
  },
  {
    agent: 'codex',
    channels: ['stderr'],
    pattern: /^Sandbox violation: resource=filesystem .*reason=permission_denied\b/,
    issue: 'FS_PERM_ERROR',
    action: 'CHMOD_AND_RELAUNCH',
  },
  {
    agent: 'codex',
    channels: ['stderr'],
    // The network of its commands, for one: nothing that recovery could open.
    pattern: /^Sandbox violation: resource=/,
    issue: 'TOOL_DENIED',
    action: 'ESCALATE',
  },
  {
    agent: 'codex',
    channels: ['event'],
    pattern: /^(?:Patch|Command) declined|requires approval/,
    issue: 'TOOL_DENIED',
    action: 'ESCALATE',
  },
  {
    agent: 'claude',
    channels: ['event'],
    pattern: /in '(?<path>[^'\n]{1,4096})' was blocked\. For security, Claude Code may only/,
    issue: 'SANDBOX_ERROR',
    action: widening.claude,
  },
  {
    agent: 'claude',
    channels: ['event'],
    pattern:
      /^workingDir\b|outside allowed working directories|haven't granted it yet|For security, Claude Code may only/,
    issue: 'SANDBOX_ERROR',
    action: widening.claude,
  },
  {
    agent: 'claude',
    channels: ['event'],
    pattern:
      /^(?:mode|rule|asyncAgent|other|classifier|safetyCheck)\b|requires approval|^Permission denied\.$|has been denied/,
    issue: 'TOOL_DENIED',
    action: 'ESCALATE',
  },
  {
    agent: 'opencode',
    channels: ['event'],
    pattern: /^external_directory: /,
    issue: 'DIR_SCOPE_ERROR',
    action: widening.opencode,
  },
  {
    agent: 'opencode',
    channels: ['event'],
    pattern: /^PermissionDenied: FileSystem\.[A-Za-z]{1,40} \(/,
    issue: 'FS_PERM_ERROR',
    action: 'CHMOD_AND_RELAUNCH',
  },
  {
    agent: 'opencode',
    channels: ['event'],
    pattern: /^Unknown: FileSystem\.[A-Za-z]{1,40} \(/,
    issue: 'SANDBOX_ERROR',
    action: widening.opencode,
  },
  {
    agent: 'opencode',
    channels: ['event'],
    pattern: /rule of the launch line|rejected permission|call unavailable tool/,
    issue: 'TOOL_DENIED',
    action: 'ESCALATE',
  },
];

/** Errors that end a run: a person signs in, installs what is missing, or comes back later. */
const endings: readonly Trigger[] = [
  ending(
    'claude',
    /Not logged in|\bauthentication_(?:failed|error)\b|Invalid API key|API Error: 401\b/,
    'LOGIN_REQUIRED',
  ),
  ending('claude', /sandbox required but unavailable/i, 'SANDBOX_MISSING'),
  ending(
    'claude',
    /\b(?:rate_limit|overloaded)(?:_error)?\b|API Error: .{0,40}\b(?:429|529)\b|usage limit/i,
    'RATE_LIMITED',
  ),
  ending(
    'gemini',
    /^(?:Please set an Auth method|Invalid auth method selected|When using .{1,40}, you must specify)|"code":\s*401\b/,
    'LOGIN_REQUIRED',
  ),
  ending('gemini', /^(?:GEMINI_SANDBOX is true but|FatalSandboxError: )/, 'SANDBOX_MISSING'),
  ending(
    'gemini',
    /"code":\s*(?:429|503|529)\b|RESOURCE_EXHAUSTED|exhausted your capacity|\]\nPlease wait and try again later/,
    'RATE_LIMITED',
  ),
  ending('codex', /\b401 Unauthorized\b|Not logged in|Missing environment variable/i, 'LOGIN_REQUIRED'),
  ending('codex', /building bubblewrap command|creating new namespace failed|landlock/i, 'SANDBOX_MISSING'),
  ending(
    'codex',
    /\b429 Too Many Requests\b|usage limit|rate.?limit|\boverloaded\b|\b529\b|experiencing high demand/i,
    'RATE_LIMITED',
  ),
  ending('opencode', /^HTTP 401\b|Unauthorized|API key/i, 'LOGIN_REQUIRED'),
  ending('opencode', /^HTTP (?:429|503|529)\b|rate.?limit|overloaded|too many requests/i, 'RATE_LIMITED'),
];

function ending(
  agent: AgentName,
  pattern: RegExp,
  issue: 'LOGIN_REQUIRED' | 'SANDBOX_MISSING' | 'RATE_LIMITED',
): Trigger {
  return { agent, channels: ['error'], pattern, issue, action: issue === 'RATE_LIMITED' ? 'BLOCK' : 'ESCALATE' };
}

/** The first row that fits decides. */
export const triggers: readonly Trigger[] = [...fileSystem, ...todaysTriggers, ...seedTriggers, ...endings];
