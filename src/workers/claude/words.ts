import { isoOfUnix } from '../../base/unixTime';
import { ended, nodeFileErrors, row, seedRow } from '../shared/denials';
import { countOf, listOf, member, textOf } from '../shared/json';
import type { AgentWords } from '../worker';
import type { ProviderLimit } from '../../contracts/launch';

export const words: AgentWords = {
  widening: 'RELAUNCH_WITH_ADD_DIR',
  noAnswer: /API Error: (?:Connection |Unable to connect|Request timed out|5\d\d\b)/,
  denials: [
    ...nodeFileErrors,
    row('event', 'SANDBOX_ERROR', /in '(?<path>[^'\n]{1,4096})' was blocked\. For security, Claude Code may only/),
    row(
      'event',
      'SANDBOX_ERROR',
      /^workingDir\b|outside allowed working directories|haven't granted it yet|For security, Claude Code may only/,
    ),
    row(
      'event',
      'TOOL_DENIED',
      /^(?:mode|rule|asyncAgent|other|classifier|safetyCheck)\b|requires approval|^Permission denied\.$|has been denied/,
    ),
    seedRow('SANDBOX_ERROR', /Access blocked/i),
    // The stream puts `authentication_failed` in front where a field of an event says so.
    ended(
      'LOGIN_REQUIRED',
      /^(?:authentication_failed\b|(?:[a-z_]{1,40}: )?(?:Error: )?(?:Not logged in\b|Not signed in\b|Please run \/login\b|Invalid API key\b|Invalid auth token\b|OAuth token revoked\b|Login expired\b|Login reached its time limit\b|Session expired\b|Authentication required\b|Failed to authenticate[.:]|Could not resolve authentication method\b|Your apiKeyHelper script is failing\b|API Error: (?:401\b|\d{3} \{[^\n]{0,400}?(?<!\\)"(?:type":\s*"authentication_error"|message":\s*"OAuth ))))/,
    ),
    ended('SANDBOX_MISSING', /^(?:[a-z_]{1,40}: )?(?:Error: )?sandbox required but unavailable/i),
    ended(
      'RATE_LIMITED',
      /^(?:[a-z_]{1,40}: )?(?:API Error: [^\d\n]{0,60}(?:\b(?:429|529)\b|(?:\brate.?limit|\boverloaded))|You['’]ve (?:hit|reached) your [^.\n]{0,60}\blimit\b|You['’]re out of (?:usage credits|extra usage)|API Error: 400 \{[^\n]{0,400}"message":\s*"You have reached your specified API usage limits\b|(?:[\w-]{1,20} ){1,3}limit reached [∙·|]|Claude (?:AI )?usage limit reached)/i,
    ),
  ],
};

/** Follows what the structured events of a session say of its provider's limits. */
export class ClaudeLimits {
  private rejected: ProviderLimit | null = null;
  private failed: { readonly error: string; readonly text: string | null } | null = null;

  /** `rate_limit_event`: only `rejected` is a limit, and not where the session goes on with usage that is paid for. */
  onEvent(event: unknown): boolean {
    const info = member(event, 'rate_limit_info');
    const status = textOf(info, 'status');
    if (status === null) return false;
    const refused = status === 'rejected' && member(info, 'isUsingOverage') !== true;
    this.rejected = refused ? { reached: true, resetsAt: isoOfUnix(countOf(info, 'resetsAt')) } : null;
    return true;
  }

  /** An event of the main agent. `error` says why its provider gave no answer; an answer ends what was in force. */
  onAssistant(event: unknown): void {
    const error = textOf(event, 'error');
    const [block] = listOf(event, 'message', 'content');
    this.failed = error === null ? null : { error, text: textOf(block, 'text') };
    if (error === null) this.rejected = null;
  }

  /** Returns what the fields say of a failed `result`. Undefined: nothing. */
  ofResult(result: unknown): ProviderLimit | undefined {
    const status = countOf(result, 'api_error_status');
    if (spent.test(textOf(result, 'result') ?? '')) return this.reached();
    if (status !== null) return status === 429 || status === 529 ? this.reached() : noLimit;
    return this.unanswered() ?? (otherErrors.has(this.failed?.error ?? '') ? noLimit : undefined);
  }

  /** Returns whether the fields say of a failed `result` that its provider refused the sign-in. */
  isUnsigned(result: unknown): boolean {
    return this.failed?.error === 'authentication_failed' || countOf(result, 'api_error_status') === 401;
  }

  /** The limit of a session that ended without a `result`, with its words. */
  ofBrokenEnd(): { readonly message: string; readonly limit: ProviderLimit } | null {
    const limit = this.unanswered();
    return limit ? { message: this.failed?.text ?? 'rate_limit_event: rejected', limit } : null;
  }

  private unanswered(): ProviderLimit | undefined {
    return limitErrors.has(this.failed?.error ?? '') ? this.reached() : (this.rejected ?? undefined);
  }

  private reached(): ProviderLimit {
    return this.rejected ?? { reached: true, resetsAt: null };
  }
}

/** A limit of an API key, which the provider answers as a request that is not valid. */
const spent = /^API Error: 400 \{[^\n]{0,400}"message":\s*"You have reached your specified API usage limits\b/;
const noLimit: ProviderLimit = { reached: false, resetsAt: null };
const limitErrors = new Set(['rate_limit', 'overloaded']);
/** Others, such as `unknown` and `billing_error`, leave it to the text. */
const otherErrors = new Set(['authentication_failed', 'invalid_request']);
