import { withoutColours } from '../../base/text/marked/colours';
import { amountOf, countOf, head, listOf, member, textOf } from '../shared/json';
import { refusedFile, beginsWith } from '../shared/denials';
import { createStreamParser, denial, handle, handlers, limits, type Emit, addUsage } from '../shared/stream';
import { ClaudeLimits } from './words';
import type { StreamParser } from '../worker';
import type { Usage } from '../../contracts/launch';

/**
 * `claude -p --output-format stream-json --verbose`. Types seen: system (init, permission_denied, api_retry,
 * informational, status, hook_started, hook_response), assistant, user (tool results), tool_progress, rate_limit_event,
 * result; about 40 more system subtypes exist.
 */
export function createParser(resumed = false): StreamParser {
  /** Tool calls that wait for their result, which does not repeat the path. */
  const calls = new Map<string, ToolCall>();
  const deniedCalls = new Map<string, true>();
  const used = new RunningUsage();
  const limited = new ClaudeLimits();

  /** Hooks that the CLI waits for, by what it says while it waits. It reports no end of them. */
  const waited = new Map<string, string>();
  let session = false;
  let ended = false;

  const system = handlers({
    init(event, emit) {
      const sessionId = textOf(event, 'session_id');
      if (sessionId === null) return false;
      session = true;
      const cliVersion = textOf(event, 'claude_code_version');
      emit({ kind: 'session', sessionId, model: textOf(event, 'model'), cliVersion });
      return true;
    },
    permission_denied(event, emit) {
      const id = textOf(event, 'tool_use_id');
      if (id !== null) remember(deniedCalls, id, true);
      const path = (id === null ? undefined : calls.get(id))?.path ?? null;
      emit(denial(denialReason(event), { tool: textOf(event, 'tool_name'), path }));
    },
    api_retry(event, emit) {
      emit({ kind: 'waiting', seconds: secondsOf(event, 'retry_delay_ms'), reason: waitingReason(event) });
    },
    hook_started: onHook,
    hook_response: onHook,
    informational: onStatus,
    status: onStatus,
  });

  const onAssistant = (event: unknown, emit: Emit): void => {
    const ofSubagent = textOf(event, 'parent_tool_use_id') !== null;
    if (!ofSubagent) limited.onAssistant(event);
    const texts: string[] = [];
    for (const block of listOf(event, 'message', 'content')) {
      const type = textOf(block, 'type');
      if (type === 'text') texts.push(textOf(block, 'text') ?? '');
      if (type !== 'tool_use') continue;
      const call = toolCall(block);
      const id = textOf(block, 'id');
      if (id !== null) remember(calls, id, call);
      emit({ kind: 'tool_use', tool: call.tool, callId: id, detail: call.detail });
    }
    const text = texts.join('\n');
    if (texts.length > 0) emit(ofSubagent ? { kind: 'progress', text } : { kind: 'message', text });
    const total = used.of(member(event, 'message'));
    if (total !== null) emit({ kind: 'usage', usage: total, span: 'launch' });
  };

  const onToolResult = (event: unknown, emit: Emit): void => {
    for (const block of listOf(event, 'message', 'content')) {
      const id = textOf(block, 'tool_use_id');
      const call = id === null ? undefined : calls.get(id);
      if (id === null || call === undefined) continue;
      calls.delete(id);
      const failed = member(block, 'is_error') === true;
      const refused = failed && fileTools.has(call.tool) && !deniedCalls.has(id) ? fileToolRefusal(block) : null;
      if (refused !== null) emit(denial(refused.reason, { tool: call.tool, path: refused.path ?? call.path }));
      if (call.path === null || !writingTools.has(call.tool) || failed) continue;
      const created = textOf(event, 'tool_use_result', 'type') === 'create';
      emit({ kind: 'file_change', path: call.path, change: created ? 'add' : 'update' });
    }
  };

  const onResult = (event: unknown, emit: Emit): void => {
    // `--output-format json` writes this event alone.
    const sessionId = textOf(event, 'session_id');
    if (!session && sessionId !== null) emit({ kind: 'session', sessionId, model: null, cliVersion: null });
    for (const denied of listOf(event, 'permission_denials')) {
      const id = textOf(denied, 'tool_use_id');
      if (id !== null && deniedCalls.has(id)) continue; // already reported by its own event
      const path = pathOf(member(denied, 'tool_input'));
      emit(denial('Permission denied.', { tool: textOf(denied, 'tool_name'), path }));
    }
    const usage = usageOf(event, resumed);
    if (usage !== null) emit({ kind: 'usage', usage, span: 'launch' });
    // `success` can carry is_error (an API error, not logged in).
    const ok = textOf(event, 'subtype') === 'success' && member(event, 'is_error') !== true;
    const text = textOf(event, 'result');
    const summary = text ?? listOf(event, 'errors').filter((error) => typeof error === 'string')[0];
    const reason = ok ? null : [nameOfFailure(event, limited.isUnsigned(event)), summary].filter(Boolean).join(': ');
    const limit = ok ? undefined : limited.ofResult(event);
    const withLimit = limit ? { limit } : {};
    ended = true;
    if (!ok && summary !== undefined && beginsWith(summary, blocked)) emit(denial(summary));
    if (reason !== null) emit({ kind: 'error', message: reason, fatal: true, ...withLimit });
    emit({ kind: 'final', ok, reason, text, structured: member(event, 'structured_output') ?? null, ...withLimit });
  };

  const events = handlers({
    /** Every few seconds while a hook runs: `tool_use_id` is `hook-<event>-<id of the tool call>-heartbeat-<n>`. */
    tool_progress(event, emit) {
      const name = textOf(event, 'tool_name');
      if (name === null || !(textOf(event, 'tool_use_id') ?? '').startsWith(`hook-${name}-`)) return true;
      const id = `${name} ${textOf(event, 'parent_tool_use_id') ?? ''}`;
      if (!waited.has(id)) emit({ kind: 'hook', id, name, ended: false });
      remember(waited, id, name);
      return 'waits';
    },
    system: (event, emit) => handle(system, textOf(event, 'subtype'), event, emit),
    assistant: onAssistant,
    user: onToolResult,
    rate_limit_event: (event) => limited.onEvent(event),
    result: onResult,
  });

  return createStreamParser({
    event(event, emit) {
      const type = textOf(event, 'type');
      // It goes on, so it waits for no hook any longer.
      if (type !== 'system' && type !== 'tool_progress') {
        for (const [id, name] of waited) emit({ kind: 'hook', id, name, ended: true });
        waited.clear();
      }
      return handle(events, type, event, emit);
    },
    errorLine(coloured, emit) {
      const line = head(withoutColours(coloured), limits.path);
      if (beginsWith(line, blocked)) emit(denial(line, { source: 'stderr' }));
      // Seen: `Error: Session ID … is already in use.`, `No conversation found with session ID: …`, unknown options.
      if (line.startsWith('Error: ') || line.startsWith('error: ') || line.startsWith('No conversation found'))
        emit({ kind: 'error', message: line, fatal: true });
    },
    end(emit) {
      const broken = ended ? null : limited.ofBrokenEnd();
      if (broken) emit({ kind: 'error', fatal: true, ...broken });
    },
  });
}

