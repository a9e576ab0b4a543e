import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createMakers } from '../../../src/adapters/workspace/makers';
import type { MakerSign } from '../../../src/core/observation/likelyMakers';
import { Bed } from './bed';

/** What this machine shows of who may have made a change: worktrees, locks of editors, processes. */
describe('workspace: signs of who may have made a change', function () {
  this.timeout(120_000);
  const [pid, host] = [process.pid, os.hostname()];
  let bed: Bed;
  let started: ChildProcess[];
  let orphans: number[];
  beforeEach(() => {
    bed = Bed.repository();
    [started, orphans] = [[], []];
  });
  afterEach(async () => {
    for (const one of orphans) process.kill(one, 'SIGKILL');
    await Promise.all(started.map(end));
    bed.remove();
  });

  const commandFile = (): string => path.join(bed.scratch, 'program', 'cli.js');
  const signs = (...paths: readonly string[]): Promise<readonly MakerSign[]> =>
    createMakers(bed.root, commandFile()).signsOf(
      paths.map((one) => ({ path: one, kind: one.startsWith('.git/') ? 'git' : 'modified' })),
    );
  /** Without processes that work in the folder. */
  const told = async (...paths: readonly string[]) => (await signs(...paths)).filter(({ kind }) => kind !== 'here');

  it('are another worktree that has the branch checked out, seen from either', async () => {
    const linked = path.join(bed.scratch, 'linked');
    bed.git('worktree', 'add', '-q', '-b', 'side/b', linked);
    bed.git('branch', 'free');
    const names = ['.git/refs/heads/main', '.git/refs/heads/side/b', '.git/refs/heads/free', '.git/refs/tags/side/b'];
    assert.deepEqual(await told(...names), [
      { kind: 'worktree', path: '.git/refs/heads/side/b', branch: 'side/b', folder: '../linked' },
    ]);
    const there = await createMakers(linked, commandFile()).signsOf(
      names.map((one) => ({ path: one, kind: 'git' as const })),
    );
    assert.deepEqual(
      there.filter(({ kind }) => kind !== 'here'),
      [{ kind: 'worktree', path: '.git/refs/heads/main', branch: 'main', folder: '../work' }],
    );
  });

  it('are swap and lock files beside a file, and a changed one itself', async () => {
    bed.write('.notes.md.swp', swap(pid, host));
    bed.write('.profile.swo', swap(pid, 'elsewhere'));
    symlinkSync(`ada@${host}.${pid}:1700000000`, bed.at('src/.#a.txt'));
    bed.write('src/.~lock.b.odt#', `Ada,ada,${host},26.11.2026 09:00,file:///home/ada/.config;`);
    const vim = { kind: 'editor', editor: 'vim', process: pid } as const;
    assert.deepEqual(await told('notes.md', '.profile', 'src/a.txt', 'src/b.odt', '.notes.md.swp', 'README.md'), [
      { ...vim, path: 'notes.md', lock: '.notes.md.swp' },
      { ...vim, path: '.profile', lock: '.profile.swo', process: 'of_another_machine' },
      { kind: 'editor', path: 'src/a.txt', editor: 'Emacs', lock: '.#a.txt', process: pid },
      { kind: 'editor', path: 'src/b.odt', editor: 'LibreOffice', lock: '.~lock.b.odt#', process: null },
      { ...vim, path: '.notes.md.swp', lock: '.notes.md.swp' },
    ]);
  });

  it('are absent where a lock is left over, forged, cut short, or no file', async () => {
    bed.write('.a.md.swp', swap(0x7fffffff, host));
    bed.write('.b.md.swp', swap(0, host));
    bed.write('.c.md.swp', swap(pid, host).subarray(0, 50));
    bed.write('.d.md.swp', 'x'.repeat(1_000_000));
    mkdirSync(bed.at('.e.md.swp'));
    symlinkSync(bed.at('.notes.md.swp'), bed.at('.f.md.swp'));
    bed.write('.notes.md.swp', swap(pid, host));
    for (const [name, target] of [
      ['g.md', `ada@${host}.0`],
      ['h.md', 'no lock'],
      ['i.md', `ada@${host}.${'9'.repeat(300)}`],
    ] as const)
      symlinkSync(target, bed.at(`.#${name}`));
    bed.write('.#j.md', `ada@${host}.${pid}`);
    bed.write('.~lock.k.odt#', 'x,'.repeat(100_000));
    const names = Array.from('abcdefghij', (name) => `${name}.md`);
    assert.deepEqual(await told(...names, 'k.odt', 'gone/x.md'), []);
  });

  it('are processes that have a changed file open for writing, and not those that read it', async () => {
    bed.write('log/dev.log', '');
    const open = (how: string): string => `require('fs').openSync(${JSON.stringify(bed.at('log/dev.log'))}, '${how}');`;
    const writes = await run(open('a'), bed.scratch);
    await run(open('r'), bed.scratch);
    const found = await told('log/dev.log', 'README.md');
    assert.deepEqual(
      found.map((one) => one.kind === 'open' && [one.path, one.pid]),
      isTold ? [['log/dev.log', writes]] : [],
    );
  });

  it('are processes that work in the folder, without our own, their children and those of a launch', async () => {
    // A child of this process, which is the owner here, does not count.
    await run('', bed.root);
    const other = await orphan(bed.at('src'));
    await orphan(bed.at('src'), { MISSION_RUN_NONCE: 'n' });
    await orphan(bed.at('.mission-control'));
    // Another command of a person, by a link as well, and the view of a worker in a terminal.
    mkdirSync(path.dirname(commandFile()));
    const view = path.join(bed.scratch, 'program', 'supervisor-1.cjs');
    for (const file of [commandFile(), view]) writeFileSync(file, stays);
    symlinkSync(commandFile(), path.join(bed.scratch, 'mission'));
    for (const file of [commandFile(), view, path.join(bed.scratch, 'mission')])
      await orphan(bed.at('src'), {}, [file]);
    const found = await signs('README.md');
    assert.deepEqual(
      found.map((one) => one.kind === 'here' && [one.pid, one.program]),
      isTold ? [[other, 'node']] : [],
      'by the name of its program, which Node gives to none of its threads',
    );
  });

  /** Runs a program of one line that stays until it is ended; resolves once the line is done. */
  async function run(line: string, cwd: string): Promise<number> {
    const child = spawn(process.execPath, ['-e', `${line}${stays}`], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    started.push(child);
    return Number(await firstLine(child));
  }

  /** A process whose parent has ended. */
  async function orphan(
    cwd: string,
    more: NodeJS.ProcessEnv = {},
    words: readonly string[] = ['-e', stays],
  ): Promise<number> {
    const options = JSON.stringify({ cwd, detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
    const script = `require('child_process').spawn(process.execPath, ${JSON.stringify(words)}, ${options}).unref();`;
    const env = { ...process.env, ...more };
    const parent = spawn(process.execPath, ['-e', script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise((resolve) => parent.once('exit', resolve));
    const orphaned = Number(await firstLine(parent));
    orphans.push(orphaned);
    await ended;
    return orphaned;
  }
});

/** Only Linux shows what a process has open and where it works. */
const isTold = process.platform === 'linux';
const stays = 'console.log(process.pid); setInterval(() => {}, 1000);';

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of stdout ?? []) {
    text += String(chunk);
    if (text.includes('\n')) return text;
  }
  return text;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

/** Block 0 of a swap file, as vim lays it down on a machine of any order of bytes. */
function swap(pid: number, host: string): Buffer {
  const block = Buffer.alloc(4096);
  block.write('b0VIM 9.0', 0, 'latin1');
  block.writeUInt32LE(pid, 24);
  block.write('ada', 28, 39, 'utf8');
  block.write(host, 68, 39, 'utf8');
  return block;
}
