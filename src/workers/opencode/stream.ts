import { withoutColours } from '../../base/text/marked/colours';
import { amountOf, countOf, head, listOf, member, textOf } from '../shared/json';
import { createStreamParser, denial, handle, handlers, limits, type Emit, addUsage } from '../shared/stream';
import type { StreamParser } from '../worker';
import type { Usage } from '../../contracts/launch';

/**
 * `opencode run --format json`. Types: step_start, tool_use (once, when the tool has ended), text, reasoning,
 * step_finish, error. A step that finishes with another reason than `tool-calls` is the last one, unless another
 * begins: compaction and some gateways say `stop` in the middle. So the parser reports the final event when the stream
 * ends. A refused tool still ends in `stop` with exit code 0: denials are in tool_use alone.
 */
export function createParser(): StreamParser {
  let session: string | null = null;
  let usage: Usage | null = null;
  let final: { readonly failure: string | null } | null = null;
  let otherAgent = false;

  const events = handlers({
    step_start() {
      final = null;
    },
    tool_use: (event, emit) => onToolUse(member(event, 'part'), emit),
    text(event, emit) {
      const text = textOf(event, 'part', 'text') ?? '';
      // An empty last text would take the place of the one that holds the result.
      if (text.trim() !== '') emit({ kind: 'message', text });
    },
    reasoning: (_, emit) => emit({ kind: 'progress', text: 'thinking' }),
    step_finish(event, emit) {
      const part = member(event, 'part');
      const used = usageOf(part);
      if (used !== null) {
        usage = addUsage(usage, used);
        emit({ kind: 'usage', usage, span: 'launch' }); // each step reports its own
      }
      const reason = textOf(part, 'reason') ?? 'unknown';
      if (unfinished.has(reason)) return;
      final = { failure: reason === 'stop' ? null : reason };
      if (reason !== 'stop') emit({ kind: 'error', message: `The model stopped: ${reason}`, fatal: true });
      emit({ kind: 'turn_ended' });
    },
    error(event, emit) {
      final = { failure: errorOf(event) };
      emit({ kind: 'error', message: errorOf(event), fatal: true });
      emit({ kind: 'turn_ended' });
    },
  });

  return createStreamParser({
    event(event, emit) {
      const type = textOf(event, 'type') ?? '';
      if (!events.has(type)) return false;
      const sessionId = textOf(event, 'sessionID');
      if (session === null && sessionId !== null) {
        session = sessionId;
        emit({ kind: 'session', sessionId, model: null, cliVersion: null });
      }
      return handle(events, type, event, emit);
    },
    errorLine(coloured, emit) {
      const line = head(withoutColours(coloured), limits.path);
      const retried = retriedError.exec(line)?.[1];
      if (retried !== undefined) {
        emit({ kind: 'waiting', seconds: null, reason: retried });
      } else if (/^error: /i.test(line)) {
        // Seen: `Error: Session not found`, `Error: Model not found: …`, and what it says of an unknown option.
        emit({ kind: 'error', message: line, fatal: true });
      } else if (line.includes('Falling back to default agent')) {
        otherAgent = true;
        emit({ kind: 'error', message: line, fatal: true });
      }
    },
    end(emit) {
      if (final === null && !otherAgent) return;
      const reason = otherAgent ? 'It did not run as the agent that confines it.' : (final?.failure ?? null);
      emit({ kind: 'final', ok: reason === null, reason, text: null, structured: null });
    },
  });
}

/**
 * A line of its log for each request that failed, before it tries again; it reports nothing of it on stdout, and the
 * last one is followed by the final error there.
 */
const retriedError = /^timestamp=\S+ level=ERROR run=\S+ message="stream error" .*\berror\.error="((?:[^"\\]|\\.)+)"/;

const unfinished = new Set(['tool-calls', 'unknown']);
const changingTools = new Set(['write', 'edit', 'apply_patch']);

/** Tools that exist but are never given to a worker. */
const withheldTools = new Set(['bash', 'webfetch', 'websearch', 'task', 'skill', 'write', 'edit', 'apply_patch']);

