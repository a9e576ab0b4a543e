// Writes every file that is derived from the sources, or with --check says which of them are out of date.
//
//   node scripts/generate.mjs [--check] [--out DIR]
//
// --out compares with, or writes into, another folder than the repository (tests use it).
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { differences, readSources, writeGenerated } from './generators.mjs';

const { values: flags } = parseArgs({
  options: { check: { type: 'boolean', default: false }, out: { type: 'string' } },
});
const root = path.resolve(import.meta.dirname, '..');
const out = path.resolve(flags.out ?? root);
const sources = await readSources(root);
if (!flags.check) {
  console.log(`generate: ${await writeGenerated(sources, out)} file(s) written`);
} else {
  const problems = await differences(sources, out);
  for (const problem of problems) console.error(`generate: ${problem}`);
  if (problems.length > 0) {
    console.error('generate: run `npm run generate` and commit the result');
    process.exitCode = 1;
  } else {
    console.log('generate: everything is up to date');
  }
}
