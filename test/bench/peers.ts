import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import { bubblewrapForTests } from '../../scripts/bubblewrap.mjs';
import { fleetTools } from '../../scripts/fleet/tools.mjs';
import { installedOnce } from '../../scripts/npm-tools.mjs';
import { startPostgres } from '../../scripts/postgres.mjs';
import { closeBrowser } from '../webview/browser';
import { openPane } from '../webview/pane';
import { durable } from './journal';
import { median, wallTime, type Line } from './measure';
import { repository } from './mission';
import { pageBench } from './page';

const steps = 2_000;
const tasks = 100;
const rows = 500;
const root = process.cwd();

/** The same work by others, each from its package. It runs where it is named alone, because it installs 220 MB. */
export async function peersBench(scratch: string): Promise<readonly Line[]> {
  return [...(await stepsBench(scratch)), loopBench(scratch), ...(await tableBench())];
}

/** Steps in sequence, each durable before the next: ours is an event of the journal, awaited by the engine. */
async function stepsBench(scratch: string): Promise<readonly Line[]> {
  const { append, close } = await durable(path.join(scratch, 'steps.db'));
  const began = wallTime();
  for (let step = 0; step < steps; step++) await append();
  const ours = wallTime() - began;
  await close();
  const row = { unit: 'ms', ours, aim: null };
  return [
    { ...row, name: `${steps} durable steps in sequence`, against: 'DBOS, on PostgreSQL', limit: await byDbos() },
    { ...row, name: 'the same', against: 'Restate', limit: byRestate(scratch) },
  ];
}

async function byDbos(): Promise<number> {
  const found = await fleetTools(root);
  if ('missing' in found) throw new Error(found.missing);
  const server = await startPostgres(root, found.postgres);
  try {
    const url = `postgresql://mission:${server.password}@localhost/postgres?host=${path.dirname(server.socket)}`;
    return lastNumber(process.execPath, ['scripts/peers/dbos.mjs', url, String(steps)]);
  } finally {
    await server.stop();
  }
}

/** In a network of its own, because its server looks for a newer release of itself. */
function byRestate(scratch: string): number {
  const failed = installedOnce(path.join(root, 'test/tools/peers'));
  const bwrap = bubblewrapForTests(root);
  if (failed !== null || bwrap.missing !== undefined) throw new Error(failed ?? bwrap.missing);
  const folder = mkdtempSync(path.join(scratch, 'restate-'));
  const inside = ['--dev-bind', '/', '/', '--unshare-net', '--die-with-parent'];
  return lastNumber(bwrap.file, [...inside, process.execPath, 'scripts/peers/restate.mjs', folder, String(steps)]);
}

function lastNumber(program: string, argv: readonly string[]): number {
  const { status, stdout, stderr } = spawnSync(program, argv, { encoding: 'utf8', timeout: 300_000 });
  const found = Number(stdout.trim().split('\n').at(-1));
  if (status !== 0 || !(found > 0)) throw new Error(`${argv.join(' ')}: ${stderr.slice(-500)}`);
  return found;
}

/** What people do without us: a worktree for each task, its command, the difference as a commit. */
function loopBench(scratch: string): Line {
  const [held, free] = [path.join(scratch, 'held'), path.join(scratch, 'free')];
  for (const folder of [held, free]) mkdirSync(folder);
  const plan = repository(held, tasks);
  repository(free, tasks);
  const home = mkdtempSync(path.join(scratch, 'home-'));
  const run = (program: string, ...argv: readonly string[]): number => {
    const began = wallTime();
    execFileSync(program, argv, { cwd: free, env: { PATH: process.env['PATH'] ?? '', HOME: home }, stdio: 'ignore' });
    return wallTime() - began;
  };
  const loop = `set -e
    for n in $(seq ${tasks}); do
      git worktree add -q --detach "$0/w$n"
      (cd "$0/w$n" && mkdir -p out && sleep 0.25 && echo done > "out/T$n" && git add -A &&
        git -c user.name=Peer -c user.email=peer@example.invalid commit -q -m "T$n" && git diff HEAD~1 > "$0/T$n.diff")
      git worktree remove --force "$0/w$n"
    done`;
  const limit = run('/bin/sh', '-c', loop, scratch);
  const options = ['--workspace', held, '--confinement', 'off', '--json'];
  const ours = run(process.execPath, path.resolve('dist/cli.js'), 'run', plan, ...options);
  const name = `${tasks} tasks in sequence, ${tasks / 4} s of it their work`;
  return { name, unit: 'ms', ours, against: 'git worktree and a shell loop', limit, aim: null };
}

/** The page of a mission, from a snapshot to its painted frame, against a plain table of as many rows of six cells. */
async function tableBench(): Promise<readonly Line[]> {
  const [first = Number.NaN, next = Number.NaN] = (await pageBench()).map(({ ours }) => ours);
  const pane = await openPane();
  const times: number[] = [];
  try {
    const table = `new Promise((done) => {
      const began = performance.now();
      const cells = (n) => Array.from({ length: 6 }, (_, cell) => '<td>cell ' + cell + ' of task ' + n + '</td>').join('');
      document.body.innerHTML = '<table>' + Array.from({ length: ${rows} }, (_, n) => '<tr>' + cells(n) + '</tr>').join('') + '</table>';
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
    })`;
    for (let round = 0; round < 11; round++) times.push(Number(await pane.page.evaluate(table)));
  } finally {
    await pane.close();
    await closeBrowser();
  }
  const common = { unit: 'ms', against: `a table of ${rows} plain rows, made anew`, aim: null };
  return [
    { ...common, name: `the page of ${rows} tasks, first`, ours: first, limit: times[0] ?? null },
    { ...common, name: `the page of ${rows} tasks, next`, ours: next, limit: median(times) },
  ];
}
