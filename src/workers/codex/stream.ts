import { withoutColours } from '../../base/text/marked/colours';
import { copy, countOf, head, listOf, member, textOf } from '../shared/json';
import { beginsWith } from '../shared/denials';
import { createStreamParser, denial, handle, handlers, limits, type Emit, type Handlers } from '../shared/stream';
import type { StreamParser } from '../worker';
import type { Usage, WorkerSignal } from '../../contracts/launch';

/**
 * `codex exec --json`. Types: thread.started, turn.started/completed/failed, item.started/updated/completed,
 * error. An `error` event or item is not a failure (retries, model notes); `turn.failed` is.
 */
export function createParser(resumed = false): StreamParser {
  /** A line of its log goes on over lines that may quote a patch or a path; nothing marks its end. */
  let quoting = false;
  const events = handlers({
    'thread.started': (event, emit) => {
      const sessionId = textOf(event, 'thread_id');
      if (sessionId === null) return false;
      emit({ kind: 'session', sessionId, model: null, cliVersion: null });
      return true;
    },
    'turn.started': (_, emit) => emit({ kind: 'progress', text: 'turn started' }),
    'item.started': (event, emit) => onItem(started, event, emit),
    'item.updated': (event, emit) => onItem(handlers({}), event, emit),
    'item.completed': (event, emit) => onItem(completed, event, emit),
    'turn.completed': (event, emit) => {
      const usage = usageOf(event);
      // Cumulative over the thread, so a resumed launch gets the total of its session.
      if (usage !== null) emit({ kind: 'usage', usage, span: resumed ? 'session' : 'launch' });
      emit({ kind: 'final', ok: true, reason: null, text: null, structured: null });
    },
    'turn.failed': (event, emit) => {
      const reason = textOf(event, 'error', 'message') ?? 'turn failed';
      denyStart(reason, 'event', emit);
      emit({ kind: 'error', message: reason, fatal: true });
      emit({ kind: 'final', ok: false, reason, text: null, structured: null });
    },
    error: (event, emit) => onError(textOf(event, 'message') ?? 'error', emit),
  });
  return createStreamParser({
    event: (event, emit) => handle(events, textOf(event, 'type'), event, emit),
    errorLine(coloured, emit, begun) {
      const line = head(withoutColours(coloured), limits.path + 3000);
      quoting ||= begun && logLine.test(line);
      errorLine(line, emit, { begun, quoting });
    },
  });
}

/** Items that tell something at their start or end, or nothing. */
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

function onItem(handlers: Handlers, event: unknown, emit: Emit): boolean {
  const item = member(event, 'item');
  const type = textOf(item, 'type') ?? '';
  handle(handlers, type, item, emit);
  return knownItems.has(type);
}

const started = handlers({
  command_execution: (item, emit) => emit(use('shell', item, textOf(item, 'command'))),
  file_change: (item, emit) => emit(use('apply_patch', item, pathsOf(item).join(', '))),
  mcp_tool_call: onToolCall,
  collab_tool_call: onToolCall,
  web_search: onToolCall,
});

function onToolCall(item: unknown, emit: Emit): void {
  const tool = textOf(item, 'tool') ?? textOf(item, 'type') ?? '';
  emit(use(tool, item, textOf(item, 'server') ?? textOf(item, 'query')));
}

function use(tool: string, item: unknown, detail: string | null): WorkerSignal {
  return { kind: 'tool_use', tool, callId: textOf(item, 'id'), detail: detail ?? '' };
}

const completed = handlers({
  agent_message: (item, emit) => emit({ kind: 'message', text: textOf(item, 'text') ?? '' }),
  file_change(item, emit) {
    const status = textOf(item, 'status');
    if (status === 'completed') emitChanges(item, emit);
    else if (status === 'declined')
      emit(denial('Patch declined.', { tool: 'apply_patch', path: pathsOf(item)[0] ?? null }));
    // A patch that does not fit its file is no denial: the sandbox reports denials itself.
    else {
      const paths = head(pathsOf(item).join(', '), limits.detail);
      emit({ kind: 'error', message: `Patch failed: ${paths}`, fatal: false });
    }
  },
  command_execution(item, emit) {
    if (textOf(item, 'status') === 'declined')
      emit(denial(`Command declined: ${textOf(item, 'command') ?? ''}`, { tool: 'shell' }));
    else emit({ kind: 'progress', text: `command ended, exit code ${countOf(item, 'exit_code') ?? 'unknown'}` });
  },
  /** Seen: `MCP tool call requires approval, but approval policy is never`. */
  mcp_tool_call(item, emit) {
    if (textOf(item, 'status') !== 'failed') return;
    const message = textOf(item, 'error', 'message') ?? 'failed';
    if (message.startsWith('MCP tool call requires approval')) emit(denial(message, { tool: textOf(item, 'tool') }));
    else emit({ kind: 'error', message, fatal: false });
  },
  error(item, emit) {
    const message = textOf(item, 'message') ?? 'error';
    denyStart(message, 'event', emit);
    emit({ kind: 'error', message, fatal: false });
  },
  reasoning: (item, emit) => emit({ kind: 'progress', text: textOf(item, 'text') ?? 'reasoning' }),
});

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

function usageOf(event: unknown): Usage | null {
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
  if (refused) emit(denial(text, { source }));
  return refused;
}

function errorLine(line: string, emit: Emit, at: { readonly begun: boolean; readonly quoting: boolean }): void {
  const found = violation.exec(line)?.[1];
  if (found !== undefined) {
    const violated = copy(found);
    const pathAt = violated.indexOf('path=');
    const path = pathAt === -1 ? 'unknown' : violated.slice(pathAt + 'path='.length);
    const reason = `Sandbox violation: ${pathAt === -1 ? violated : violated.slice(0, pathAt).trimEnd()}`;
    emit(denial(reason, { tool: 'shell', path: path === 'unknown' ? null : path, source: 'stderr' }));
    return;
  }
  const refused = !at.quoting && denyStart(line, 'stderr', emit);
  if ((refused && !at.begun) || line.startsWith('Error: ') || line.startsWith('error: '))
    emit({ kind: 'error', message: line, fatal: true });
}
