import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { execFile } from 'node:child_process';
import { searchedOutside } from '../../support/machine';
import { refusal, type Habitat } from '../habitat';
import type { Place } from '../place';

/** How the project in the workspace is built: its packages, its loaders, its hooks, and where `mission` lies. */
export const projects: readonly Habitat[] = [
  { name: 'plain repository', make: (place) => place.repository() },
  {
    name: 'ES module package',
    make: (place) => place.repository(`echo '{"type": "module"}' > package.json`),
  },
  {
    name: 'monorepo: the workspace is a package below its root',
    async make(place) {
      const root = place.workspace;
      place.workspace = path.join(root, 'packages', 'app');
      place.write(
        path.join(root, 'package.json'),
        '{"private": true, "type": "module", "workspaces": ["packages/*"]}\n',
      );
      place.write('package.json', '{"name": "app", "type": "module"}\n');
      place.files();
      await place.sh(`cd ../.. && git init -q -b main && git add -A && git commit -q -m first`);
    },
  },
  ...loaders(),
  {
    name: 'husky: core.hooksPath in the work tree',
    async make(place) {
      await place.repository(`mkdir .husky && for hook in pre-commit post-checkout post-index-change reference-transaction
        do printf '#!/bin/sh\\ntouch "${place.outside}/hook-ran"\\n' > .husky/$hook; chmod +x .husky/$hook; done`);
      await place.sh('git config core.hooksPath .husky; rm -f "$OUTSIDE/hook-ran"');
    },
    afterwards: (place) => Promise.resolve({ 'no hook ran': !place.exists(path.join(place.outside, 'hook-ran')) }),
  },
  {
    name: 'mission as a devDependency',
    async make(place) {
      await place.repository(`echo node_modules > .gitignore`);
      installIn(path.join(place.workspace, 'node_modules'));
      place.program = [path.join(place.workspace, 'node_modules/.bin/mission')];
    },
  },
  {
    name: 'Node 20 on PATH',
    lacks: async () => ((await node20()) === null ? 'there is no Node 20 on PATH' : null),
    async make(place) {
      await place.repository();
      place.program = [(await node20()) ?? '', path.resolve('dist/cli.js')];
      await useNode20(place);
    },
  },
  {
    name: 'Node 20 on PATH and no newer one beside mission',
    lacks: async () => ((await node20()) === null ? 'there is no Node 20 on PATH' : null),
    async make(place) {
      await place.repository(`echo node_modules > .gitignore`);
      installIn(path.join(place.workspace, 'node_modules'));
      place.program = [path.join(place.workspace, 'node_modules/.bin/mission')];
      await useNode20(place);
    },
    expected: refusal(4, 'NODE_UNSUPPORTED', /Install Node 24/),
    doctor: ['sqlite'],
  },
  // Packages as they are published: CommonJS, ES modules, both with declarations.
  ...['jsonc-parser', 'execa', 'zod'].map((name): Habitat => ({
    name: `the package ${name} as a repository`,
    async make(place) {
      cpSync(path.resolve('node_modules', name), place.workspace, { recursive: true, dereference: true });
      await place.repository();
    },
  })),
];

/**
 * What a loader in NODE_OPTIONS finds: a file that notes which of our programs it was loaded into, and lets a module be
 * found that only it knows, as Yarn's does.
 */
