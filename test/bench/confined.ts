import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { bubblewrapForTests } from '../../scripts/bubblewrap.mjs';
import { interleaved, wallTime, type Line } from './measure';
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
  ];
}

function put(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
