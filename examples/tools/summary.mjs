// Task "summary": turns reports/inventory.json into docs/summary.md.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const inventory = JSON.parse(await readFile('reports/inventory.json', 'utf8'));
const rows = inventory.map(({ name, lines, words }) => `| ${name} | ${lines} | ${words} |`);
console.log(`${rows.length} rows`);
await pause(400); // slow enough to be watched
await mkdir('docs', { recursive: true });
await writeFile(
  'docs/summary.md',
  ['# Texts', '', '| text | lines | words |', '| --- | --- | --- |', ...rows, ''].join('\n'),
);
console.log('docs/summary.md is written');
