// The packages of the engines, where scripts/fleet-trial.mjs installed them, and what all engines are given alike.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const tools = path.resolve(import.meta.dirname, '../../test/tools/fleet');
export const packages = createRequire(path.join(tools, 'package.json'));

/** Seconds without a word from a host after which its mission is another's: the least that all engines take. */
export const leaseSeconds = 10;
/** Seconds between two words of a host. */
export const beatSeconds = 3;
/** Seconds between two looks of an idle host for a mission. */
export const pollSeconds = 1;

/** Reads an engine's version, licence, Node, release date, and its size with the packages that it needs. */
export function packageOf(name) {
  const lock = JSON.parse(readFileSync(path.join(tools, 'package-lock.json'), 'utf8')).packages;
  const needed = new Set();
  const add = (wanted, from) => {
    const at = [`${from}/node_modules/${wanted}`, `node_modules/${wanted}`].find((one) => lock[one] !== undefined);
    if (at === undefined || needed.has(at)) return;
    needed.add(at);
    for (const next of Object.keys({ ...lock[at].dependencies, ...lock[at].peerDependencies })) add(next, at);
  };
  add(name, '');
  const bytes = [...needed].flatMap(filesOf).map((file) => statSync(file).size);
  const { version, license, engines: wants } = lock[`node_modules/${name}`];
  const asked = spawnSync('npm', ['view', name, 'time', '--json'], { encoding: 'utf8', timeout: 60_000 });
  const released = asked.status === 0 ? JSON.parse(asked.stdout)[version]?.slice(0, 10) : undefined;
  return {
    version,
    license,
    node: wants.node,
    released: released ?? 'unknown',
    packages: needed.size,
    megabytes: Math.round((bytes.reduce((sum, one) => sum + one, 0) / 2 ** 20) * 10) / 10,
    hasSchema: filesOf(`node_modules/${name}`).some((file) => /create table/i.test(readFileSync(file, 'utf8'))),
  };
}

/** The files of a package without those of packages in it. */
function filesOf(at) {
  const folder = path.join(tools, at);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !path.relative(folder, entry.parentPath).includes('node_modules'))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Lines of code in our file for an engine, without blank ones and comments. */
export function linesOf(engine) {
  const text = readFileSync(path.join(import.meta.dirname, `${engine}.mjs`), 'utf8');
  return text.split('\n').filter((line) => /\S/.test(line) && !/^\s*(\/\/|\*|\/\*)/.test(line)).length;
}
