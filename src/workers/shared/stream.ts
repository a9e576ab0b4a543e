import { isObject, parsedJson, type JsonObject } from '../../base/json';
import { head, tail } from './json';
import type { StreamParser } from '../worker';
import type { StreamSummary, Usage, WorkerSignal } from '../../contracts/launch';

/** What the parser of one CLI adds to the common one. */
export interface StreamDialect {
  /** One event of stdout. False: an unknown type, which is counted and ignored. `waits`: it is no sign of progress. */
  event(event: JsonObject, emit: Emit): boolean | 'waits';
  /** One line of stdout that is no event: a tool of a run that has begun may print anything. */
  otherLine?(line: string, emit: Emit, begun: boolean): void;
  /**
   * One line of stderr. Only known texts of the CLI itself become signals; the rest is noise. `begun`: an event was
   * there before. Then a refusal to start does not count, because the tools of a started run may quote anything.
   */
  errorLine(line: string, emit: Emit, begun: boolean): void;
  /** The stream has ended: emits what was held back. */
  end?(emit: Emit): void;
}

export type Emit = (signal: WorkerSignal) => void;

/** Emits what a record of one kind tells. It returns false for what it does not know, or 'waits', or anything else. */
type Handler = (record: unknown, emit: Emit) => unknown;
export type Handlers = ReadonlyMap<string, Handler>;

/** A map, because a kind is a new text in each line, and an object would intern it each time: half as fast. */
export function handlers(of: Readonly<Record<string, Handler>>): Handlers {
  return new Map(Object.entries(of));
}

/** Gives a record to the handler of its kind. False: no handler knows it. */
export function handle(known: Handlers, kind: string | null, record: unknown, emit: Emit): boolean | 'waits' {
  const handler = kind === null ? undefined : known.get(kind);
  if (handler === undefined) return false;
  const answer = handler(record, emit);
  return answer === 'waits' ? answer : answer !== false;
}

type Denial = Extract<WorkerSignal, { kind: 'denial' }>;

/** A denial: by default one that an event reports, of no tool and no path that are known. */
export function denial(
  reason: string,
  { tool = null, path = null, source = 'event' }: Partial<Pick<Denial, 'tool' | 'path' | 'source'>> = {},
): Denial {
  return { kind: 'denial', tool, path, reason, source };
}

/** Limits of texts in signals and summary, in UTF-16 code units; the common parser cuts each signal to them. */
export const limits = { detail: 400, reason: 1000, path: 4096, message: 256 * 1024, name: 200 } as const;
const maxDenials = 100;
const maxFileChanges = 1000;

/** Parses JSON Lines on stdout and text on stderr. */
export function createStreamParser(dialect: StreamDialect): StreamParser {
  let signals: WorkerSignal[] = [];
  const denials: Denial[] = [];
  const fileChanges = new Set<string>();
  const counts = { events: 0, unknown: 0, malformed: 0, toolUses: 0 };
  let session: { sessionId: string; model: string | null; cliVersion: string | null } | null = null;
  let usage: Usage | null = null;
  let usageSpan: 'launch' | 'session' | null = null;
  let lastMessage: string | null = null;
  let delivered: string | null = null;
  let final: Extract<WorkerSignal, { kind: 'final' }> | null = null;
  let fatal: Extract<WorkerSignal, { kind: 'error' }> | null = null;

  const emit: Emit = (raw) => {
    const signal = bounded(raw);
    switch (signal.kind) {
      case 'session':
        session = signal;
        break;
      case 'message':
        lastMessage = signal.text;
        break;
      case 'tool_use':
        counts.toolUses += 1;
        break;
      case 'file_change':
        if (fileChanges.size < maxFileChanges) fileChanges.add(signal.path);
        break;
      case 'denial':
        if (denials.length < maxDenials) denials.push(signal);
        break;
      case 'usage':
        usage = signal.usage;
        usageSpan = signal.span;
        break;
      case 'final':
        final = signal;
        if (signal.text !== null && signal.text !== '') lastMessage = signal.text;
        // A message after the final event is no result.
        delivered = lastMessage;
        break;
      case 'error':
        if (signal.fatal) fatal ??= signal;
        break;
      case 'progress':
      case 'waiting':
      case 'hook':
      case 'turn_ended':
        break;
    }
    signals.push(signal);
  };

  const out = createLineSplitter((line) => {
    const event = parseEvent(line);
    if (event === null) {
      counts.malformed += 1;
      dialect.otherLine?.(line, emit, counts.events > 0);
      return;
    }
    const known = dialect.event(event, emit);
    if (known !== 'waits') counts.events += 1;
    if (!known) counts.unknown += 1;
  });
  const err = createLineSplitter((line) => {
    dialect.errorLine(line, emit, counts.events > 0);
  });
  const take = (): readonly WorkerSignal[] => {
    const taken = signals;
    signals = [];
    return taken;
  };

  return {
    push(channel, chunk) {
      (channel === 'stdout' ? out : err).push(chunk);
      return take();
    },
    end() {
      out.end();
      err.end();
      dialect.end?.(emit);
      return take();
    },
    summary: (): StreamSummary => ({
      ...limited(final ?? fatal),
      sessionId: session?.sessionId ?? null,
      model: session?.model ?? null,
      cliVersion: session?.cliVersion ?? null,
      usage,
      usageSpan,
      finalSeen: final !== null,
      finalOk: final?.ok ?? false,
      finalReason: final === null ? (fatal?.message ?? null) : final.reason,
      lastMessage: delivered ?? lastMessage,
      structured: final?.structured ?? null,
      denials: [...denials],
      fileChanges: [...fileChanges],
      counts: { ...counts, oversized: out.oversized() + err.oversized() },
    }),
  };
}

