import { ended, row } from '../shared/denials';
import type { AgentWords } from '../worker';

export const words: AgentWords = {
  widening: 'RELAUNCH_WITH_ADD_DIR',
  noAnswer: /^HTTP 5\d\d\b|Cannot connect to API|Unable to connect/,
  denials: [
    row('event', 'DIR_SCOPE_ERROR', /^external_directory: /),
    row('event', 'FS_PERM_ERROR', /^PermissionDenied: FileSystem\.[A-Za-z]{1,40} \(/),
    row('event', 'SANDBOX_ERROR', /^Unknown: FileSystem\.[A-Za-z]{1,40} \(/),
    row('event', 'TOOL_DENIED', /rule of the launch line|rejected permission|call unavailable tool/),
    ended(
      'LOGIN_REQUIRED',
      /^(?:Error: )?(?:HTTP 401\b|(?:HTTP 40[03]: )?(?:Unauthorized(?::|$)|(?:Invalid|Incorrect|Missing) API key\b|API key (?:not valid|expired)\b)|(?:[\w.-]{1,40} ){1,4}API key is missing\b|(?:OAuth )?token refresh failed\b|ProviderAuthError\b)/i,
    ),
    ended(
      'RATE_LIMITED',
      /^HTTP (?:429|503|529)\b|^(?:HTTP 40[0-3]: )?(?:Free usage|Quota) exceeded\b|^(?:Rate.?limit|Too many requests|(?:\w{1,20} ){0,4}overloaded\b)/i,
    ),
  ],
};
