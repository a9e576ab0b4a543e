import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { aLongTime, peakOf, processesWith } from '../supervisor/sandboxed';
import { decision, start } from './cliBed';
import { usersOfTier } from '../support/users';
import { ConfinedBed } from './confinedBed';
import { writeFakeClaude } from './fakeClaude';

const megabyte = 1024 * 1024;

/** Bodies of modules; each makes `docs/out/there` when it is at its worst, with the least that it has printed then. */
const unstoppable = {
  'prints as fast as it is read': {
    body: `const block = 'a line of sixty-four characters, one of very many alike, of it \\n'.repeat(1000);
for (let count = 0; ; count += 1) { fs.writeSync(1, block); if (count === 1600) fs.writeFileSync('docs/out/there', ''); }`,
    bytes: 100 * megabyte,
  },
  'never ends its line': {
    body: `const block = 'x'.repeat(65_536);
for (let count = 0; ; count += 1) { fs.writeSync(1, block); if (count === 1600) fs.writeFileSync('docs/out/there', ''); }`,
    bytes: 100 * megabyte,
  },
  'ignores SIGTERM': {
    body: `for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
fs.writeFileSync('docs/out/there', ''); setInterval(() => undefined, 1000);`,
    bytes: 0,
  },
  'has grandchildren that left it': {
    body: `import { execFileSync } from 'node:child_process';
const stubborn = ['/bin/sh', '-c', "trap '' TERM; while :; do sleep TIME; done"];
// Without a sandbox the runner cannot recognise a process that also clears its environment.
for (const args of [['-f', 'sleep', 'TIME'], ['-f', ...(CONFINED ? ['env', '-i'] : []), ...stubborn]]) execFileSync('setsid', args, { stdio: 'ignore' });
fs.writeFileSync('docs/out/there', ''); setInterval(() => undefined, 1000);`,
    bytes: 0,
  },
} as const;

/** Workers that write without end, through whole missions. */
for (const user of usersOfTier) {
  describe(`a mission whose worker floods, as ${user}`, function () {
    this.timeout(90_000);
    let bed: ConfinedBed;
    beforeEach(function () {
      bed = new ConfinedBed(this, user);
    });
    afterEach(() => bed.dispose());

    it('with messages: what it announces after them is known as its own, also in the paths of another lane', async () => {
      const claude = path.join(bed.scratch, 'claude');
      writeFakeClaude(
        claude,
        `${flood}
        fs.mkdirSync('lanes/B', { recursive: true });
        fs.writeFileSync('lanes/B/stray', 'x');
        say({ type: 'assistant', message: { content: [{ type: 'tool_use', id: 'w', name: 'Write', input: { file_path: 'lanes/B/stray' } }] } });
        say({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'w' }] } });
        for (const end = Date.now() + 20_000; Date.now() < end; await wait(0)) {${flood}}
        fs.writeFileSync(${JSON.stringify(path.join(bed.scratch, 'too late'))}, '');
        end('done');`,
      );
      const plan = bed.parallel(
        'flooded',
        2,
        [
          { task_id: 'A', paths: ['lanes/A/'], worker: 'claude', prompt: 'x' },
          bed.lane('B', `await gate('too late');`),
        ],
        { delegation: { claude_code: true, constraints: [] } },
      );
      const run = await bed.mission('run', plan, '--confinement', 'off', '--cli', `claude=${claude}`);
      assert.equal(run.code, 1, run.stdout + run.stderr);
      assert.equal(run.json.code, 'SCOPE_VIOLATION');
      const changed = (task: string) => bed.evidence('flooded', task).attempts?.[0]?.changes.map((one) => one.path);
      assert.ok(changed('A')?.includes('lanes/B/stray'), JSON.stringify(changed('A')));
      assert.ok(changed('B')?.includes('lanes/B/stray') !== true, JSON.stringify(changed('B')));
    });
  });
}

describe('a mission whose worker does not stop', function () {
  this.timeout(90_000);
  let bed: ConfinedBed;
  beforeEach(function () {
    bed = new ConfinedBed(this);
  });
  afterEach(() => bed.dispose());

  for (const confinement of ['required', 'off'])
    for (const [name, { body, bytes }] of Object.entries(unstoppable))
      it(`${name}: flat memory, bounded disk, and a cancel leaves nothing of it (confinement ${confinement})`, async () => {
        const time = aLongTime();
        bed.write(
          'tools/worker.mjs',
          `${start}${body.replaceAll('TIME', time).replace('CONFINED', `${confinement === 'required'}`)}`,
        );
        const plan = bed.plan('endless', [{ command: ['node', 'tools/worker.mjs', time] }]);
        const running = bed.start('run', plan, '--confinement', confinement);
        while (!bed.exists('docs/out/there')) await delay(50);
        const { supervisor } = bed.processOf('T1');
        const cancelled = bed.mission('cancel', 'endless', ...decision);
        let peak = 0;
        let disk = 0;
        const over = running.ended.then(() => true);
        while (!(await Promise.race([over, delay(50, false)]))) {
          peak = Math.max(peak, memoryOf(running.child.pid), memoryOf(supervisor.pid));
          disk = Math.max(disk, sizeOf(bed.at('.mission-control')));
        }
        await cancelled;
        assert.equal((await running.ended).json.status, 'cancelled');
        assert.ok(peak < 400, `${peak} MB of memory`);
        assert.ok(disk < 130 * megabyte, `${disk / megabyte} MB on disk`);
        assert.deepEqual(await processesWith(time), []);
        const [launch] = bed.evidence('endless', 'T1').attempts?.[0]?.launches ?? [];
        assert.deepEqual([launch?.reason, launch?.tree_gone], ['stop_requested', true]);
        assert.ok((launch?.stdout?.bytes ?? 0) >= bytes, `${launch?.stdout?.bytes ?? 0} bytes were read`);
      });
});

/** 10 MB of messages. */
const flood = `for (let count = 0; count < 200; count += 1) say({ type: 'assistant', message: { content: [{ type: 'text', text: 'x'.repeat(50_000) }] } });`;

/** Megabytes at its worst; 0 for one that has ended. */
function memoryOf(pid: number | undefined): number {
  try {
    return peakOf(pid ?? 0);
  } catch {
    return 0;
  }
}

/** Bytes below a folder, as far as its files stay there meanwhile. */
function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.reduce(
    (sum, name) => sum + (statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
