import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventsBench } from './events';
import { activationBench } from './activation';
import { confinedBench } from './confined';
import { exponentBench } from './exponents';
import { fleetBench } from './fleet';
import { frameBench } from './frames';
import { growthBench, loadMemory } from './growth';
import { journalBench } from './journal';
import { launchBench } from './launch';
import { layersBench } from './layers';
import type { Line } from './measure';
import { missionBench, type MissionTimes } from './mission';
import { lookMemory, observationBench } from './observation';
import { pageBench } from './page';
import { panelBench } from './panel';
import { peersBench } from './peers';
import { redactionBench } from './redaction';
import { sizeBench } from './sizes';
import { transcriptBench } from './transcripts';
import { validationBench } from './validation';

/** What scripts/bench.mjs prints. It says how many tasks the missions have and which parts it wants (none: all). */
export interface BenchResult {
  readonly lines: readonly Line[];
  readonly missions: readonly MissionTimes[];
}

async function main([tasks = '10,200', ...wanted]: readonly string[]): Promise<BenchResult> {
  const sizes = tasks.split(',').map(Number);
  const scratch = mkdtempSync(path.join(tmpdir(), 'mission-bench-'));
  const wants = (part: string): boolean => wanted.length === 0 || wanted.includes(part);
  try {
    const lines: Line[] = [];
    let missions: readonly MissionTimes[] = [];
    if (wants('journal')) lines.push(...(await journalBench(scratch)));
    if (wants('growth')) lines.push(...(await growthBench(scratch, 100_000)));
    if (wants('exponents')) lines.push(...(await exponentBench(scratch)));
    if (wants('observation')) lines.push(...(await observationBench(scratch, [1_000, 10_000, 100_000])));
    if (wants('validation')) lines.push(...(await validationBench()));
    if (wants('transcripts')) lines.push(...(await transcriptBench()));
    if (wants('redaction')) lines.push(...(await redactionBench()));
    if (wants('panel')) lines.push(...(await panelBench(scratch)));
    if (wants('events')) lines.push(...(await eventsBench(scratch)));
    if (wants('page')) lines.push(...(await pageBench()));
    if (wants('activation')) lines.push(...(await activationBench()));
    if (wants('sizes')) lines.push(...(await sizeBench()));
    if (wants('fleet')) lines.push(...(await fleetBench(scratch)));
    if (wants('frames')) lines.push(...(await frameBench(scratch)));
    if (wants('launch')) lines.push(...(await launchBench(scratch)));
    if (wants('confined')) lines.push(...(await confinedBench(scratch)));
    if (wants('layers')) lines.push(...(await layersBench(scratch)));
    if (wants('mission')) {
      const found = await missionBench(scratch, sizes);
      lines.push(...found.lines);
      missions = found.times;
    }
    if (wanted.includes('peers')) lines.push(...(await peersBench(scratch)));
    return { lines, missions };
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

const [, , first, place = ''] = process.argv;
function program(): Promise<unknown> {
  if (first === 'load') return loadMemory(place);
  return first === 'look' ? lookMemory(place) : main(process.argv.slice(2));
}

program().then(
  (result) => process.stdout.write(`${JSON.stringify(result)}\n`),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  },
);
