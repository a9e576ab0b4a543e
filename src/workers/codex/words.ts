import { ended, row, seedRow } from '../shared/denials';
import type { AgentWords } from '../worker';

export const words: AgentWords = {
  widening: 'RELAUNCH_WITH_ADD_DIR',
  noAnswer: /\berror sending request\b|\bstream disconnected\b|unexpected status 5\d\d\b/,
  denials: [
    row('stderr', 'SANDBOX_ERROR', /^Sandbox violation: resource=filesystem .*reason=read_only_file_system\b/),
    row('stderr', 'FS_PERM_ERROR', /^Sandbox violation: resource=filesystem .*reason=permission_denied\b/),
    // The network of its commands, for one: nothing that recovery could open.
    row('stderr', 'TOOL_DENIED', /^Sandbox violation: resource=/),
    row('event', 'TOOL_DENIED', /^(?:Patch|Command) declined|requires approval/),
    seedRow('GIT_TRUST_ERROR', /Not inside a trusted directory/i),
    seedRow('GIT_CHECK_ERROR', /Repository check failed/i),
    ended(
      'LOGIN_REQUIRED',
      /^(?:Error: )?(?:(?:stream disconnected before completion: )?(?:unexpected status |(?:exceeded retry limit, )?last status: )401\b|Failed to refresh token\b|Your (?:access token|authentication session) could not be refreshed\b|Not logged in\b|Missing environment variable: |Incorrect API key provided\b|\{[^\n]{0,2000}?(?<!\\)"code":\s*"invalid_api_key")/i,
    ),
    ended(
      'SANDBOX_MISSING',
      /^(?:Fatal error: )?(?:Error: )?(?:sandbox error: )?(?:error building bubblewrap command|error running landlock: |bwrap: |creating new namespace failed|landlock )/i,
    ),
    ended(
      'RATE_LIMITED',
      /^(?:Error: )?(?:(?:exceeded retry limit, last status: |unexpected status )(?:429|529)\b|last status: 429\b|(?:stream disconnected before completion: )?(?:Rate limit reached|Our servers are currently overloaded)\b|You['’]ve (?:hit|reached) your usage limit\b|Usage limit reached\b|Quota exceeded\. Check your plan\b|Your workspace is out of credits\b|You hit your spend cap\b|We['’]re currently experiencing high demand|[^.\n]{0,30}experiencing high load|\{[^\n]{0,2000}(?<!\\)"(?:type|code)":\s*"(?:rate_limit_exceeded|usage_limit_reached|insufficient_quota)")/i,
    ),
  ],
};
