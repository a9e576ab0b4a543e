// `npm run test:anywhere`: .ci/run, which is the README's two commands, on a fresh clone, in worlds that people have. Its
// colour must be the same in all of them; docs/reports/tests.md has the table. A world has several properties at once,
// so that three runs show all of them.
//
//   node scripts/test-anywhere.mjs [--keep] [--list] [WORLD ...]
//
// WORLD   part of a world's name; default: all, one after the other, some ten minutes each
// --keep  leaves the clones of red runs
// --list  names the worlds
//
// The last commit is tested, not the changes of the tree. The table keeps the rows of worlds that a run leaves out.
// Some worlds need root and Linux; a world that cannot be made is a row that says why. Exit code 1 when one is red.
import './project-node.mjs';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { bubblewrapForTests } from './bubblewrap.mjs';
import { writeRows } from './tests-report.mjs';

const root = path.resolve(import.meta.dirname, '..');
process.chdir(root);
const { values: flags, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'boolean', default: false }, list: { type: 'boolean', default: false } },
});
const hide = 'if [ -e /usr/bin/bwrap ]; then mount --bind /dev/null /usr/bin/bwrap; fi';

/**
 * where: a folder for the clone. prepare: shell lines as root in a mount namespace of its own, before the run. wrap:
 * the command in front. busy: loops beside it. user: who runs it.
 */
const worlds = [
  {
    name: 'bubblewrap of the distribution, root, a folder with a space',
    prepare: installedBubblewrap,
    folder: 'mission control',
  },
  {
    name: 'one core, no bubblewrap on PATH, an unprivileged user, a clone below /tmp, LC_ALL=de_DE.UTF-8',
    prepare: hide,
    user: 65534,
    where: '/tmp',
    env: { LC_ALL: 'de_DE.UTF-8' },
    wrap: ['taskset', '-c', '0'],
  },
  { name: 'beside a busy loop on each core', busy: os.availableParallelism() },
];

if (flags.list) {
  for (const { name } of worlds) console.log(name);
} else {
  const chosen = worlds.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
  if (chosen.length === 0) throw new Error(`no world has ${wanted.join(' or ')} in its name`);
  const rows = [];
  for (const world of chosen) {
    const row = await tryIn(world);
    console.log(`${world.name}: ${row.outcome}, ${row.minutes}`);
    rows.push(row);
    writeRows(
      rows,
      worlds.map(({ name }) => name),
    );
  }
  process.exitCode = rows.some(({ green }) => !green) ? 1 : 0;
}

/** Clones, installs and tests there. @returns {Promise<import('./tests-report.mjs').Row>} */
async function tryIn(world) {
  const commit = output('git', ['rev-parse', 'HEAD']);
  const scratch = mkdtempSync(path.join(world.where ?? '/var/tmp', 'mission-anywhere-'));
  chmodSync(scratch, 0o755);
  const clone = path.join(scratch, world.folder ?? 'clone');
  output('git', ['clone', '-q', '--no-hardlinks', root, clone]);
  const log = path.join(root, '.artifacts/anywhere', `${world.name.replaceAll(/\W+/g, '-')}.log`);
  mkdirSync(path.dirname(log), { recursive: true });
  const loops = Array.from({ length: world.busy ?? 0 }, () => spawn(process.execPath, ['-e', 'for (;;);']));
  const began = Date.now();
  const problem = await run(world, clone, scratch, log);
  for (const loop of loops) loop.kill('SIGKILL');
  const minutes = (Date.now() - began) / 60_000;
  const text = readFileSync(log, 'utf8');
  const closing = text.match(/^\d+ passed, \d+ failed(, \d+ skipped)?$/gm)?.at(-1);
  const green = problem === null && / 0 failed/.test(closing ?? '');
  if (green || !flags.keep) rmSync(scratch, { recursive: true, force: true });
  return {
    world: world.name,
    green,
    outcome: closing ?? problem ?? 'no closing line',
    flaky: text.match(/^flaky: /gm)?.length ?? 0,
    minutes: `${minutes.toFixed(1)} min`,
    cpu: text.match(/^tier \w+: .*, of CPU (.*)$/m)?.[1] ?? '',
    commit: commit.slice(0, 8),
    day: new Date().toISOString().slice(0, 10),
  };
}

/** @returns {Promise<string | null>} why it is red, or null */
function run(world, clone, scratch, log) {
  const prepare = typeof world.prepare === 'function' ? world.prepare(scratch) : (world.prepare ?? ':');
  const own = world.user === undefined ? [] : ['setpriv', `--reuid=${world.user}`, `--regid=${world.user}`];
  if (world.user !== undefined) {
    own.push('--clear-groups');
    output('chown', ['-R', `${world.user}:${world.user}`, scratch]);
  }
  const inner = [...own, ...(world.wrap ?? []), 'bash', '.ci/run'];
  const namespace = prepare === ':' ? [] : ['unshare', '--mount', 'bash', '-c', `set -e\n${prepare}\nexec "$@"`, '-'];
  const [program, ...args] = [...namespace, ...inner];
  const home = world.user === undefined ? {} : { HOME: scratch, npm_config_cache: path.join(scratch, 'npm') };
  const inherited = Object.entries(process.env).filter(([name]) => !['NODE_OPTIONS', 'CI'].includes(name));
  const env = { ...Object.fromEntries(inherited), ...home, ...world.env };
  const file = createWriteStream(log);
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: clone, env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.pipe(file, { end: false });
    child.stderr.pipe(file, { end: false });
    child.once('error', (error) => file.end(() => resolve(`cannot be made here: ${error.message}`)));
    child.once('exit', (code) => file.end(() => resolve(code === 0 ? null : `ended with ${code}`)));
  });
}

/** Makes a PATH as if the distribution's package were installed; the machine stays as it is. */
function installedBubblewrap(scratch) {
  if (existsSync('/usr/bin/bwrap')) return ':';
  const found = bubblewrapForTests(root);
  if (found.file === undefined) return `echo '${found.missing}' >&2; exit 1`;
  const lower = path.join(scratch, 'bin');
  mkdirSync(lower);
  output('cp', [found.file, path.join(lower, 'bwrap')]);
  return `mount -t overlay overlay -o lowerdir=${lower}:/usr/bin /usr/bin`;
}

function output(program, args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`);
  return stdout.trim();
}
