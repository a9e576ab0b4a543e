import type { AgentName } from '../../../contracts/vocabulary/workers';
import type { PermissionAction } from '../../../contracts/vocabulary/permission';
import { seedTriggers } from './seedTriggers';
import type { Trigger } from './trigger';

/**
 * What each CLI says at its end where a sign-in is missing, expired, revoked or refused. Anchored, because the end may
 * quote a model, a registry or an MCP server. Those mention the sign-in of something else.
 */
const notSignedIn: Readonly<Record<AgentName, RegExp>> = {
  // The stream puts `authentication_failed` in front where a field of an event says so.
  claude:
    /^(?:authentication_failed\b|(?:[a-z_]{1,40}: )?(?:Error: )?(?:Not logged in\b|Not signed in\b|Please run \/login\b|Invalid API key\b|Invalid auth token\b|OAuth token revoked\b|Login expired\b|Login reached its time limit\b|Session expired\b|Authentication required\b|Failed to authenticate[.:]|Could not resolve authentication method\b|Your apiKeyHelper script is failing\b|API Error: (?:401\b|\d{3} \{[^\n]{0,400}?(?<!\\)"(?:type":\s*"authentication_error"|message":\s*"OAuth ))))/,
  codex:
    /^(?:Error: )?(?:(?:stream disconnected before completion: )?(?:unexpected status |(?:exceeded retry limit, )?last status: )401\b|Failed to refresh token\b|Your (?:access token|authentication session) could not be refreshed\b|Not logged in\b|Missing environment variable: |Incorrect API key provided\b|\{[^\n]{0,2000}?(?<!\\)"code":\s*"invalid_api_key")/i,
  gemini:
    /^(?:Please set an Auth method|Invalid auth method selected|When using .{1,40}, you must specify|(?:Error authenticating: )?(?:FatalAuthenticationError: |Manual authorization is required\b|(?:FatalCancellationError: )?Authentication cancelled by user\b)|Opening authentication page in your browser\b|Please visit the following URL to authorize\b|\[API Error: [^\n]{0,2000}\(Status: UNAUTHENTICATED\)|(?:\[API Error: )?(?:API key (?:not valid|expired)\b|\{[^\n]{0,2000}?(?<!\\)"(?:code":\s*401\b|message":\s*"API key (?:not valid|expired)\b)))/,
  opencode:
    /^(?:Error: )?(?:HTTP 401\b|(?:HTTP 40[03]: )?(?:Unauthorized(?::|$)|(?:Invalid|Incorrect|Missing) API key\b|API key (?:not valid|expired)\b)|(?:[\w.-]{1,40} ){1,4}API key is missing\b|(?:OAuth )?token refresh failed\b|ProviderAuthError\b)/i,
};

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
  ending('claude', notSignedIn.claude, 'LOGIN_REQUIRED'),
  // Anchored, as all of an end are: a run may end with an error whose words are the model's, and those mention anything.
  ending('claude', /^(?:[a-z_]{1,40}: )?(?:Error: )?sandbox required but unavailable/i, 'SANDBOX_MISSING'),
  ending(
    'claude',
    /^(?:[a-z_]{1,40}: )?(?:API Error: [^\d\n]{0,60}(?:\b(?:429|529)\b|(?:\brate.?limit|\boverloaded))|You['’]ve (?:hit|reached) your [^.\n]{0,60}\blimit\b|You['’]re out of (?:usage credits|extra usage)|API Error: 400 \{[^\n]{0,400}"message":\s*"You have reached your specified API usage limits\b|(?:[\w-]{1,20} ){1,3}limit reached [∙·|]|Claude (?:AI )?usage limit reached)/i,
    'RATE_LIMITED',
  ),
  ending('gemini', notSignedIn.gemini, 'LOGIN_REQUIRED'),
  ending('gemini', /^(?:GEMINI_SANDBOX is true but|FatalSandboxError: )/, 'SANDBOX_MISSING'),
  ending(
    'gemini',
    /^(?:\[API Error: )?(?:\{[^\n]{0,2000}?(?<!\\)"code":\s*(?:429|503|529)\b|[^\n]{0,2000}\(Status: RESOURCE_EXHAUSTED\)|(?:\w{1,40}: )?You have exhausted your (?:daily quota|capacity)\b|(?:\w{1,40}: )?Quota exceeded for )|^\[API Error: [^\n]{0,4000}\]\nPlease wait and try again later/,
    'RATE_LIMITED',
  ),
  ending('codex', notSignedIn.codex, 'LOGIN_REQUIRED'),
  ending(
    'codex',
    /^(?:Fatal error: )?(?:Error: )?(?:sandbox error: )?(?:error building bubblewrap command|error running landlock: |bwrap: |creating new namespace failed|landlock )/i,
    'SANDBOX_MISSING',
  ),
  ending(
    'codex',
    /^(?:Error: )?(?:(?:exceeded retry limit, last status: |unexpected status )(?:429|529)\b|last status: 429\b|(?:stream disconnected before completion: )?(?:Rate limit reached|Our servers are currently overloaded)\b|You['’]ve (?:hit|reached) your usage limit\b|Usage limit reached\b|Quota exceeded\. Check your plan\b|Your workspace is out of credits\b|You hit your spend cap\b|We['’]re currently experiencing high demand|[^.\n]{0,30}experiencing high load|\{[^\n]{0,2000}(?<!\\)"(?:type|code)":\s*"(?:rate_limit_exceeded|usage_limit_reached|insufficient_quota)")/i,
    'RATE_LIMITED',
  ),
  ending('opencode', notSignedIn.opencode, 'LOGIN_REQUIRED'),
  ending(
    'opencode',
    /^HTTP (?:429|503|529)\b|^(?:HTTP 40[0-3]: )?(?:Free usage|Quota) exceeded\b|^(?:Rate.?limit|Too many requests|(?:\w{1,20} ){0,4}overloaded\b)/i,
    'RATE_LIMITED',
  ),
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
