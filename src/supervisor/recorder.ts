import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  runFiles,
  type Activity,
  type ExitRecord,
  type LaunchTicket,
  type StreamSummary,
  type WorkerSignal,
} from '../contracts/launch';
import { createLogFile, type LogFile } from '../adapters/files/boundedLog';
import { withoutPassed } from '../adapters/journal/redacted';
import {
  createStreamRedactor,
  redactText,
  secretsOfNames,
  secretsOfTexts,
  type Secrets,
} from '../adapters/system/redact';
import { writeProblem } from '../adapters/files/takenPlace';
import { createCommandParser } from '../workers/command/stream';
import { longestOutput, outputNotKept } from '../workers/shared/resultPacket';
import { agentWorkers } from '../workers/registry';
import type { StreamParser } from '../workers/worker';
import { open } from 'node:fs/promises';

type Output = NonNullable<ExitRecord['stdout']>;

export type Recorder = Awaited<ReturnType<typeof createRecorder>>;

/**
 * Digests the worker's output, redacts it, then gives it to log, parser and signals. The parser alone sees the values that
 * names of files keep: what it has decoded is redacted by its fields.
 */
export async function createRecorder(runDir: string, ticket: LaunchTicket, all: Secrets) {
  const secrets = secretsOfNames(all);
  const parser: StreamParser =
    ticket.worker === 'command' ? createCommandParser() : agentWorkers[ticket.worker].createParser(ticket.resumed);
  const signals = await createSignalFile(path.join(runDir, runFiles.signals), secrets);
  const channels = {
    stdout: createChannel(await createLogFile(path.join(runDir, runFiles.stdout)), all),
    stderr: createChannel(await createLogFile(path.join(runDir, runFiles.stderr)), all),
  };
  const actions = createLastActions(ticket.cwd, secrets);
  const pipes: Readable[] = [];
  let failure: string | null = null;
  let waiting: Activity['waiting'] | null = null;
  let reportFailure: ((sentence: string) => void) | null = null;

  const fail = (error: unknown): void => {
    if (failure !== null) return;
    failure = `LOG_WRITE_FAILED: the worker's output cannot be recorded: ${writeProblem(error)}`;
    reportFailure?.(failure);
  };
  const record = async (name: 'stdout' | 'stderr', { text, logged }: Taken): Promise<void> => {
    if (text === '' && logged === '') return;
    try {
      const found = withoutPassed(parser.push(name, text), all);
      waiting = waitingOf(found, waiting);
      actions.take(found);
      if (failure !== null) return;
      await channels[name].log.write(logged);
      await signals.write(found);
    } catch (error) {
      fail(error);
    }
  };
  const drain = async (name: 'stdout' | 'stderr', pipe: Readable): Promise<void> => {
    try {
      for await (const chunk of pipe) await record(name, channels[name].take(chunk as Buffer));
    } catch (error) {
      // Reports no failure for a pipe that `finish` destroyed, because a process outside the tree held it open.
      if (!pipe.destroyed) fail(error);
    }
    await record(name, channels[name].end());
  };
  const close = async (): Promise<void> => {
    for (const { log } of Object.values(channels)) await log.close();
    await signals.close();
  };

  return {
    secrets,
    all,
    /** Reads both pipes no faster than the files can be written; resolves when both have ended. */
    async follow(stdout: Readable, stderr: Readable): Promise<void> {
      pipes.push(stdout, stderr);
      await Promise.all([drain('stdout', stdout), drain('stderr', stderr)]);
    },
    /** Calls back at most once, when something could not be recorded; later output is read and dropped. */
    onFailure(callback: (sentence: string) => void): void {
      reportFailure = callback;
      if (failure !== null) callback(failure);
    },
    fail,
    /** Fails where its files are deleted: no process can read them. In a folder that was moved they can be put back. */
    async look(): Promise<void> {
      if (await signals.isDeleted()) fail(new Error(`the files in ${runDir} were deleted`));
    },
    /** Records a signal that the CLI itself does not report. */
    tell: (signal: WorkerSignal): void => void signals.write([signal]).catch(fail),
    progress: () => ({
      /** Stream events so far, known to the parser or not. */
      events: parser.summary().counts.events,
      bytes: channels.stdout.seen().bytes + channels.stderr.seen().bytes,
      lines: channels.stdout.seen().lines + channels.stderr.seen().lines,
      lastOutputAt: later(channels.stdout.seen().lastAt, channels.stderr.seen().lastAt),
      /** Null: the last signal was not that the CLI waits for its provider. */
      waiting,
      actions: actions.now(),
      hooks: actions.hooks(),
    }),
    /** Waits at most `limitMs` for the end of the pipes, then closes the files. */
    async finish(followed: Promise<void>, limitMs: number) {
      const limit = new AbortController();
      await Promise.race([followed, sleep(limitMs, undefined, { signal: limit.signal }).catch(() => undefined)]);
      limit.abort();
      for (const pipe of pipes) pipe.destroy();
      await followed;
      const rest = withoutPassed(parser.end(), all);
      const kept = { stdout: 0, stderr: 0 };
      try {
        if (failure === null) await signals.write(rest);
        for (const name of ['stdout', 'stderr'] as const) kept[name] = await channels[name].log.close();
        await signals.close();
      } catch (error) {
        fail(error);
      }
      return {
        stdout: channels.stdout.facts(kept.stdout),
        stderr: channels.stderr.facts(kept.stderr),
        stderrTail: channels.stderr.tail(),
        summary: cleanSummary(withoutPassed(parser.summary(), all), secrets),
        error: failure,
      };
    },
    close,
  };
}

