import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { agentNames, type AgentName } from '../../src/contracts/vocabulary/workers';
import { agentWorkers } from '../../src/workers/registry';
import { interleaved, threadTime, type Line } from './measure';

const chunkLength = 64 * 1024;

/** What each stream parser makes of recorded transcripts, against splitting lines and JSON.parse of the same text. */
export async function transcriptBench(megabytes = 8, rounds = 9): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (const name of agentNames) {
    const { text, chunks } = transcriptOf(name, megabytes * 1e6);
    const [plain = 0, ours = 0] = await interleaved(rounds, threadTime, [
      () => splitAndParse(chunks),
      () => parse(name, chunks),
    ]);
    const rate = (milliseconds: number): number => text.length / 1e6 / (milliseconds / 1000);
    lines.push({
      name: `transcripts of ${name}`,
      unit: 'MB/s',
      ours: rate(ours),
      against: 'line splitting and JSON.parse',
      limit: rate(plain),
      aim: { of: 'ratio', is: 'at_least', value: 0.5 },
    });
  }
  return lines;
}

function transcriptsOf(name: string): string {
  const folder = path.resolve('test/workers/transcripts', name);
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.stdout.jsonl'))
    .sort();
  return files.map((file) => readFileSync(path.join(folder, file), 'utf8').replace(/\n*$/, '\n')).join('');
}

/** Recorded transcripts again and again, as the pipe of a worker gives them. */
export function transcriptOf(name: AgentName, length: number) {
  const once = transcriptsOf(name);
  const text = once.repeat(Math.max(1, Math.ceil(length / once.length)));
  const chunks = Array.from({ length: Math.ceil(text.length / chunkLength) }, (_, index) =>
    text.slice(index * chunkLength, (index + 1) * chunkLength),
  );
  return { text, chunks };
}

export function parse(name: AgentName, chunks: readonly string[]): void {
  const parser = agentWorkers[name].createParser();
  for (const chunk of chunks) parser.push('stdout', chunk);
  parser.end();
  if (parser.summary().counts.events === 0) throw new Error(`The transcripts of ${name} hold no event.`);
}

function splitAndParse(chunks: readonly string[]): void {
  let rest = '';
  let events = 0;
  for (const chunk of chunks) {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      if (part === '') continue;
      try {
        JSON.parse(part);
        events += 1;
      } catch {
        // Some CLIs print a line of plain text now and then.
      }
    }
  }
  if (events === 0) throw new Error('No line is JSON.');
}
