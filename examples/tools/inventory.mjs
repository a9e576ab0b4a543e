// Task "inventory": counts lines and words of every text and writes reports/inventory.json.
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const inventory = [];
for (const name of (await readdir('texts')).sort()) {
  const text = await readFile(`texts/${name}`, 'utf8');
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  inventory.push({ name, lines: lines.length, words: lines.join(' ').split(/\s+/).length });
  console.log(`${name}: ${lines.length} lines`);
  await pause(400); // slow enough to be watched
}
await mkdir('reports', { recursive: true });
await writeFile('reports/inventory.json', `${JSON.stringify(inventory, null, 2)}\n`);
console.log(`reports/inventory.json: ${inventory.length} texts`);
