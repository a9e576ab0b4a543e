// Checks of the plan: node tools/verify.mjs inventory | summary. Exit code 1 says what does not hold.
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import process from 'node:process';

const texts = (await readdir('texts')).sort();
const inventory = JSON.parse(await readFile('reports/inventory.json', 'utf8'));
const checks = {
  inventory: () => {
    assert.deepEqual(
      inventory.map(({ name }) => name),
      texts,
    );
    for (const { name, lines, words } of inventory) assert.ok(lines > 0 && words >= lines, `${name} has odd numbers`);
  },
  summary: async () => {
    const page = await readFile('docs/summary.md', 'utf8');
    for (const name of texts) assert.ok(page.includes(`| ${name} |`), `${name} is not on the page`);
  },
};
const check = checks[process.argv[2]];
assert.ok(check, 'name a check: inventory or summary');
await check();
console.log(`${process.argv[2]}: holds`);
