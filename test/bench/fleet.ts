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

/** What the command line pays for a fleet that is not asked for, against the same program built without it. */
export async function fleetBench(scratch: string): Promise<readonly Line[]> {
  const programs = await Promise.all(
    [[], [withoutFleet]].map(async (more, place) => {
      const folder = path.join(scratch, `fleet-${place}`);
      cpSync('dist', path.join(folder, 'dist'), { recursive: true });
      cpSync('schemas', path.join(folder, 'schemas'), { recursive: true });
      const outfile = path.join(folder, 'dist', 'mission.js');
      await build({
        ...{ entryPoints: ['src/cli/main.ts'], outfile, bundle: true, minify: true, platform: 'node', format: 'cjs' },
        ...{ target: 'node20', external: ['vscode'], supported: { 'dynamic-import': false }, logLevel: 'error' },
        ...{ legalComments: 'none', alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
        plugins: [...more, apart, builtValidators],
      });
      return {
        cli: path.join(folder, 'dist', 'cli.js'),
        bytes: statSync(outfile).size,
        ms: [] as number[],
        memory: [] as number[],
      };
    }),
  );
  const workspace = path.join(scratch, 'fleet-workspace');
  mkdirSync(workspace);
  const used = path.join(scratch, 'used.json');
  const hook = path.join(scratch, 'used.cjs');
  const says =
    "process.on('exit', () => require('fs').writeFileSync(process.env.USED, JSON.stringify(process.resourceUsage())))";
  writeFileSync(hook, says);
  for (let round = 0; round < rounds; round++)
    for (const { cli, ms, memory } of programs) {
      const args = ['--require', hook, cli, 'status', '--workspace', workspace];
      const { status, stderr } = spawnSync(process.execPath, args, {
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
      'CPU time of mission status as a process, no fleet asked for',
      'ms',
      programs.map(({ ms }) => Math.min(...ms)),
    ),
    line(
      'peak memory of it',
      'MB',
      programs.map(({ memory }) => Math.min(...memory)),
    ),
    line(
      'size of its program',
      'kB',
      programs.map(({ bytes }) => bytes / 1000),
    ),
  ];
}
