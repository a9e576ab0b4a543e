import { compareVersions } from '../../../base/versions';
import type { WorkerSignal } from '../../../contracts/launch';
import type { PermissionAction, PermissionIssue } from '../../../contracts/vocabulary/permission';
import { toolActions, type AgentName, agentNames } from '../../../contracts/vocabulary/workers';
import type { DenialChannel, Denial } from '../../../workers/worker';
import { agentWorkers } from '../../../workers/registry';
import { isoOfUnix } from '../../../base/unixTime';

export interface PermissionMatch {
  readonly issue: PermissionIssue;
  readonly action: PermissionAction;
  /** The offending path as the CLI named it: absolute, or relative to the workspace. */
  readonly path: string | null;
  /** Present: a tool that only reads was denied it. */
  readonly reads?: true;
  /** The words that gave it away; for a row of the contract its own. */
  readonly detected: string;
  readonly channel: DenialChannel;
  /** The pattern of the row that fits; null: none does. */
  readonly pattern: string | null;
  /** Present for RATE_LIMITED. */
  readonly ends?: LimitEnd;
}

/**
 * A denial that no row knows is an UNKNOWN_PERMISSION_ERROR, which only a person can judge. Recovery ignores any other
 * signal that no row knows. Structured fields decide about limits before any text. `version`: `major.minor.patch`, null
 * when unknown.
 */
export function classifyDenial(agent: AgentName, version: string | null, signal: WorkerSignal): PermissionMatch | null {
  const found = matchOf(agent, version, signal);
  const action = 'tool' in signal && signal.tool !== null ? toolActions.get(signal.tool.toLowerCase()) : undefined;
  return found && readingActions.has(action ?? '') ? { ...found, reads: true } : found;
}

const readingActions: ReadonlySet<string> = new Set(['read', 'find', 'list']);

function matchOf(agent: AgentName, version: string | null, signal: WorkerSignal): PermissionMatch | null {
  const whole = whatIsSaid(signal);
  if (whole === null) return null;
  // Bounded, because a pattern may start at each character and a worker decides the length.
  const said = { ...whole, text: whole.text.slice(0, longestText) };
  const limit = 'limit' in signal ? signal.limit : undefined;
  if (limit?.reached) return { ...limited(said.text, limit.resetsAt), channel: said.channel, pattern: null };
  for (const trigger of triggers) {
    if (limit && trigger.issue === 'RATE_LIMITED') continue;
    if (trigger.agent !== agent || !trigger.channels.includes(said.channel) || !covers(trigger, version)) continue;
    const found = trigger.pattern.exec(said.text);
    if (found === null) continue;
    const { issue, action } = trigger;
    if (issue === 'RATE_LIMITED')
      return { ...limited(said.text, null), channel: said.channel, pattern: trigger.pattern.source };
    const path = said.path ?? found.groups?.['path'] ?? null;
    return { issue, action, path, detected: found[0].trim(), channel: said.channel, pattern: trigger.pattern.source };
  }
  if (signal.kind !== 'denial') return null;
  const { channel, text, path } = said;
  return { issue: 'UNKNOWN_PERMISSION_ERROR', action: 'ESCALATE', path, detected: text, channel, pattern: null };
}

const longestText = 4_096;
const longestWords = 300;

/** `detected` is the first line of what its CLI said, without the name of the error before it. */
function limited(text: string, resetsAt: string | null): Omit<PermissionMatch, 'channel' | 'pattern'> {
  const [first = ''] = text.replace(/^[a-z_]{1,40}: /, '').split(/\r?\n/, 1);
  const detected = first.slice(0, longestWords).trim();
  return { issue: 'RATE_LIMITED', action: 'BLOCK', path: null, detected, ends: limitEnd(text, resetsAt) };
}

interface Said {
  readonly channel: DenialChannel;
  readonly text: string;
  readonly path: string | null;
}

function whatIsSaid(signal: WorkerSignal): Said | null {
  switch (signal.kind) {
    case 'denial':
      // No flag of a CLI opens the network of its sandbox.
      if (signal.source === 'network') return null;
      return { channel: signal.source, text: signal.reason, path: signal.path };
    case 'error':
      return signal.fatal ? { channel: 'error', text: signal.message, path: null } : null;
    case 'final':
      return signal.ok || signal.reason === null ? null : { channel: 'error', text: signal.reason, path: null };
    case 'session':
    case 'progress':
    case 'waiting':
    case 'message':
    case 'tool_use':
    case 'file_change':
    case 'usage':
    case 'hook':
    case 'turn_ended':
      return null;
  }
}

/** An unknown version may be any. */
function covers({ from, before }: Trigger, version: string | null): boolean {
  const order = (bound: string | undefined): number | null =>
    version === null || bound === undefined ? null : compareVersions(version, bound);
  return (order(from) ?? 0) >= 0 && (order(before) ?? -1) < 0;
}

interface Trigger extends Denial {
  readonly agent: AgentName;
  readonly action: PermissionAction;
}

/** The first row of an agent that fits decides. */
export const triggers: readonly Trigger[] = agentNames.flatMap((agent) =>
  agentWorkers[agent].words.denials.map((denial) => ({ ...denial, agent, action: actionFor(denial.issue, agent) })),
);

function actionFor(issue: PermissionIssue, agent: AgentName): PermissionAction {
  switch (issue) {
    case 'DIR_SCOPE_ERROR':
    case 'SANDBOX_ERROR':
      return agentWorkers[agent].words.widening;
    case 'FS_PERM_ERROR':
      return 'CHMOD_AND_RELAUNCH';
    case 'GIT_TRUST_ERROR':
    case 'GIT_CHECK_ERROR':
      return 'RELAUNCH_WITH_SKIP_GIT_CHECK';
    case 'FOLDER_TRUST_ERROR':
      return 'RELAUNCH_WITH_SKIP_TRUST';
    case 'RATE_LIMITED':
      return 'BLOCK';
    case 'TOOL_DENIED':
    case 'LOGIN_REQUIRED':
    case 'SANDBOX_MISSING':
    case 'UNKNOWN_PERMISSION_ERROR':
      return 'ESCALATE';
  }
}

/** When the limit of a provider ends, as far as its CLI says. */
export interface LimitEnd {
  /** ISO-8601, from a timestamp of the CLI; null: it gave none. */
  readonly at: string | null;
  /** The CLI's own words, such as `resets 8pm`: they say nothing of the day, so no time is made of them. */
  readonly said: string | null;
}

/** `resetsAt`: from a structured field, which counts before the text. */
function limitEnd(text: string, resetsAt: string | null): LimitEnd {
  const stamp = /\blimit reached\|(\d{10})\b/.exec(text)?.[1];
  const [, day, minute] = /\bregain access on (\d{4}-\d\d-\d\d) at (\d\d:\d\d) UTC\b/.exec(text) ?? [];
  const regained = day === undefined ? NaN : Date.parse(`${day}T${minute ?? ''}:00Z`) / 1000;
  return {
    at: resetsAt ?? isoOfUnix(stamp === undefined ? (Number.isNaN(regained) ? null : regained) : Number(stamp)),
    said: said.exec(text)?.[0].trim() ?? null,
  };
}

/** `resets 4:10am (America/Sao_Paulo)`, `try again at 8:12 PM`, `reset after 3h12m5s`; `try again later` says no time. */
const said =
  /\b(?:[Rr]esets?|[Tt]ry again) (?:(?:at|on|in|after|tomorrow) ){0,2}(?=[\dA-Z])(?:[^.\n\]·∙|]|\.(?=\d)){1,80}/;
