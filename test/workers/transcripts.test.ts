import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import type { AgentName } from '../../src/contracts/vocabulary/workers';
import { agentWorkers } from '../../src/workers/registry';
import type { StreamSummary, WorkerSignal } from '../../src/contracts/launch';

/** Replays what the real CLIs wrote (recorded by test/agents/record.program.ts), in chunks of any size. */
interface Expected {
  readonly resumed: boolean;
  readonly signals: readonly WorkerSignal[];
  readonly summary: StreamSummary;
}

const folder = path.resolve(process.cwd(), 'test/workers/transcripts');
const casesOfAll = [
  'api-error',
  'denied-out-of-scope',
  'final-missing',
  'patch-and-failing-command',
  'resumed-session',
  'usage-zero',
  'write-in-scope',
];

for (const agent of agentNames) {
  const cases = [...casesOfAll, ...(agent === 'claude' ? ['hook-hangs'] : [])].sort();
  describe(`transcripts of ${agent}`, () => {
    it('hold a transcript for each case', () => {
      const found = readdirSync(path.join(folder, agent)).filter((name) => name.endsWith('.expected.json'));
      assert.deepEqual(
        found.sort(),
        cases.map((name) => `${name}.expected.json`),
      );
    });

    for (const name of cases) {
      it(`${name} gives the same signals in any chunks`, () => {
        const { stdout, stderr, expected } = load(agent, name);
        for (const size of [1, 7, 1000, Number.MAX_SAFE_INTEGER]) {
          const parser = agentWorkers[agent].createParser(expected.resumed);
          const signals = [
            ...chunks(stdout, size).flatMap((chunk) => parser.push('stdout', chunk)),
            ...chunks(stderr, size).flatMap((chunk) => parser.push('stderr', chunk)),
            ...parser.end(),
          ];
          assert.deepEqual(JSON.parse(JSON.stringify({ signals, summary: parser.summary() })), {
            signals: expected.signals,
            summary: expected.summary,
          });
        }
      });
    }

    it('tell cost, or the CLI is among those that tell none', () => {
      const told = cases.some((name) => typeof load(agent, name).expected.summary.usage?.costUsd === 'number');
      assert.equal(told, agentWorkers[agent].reportsCost);
    });

    it('never give a final event when their tail is lost', () => {
      const { stdout } = load(agent, 'write-in-scope');
      const lines = stdout.trimEnd().split('\n');
      for (let kept = 0; kept < lines.length; kept += 1) {
        const parser = agentWorkers[agent].createParser();
        parser.push('stdout', `${lines.slice(0, kept).join('\n')}\n${(lines[kept] ?? '').slice(0, 20)}`);
        parser.end();
        assert.equal(parser.summary().finalSeen, false);
      }
    });
  });
}

function load(agent: AgentName, name: string): { stdout: string; stderr: string; expected: Expected } {
  const read = (ending: string): string => readFileSync(path.join(folder, agent, `${name}.${ending}`), 'utf8');
  return {
    stdout: read('stdout.jsonl'),
    stderr: read('stderr.log'),
    expected: JSON.parse(read('expected.json')) as Expected,
  };
}

function chunks(text: string, size: number): string[] {
  const found: string[] = [];
  for (let from = 0; from < text.length; from += size) found.push(text.slice(from, from + size));
  return found;
}
