import { withoutColours } from '../../base/text/marked/colours';
import { isObject } from '../../base/json';
import { countOf, head, member, tail, textOf } from '../shared/json';
import { refusedFile, beginsWith } from '../shared/denials';
import { createStreamParser, denial, handle, handlers, limits, type Emit } from '../shared/stream';
import type { StreamParser } from '../worker';
import type { Usage } from '../../contracts/launch';

/**
 * `gemini -o stream-json`. Types: init, message (assistant text in deltas), tool_use, tool_result, error,
 * result. A refused tool still ends in `result` success with exit code 0: denials are in tool_result alone.
 */
export function createParser(): StreamParser {
  const calls = new Map<string, { tool: string; path: string | null }>();
  let deltas: string[] = [];
  let deltaLength = 0;
  /** A tool's error on stderr has lines that may quote files, commands and the model; nothing marks its end. */
  let quoting = false;

  const flush = (emit: Emit): void => {
    if (deltas.length === 0) return;
    const text = deltas.join('');
    deltas = [];
    deltaLength = 0;
    emit({ kind: 'message', text });
  };

  const events = handlers({
    init(event, emit) {
      const sessionId = textOf(event, 'session_id');
      if (sessionId === null) return false;
      emit({ kind: 'session', sessionId, model: textOf(event, 'model'), cliVersion: null });
      return true;
    },
    message(event, emit) {
      if (textOf(event, 'role') !== 'assistant') return; // the prompt, echoed
      const text = textOf(event, 'content') ?? '';
      // Deltas break lines and words anywhere, so they are emitted as one message at its end.
      if (deltas.length === 0) emit({ kind: 'progress', text: 'answering' });
      deltas.push(text);
      deltaLength += text.length;
      if (deltaLength > 2 * limits.message) {
        deltas = [tail(deltas.join(''), limits.message)];
        deltaLength = limits.message;
      }
    },
    tool_use(event, emit) {
      const tool = head(textOf(event, 'tool_name') ?? 'unknown', limits.name);
      const callId = textOf(event, 'tool_id');
      const parameters = member(event, 'parameters');
      const path = textOf(parameters, 'file_path') ?? textOf(parameters, 'dir_path') ?? textOf(parameters, 'path');
      if (callId !== null && callId.length <= limits.name) {
        if (calls.size >= 1000) calls.clear();
        calls.set(callId, { tool, path: path === null ? null : head(path, limits.path) });
      }
      const detail = path ?? textOf(parameters, 'command') ?? textOf(parameters, 'pattern') ?? '';
      emit({ kind: 'tool_use', tool, callId, detail });
    },
    tool_result(event, emit) {
      const id = textOf(event, 'tool_id');
      const { tool = null, path = null } = (id === null ? undefined : calls.get(id)) ?? {};
      if (id !== null) calls.delete(id);
      if (textOf(event, 'status') === 'success') {
        if (path !== null && tool !== null && changingTools.has(tool))
          emit({ kind: 'file_change', path, change: tool === 'replace' ? 'update' : 'unknown' });
        return;
      }
      const error = member(event, 'error');
      const said = textOf(error, 'message') ?? textOf(event, 'output') ?? 'tool failed';
      const type = textOf(error, 'type') ?? 'unknown';
      const message = `${type}: ${said}`;
      if (isDenial(type, said, tool)) emit(denial(message, { tool, path: deniedPath(said) ?? path }));
      else emit({ kind: 'error', message, fatal: false });
    },
    error: (event, emit) => onFailure(textOf(event, 'message') ?? 'error', false, emit),
    result(event, emit) {
      const usage = usageOf(event);
      if (usage !== null) emit({ kind: 'usage', usage, span: 'launch' }); // per run, on resume too
      const ok = textOf(event, 'status') === 'success';
      onEnd(ok ? null : (member(event, 'error') ?? {}), null, emit);
    },
  });

  return createStreamParser({
    event(event, emit) {
      const type = textOf(event, 'type');
      if (type !== 'message' || textOf(event, 'role') !== 'assistant') flush(emit);
      return type === null ? onDocument(event, emit) : handle(events, type, event, emit);
    },
    otherLine(line, emit, begun) {
      const message = head(withoutColours(line), limits.reason).trim();
      if (!begun && signInPrompts.some((start) => message.startsWith(start)))
        emit({ kind: 'error', message, fatal: true });
    },
    errorLine(coloured, emit, begun) {
      const line = head(withoutColours(coloured), limits.path);
      const [, tool = null, said = line] = /^Error executing tool ([\w.-]{1,100}): (.*)$/.exec(line) ?? [];
      if (!quoting && (tool === null || ownTools.has(tool))) deny(said, { tool, source: 'stderr' }, emit);
      if (tool !== null) quoting ||= !ownTools.has(tool) || !isRefusal(said);
      else errorLine(line, emit, begun);
    },
    end: flush,
  });
}

/** `gemini -o json`: one document with `session_id`, `response` or `error`, and `stats` by model. */
function onDocument(document: unknown, emit: Emit): boolean {
  const response = textOf(document, 'response');
  const error = member(document, 'error');
  if (response === null && error === undefined) return false;
  const models = member(document, 'stats', 'models');
  const names = isObject(models) ? Object.keys(models) : [];
  const sessionId = textOf(document, 'session_id');
  if (sessionId !== null)
    emit({ kind: 'session', sessionId, model: names.length === 1 ? (names[0] ?? null) : null, cliVersion: null });
  const tokens = names.map((name) => member(models, name, 'tokens'));
  const sum = (key: string): number => tokens.reduce<number>((total, one) => total + (countOf(one, key) ?? 0), 0);
  if (names.length > 0) {
    const outputTokens = sum('candidates') + sum('thoughts');
    const usage = { inputTokens: sum('prompt'), cachedInputTokens: sum('cached'), outputTokens };
    emit({ kind: 'usage', usage: { ...usage, costUsd: null }, span: 'launch' });
  }
  onEnd(error ?? null, response, emit);
  return true;
}

