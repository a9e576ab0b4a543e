import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { inParallel } from '../kill/campaign';
import { briefScenarios, scenarioNames, type Habitat } from './habitat';
import { habitats } from './habitats';
import { reportOf, type Visited } from './report';
import { visit, type Visit } from './visit';

/** What `npm run test:habitats` runs; scripts/test-habitats.mjs says what its options mean. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      all: { type: 'boolean', default: false },
      habitat: { type: 'string', default: '' },
      jobs: { type: 'string', default: String(os.availableParallelism() + 1) },
      minutes: { type: 'string', default: 'Infinity' },
      report: { type: 'string' },
    },
  });
  const wanted = habitats.filter(({ name }) => name.includes(values.habitat));
  const began = Date.now();
  const late = (): boolean => Date.now() - began > Number(values.minutes) * 60_000;
  const visited = await inParallel(wanted, Number(values.jobs), async (habitat): Promise<Visited> =>
    late() ? { name: habitat.name, skipped: 'the time was over', visits: [] } : look(habitat, values.all),
  );
  const report = values.report ?? (values.all && values.habitat === '' ? 'docs/reports/habitats.md' : null);
  if (report !== null) writeFileSync(report, reportOf(visited));
  const problems = visited.flatMap(({ visits }) => visits.filter(({ problem }) => problem !== null)).length;
  const skipped = visited.filter(({ skipped }) => skipped !== null).length;
  process.stdout.write(
    `\n${wanted.length} habitats (${skipped} were skipped), ${problems} outcomes that are not as expected, ${Math.round((Date.now() - began) / 1000)} s\n`,
  );
  return problems === 0 && wanted.length > skipped ? 0 : 1;
}

async function look(habitat: Habitat, all: boolean): Promise<Visited> {
  const skipped = (await habitat.lacks?.()) ?? null;
  const visits: Visit[] = [];
  if (skipped === null)
    // Where nothing starts there is nothing to go on with.
    await visit(habitat, all && habitat.expected?.every === undefined ? scenarioNames : briefScenarios, (found) => {
      visits.push(found);
      const words = found.problem === null ? 'ok' : `NOT AS EXPECTED ${found.problem}`;
      process.stdout.write(`${habitat.name}: ${found.what}: ${words} (${found.seconds.toFixed(1)} s)\n`);
    });
  else process.stdout.write(`${habitat.name}: skipped: ${skipped}\n`);
  return { name: habitat.name, skipped, visits };
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  },
);
