import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { inParallel } from '../kill/campaign';
import { bubblewrapFolder } from '../support/bubblewrap';
import { scenariosIn, type Habitat, type ScenarioName } from './habitat';
import { habitats } from './habitats';
import { cellOf, instead, refreshed, reportOf, rowsIn, rowsOf, type Visited } from './report';
import { visit, type Visit } from './visit';

/** What `npm run test:habitats` runs; scripts/test-habitats.mjs says what its options mean. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      all: { type: 'boolean', default: false },
      habitat: { type: 'string', default: '' },
      scenario: { type: 'string' },
      jobs: { type: 'string', default: String(os.availableParallelism() + 1) },
      minutes: { type: 'string', default: 'Infinity' },
      report: { type: 'string' },
      confined: { type: 'boolean', default: false },
    },
  });
  const sandbox = bubblewrapFolder();
  if (values.confined && sandbox.missing !== undefined) throw new Error(sandbox.missing);
  const report = values.report ?? (values.all ? 'docs/reports/habitats.md' : null);
  let rows = report !== null && existsSync(report) ? rowsIn(readFileSync(report, 'utf8')) : [];
  const names = habitats.map(({ name }) => cellOf(name));
  // Those never visited, then those visited longest ago: a run that ends early goes on where the last one ended.
  const dayOf = ({ name }: Habitat): string => {
    const days = rows.filter(({ habitat }) => habitat === cellOf(name)).map(({ day }) => day);
    return days.sort()[0] ?? '';
  };
  const playedIn = (habitat: Habitat): readonly ScenarioName[] => {
    const confined = values.confined || habitat.confined === true;
    const all = scenariosIn(habitat, confined ? 'confined' : values.all ? 'all' : 'brief');
    return all.filter((name) => values.scenario === undefined || name === values.scenario);
  };
  const wanted = habitats
    .filter(({ name, rare }) => name.includes(values.habitat) && (values.all || rare !== true))
    .filter((habitat) => playedIn(habitat).length > 0)
    .map((habitat) => ({ habitat, day: report === null ? '' : dayOf(habitat) }))
    .sort((left, right) => (left.day < right.day ? -1 : Number(left.day > right.day)))
    .map(({ habitat }) => habitat);
  const began = Date.now();
  const late = (): boolean => Date.now() - began > Number(values.minutes) * 60_000;
  const visited = await inParallel(wanted, Number(values.jobs), async (habitat): Promise<Visited> => {
    if (late()) return { name: habitat.name, skipped: 'the time was over', visits: [] };
    const confined = values.confined || habitat.confined === true;
    const found = await look(habitat, playedIn(habitat), confined ? sandbox : null);
    const fresh = rowsOf(found, new Date().toISOString().slice(0, 10));
    rows = values.scenario === undefined ? instead(rows, cellOf(habitat.name), fresh) : refreshed(rows, fresh);
    // Whenever one is done: what was looked at stays, however this run ends.
    if (report !== null) writeFileSync(report, reportOf(names, rows));
    return found;
  });
  const problems = visited.flatMap(({ visits }) => visits.filter(({ problem }) => problem !== null)).length;
  const skipped = visited.filter(({ skipped }) => skipped !== null).length;
  process.stdout.write(
    `\n${wanted.length} habitats (${skipped} were skipped), ${problems} outcomes that are not as expected, ${Math.round((Date.now() - began) / 1000)} s\n`,
  );
  return problems === 0 && wanted.length > skipped ? 0 : 1;
}

/** @param sandbox of its plans; null: they require none */
async function look(
  habitat: Habitat,
  played: readonly ScenarioName[],
  sandbox: ReturnType<typeof bubblewrapFolder> | null,
): Promise<Visited> {
  const skipped = (await habitat.lacks?.()) ?? sandbox?.missing ?? null;
  const visits: Visit[] = [];
  if (skipped === null) {
    // Where nothing starts there is nothing to go on with.
    const { removed } = await visit(
      habitat,
      played,
      (found) => {
        visits.push(found);
        const words = found.problem === null ? 'ok' : `NOT AS EXPECTED ${found.problem}`;
        process.stdout.write(`${habitat.name}: ${found.what}: ${words} (${found.seconds.toFixed(1)} s)\n`);
      },
      sandbox?.folder ?? null,
    );
    await removed;
  } else process.stdout.write(`${habitat.name}: skipped: ${skipped}\n`);
  return { name: habitat.name, skipped, visits };
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  },
);