function nameOfFailure(result: unknown, unsigned: boolean): string {
  if (unsigned) return 'authentication_failed';
  return textOf(result, 'terminal_reason') ?? textOf(result, 'subtype') ?? 'error';
}

/** Both events name the hook: `SessionStart:startup`; an older one names its event alone. */
function onHook(event: unknown, emit: Emit): boolean {
  const name = textOf(event, 'hook_name') ?? textOf(event, 'hook_event');
  if (name === null) return false;
  const ended = textOf(event, 'subtype') === 'hook_response';
  emit({ kind: 'hook', id: textOf(event, 'hook_id') ?? name, name, ended });
  return true;
}

function onStatus(event: unknown, emit: Emit): void {
  const text = textOf(event, 'message') ?? textOf(event, 'content') ?? textOf(event, 'status') ?? 'status';
  emit({ kind: 'progress', text });
}

interface ToolCall {
  readonly tool: string;
  readonly path: string | null;
  readonly detail: string;
}

const writingTools = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);
/** Tools whose errors are the CLI's own words. The errors of a shell are the output of commands. */
const fileTools = new Set([...writingTools, 'Read', 'Glob', 'Grep']);

/** The words of the contract (seed 002); no tested version says them. */
const blocked = /^Access blocked\b/i;

function fileToolRefusal(block: unknown): { readonly path: string | null; readonly reason: string } | null {
  const blocks = listOf(block, 'content');
  const text = textOf(block, 'content') ?? (blocks.length === 1 ? textOf(blocks[0], 'text') : null) ?? '';
  if (beginsWith(text, blocked)) return { path: null, reason: text };
  // Only a text that begins so counts, because an error about a string that was not found quotes that string.
  if (!/^(?:Error: )?E[A-Z]{3,9}: /.test(text)) return null;
  const path = refusedFile(text);
  return path === null ? null : { path, reason: text };
}

