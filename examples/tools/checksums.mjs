// Task "checksums": writes reports/checksums.txt; with --check it compares instead and fails on a difference.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';

const files = ['docs/summary.md', 'reports/inventory.json'];
const lines = [];
for (const file of files) {
  const digest = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  lines.push(`${digest}  ${file}`);
  console.log(`${digest.slice(0, 12)}  ${file}`);
}
const text = `${lines.join('\n')}\n`;
if (!process.argv.includes('--check')) {
  await writeFile('reports/checksums.txt', text);
} else if ((await readFile('reports/checksums.txt', 'utf8')) !== text) {
  console.error('reports/checksums.txt does not match the files');
  process.exitCode = 1;
}