function waitingOf(found: readonly WorkerSignal[], before: Activity['waiting'] | null): Activity['waiting'] | null {
  const last = found.at(-1);
  if (last === undefined) return before;
  return last.kind === 'waiting' ? { seconds: last.seconds, reason: last.reason.slice(0, longestReason) } : null;
}

/** Characters, because it is shown in one line. */
const longestReason = 200;

/** What the parser gets, and what is logged: the same but for the values that names of files keep. */
interface Taken {
  readonly text: string;
  readonly logged: string;
}

function createChannel(log: LogFile, secrets: Secrets) {
  const digest = createHash('sha256');
  const decoder = new StringDecoder('utf8');
  const redactor = createStreamRedactor(secretsOfNames(secrets));
  const passed = secretsOfTexts(secrets);
  const second = passed.length === 0 ? null : createStreamRedactor(passed);
  let bytes = 0;
  let lines = 0;
  let lastAt: number | null = null;
  let tail = '';
  const keep = (text: string, logged: string): Taken => {
    if (logged !== '') tail = (tail + logged).slice(-8192);
    return { text, logged };
  };
  return {
    log,
    /** Counts and digests the bytes; returns the complete text so far, redacted. */
    take(chunk: Buffer): Taken {
      bytes += chunk.length;
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
      lastAt = Date.now();
      digest.update(chunk);
      const text = redactor.push(decoder.write(chunk));
      return keep(text, second?.push(text) ?? text);
    },
    end(): Taken {
      const text = redactor.push(decoder.end()) + redactor.end();
      return keep(text, second ? second.push(text) + second.end() : text);
    },
    seen: () => ({ bytes, lines, lastAt }),
    tail: () => tail.trimEnd().split('\n').slice(-20).join('\n'),
    facts: (keptBytes: number): Output => ({
      bytes,
      sha256: digest.copy().digest('hex').toUpperCase(),
      kept_bytes: keptBytes,
      redactions: redactor.counts().redactions + (second?.counts().redactions ?? 0),
    }),
  };
}

function later(left: number | null, right: number | null): string | null {
  return left === null && right === null ? null : new Date(Math.max(left ?? 0, right ?? 0)).toISOString();
}

/** Redacts again what the parser may have decoded, and keeps no structured result that is too long. */
function cleanSummary(summary: StreamSummary, secrets: Secrets): StreamSummary {
  const bounded =
    JSON.stringify(summary.structured ?? null).length > longestOutput
      ? { ...summary, structured: outputNotKept }
      : summary;
  return JSON.parse(redactText(JSON.stringify(bounded), secrets).text) as StreamSummary;
}