/** @param error null: the run ended well */
function onEnd(error: unknown, text: string | null, emit: Emit): void {
  const reason = error === null ? null : (textOf(error, 'message') ?? 'error');
  if (reason !== null) onFailure(reason, true, emit);
  emit({ kind: 'final', ok: reason === null, reason, text, structured: null });
}

/** An error of the CLI itself. */
function onFailure(message: string, fatal: boolean, emit: Emit): void {
  deny(message, {}, emit);
  emit({ kind: 'error', message, fatal });
}

/** The words of the contract (seed 002). Google says the second of its own resources, too, as an API error. */
const refusal =
  /^(?:(?:File )?path must be within[^\n]{0,4096}workspace directories|permission denied\b(?! (?:on|for) (?:resource|project|service|consumer)\b))/i;

function isRefusal(text: string): boolean {
  return beginsWith(text, refusal);
}

type At = NonNullable<Parameters<typeof denial>[1]>;

function deny(reason: string, at: At, emit: Emit): void {
  if (!isRefusal(reason)) return;
  const named = /^Permission denied writing to file: (.{1,4096}?)(?: \(E[A-Z]{3,9}\))?$/i.exec(reason)?.[1];
  emit(denial(reason, { ...at, path: named ?? refusedFile(reason) }));
}

/** Tools whose errors begin with the CLI's own words; a command or a server may print anything. */
const ownTools = new Set([
  'read_file',
  'read_many_files',
  'write_file',
  'replace',
  'list_directory',
  'glob',
  'grep_search',
  'search_file_content',
]);

const changingTools = new Set(['write_file', 'replace']);

/** Tools that exist but are removed from a headless run that did not approve them. */
const approvableTools = new Set([
  'write_file',
  'replace',
  'web_fetch',
  'run_shell_command',
  'save_memory',
  'google_web_search',
  'invoke_agent',
  'activate_skill',
  'enter_plan_mode',
]);

/** Current and older texts of a path outside the workspace. */
const outside =
  /^(?:Path not in workspace: Attempted path "|(?:File )?path must be within (?:one of )?the (?:workspace directories|root directory)|Directory '[^']{1,4096}' is not a registered workspace directory)/i;

/** Types of errors about a tool's arguments; a command or a server may print anything. */
const scopeErrors = new Set(['invalid_tool_params', 'path_not_in_workspace']);

/** Errors whose text is the CLI's own up to the end; that of an edit may quote the model. */
const fileErrors = new Set(['file_write_failure', 'read_content_failure', 'ls_execution_error', 'unknown']);

function isDenial(type: string, message: string, tool: string | null): boolean {
  if (type === 'policy_violation' || type === 'permission_denied') return true;
  if (type === 'tool_not_registered') return tool !== null && approvableTools.has(tool);
  if (scopeErrors.has(type) && outside.test(message)) return true;
  const own = fileErrors.has(type) || message.startsWith('Failed to resolve path: ');
  return own && refusedFile(message) !== null;
}

/** The path as the CLI resolved it; the tool call may have named it from the workspace. */
function deniedPath(message: string): string | null {
  const attempted = /^Path not in workspace: Attempted path "([^"\n]{1,4096})"/.exec(message)?.[1];
  return attempted ?? refusedFile(message);
}

/** `output_tokens` is without what the model thought, which is in the total alone. */
function usageOf(event: unknown): Usage | null {
  const stats = member(event, 'stats');
  const inputTokens = countOf(stats, 'input_tokens');
  const answered = countOf(stats, 'output_tokens');
  if (inputTokens === null && answered === null) return null;
  const all = (countOf(stats, 'total_tokens') ?? 0) - (inputTokens ?? 0);
  const outputTokens = answered === null ? null : Math.max(answered, all);
  return { inputTokens, cachedInputTokens: countOf(stats, 'cached'), outputTokens, costUsd: null };
}

/** Only errors that end a run before its first event, and its waiting: tool_result reports tool failures. */
function errorLine(line: string, emit: Emit, begun: boolean): void {
  const message = head(line, limits.reason);
  if (/^Attempt \d{1,4} failed\b.*\bRetrying\b/.test(message)) {
    const delay = /Retrying after (\d{1,9})ms/.exec(message)?.[1];
    const [said] = message.split(/ ?Retrying\b/, 1);
    emit({ kind: 'waiting', seconds: delay === undefined ? null : Number(delay) / 1000, reason: said ?? message });
  } else if (!begun && message.includes('not running in a trusted directory')) {
    emit(denial(message, { source: 'stderr' }));
    emit({ kind: 'error', message, fatal: true });
  } else if (!begun && fatalStarts.some((start) => message.startsWith(start))) {
    emit({ kind: 'error', message, fatal: true });
  }
}

/** What it asks a person on stdout, although it is given no terminal; it ends or waits for ever. */
const signInPrompts = [
  'Opening authentication page in your browser',
  'Please visit the following URL to authorize',
  'Manual authorization is required',
];

const fatalStarts = [
  'Please set an Auth method', // exit code 41
  'When using Gemini API, you must specify', // 41
  'When using Vertex AI, you must specify', // 41
  'Invalid auth method selected',
  'Error authenticating: ', // 41, or 130 where the prompt was taken for an answer
  'FatalAuthenticationError: ',
  'FatalCancellationError: ',
  'Error resuming session', // 42
  'GEMINI_SANDBOX is true but', // 44
  'FatalSandboxError: ',
  'An unexpected critical error occurred',
  'Failed to save project registry',
];
