// The validators of the documents that each mission is begun with, as code.
//
// ajv writes a function for a schema. For the schema of a plan that takes a tenth of what a short
// mission takes. So the build does it once. The code comes from the same ajv with the same options
// as in src/adapters/documents/schemaCompiler.ts. That file compiles the other schemas on first
// use.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import Ajv from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';

/** Only these, because the code is ten times as long as its schema. */
export const built = ['plan', 'assignment', 'handoff', 'ai-project'];
const namespace = 'built-validator';
/** The name of a validator's module. */
export const validatorOf = (name) => `${namespace}:${name}`;
const fileOf = (name) => path.resolve(`schemas/${name}.schema.json`);

/** Gives esbuild code for src/adapters/documents/builtValidators.ts. */
export const builtValidators = {
  name: 'built validators',
  setup: (build) => {
    build.onLoad({ filter: /[\\/]src[\\/]adapters[\\/]documents[\\/]builtValidators\.ts$/ }, () => ({
      // Getters, so that each is evaluated only when it is asked for.
      contents: `export const builtValidators = {
${built.map((name) => `  get '${name}'() { return require('${validatorOf(name)}'); },`).join('\n')}
};`,
      loader: 'js',
    }));
    build.onResolve({ filter: new RegExp(`^${namespace}:`) }, ({ path: name }) => ({
      path: name.slice(namespace.length + 1),
      namespace,
    }));
    build.onLoad({ filter: /^/, namespace }, async ({ path: name }) => ({
      contents: await codeOf(name),
      loader: 'js',
      resolveDir: process.cwd(),
      watchFiles: [fileOf(name)],
    }));
  },
};

const codes = new Map();

/** Caches the code, because many bundles ask for the same. */
async function codeOf(name) {
  const text = await readFile(fileOf(name), 'utf8');
  if (!codes.has(text)) {
    const ajv = new Ajv({
      allErrors: true,
      verbose: true,
      strict: true,
      allowUnionTypes: true,
      code: { source: true },
    });
    addFormats(ajv);
    codes.set(text, standaloneCode(ajv, ajv.compile(JSON.parse(text))));
  }
  return codes.get(text);
}
