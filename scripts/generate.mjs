// Writes every file that is derived from the sources, or with --check says which of them are out of date.
//
//   node scripts/generate.mjs [--check] [--out DIR]
//   node scripts/generate.mjs --messages
//
// --messages writes every sentence for people into .artifacts/messages.md, to read them one after the other.
// --out compares with, or writes into, another folder than the repository (tests use it).
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { allMessages, differences, readSources, writeGenerated } from './generators.mjs';

const { values: flags } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    messages: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});
const root = path.resolve(import.meta.dirname, '..');
const out = path.resolve(flags.out ?? root);
const sources = await readSources(root);
if (flags.messages) {
  mkdirSync(path.join(out, '.artifacts'), { recursive: true });
  writeFileSync(path.join(out, '.artifacts/messages.md'), allMessages(sources));
  console.log('generate: .artifacts/messages.md has every sentence');
} else if (!flags.check) {
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
