// Writes every file that is derived from the sources, or with --check says which of them are out of date.
//
//   node scripts/generate.mjs [--check] [--out DIR]
//
// Each generator names the folder it owns (null: single files) and returns path -> text. In an owned folder
// nothing else may lie. --out compares with, or writes into, another folder than the repository (tests use it).
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import esbuild from 'esbuild';
import { readMessages } from './messages.mjs';
import { messagesPage } from './messagesPage.mjs';

const { values: flags } = parseArgs({
  options: { check: { type: 'boolean', default: false }, out: { type: 'string' } },
});
const root = path.resolve(import.meta.dirname, '..');
const out = path.resolve(flags.out ?? root);

/** @type {{ name: string, owns: string | null, run: () => Promise<Map<string, string>> }[]} */
const generators = [
  { name: 'JSON Schemas', owns: 'schemas', run: generateSchemas },
  { name: 'extension manifest', owns: null, run: generateManifest },
  { name: 'messages', owns: null, run: generateMessages },
];

/** Every sentence the code can tell, with the meanings that stand beside its codes. */
async function generateMessages() {
  const tables = await load(`
    export { findingMeanings } from './src/contracts/vocabulary/findings';
    export { errorCodes } from './src/contracts/vocabulary/errorCodes';
    export { refusalMeanings, callMeanings, toolMeanings } from './src/contracts/vocabulary/refusals';
    export { reasonMeanings, endMeanings, sessionMeanings } from './src/contracts/vocabulary/stops';
    export { evidenceFindings } from './src/contracts/vocabulary/evidenceFindings';
    export { auditFindings } from './src/contracts/vocabulary/auditFindings';
    export { memoryFindings } from './src/contracts/vocabulary/memory';`);
  return new Map([['docs/messages.md', messagesPage(readMessages(root), tables)]]);
}

/** package.json with the keys of src/extension/registry/manifest.ts; every other key, and the order, stay. */
async function generateManifest() {
  const { manifestOf } = await load(`export { manifestOf } from './src/extension/registry/manifest';`);
  const inPlace = path.join(out, 'package.json');
  const current = JSON.parse(await readFile(existsSync(inPlace) ? inPlace : path.join(root, 'package.json'), 'utf8'));
  return new Map([['package.json', `${JSON.stringify({ ...current, ...manifestOf() }, null, 2)}\n`]]);
}

async function generateSchemas() {
  const { documentSchemas, z } = await load(
    `export { documentSchemas } from './src/contracts/schemas'; export { z } from 'zod';`,
  );
  const files = new Map();
  const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
  for (const [name, { title, schema }] of Object.entries(documentSchemas)) {
    const { $schema, ...body } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
    const generated = {
      $schema,
      $comment: 'Generated from src/contracts by scripts/generate.mjs.',
      title,
      ...withoutNoise(body),
    };
    files.set(`schemas/${name}.schema.json`, json(generated));
    if (name === 'plan' || name === 'ai-project')
      files.set(`schemas/${name}.editor.schema.json`, json(forCompletionOnly(generated)));
  }
  return files;
}

/** `additionalProperties: {}` says nothing. */
function withoutNoise(schema) {
  return mapSchema(schema, ({ additionalProperties, ...rest }) =>
    additionalProperties === undefined || isEmptyObject(additionalProperties)
      ? rest
      : { ...rest, additionalProperties },
  );
}

/**
 * The schema the editor gets serves completion and hover; findings come from our own validation, each shown once.
 * So nothing in it may ever fail: no types, no required, no limits. Choices become examples, which are offered.
 */
function forCompletionOnly(schema) {
  return mapSchema(
    schema,
    ({ $schema, $comment, title, description, properties, items, type, enum: choices, const: only, examples }) => ({
      ...($schema && { $schema }),
      ...($comment && { $comment }),
      ...(title && { title }),
      ...(description && { description }),
      ...(examples || choices || only !== undefined || type === 'boolean'
        ? { examples: examples ?? choices ?? (only !== undefined ? [only] : [true, false]) }
        : {}),
      ...(properties && { properties }),
      ...(items && { items }),
    }),
  );
}

/** Applies `change` to a schema and all schemas in it, innermost first. */
function mapSchema(schema, change) {
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = { ...schema };
  for (const key of ['properties', 'patternProperties', 'definitions']) {
    if (inner[key]) {
      inner[key] = Object.fromEntries(
        Object.entries(inner[key]).map(([name, child]) => [name, mapSchema(child, change)]),
      );
    }
  }
  for (const key of ['items', 'additionalProperties', 'propertyNames', 'not']) {
    if (typeof inner[key] === 'object') inner[key] = mapSchema(inner[key], change);
  }
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    if (inner[key]) inner[key] = inner[key].map((child) => mapSchema(child, change));
  }
  return change(inner);
}

function isEmptyObject(value) {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Bundles TypeScript given as text, as if it lay in the repository's root, and imports it. */
async function load(source) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mission-generate-'));
  try {
    const outfile = path.join(folder, 'source.mjs');
    await esbuild.build({
      stdin: { contents: source, resolveDir: root, loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile,
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readIfThere(file) {
  return readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

async function filesIn(folder) {
  return readdir(path.join(out, folder)).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

const problems = [];
let written = 0;
for (const { owns, run } of generators) {
  const files = await run();
  for (const [name, text] of files) {
    const file = path.join(out, name);
    const current = await readIfThere(file);
    if (current === text) continue;
    if (flags.check) {
      problems.push(`${name} ${current === null ? 'is missing' : 'is out of date'}`);
    } else {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
      written += 1;
    }
  }
  for (const name of owns === null ? [] : await filesIn(owns)) {
    const relative = `${owns}/${name}`;
    if (files.has(relative)) continue;
    if (flags.check) problems.push(`${relative} is not generated by anything`);
    else await rm(path.join(out, relative), { recursive: true });
  }
}
if (problems.length > 0) {
  for (const problem of problems) console.error(`generate: ${problem}`);
  console.error('generate: run `npm run generate` and commit the result');
  process.exitCode = 1;
} else {
  console.log(flags.check ? 'generate: everything is up to date' : `generate: ${written} file(s) written`);
}
