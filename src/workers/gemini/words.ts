import { ended, nodeFileErrors, row, seedRow } from '../shared/denials';
import type { AgentWords } from '../worker';

export const words: AgentWords = {
  widening: 'RELAUNCH_WITH_INCLUDE_DIRECTORIES',
  noAnswer: /\bfetch failed\b|"code":\s*5\d\d\b/,
  denials: [
    ...nodeFileErrors,
    row('event', 'DIR_SCOPE_ERROR', /Path not in workspace: Attempted path "(?<path>[^"\n]{1,4096})"/i, {
      from: '0.27.0',
    }),
    row('event', 'DIR_SCOPE_ERROR', /within the root directory/i, { before: '0.27.0' }),
    row('stderr', 'FOLDER_TRUST_ERROR', /not running in a trusted directory/i),
    row('event', 'TOOL_DENIED', /^(?:policy_violation|tool_not_registered): /),
    seedRow('DIR_SCOPE_ERROR', /Path must be within.*workspace directories/i),
    seedRow('FS_PERM_ERROR', /Permission denied/i),
    ended(
      'LOGIN_REQUIRED',
      /^(?:Please set an Auth method|Invalid auth method selected|When using .{1,40}, you must specify|(?:Error authenticating: )?(?:FatalAuthenticationError: |Manual authorization is required\b|(?:FatalCancellationError: )?Authentication cancelled by user\b)|Opening authentication page in your browser\b|Please visit the following URL to authorize\b|\[API Error: [^\n]{0,2000}\(Status: UNAUTHENTICATED\)|(?:\[API Error: )?(?:API key (?:not valid|expired)\b|\{[^\n]{0,2000}?(?<!\\)"(?:code":\s*401\b|message":\s*"API key (?:not valid|expired)\b)))/,
    ),
    ended('SANDBOX_MISSING', /^(?:GEMINI_SANDBOX is true but|FatalSandboxError: )/),
    ended(
      'RATE_LIMITED',
      /^(?:\[API Error: )?(?:\{[^\n]{0,2000}?(?<!\\)"code":\s*(?:429|503|529)\b|[^\n]{0,2000}\(Status: RESOURCE_EXHAUSTED\)|(?:\w{1,40}: )?You have exhausted your (?:daily quota|capacity)\b|(?:\w{1,40}: )?Quota exceeded for )|^\[API Error: [^\n]{0,4000}\]\nPlease wait and try again later/,
    ),
  ],
};
