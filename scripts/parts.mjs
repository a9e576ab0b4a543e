// What a call of a program seldom needs, as files of their own in dist/.
//
// A program is read and scanned whole at each start. So it asks for these parts only where it needs
// them, and all programs share them. The supervisor and the mission tools hold their parts, because
// a copy of one file is started.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { built, validatorOf } from './built-validators.mjs';

/** The entry points of the parts, by the names of their files. */
export const parts = {
  execa: 'execa',
  'string-width': 'string-width',
  schemaCompiler: 'src/adapters/documents/schemaCompiler.ts',
  ...Object.fromEntries(built.map((name) => [`${name}Validator`, validatorOf(name)])),
};
const asked = new Map(Object.entries(parts).map(([name, entry]) => [path.basename(entry, '.ts'), name]));

/** Lets a program ask for its parts at run time. */
export const apart = {
  name: 'parts',
  setup: (build) => {
    build.onResolve({ filter: /^/ }, ({ kind, path: wanted }) => {
      const name = kind === 'require-call' || kind === 'dynamic-import' ? asked.get(path.basename(wanted)) : undefined;
      return name === undefined ? null : { path: `./${name}.js`, external: true };
    });
    // The package holds the schemas as files, for editors.
    build.onLoad({ filter: /[\\/]src[\\/]adapters[\\/]documents[\\/]schemas\.ts$/ }, async ({ path: file }) => {
      const [before, after, ...more] = (await readFile(file, 'utf8')).split('require(`../../../schemas/');
      if (after === undefined || more.length > 0) throw new Error(`${file} has to ask for the schemas in one place`);
      return {
        contents: `${before}require('node:module').createRequire(__filename)(\`../schemas/${after}`,
        loader: 'ts',
      };
    });
  },
};
