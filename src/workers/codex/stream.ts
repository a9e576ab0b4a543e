import { withoutColours } from '../../base/text/marked/colours';
import { copy, countOf, head, listOf, member, textOf, type JsonRecord } from '../shared/json';
import { beginsWith } from '../shared/ownWords';
import { createStreamParser, limits, type Emit } from '../shared/stream';
import type { ParserOptions, StreamParser } from '../worker';
import type { Usage, WorkerSignal } from '../../contracts/launch';

/**
 * `codex exec --json`. Types: thread.started, turn.started/completed/failed, item.started/updated/completed,
 * error. An `error` event or item is not a failure (retries, model notes); `turn.failed` is.
 */
export function createParser(options: ParserOptions = {}): StreamParser {
  /** A line of its log goes on over lines that may quote a patch or a path; nothing marks its end. */
  let quoting = false;
  return createStreamParser({
    event(event, emit) {
      switch (textOf(event, 'type')) {
        case 'thread.started': {
          const sessionId = textOf(event, 'thread_id');
          if (sessionId === null) return false;
          emit({ kind: 'session', sessionId, model: null, cliVersion: null });
          return true;
        }
        case 'turn.started':
          emit({ kind: 'progress', text: 'turn started' });
          return true;
        case 'item.started':
          return onItemStarted(member(event, 'item'), emit);
        case 'item.updated':
          return isKnownItem(member(event, 'item'));
        case 'item.completed':
          return onItemCompleted(member(event, 'item'), emit);
        case 'turn.completed': {
          const usage = usageOf(event);
          // Cumulative over the thread, so a resumed launch gets the total of its session.
          if (usage !== null) emit({ kind: 'usage', usage, span: options.resumed === true ? 'session' : 'launch' });
          emit({ kind: 'final', ok: true, reason: null, text: null, structured: null });
          return true;
        }
        case 'turn.failed': {
          const reason = textOf(member(event, 'error'), 'message') ?? 'turn failed';
          denyStart(reason, 'event', emit);
          emit({ kind: 'error', message: reason, fatal: true });
          emit({ kind: 'final', ok: false, reason, text: null, structured: null });
          return true;
        }
        case 'error':
          onError(textOf(event, 'message') ?? 'error', emit);
          return true;
        default:
          return false;
      }
    },
    errorLine(coloured, emit, begun) {
      const line = head(withoutColours(coloured), limits.path + 3000);
      quoting ||= begun && logLine.test(line);
      errorLine(line, emit, { begun, quoting });
    },
  });
}

const knownItems = new Set([
  'agent_message',
  'command_execution',
  'file_change',
  'mcp_tool_call',
  'error',
  'reasoning',
  'web_search',
  'todo_list',
  'collab_tool_call',
]);

function isKnownItem(item: unknown): boolean {
  return knownItems.has(textOf(item, 'type') ?? '');
}

function onItemStarted(item: unknown, emit: Emit): boolean {
  const callId = textOf(item, 'id');
  switch (textOf(item, 'type')) {
    case 'command_execution':
      emit({ kind: 'tool_use', tool: 'shell', callId, detail: head(textOf(item, 'command') ?? '', limits.detail) });
      return true;
    case 'mcp_tool_call':
    case 'collab_tool_call':
    case 'web_search':
      emit({
        kind: 'tool_use',
        tool: textOf(item, 'tool') ?? textOf(item, 'type') ?? '',
        callId,
        detail: textOf(item, 'server') ?? textOf(item, 'query') ?? '',
      });
      return true;
    case 'file_change':
      emit({ kind: 'tool_use', tool: 'apply_patch', callId, detail: head(pathsOf(item).join(', '), limits.detail) });
      return true;
    default:
      return isKnownItem(item);
  }
}

function onItemCompleted(item: unknown, emit: Emit): boolean {
  const status = textOf(item, 'status');
  switch (textOf(item, 'type')) {
    case 'agent_message':
      emit({ kind: 'message', text: textOf(item, 'text') ?? '' });
      return true;
    case 'file_change':
      if (status === 'completed') emitChanges(item, emit);
      else if (status === 'declined')
        emit({
          kind: 'denial',
          tool: 'apply_patch',
          path: pathsOf(item)[0] ?? null,
          reason: 'Patch declined.',
          source: 'event',
        });
      // A patch that does not fit its file is no denial: the sandbox reports denials itself.
      else
        emit({
          kind: 'error',
          message: `Patch failed: ${head(pathsOf(item).join(', '), limits.detail)}`,
          fatal: false,
        });
      return true;
    case 'command_execution':
      if (status === 'declined')
        emit({
          kind: 'denial',
          tool: 'shell',
          path: null,
          reason: `Command declined: ${textOf(item, 'command') ?? ''}`,
          source: 'event',
        });
      else emit({ kind: 'progress', text: `command ended, exit code ${countOf(item, 'exit_code') ?? 'unknown'}` });
      return true;
    case 'mcp_tool_call':
      onToolCallCompleted(item, status, emit);
      return true;
    case 'error': {
      const message = textOf(item, 'message') ?? 'error';
      denyStart(message, 'event', emit);
      emit({ kind: 'error', message, fatal: false });
      return true;
    }
    case 'reasoning':
      emit({ kind: 'progress', text: textOf(item, 'text') ?? 'reasoning' });
      return true;
    default:
      return isKnownItem(item);
  }
}

