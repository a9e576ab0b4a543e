import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { usersOfTier } from '../../support/users';
import { makeBed, removeBeds, type Asked, type Bed } from './bed';
import { contents } from './held';

const asked: Asked = {
  writable: ['out', 'package.json'],
  sealed: ['.git', 'docs/plans', '.mission-control', 'out/sealed'],
  home: [
    {
      variable: null,
      below: '',
      otherwise: '.cli',
      entries: [{ path: 'a', kind: 'file', access: 'copy', reason: '' }],
    },
    { variable: null, below: '', otherwise: '.missing/deep', entries: [] },
  ],
};

/** Leaves its session, its parents and its environment, then writes again and again. */
const late = `
(setsid env -i /bin/sh -c 'while :; do echo late >> out/late; sleep 0.05; done # MARK' >/dev/null 2>&1 &)
while [ ! -s out/late ]; do sleep 0.05; done
`;

describe('the end of a sandbox', function () {
  this.timeout(60_000);
  after(removeBeds);

  for (const user of usersOfTier) {
    it(`is the end of everything in it, as ${user}`, async function () {
      const bed = laid(makeBed(this, user));
      const mark = path.basename(bed.folder);
      const { code, output } = await bed.confined(asked, `${late.replace('MARK', mark)} exit 3`);
      assert.equal(code, 3, output);
      assert.ok(existsSync(path.join(bed.workspace, 'out/late')), 'it wrote while it was allowed to');
      await gone(mark);
    });

    it(`without it such a process goes on, as ${user}`, async function () {
      const bed = laid(makeBed(this, user));
      const mark = path.basename(bed.folder);
      await bed.free(late.replace('MARK', mark));
      const left = running(mark);
      while (running(mark).length > 0) {
        for (const pid of running(mark)) end(pid);
        await delay(20);
      }
      assert.notEqual(left.length, 0);
    });

    for (const killed of ['the wrapper', 'the parent of the wrapper'] as const) {
      it(`leaves nothing when ${killed} is killed, as ${user}`, async function () {
        const bed = laid(makeBed(this, user));
        const mark = path.basename(bed.folder);
        const argv = await bed.command(asked);
        const before = protectedParts(bed);
        const mounts = mountsIn(bed);
        const script = `${late.replace('MARK', mark)} echo ready; sleep 600 # ${mark}`;
        const parent = start(bed, [...argv, '/bin/sh', '-c', script], killed === 'the wrapper');
        await once(parent.stdout ?? assert.fail(), 'data');
        const end = once(parent, 'close');
        parent.kill('SIGKILL');
        await end;
        await gone(mark);
        assert.deepEqual(mountsIn(bed), mounts);
        assert.deepEqual(protectedParts(bed), before);
      });
    }

    it(`passes on the exit code and the end by a signal, as ${user}`, async function () {
      const bed = laid(makeBed(this, user));
      assert.equal((await bed.confined(asked, 'exit 7')).code, 7);
      assert.equal((await bed.confined(asked, 'kill -9 $$')).code, 137);
    });
  }
});

/** Other tests mount beside this one. */
function mountsIn(bed: Bed): readonly string[] {
  const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  return lines.filter((line) => line.includes(bed.folder));
}

function laid(bed: Bed): Bed {
  bed.put({
    'out/sealed/s': '',
    'package.json': '{}',
    '.git/HEAD': '',
    'docs/plans/p.json': '{}',
    [`${bed.home}/.cli/a`]: '',
  });
  return bed;
}

/** Everything but what the worker may write. */
function protectedParts(bed: Bed): readonly string[] {
  const open = [path.join(bed.run, 'work'), path.join(bed.workspace, 'out/late')];
  return contents(bed.folder, (at) => open.includes(at));
}

/** Starts it as itself, or below a shell that is killed in its place. */
function start(bed: Bed, argv: readonly string[], direct: boolean): ChildProcess {
  return bed.start(direct ? argv : ['/bin/sh', '-c', '"$@"; exit 0', 'sh', ...argv]);
}

/** Processes whose command line holds the mark, but for those of bubblewrap itself. */
function running(mark: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(pid).includes(`# ${mark}`))
    .map(Number);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // gone meanwhile
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // gone meanwhile
  }
}

async function gone(mark: string): Promise<void> {
  while (running(mark).length > 0) await delay(20);
}
