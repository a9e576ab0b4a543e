// docs/reports/tests.md: in which worlds `npm test` was run, and what came of it.
import { readFileSync, writeFileSync } from 'node:fs';

const file = 'docs/reports/tests.md';
const columns = ['world', 'outcome', 'flaky', 'minutes', 'cpu', 'commit', 'day'];
const head = `# Where \`npm test\` was run

Written by \`npm run test:anywhere\`: \`.ci/run\` on a fresh clone, which is \`npm ci && npm test\`. Minutes count both; CPU counts \`npm test\` on Linux, without what outlived its parent.

| ${columns.join(' | ')} |
| ${columns.map(() => '---').join(' | ')} |
`;

/**
 * @typedef {{ world: string, green: boolean, outcome: string, flaky: number, minutes: string, cpu: string,
 *   commit: string, day: string }} Row
 */

/**
 * @param {Row[]} rows replace those of the same world; others stay
 * @param {string[]} order of the worlds; a row of a world that is no more goes
 */
export function writeRows(rows, order) {
  const lines = new Map(readLines().map((line) => [line.split(' | ')[0].slice(2), line]));
  for (const row of rows) lines.set(row.world, `| ${columns.map((column) => row[column]).join(' | ')} |`);
  const kept = order.map((world) => lines.get(world)).filter((line) => line !== undefined);
  writeFileSync(file, `${head}${kept.join('\n')}\n`);
}

function readLines() {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .slice(head.trimEnd().split('\n').length)
      .filter((line) => line.startsWith('| '));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return [];
  }
}
