import { isObject } from '../../base/json';
import { readRegularFile } from '../../adapters/files/regular';
import { agentNames } from '../../contracts/vocabulary/workers';
import { agentWorkers } from '../../workers/registry';
import type { StreamSummary, WorkerSignal } from '../../contracts/launch';
import { required, UsageError, type Command } from '../shell/command';
import { exitCodes } from '../shell/output';
import { permissionMatch, permissionMatchLine, signalLine } from '../../core/view/mission/signalLine';
import { terminal } from '../../base/text/marked/terminal';

export const workerSignals: Command = {
  usage: '--cli NAME FILE',
  takes: [required.transcript],
  summary: 'Show what our parser makes of a recorded transcript of a worker CLI.',
  details: [
    'FILE is what the CLI wrote on stdout: a stream of events, or one document (--output-format json). What permission recovery would make of a denial, or of the error that ended the run, stands below the signals, each with its issue, action and path.',
  ],
  options: {
    cli: { value: 'NAME', help: `Which CLI wrote it: ${agentNames.join(', ')}.` },
    stderr: { value: 'FILE', help: 'What it wrote on stderr.' },
    resumed: { help: 'The launch continued an earlier session.' },
  },
  needs: ['cli'],
  store: false,
  async run(call) {
    const { out } = call;
    const name = call.text('cli') ?? '';
    const cli = agentNames.find((agent) => agent === name);
    if (cli === undefined) throw new UsageError(`--cli ${name}: it is one of ${agentNames.join(', ')}.`);
    const parser = agentWorkers[cli].createParser(call.flag('resumed'));
    const signals: { readonly signal: WorkerSignal; readonly line: number }[] = [];
    const stderr = call.text('stderr');
    for (const [channel, file] of [
      ['stdout', call.positionals[0] ?? ''],
      ...(stderr === null ? [] : [['stderr', stderr] as const]),
    ] as const) {
      const read = await readRegularFile(call.file(file), longestTranscript);
      if (!read.ok)
        return out.refuse({
          code: read.code,
          reason: `${file}: ${read.message}`,
          next: ['Name a file that the CLI wrote.'],
        });
      const text = new TextDecoder().decode(read.bytes);
      for (const [at, line] of (channel === 'stdout' ? eventLines(text) : text.split('\n')).entries())
        for (const signal of parser.push(channel, `${line}\n`)) signals.push({ signal, line: at + 1 });
    }
    for (const signal of parser.end()) signals.push({ signal, line: 0 });
    const summary = parser.summary();
    const { usage } = summary;
    for (const { signal } of signals) {
      const line = signalLine(signal);
      if (line !== null) out.line(line);
    }
    const matches = signals.flatMap(({ signal, line }) => {
      const match = permissionMatch(cli, summary.cliVersion, signal);
      return match === null ? [] : [{ ...match, line }];
    });
    for (const match of matches) out.line(permissionMatchLine(match));
    out.line(
      terminal`outcome ${outcomeOf(summary)}; session ${summary.sessionId ?? 'unknown'}; ${usage === null ? 'no usage' : `${usage.inputTokens ?? '?'} tokens in, ${usage.outputTokens ?? '?'} out`}; ${summary.counts.unknown} unknown, ${summary.counts.malformed} malformed events`,
    );
    out.document({
      cli,
      signals: signals.map(({ signal }) => snakeCased(signal)),
      permission_matches: matches.map(({ issue, action, path, channel, pattern, ends, line }) => ({
        issue_type: issue,
        action,
        channel,
        pattern,
        ...(path === null ? {} : { path }),
        ...(ends && { ends }),
        // The line in its stream, from 1; 0: the end of the stream.
        line,
      })),
      usage: snakeCased(usage && { ...usage, span: summary.usageSpan }),
      session_id: summary.sessionId,
      outcome: outcomeOf(summary),
      counts: snakeCased(summary.counts),
    });
    return exitCodes.ok;
  },
};

/** A run without its final event counts as aborted, whatever its exit code. */
function outcomeOf({ finalSeen, finalOk }: StreamSummary): 'completed' | 'failed' | 'aborted' {
  if (!finalSeen) return 'aborted';
  return finalOk ? 'completed' : 'failed';
}

/** Bytes. The longest log that a supervisor keeps has 72 MB. */
const longestTranscript = 128 * 1024 * 1024;

/** JSON Lines as they are; a single document (`--output-format json`) as one line for each of its events. */
function eventLines(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text);
    const events: readonly unknown[] = Array.isArray(value) ? value : [value];
    return events.map((event) => JSON.stringify(event));
  } catch {
    return text.split('\n'); // several documents: JSON Lines
  }
}

/** Keys in the form of all `--json` output. The worker's own answer (`structured`) keeps its keys. */
function snakeCased(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      key === 'structured' ? member : snakeCased(member),
    ]),
  );
}