function loaders(): readonly Habitat[] {
  const pnp = (place: Place): string => `const { appendFileSync } = require('node:fs');
const Module = require('node:module');
try {
  appendFileSync(${JSON.stringify(path.join(place.outside, 'loaded'))}, require('node:path').basename(process.argv[1] ?? '') + '\\n');
} catch {} // in a sandbox
const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...more) => name === 'only-by-loader' ? ${JSON.stringify(path.join(place.workspace, '.yarn/only-by-loader.cjs'))} : resolve(name, ...more);
`;
  const module = `import './.pnp.cjs';\n`;
  const row = (name: string, options: (place: Place) => string, more: Partial<Habitat> = {}): Habitat => ({
    name,
    async make(place) {
      place.write('.pnp.cjs', pnp(place));
      place.write('.pnp.loader.mjs', module);
      place.write('.yarn/only-by-loader.cjs', 'module.exports = 1;\n');
      await place.repository();
      place.env['NODE_OPTIONS'] = options(place);
    },
    afterwards: (place) => {
      const loaded = new Set(place.read(path.join(place.outside, 'loaded')).trim().split('\n'));
      return Promise.resolve({
        'the supervisor was started without the loader': ![...loaded].some((file) => file.startsWith('supervisor')),
        'workers get the loader where the plan asks for it': loaded.has('work.mjs') === (more.execution !== undefined),
      });
    },
    ...more,
  });
  return [
    row('Yarn PnP: --require in NODE_OPTIONS', ({ workspace }) => `--require ${workspace}/.pnp.cjs`),
    row('Yarn PnP, asked for by the plan', ({ workspace }) => `--require ${workspace}/.pnp.cjs`, {
      execution: { env: ['NODE_OPTIONS'] },
      sample: ['require', 'only-by-loader'],
    }),
    row('Yarn PnP: --require with a relative path', () => '--require ./.pnp.cjs', {
      execution: { env: ['NODE_OPTIONS'] },
      sample: ['require', 'only-by-loader'],
    }),
    row('Yarn PnP: --experimental-loader', ({ workspace }) => `--experimental-loader ${workspace}/.pnp.loader.mjs`),
    row('a loader by --import', ({ workspace }) => `--import ${workspace}/.pnp.loader.mjs`),
    {
      name: 'the editor’s debugger attaches by NODE_OPTIONS',
      async make(place) {
        await place.repository();
        const bootloader = path.join(place.outside, 'bootloader.js');
        place.write(
          bootloader,
          `require('node:fs').appendFileSync(${JSON.stringify(path.join(place.outside, 'loaded'))}, require('node:path').basename(process.argv[1] ?? '') + '\\n');\n`,
        );
        place.env['NODE_OPTIONS'] = `--require ${bootloader} --inspect-publish-uid=http`;
        place.env['VSCODE_INSPECTOR_OPTIONS'] = ':::{"inspectorIpc":"none"}';
      },
      afterwards: (place) =>
        Promise.resolve({
          'only mission itself was debugged':
            [...new Set(place.read(path.join(place.outside, 'loaded')).trim().split('\n'))].join() === 'cli.js',
        }),
    },
    {
      // Node ends before a line of ours runs; what it says names the file.
      name: 'NODE_OPTIONS names a file that is gone',
      async make(place) {
        await place.repository();
        place.env['NODE_OPTIONS'] = `--require ${place.workspace}/.pnp.cjs`;
      },
      expected: { every: { exit: 1, status: null, code: null, facts: [], says: /Cannot find module '.*\.pnp\.cjs'/ } },
      doctor: ['mission does not start'],
    },
  ];
}

/** Puts the built package where `npm install` puts it. */
function installIn(nodeModules: string): void {
  const folder = path.join(nodeModules, 'mission-control');
  mkdirSync(path.join(nodeModules, '.bin'), { recursive: true });
  mkdirSync(folder);
  cpSync(path.resolve('package.json'), path.join(folder, 'package.json'));
  for (const part of ['dist', 'schemas']) cpSync(path.resolve(part), path.join(folder, part), { recursive: true });
  const { bin } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { bin: { mission: string } };
  symlinkSync(path.join('..', 'mission-control', bin.mission), path.join(nodeModules, '.bin', 'mission'));
}

/** The machine's own Node 20; scripts put the project's newer one before it. */
async function node20(): Promise<string | null> {
  for (const folder of searchedOutside().split(path.delimiter)) {
    const file = path.join(folder, 'node');
    if (!existsSync(file)) continue;
    const version = await new Promise<string>((resolve) =>
      execFile(file, ['--version'], (error, stdout) => resolve(error ? '' : stdout)),
    );
    if (version.startsWith('v20.')) return file;
  }
  return null;
}

async function useNode20(place: Place): Promise<void> {
  await place.sh(`ln -sf '${(await node20()) ?? ''}' "$SCRATCH/bin/node"`);
}