function secondsOf(event: unknown, key: string): number | null {
  const milliseconds = amountOf(event, key);
  return milliseconds === null ? null : milliseconds / 1000;
}

/** `rate_limit (429)` */
function waitingReason(event: unknown): string {
  const status = countOf(event, 'error_status');
  return `${textOf(event, 'error') ?? 'no answer'}${status === null ? '' : ` (${status})`}`;
}

const rememberedCalls = 1000;

function toolCall(block: unknown): ToolCall {
  const input = member(block, 'input');
  const path = pathOf(input);
  const detail = path ?? textOf(input, 'command') ?? textOf(input, 'pattern') ?? textOf(input, 'description') ?? '';
  return { tool: head(textOf(block, 'name') ?? 'unknown', limits.name), path, detail: head(detail, limits.detail) };
}

function pathOf(input: unknown): string | null {
  const path = textOf(input, 'file_path') ?? textOf(input, 'notebook_path') ?? textOf(input, 'path');
  return path === null ? null : head(path, limits.path);
}

/** `workingDir: Path is outside allowed working directories. <the CLI's own sentence>` */
function denialReason(event: unknown): string {
  const type = textOf(event, 'decision_reason_type');
  const reason = textOf(event, 'decision_reason');
  const message = textOf(event, 'message');
  const parts = [reason, message === reason ? null : message].filter((part) => part !== null);
  return [type, parts.join('. ')].filter(Boolean).join(': ');
}

/** Adds to a map of at most `rememberedCalls`; drops the oldest. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  if (key.length > limits.name) return;
  const [oldest] = map.keys();
  if (oldest !== undefined && map.size >= rememberedCalls) map.delete(oldest);
  map.set(key, value);
}

/**
 * Adds up what the messages of a launch report. Each block of a message repeats the usage of the whole message, and
 * messages of subagents come in between.
 */
class RunningUsage {
  readonly #messages = new Map<string, Usage>();
  #before: Usage | null = null;

  /** The total with this message; null when the message says nothing new. */
  of(message: unknown): Usage | null {
    const id = textOf(message, 'id');
    const usage = usageOf(message, true);
    if (id === null || id.length > limits.name || usage === null) return null;
    const known = this.#messages.get(id);
    if (known?.inputTokens === usage.inputTokens && known.outputTokens === usage.outputTokens) return null;
    this.#messages.set(id, usage);
    const [oldest] = this.#messages;
    if (oldest && this.#messages.size > remembered) {
      this.#messages.delete(oldest[0]);
      this.#before = addUsage(this.#before, oldest[1]);
    }
    const total = [...this.#messages.values()].reduce<Usage | null>(addUsage, this.#before);
    return total?.inputTokens === 0 && total.outputTokens === 0 ? null : total;
  }
}

const remembered = 32;

/** `usage` counts this launch alone; `total_cost_usd` includes the earlier launches of a resumed session. */
function usageOf(event: unknown, resumed: boolean): Usage | null {
  const usage = member(event, 'usage');
  const fresh = countOf(usage, 'input_tokens');
  const output = countOf(usage, 'output_tokens');
  if (fresh === null && output === null) return null;
  const cached = countOf(usage, 'cache_read_input_tokens');
  const stored = countOf(usage, 'cache_creation_input_tokens');
  return {
    inputTokens: fresh === null ? null : fresh + (cached ?? 0) + (stored ?? 0),
    cachedInputTokens: cached,
    outputTokens: output,
    costUsd: resumed ? null : amountOf(event, 'total_cost_usd'),
  };
}