/** Seen: `MCP tool call requires approval, but approval policy is never`. */
function onToolCallCompleted(item: unknown, status: string | null, emit: Emit): void {
  if (status !== 'failed') return;
  const message = textOf(member(item, 'error'), 'message') ?? 'failed';
  if (message.startsWith('MCP tool call requires approval'))
    emit({ kind: 'denial', tool: textOf(item, 'tool'), path: null, reason: message, source: 'event' });
  else emit({ kind: 'error', message, fatal: false });
}

function emitChanges(item: unknown, emit: Emit): void {
  for (const change of listOf(item, 'changes')) {
    const path = textOf(change, 'path');
    if (path !== null) emit({ kind: 'file_change', path, change: fileChangeOf(textOf(change, 'kind')) });
  }
}

function pathsOf(item: unknown): string[] {
  return listOf(item, 'changes')
    .slice(0, 20)
    .map((change) => textOf(change, 'path') ?? '');
}

function fileChangeOf(kind: string | null): Extract<WorkerSignal, { kind: 'file_change' }>['change'] {
  return kind === 'add' || kind === 'update' || kind === 'delete' ? kind : 'unknown';
}

function usageOf(event: JsonRecord): Usage | null {
  const usage = member(event, 'usage');
  const inputTokens = countOf(usage, 'input_tokens');
  const outputTokens = countOf(usage, 'output_tokens');
  if (inputTokens === null && outputTokens === null) return null;
  return { inputTokens, cachedInputTokens: countOf(usage, 'cached_input_tokens'), outputTokens, costUsd: null };
}

/** Seen: `Reconnecting... 1/5 (exceeded retry limit, last status: 429 Too Many Requests, …)`. It waits by itself. */
function onError(message: string, emit: Emit): void {
  denyStart(message, 'event', emit);
  const waiting = /^Reconnecting\.\.\. ?(.*)$/s.exec(message)?.[1];
  if (waiting === undefined) emit({ kind: 'error', message, fatal: false });
  else emit({ kind: 'waiting', seconds: null, reason: waiting === '' ? message : waiting });
}

const logLine = /^\d{4}-\d\d-\d\dT[\d:.]{8,20}Z +[A-Z]{4,5} /;

/**
 * `<time>  WARN codex_sandboxing::violation: recorded sandbox violation: resource=… backend=… reason=… path=/a b/c`.
 * Codex concludes it from the output of a command that failed.
 */
const violation =
  /^\d{4}-\d\d-\d\dT[\d:.]{8,20}Z +WARN (?:\S.{0,2000}: )?codex_sandboxing::violation: recorded sandbox violation: (.+)$/;
/** The words of the contract (seed 002); no tested version says the second. */
const startRefusal = /^(?:Not inside a trusted directory|Repository check failed)\b/i;

function denyStart(text: string, source: 'event' | 'stderr', emit: Emit): boolean {
  const refused = beginsWith(text, startRefusal);
  if (refused) emit({ kind: 'denial', tool: null, path: null, reason: head(text, limits.reason), source });
  return refused;
}

function errorLine(line: string, emit: Emit, at: { readonly begun: boolean; readonly quoting: boolean }): void {
  const found = violation.exec(line)?.[1];
  if (found !== undefined) {
    const violated = copy(found);
    const pathAt = violated.indexOf('path=');
    const path = pathAt === -1 ? 'unknown' : violated.slice(pathAt + 'path='.length);
    emit({
      kind: 'denial',
      tool: 'shell',
      path: path === 'unknown' ? null : path,
      reason: `Sandbox violation: ${pathAt === -1 ? violated : violated.slice(0, pathAt).trimEnd()}`,
      source: 'stderr',
    });
    return;
  }
  const refused = !at.quoting && denyStart(line, 'stderr', emit);
  if ((refused && !at.begun) || line.startsWith('Error: ') || line.startsWith('error: '))
    emit({ kind: 'error', message: head(line, limits.reason), fatal: true });
}
