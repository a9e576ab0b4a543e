import { copy, countOf, head, listOf, member, textOf } from '../shared/json';
import type { JsonRecord } from '../shared/json';
import { createStreamParser, limits } from '../shared/stream';
import type { Emit } from '../shared/stream';
import type { ParserOptions, StreamParser, Usage, WorkerSignal } from '../worker';

/**
 * `codex exec --json`. Types: thread.started, turn.started/completed/failed, item.started/updated/completed,
 * error. An `error` event or item is not a failure (retries, model notes); `turn.failed` is.
 */
export function createCodexParser(options: ParserOptions = {}): StreamParser {
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
          // Cumulative over the thread: of this launch only when this launch began the thread.
          if (usage !== null) emit({ kind: 'usage', usage, span: options.resumed === true ? 'session' : 'launch' });
          emit({ kind: 'final', ok: true, reason: null, text: null, structured: null });
          return true;
        }
        case 'turn.failed': {
          const reason = textOf(member(event, 'error'), 'message') ?? 'turn failed';
          emit({ kind: 'error', message: reason, fatal: true });
          emit({ kind: 'final', ok: false, reason, text: null, structured: null });
          return true;
        }
        case 'error':
          emit({ kind: 'error', message: textOf(event, 'message') ?? 'error', fatal: false });
          return true;
        default:
          return false;
      }
    },
    errorLine,
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
      // A patch that does not fit its file is no refusal: the sandbox tells of those itself.
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
    case 'error':
      emit({ kind: 'error', message: textOf(item, 'message') ?? 'error', fatal: false });
      return true;
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
  if (message.includes('requires approval'))
    emit({ kind: 'denial', tool: textOf(item, 'tool'), path: null, reason: message, source: 'event' });
  else emit({ kind: 'error', message, fatal: false });
}

function emitChanges(item: unknown, emit: Emit): void {
  for (const change of listOf(item, 'changes')) {
    const path = textOf(change, 'path');
    if (path !== null) emit({ kind: 'file_change', path, change: kindOf(textOf(change, 'kind')) });
  }
}

function pathsOf(item: unknown): string[] {
  return listOf(item, 'changes')
    .slice(0, 20)
    .map((change) => textOf(change, 'path') ?? '');
}

function kindOf(kind: string | null): Extract<WorkerSignal, { kind: 'file_change' }>['change'] {
  return kind === 'add' || kind === 'update' || kind === 'delete' ? kind : 'unknown';
}

function usageOf(event: JsonRecord): Usage | null {
  const usage = member(event, 'usage');
  const inputTokens = countOf(usage, 'input_tokens');
  const outputTokens = countOf(usage, 'output_tokens');
  if (inputTokens === null && outputTokens === null) return null;
  return { inputTokens, cachedInputTokens: countOf(usage, 'cached_input_tokens'), outputTokens, costUsd: null };
}

const violationMark = 'codex_sandboxing::violation: recorded sandbox violation: ';
const untrustedMark = 'Not inside a trusted directory';

/** `<time>  WARN codex_sandboxing::violation: recorded sandbox violation: resource=… backend=… reason=… path=/a b/c` */
function errorLine(line: string, emit: Emit): void {
  const at = line.indexOf(violationMark);
  if (at !== -1 && at < 200) {
    const words = copy(line.slice(at + violationMark.length, at + violationMark.length + limits.path));
    const pathAt = words.indexOf('path=');
    emit({
      kind: 'denial',
      tool: 'shell',
      path: pathAt === -1 ? null : words.slice(pathAt + 'path='.length),
      reason: `Sandbox violation: ${pathAt === -1 ? words : words.slice(0, pathAt).trimEnd()}`,
      source: 'stderr',
    });
    return;
  }
  if (line.startsWith(untrustedMark)) {
    const reason = head(line, limits.reason);
    emit({ kind: 'denial', tool: null, path: null, reason, source: 'stderr' });
    emit({ kind: 'error', message: reason, fatal: true });
    return;
  }
  if (line.startsWith('Error: ') || line.startsWith('error: '))
    emit({ kind: 'error', message: head(line, limits.reason), fatal: true });
}