function onToolUse(part: unknown, emit: Emit): void {
  const state = member(part, 'state');
  const input = member(state, 'input');
  const tool = head(textOf(part, 'tool') ?? 'unknown', limits.name);
  const path = textOf(input, 'filePath') ?? textOf(input, 'path') ?? firstInPatch(textOf(input, 'patchText'));
  const detail = path ?? textOf(input, 'command') ?? textOf(input, 'pattern') ?? '';
  emit({ kind: 'tool_use', tool, callId: textOf(part, 'callID'), detail });
  if (textOf(state, 'status') !== 'error') {
    if (changingTools.has(tool)) onChange(path, member(state, 'metadata'), emit);
    return;
  }
  const message = textOf(state, 'error') ?? 'tool failed';
  if (isDenial(tool, message))
    emit(denial(denialReason(message), { tool, path: fileSystem.exec(message)?.[1] ?? path }));
  else emit({ kind: 'error', message: `${tool}: ${message}`, fatal: false });
}

/** `write` and `edit` name one file in what they were asked for, `apply_patch` (for GPT models) all of its files. */
function onChange(path: string | null, metadata: unknown, emit: Emit): void {
  const files = listOf(metadata, 'files');
  for (const file of files) {
    const type = textOf(file, 'type');
    const from = textOf(file, 'filePath');
    const to = textOf(file, 'movePath');
    if (from !== null) emit({ kind: 'file_change', path: from, change: patchChanges.get(type ?? '') ?? 'unknown' });
    if (to !== null) emit({ kind: 'file_change', path: to, change: 'add' });
  }
  if (path === null || files.length > 0) return;
  const created = member(metadata, 'exists') === false;
  emit({ kind: 'file_change', path, change: created ? 'add' : 'update' });
}

const patchChanges: ReadonlyMap<string, 'add' | 'update' | 'delete'> = new Map([
  ['add', 'add'],
  ['update', 'update'],
  ['delete', 'delete'],
  ['move', 'delete'],
]);

function firstInPatch(patch: string | null): string | null {
  return /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m.exec(patch ?? '')?.[1]?.trim() ?? null;
}

const ruleText = 'The user has specified a rule which prevents you from using this specific tool call.';

/** All it says where the system refuses, without the system's own word: `Unknown: FileSystem.writeFile (/w/a)`. */
const fileSystem = /^(?:Unknown|PermissionDenied): FileSystem\.[A-Za-z]{1,40} \((.{1,4096})\)$/;
const shells = new Set(['bash', 'task']);

function isDenial(tool: string, message: string): boolean {
  if (!shells.has(tool) && fileSystem.test(message)) return true;
  if (message.startsWith(ruleText) || message.startsWith('The user rejected permission')) return true;
  return withheldTools.has(tool) && message.startsWith('Model tried to call unavailable tool');
}

/** Without the rules that follow: they are ours, and they hold paths of this machine. */
function denialReason(message: string): string {
  if (!message.startsWith(ruleText)) return message;
  const rules = new Set([...message.matchAll(/"permission":"([a-z_]{1,40})"/g)].map((found) => found[1]));
  const outside = rules.has('external_directory') && !rules.has('edit') ? 'external_directory: ' : '';
  return `${outside}A rule of the launch line denies it.`;
}

/** `HTTP 429: slow down please`; without the status where there was no answer at all. */
function errorOf(event: unknown): string {
  const error = member(event, 'error');
  const data = member(error, 'data');
  const status = countOf(data, 'statusCode');
  const message = textOf(data, 'message') ?? textOf(error, 'name') ?? 'error';
  return status === null ? message : `HTTP ${status}: ${message}`;
}

/** `input` is without what came from a cache, `output` without what the model thought. */
function usageOf(part: unknown): Usage | null {
  const tokens = member(part, 'tokens');
  const cache = member(tokens, 'cache');
  const fresh = countOf(tokens, 'input');
  const output = countOf(tokens, 'output');
  if (fresh === null && output === null) return null;
  const cached = countOf(cache, 'read');
  return {
    inputTokens: fresh === null ? null : fresh + (cached ?? 0) + (countOf(cache, 'write') ?? 0),
    cachedInputTokens: cached,
    outputTokens: output === null ? null : output + (countOf(tokens, 'reasoning') ?? 0),
    costUsd: amountOf(part, 'cost'),
  };
}
