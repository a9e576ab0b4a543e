import { createReadStream } from 'node:fs';
import { errorMessage } from '../../adapters/outcome';
import { agentNames } from '../../contracts/vocabulary/workers';
import { agentWorkers } from '../../workers/registry';
import type { StreamParser, StreamSummary, WorkerSignal } from '../../workers/worker';
import { required, UsageError, type CommandSpec } from '../command';
import { exitCodes } from '../exitCodes';
import { jsonLine } from '../../core/text/oneLine';
import { terminal } from '../../core/text/terminal';

export const workerSignals: CommandSpec = {
  name: 'worker signals',
  usage: '--cli NAME FILE',
  takes: [1, 1],
  summary: 'Show what our parser makes of a recorded transcript of a worker CLI.',
  details: [
    'FILE is what the CLI wrote on stdout. Matches of permission triggers come with a later version: denials stand in the signals.',
  ],
  options: {
    cli: { value: 'NAME', help: `Which CLI wrote it: ${agentNames.join(', ')}.` },
    stderr: { value: 'FILE', help: 'What it wrote on stderr.' },
    resumed: { help: 'The launch continued an earlier session.' },
  },
  store: false,
  async run(call) {
    const { out } = call;
    const name = required(call, 'cli');
    const cli = agentNames.find((agent) => agent === name);
    if (cli === undefined) throw new UsageError(`--cli ${name}: it is one of ${agentNames.join(', ')}.`);
    const parser = agentWorkers[cli].createParser({ resumed: call.flag('resumed') });
    const signals: WorkerSignal[] = [];
    try {
      await feed(parser, 'stdout', call.file(call.positionals[0] ?? ''), signals);
      const stderr = call.text('stderr');
      if (stderr !== null) await feed(parser, 'stderr', call.file(stderr), signals);
    } catch (error) {
      return out.refuse(
        { code: 'FILE_UNREADABLE', reason: errorMessage(error), next: ['Check the path.'] },
        exitCodes.refused,
      );
    }
    signals.push(...parser.end());
    const summary = parser.summary();
    const usage = summary.usage && {
      input_tokens: summary.usage.inputTokens,
      cached_input_tokens: summary.usage.cachedInputTokens,
      output_tokens: summary.usage.outputTokens,
      cost_usd: summary.usage.costUsd,
      span: summary.usageSpan,
    };
    for (const signal of signals) out.line(terminal`${jsonLine(signal)}`);
    out.line(
      terminal`outcome ${outcomeOf(summary)}; session ${summary.sessionId ?? 'unknown'}; ${usage === null ? 'no usage' : `${usage.input_tokens ?? '?'} tokens in, ${usage.output_tokens ?? '?'} out`}; ${summary.counts.unknown} unknown, ${summary.counts.malformed} malformed events`,
    );
    out.document({
      cli,
      signals,
      permission_matches: [],
      usage,
      session_id: summary.sessionId,
      outcome: outcomeOf(summary),
      counts: summary.counts,
    });
    return exitCodes.ok;
  },
};

/** Without its final event a run counts as aborted, whatever its exit code. */
function outcomeOf({ finalSeen, finalOk }: StreamSummary): 'completed' | 'failed' | 'aborted' {
  if (!finalSeen) return 'aborted';
  return finalOk ? 'completed' : 'failed';
}

async function feed(
  parser: StreamParser,
  channel: 'stdout' | 'stderr',
  file: string,
  signals: WorkerSignal[],
): Promise<void> {
  for await (const chunk of createReadStream(file, { encoding: 'utf8' })) {
    for (const signal of parser.push(channel, chunk as string)) signals.push(signal);
  }
}
