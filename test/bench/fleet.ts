import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { builtValidators } from '../../scripts/built-validators.mjs';
import { apart } from '../../scripts/parts.mjs';
import type { Line } from './measure';

/** The least counts, because other work of the machine only makes a start longer. */
const rounds = 20;

/** Takes out of a program what only the commands of a fleet need. */
const withoutFleet: Plugin = {
  name: 'without a fleet',
  setup: (program) => {
    const only = /[\\/]src[\\/](?:.*[\\/]fleet[\\/].*|contracts[\\/]fleet|adapters[\\/]user[\\/]fleet)\.ts$/;
    program.onLoad({ filter: only }, () => ({ contents: '', loader: 'js' }));
  },
};

const says =
  "process.on('exit', () => require('fs').writeFileSync(process.env.USED, JSON.stringify(process.resourceUsage())))";
/** Loads the extension as VS Code does, with a stand-in for its API, which no module asks while it loads. */
const loads = `const any = new Proxy(function () {}, { get: (_, name) => (name === Symbol.toPrimitive ? () => '' : any), apply: () => any, construct: () => any });
const { Module } = require('module'), load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? any : load(name, ...rest));
require(process.argv[2]);
process.exit(0);`;

/** What command line and extension pay for a fleet that is not asked for, against the same built without it. */
export async function fleetBench(scratch: string): Promise<readonly Line[]> {
  const workspace = path.join(scratch, 'fleet-workspace');
  mkdirSync(workspace);
  const [hook, loader] = [path.join(scratch, 'used.cjs'), path.join(scratch, 'loads.cjs')];
  writeFileSync(hook, says);
  writeFileSync(loader, loads);
  return [
    ...(await compared(scratch, hook, {
      ...{ entry: 'src/cli/main.ts', bundle: 'mission.js', what: 'mission status as a process' },
      args: (dist) => [path.join(dist, 'cli.js'), 'status', '--workspace', workspace],
    })),
    ...(await compared(scratch, hook, {
      ...{ entry: 'src/extension/activation.ts', bundle: 'activation.js', what: 'loading the extension' },
      args: (dist) => [loader, path.join(dist, 'activation.js')],
    })),
  ];
}

interface Program {
  readonly entry: string;
  readonly bundle: string;
  readonly what: string;
  readonly args: (dist: string) => readonly string[];
}

async function compared(scratch: string, hook: string, { entry, bundle, what, args }: Program): Promise<Line[]> {
  const used = path.join(scratch, 'used.json');
  const programs = await Promise.all(
    [[], [withoutFleet]].map(async (more, place) => {
      const folder = path.join(scratch, `${bundle}-${place}`);
      const dist = path.join(folder, 'dist');
      cpSync('dist', dist, { recursive: true });
      cpSync('schemas', path.join(folder, 'schemas'), { recursive: true });
      const outfile = path.join(dist, bundle);
      await build({
        ...{ entryPoints: [entry], outfile, bundle: true, minify: true, platform: 'node', format: 'cjs' },
        ...{ target: 'node20', external: ['vscode'], supported: { 'dynamic-import': false }, logLevel: 'error' },
        ...{ legalComments: 'none', alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
        plugins: [...more, apart, builtValidators],
      });
      return { dist, bytes: statSync(outfile).size, ms: [] as number[], memory: [] as number[] };
    }),
  );
  for (let round = 0; round < rounds; round++)
    for (const { dist, ms, memory } of programs) {
      const { status, stderr } = spawnSync(process.execPath, ['--require', hook, ...args(dist)], {
        encoding: 'utf8',
        env: { ...process.env, USED: used },
      });
      if (status !== 0) throw new Error(stderr);
      const usage = JSON.parse(readFileSync(used, 'utf8')) as NodeJS.ResourceUsage;
      ms.push((usage.userCPUTime + usage.systemCPUTime) / 1000);
      memory.push(usage.maxRSS / 1024);
    }
  const line = (name: string, unit: string, [ours = NaN, limit = NaN]: readonly number[]): Line => ({
    ...{ name, unit, ours, limit, against: 'the same, built without the modules of a fleet' },
    aim: { of: 'ratio', is: 'at_most', value: 1.05 },
  });
  return [
    line(
      `CPU time of ${what}, no fleet asked for`,
      'ms',
      programs.map(({ ms }) => Math.min(...ms)),
    ),
    line(
      `peak memory of ${what}`,
      'MB',
      programs.map(({ memory }) => Math.min(...memory)),
    ),
    line(
      `size of the program, ${what}`,
      'kB',
      programs.map(({ bytes }) => bytes / 1000),
    ),
  ];
}