type Action = NonNullable<Activity['actions']>[number];

/** Number of actions; a person takes in so many at a glance. */
const kept = 3;
const mostHooks = 10;
/** Characters, because each action is shown in one line. */
const longest = 200;

/**
 * The last actions of a worker as its CLI reports them: redacted and bounded, with paths relative to the workspace.
 *
 * @param workspace absolute
 */
function createLastActions(workspace: string, secrets: Secrets) {
  const inside = workspace.endsWith(path.sep) ? workspace : `${workspace}${path.sep}`;
  const shown = (text: string): string =>
    redactText(text, secrets).text.replaceAll(inside, '').replaceAll(/\s+/g, ' ').trim().slice(0, longest);
  let last: readonly Action[] = [];
  const hooks = new Map<string, string>();
  return {
    take(signals: readonly WorkerSignal[]): void {
      for (const signal of signals) {
        if (signal.kind !== 'hook') continue;
        if (signal.ended) hooks.delete(signal.id);
        else if (hooks.size < mostHooks) hooks.set(signal.id, shown(signal.name));
      }
      const uses = signals.flatMap((signal) => (signal.kind === 'tool_use' ? [signal] : []));
      for (const { tool, detail } of uses.slice(-kept)) {
        const action = { tool: shown(tool), detail: shown(detail) };
        const before = last.at(-1);
        if (before?.tool === action.tool && before.detail === action.detail) continue;
        last = [...last, action].slice(-kept);
      }
    },
    now: () => last,
    /** Those that began and have not ended, the oldest first. */
    hooks: () => [...hooks.values()],
  };
}

const megabyte = 1024 * 1024;
/**
 * Bytes for signals that the owner acts on; each kind has its own room, so that others cannot use it up. `announced`
 * holds the first change of each path. All rooms together are no more than a reader takes at once
 * (adapters/launches/files.ts).
 */
const rooms = {
  session: megabyte / 4,
  waiting: megabyte / 4,
  announced: 2 * megabyte,
  turn_ended: megabyte / 4,
  final: 2 * megabyte,
} as const;
const roomOfOthers = 3 * megabyte;
const longestLine = megabyte;

/** Writes signals.jsonl: one signal a line, redacted and bounded; drops a signal that has no room left. */
async function createSignalFile(file: string, secrets: Secrets) {
  const handle = await open(file, 'wx', 0o600);
  const left: Record<keyof typeof rooms | 'others', number> = { ...rooms, others: roomOfOthers };
  const announced = new Set<string>();
  let closed = false;
  const roomOf = (signal: WorkerSignal): keyof typeof left => {
    if (signal.kind === 'file_change')
      return left.announced === 0 || announced.has(signal.path) ? 'others' : 'announced';
    return signal.kind in rooms ? (signal.kind as keyof typeof rooms) : 'others';
  };
  return {
    async write(signals: readonly WorkerSignal[]): Promise<void> {
      let lines = '';
      for (const signal of signals) {
        const room = roomOf(signal);
        if (left[room] === 0) continue;
        const line = `${redactText(lineOf(signal), secrets).text}\n`;
        const bytes = Buffer.byteLength(line);
        if (bytes > left[room]) {
          left[room] = 0;
          continue;
        }
        lines += line;
        left[room] -= bytes;
        if (signal.kind === 'file_change') announced.add(signal.path);
      }
      // Ignores signals that were written after the launch ended.
      if (lines !== '' && !closed) await handle.appendFile(lines);
    },
    isDeleted: async () => !closed && (await handle.stat()).nlink === 0,
    async close(): Promise<void> {
      if (!closed) await handle.close();
      closed = true;
    },
  };
}

function lineOf(signal: WorkerSignal): string {
  const line = JSON.stringify(signal);
  return line.length <= longestLine || signal.kind !== 'final' ? line : JSON.stringify({ ...signal, structured: null });
}