function limited(end: Pick<Extract<WorkerSignal, { kind: 'error' }>, 'limit'> | null): Pick<StreamSummary, 'limit'> {
  return end?.limit ? { limit: end.limit } : {};
}

/** Null: no object in JSON; the caller counts it. */
function parseEvent(line: string): JsonObject | null {
  // Editors put a byte-order mark before the first line.
  const value = parsedJson(line.charCodeAt(0) === 0xfeff ? line.slice(1) : line);
  return isObject(value) ? value : null;
}

/** How long the texts of each kind are at most. */
const bounds: Readonly<Record<WorkerSignal['kind'], readonly (readonly [name: string, most: number])[]>> = {
  session: [
    ['sessionId', limits.name],
    ['model', limits.name],
    ['cliVersion', limits.name],
  ],
  progress: [['text', limits.detail]],
  waiting: [['reason', limits.detail]],
  message: [['text', limits.message]],
  tool_use: [
    ['tool', limits.name],
    ['detail', limits.detail],
  ],
  file_change: [['path', limits.path]],
  denial: [
    ['tool', limits.name],
    ['path', limits.path],
    ['reason', limits.reason],
  ],
  hook: [
    ['id', limits.name],
    ['name', limits.name],
  ],
  error: [['message', limits.reason]],
  final: [
    ['reason', limits.reason],
    ['text', limits.message],
  ],
  usage: [],
  turn_ended: [],
};

/** The same signal where nothing is too long, because a stream has thousands of them. */
function bounded(signal: WorkerSignal): WorkerSignal {
  let short = signal;
  const texts: Readonly<Record<string, unknown>> = signal;
  for (const [name, most] of bounds[signal.kind]) {
    const text = texts[name];
    // Of a message its end counts, where its result is.
    if (typeof text === 'string' && text.length > most)
      short = { ...short, [name]: most === limits.message ? tail(text, most) : head(text, most) };
  }
  return short.kind === 'final' && isDeep(short.structured) ? { ...short, structured: null } : short;
}

/**
 * Returns whether writing it out again could overflow the stack of a supervisor: our documents are read to 64 levels.
 */
function isDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= 64; depth += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? (Object.values(one) as unknown[]) : []));
    if (level.length === 0) return false;
  }
  return true;
}

/** 10 Mi UTF-16 code units: longer than the longest tool results of the CLIs. */
export const maxLineLength = 10 * 1024 * 1024;

/**
 * Splits a stream of chunks of any size into lines, with bounded memory. `onLine` gets every non-empty line without its line end (LF or CRLF). A line longer than `limit` is counted and
 * dropped while it arrives.
 */
export function createLineSplitter(onLine: (line: string) => void, limit = maxLineLength) {
  let parts: string[] = [];
  let size = 0;
  let skipping = false;
  let dropped = 0;

  const drop = (): void => {
    dropped += 1;
    parts = [];
    size = 0;
  };
  const emit = (line: string): void => {
    const end = line.charCodeAt(line.length - 1) === 13 ? line.length - 1 : line.length;
    if (end > 0) onLine(end === line.length ? line : line.slice(0, end));
  };
  const finishLine = (tail: string): void => {
    if (skipping) {
      skipping = false;
      return;
    }
    if (size + tail.length > limit) {
      drop();
      return;
    }
    if (parts.length === 0) {
      emit(tail);
      return;
    }
    parts.push(tail);
    const line = parts.join('');
    parts = [];
    size = 0;
    emit(line);
  };

  return {
    push(chunk: string): void {
      let from = 0;
      for (let at = chunk.indexOf('\n'); at !== -1; at = chunk.indexOf('\n', from)) {
        finishLine(chunk.slice(from, at));
        from = at + 1;
      }
      if (from === chunk.length || skipping) return;
      const rest = chunk.slice(from);
      if (size + rest.length > limit) {
        drop();
        skipping = true;
        return;
      }
      parts.push(rest);
      size += rest.length;
    },
    /** The stream has ended: emits a last line without a line end. */
    end: () => finishLine(''),
    /** Lines that were longer than the limit and were dropped. */
    oversized: () => dropped,
  };
}

/** Adds two usages; a field that either one lacks is null. @param before null: nothing came before */
export function addUsage(before: Usage | null, more: Usage): Usage {
  if (before === null) return more;
  const add = (left: number | null, right: number | null): number | null =>
    left === null || right === null ? null : left + right;
  return {
    inputTokens: add(before.inputTokens, more.inputTokens),
    cachedInputTokens: add(before.cachedInputTokens, more.cachedInputTokens),
    outputTokens: add(before.outputTokens, more.outputTokens),
    costUsd: add(before.costUsd, more.costUsd),
  };
}
