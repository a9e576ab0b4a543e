import { execFile } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { bubblewrapForTests } from '../../scripts/bubblewrap.mjs';
import { endedLayer, readDelta } from '../../src/adapters/sandbox/layers/delta';
import { interleaved, threadTime, wallTime, type Line } from './measure';
import { repository } from './mission';

const run = promisify(execFile);
/** Tasks of each mission. */
const tasks = 10;
/** Entries of the npm cache of a person who works with it. */
const cacheEntries = 5_371;

/** Whole missions in a sandbox against the same without, as processes of the command line; none without bubblewrap. */
export async function confinedBench(scratch: string): Promise<readonly Line[]> {
  const bwrap = bubblewrapForTests(process.cwd());
  if (bwrap.missing !== undefined) return [];
  const search = `${path.dirname(bwrap.file)}:${process.env['PATH'] ?? ''}`;
  const empty = mkdtempSync(path.join(scratch, 'home-'));
  const filled = mkdtempSync(path.join(scratch, 'home-'));
  const content = path.join(filled, '.npm/_cacache/content-v2/sha512');
  for (let entry = 0; entry < cacheEntries; entry++)
    put(path.join(content, `${entry % 256}`, `${entry}`), `entry ${entry}\n`);
  const mission = (home: string, confinement: string) => async (): Promise<void> => {
    const dir = mkdtempSync(path.join(scratch, 'confined-'));
    const plan = repository(dir, tasks);
    const options = ['--workspace', dir, '--confinement', confinement, '--json'];
    await run(process.execPath, ['dist/cli.js', 'run', plan, ...options], { env: { PATH: search, HOME: home } });
  };
  const [free = 0, held = 0, cached = 0] = await interleaved(3, wallTime, [
    mission(empty, 'off'),
    mission(empty, 'required'),
    mission(filled, 'required'),
  ]);
  const against = { unit: 'ms', against: 'the same without a sandbox', limit: free };
  return [
    {
      ...{ name: `a mission of ${tasks} tasks in a sandbox, HOME empty`, ...against, ours: held },
      aim: { of: 'ratio', is: 'at_most', value: 1.2 },
    },
    {
      ...{ name: `the same with an npm cache of ${cacheEntries} entries`, ...against, ours: cached },
      aim: { of: 'ratio', is: 'at_most', value: 1.25 },
    },
    ...(await deltas(scratch)),
  ];
}

/** What a layer changed, read at its end, against an lstat of each changed file. */
async function deltas(scratch: string): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (const changes of [10, 1_000, 50_000]) {
    const [up, lower] = [mkdtempSync(path.join(scratch, 'up-')), mkdtempSync(path.join(scratch, 'lower-'))];
    for (let n = 0; n < changes; n++) put(path.join(up, `${n % 100}`, `f${n}`), `${n}\n`);
    const works = [
      async () => {
        const layer = endedLayer({ at: lower, up, seen_by: [], seen_at: '' });
        const found = await readDelta({
          ...layer,
          hides: (folders) => Promise.resolve(folders.map(() => false)),
        });
        if (found.length < changes) throw new Error(`${found.length} changes were found`);
      },
      () => {
        for (const name of readdirSync(up, { recursive: true, encoding: 'utf8' })) lstatSync(path.join(up, name));
      },
    ];
    const [read = 0, walk = 0] = await interleaved(5, threadTime, works, Math.max(1, 1_000 / changes));
    lines.push({
      ...{ name: `what a layer of ${changes} new files changed`, unit: 'ms', ours: read, limit: walk, aim: null },
      against: 'lstat of every file',
    });
  }
  return lines;
}

function put(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
