import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  controlFiles,
  makeLimitGroup,
  type ControlFiles,
  type LimitGroup,
} from '../../src/adapters/processes/limitGroup';
import { skipWithReason } from '../support/skip';
import type { ExitRecord, LaunchTicket } from '../../src/contracts/launch';
import { superviseWorker } from '../../src/supervisor/supervise';
import { FakeControlFiles } from './controlFiles';
import { cleanUp, newRun } from './harness';
import { bubblewrap, sandboxArgv } from './sandboxed';

const limits = { processes: 10, memory_mb: 100, file_mb: 5 };

async function made(files: ControlFiles): Promise<LimitGroup> {
  const group = await makeLimitGroup('run-1', limits, files);
  assert.ok(typeof group !== 'string');
  return group;
}

describe('the control group of a launch', () => {
  it('has the limits before anything is in it', async () => {
    const files = new FakeControlFiles('cpu memory pids');
    const group = await made(files);
    assert.deepEqual(group.holds, ['processes', 'memory_mb']);
    assert.deepEqual(
      ['pids.max', 'memory.max', 'memory.oom.group'].map((file) => files.content(file)),
      ['320', '104857600', '1'],
    );
  });

  for (const [controllers, holds] of [
    ['pids', ['processes']],
    ['memory', ['memory_mb']],
  ] as const)
    it(`holds what is delegated: ${controllers}`, async () => {
      assert.deepEqual((await made(new FakeControlFiles(controllers))).holds, holds);
    });

  it('reports what the kernel had to hold back', async () => {
    const files = new FakeControlFiles('memory pids');
    const group = await made(files);
    assert.equal(await group.exceeded(), null);
    files.count('pids.events', 'max 3\n');
    assert.equal(await group.exceeded(), 'processes');
    files.count('memory.events', 'low 0\nhigh 0\nmax 9\noom 1\noom_kill 1\n');
    assert.equal(await group.exceeded(), 'memory_mb');
  });

  for (const [why, files] of [
    ['no controller for processes or memory is delegated', new FakeControlFiles('hugetlb')],
    ['its controllers cannot be passed on', new FakeControlFiles('memory pids', false)],
    [
      'no group can be made below that of the supervisor',
      Object.assign(new FakeControlFiles('pids'), { makeFolder: () => Promise.reject(new Error('EACCES')) }),
    ],
    [
      'there are no control groups of version 2',
      Object.assign(new FakeControlFiles('pids'), { read: () => Promise.reject(new Error('ENOENT')) }),
    ],
  ] as const)
    it(`does not exist where ${why}`, async () => {
      assert.equal(await makeLimitGroup('run-1', limits, files), why);
    });

  const all: Readonly<Record<string, ControlFiles>> = {
    fake: new FakeControlFiles('memory pids'),
    kernel: controlFiles,
  };
  for (const [name, files] of Object.entries(all))
    it(`takes a process in, and goes when it is empty (${name})`, async function () {
      const group = await makeLimitGroup('run-1', limits, files);
      if (typeof group === 'string') {
        if (name === 'kernel') return skipWithReason(this, `of this machine's control groups: ${group}`);
        assert.fail(group);
      }
      const child = spawn('sleep', ['30']);
      try {
        assert.equal(await group.hold(child.pid ?? 0), true);
        assert.equal(await group.exceeded(), null);
      } finally {
        child.kill('SIGKILL');
        await new Promise((resolve) => child.once('close', resolve));
        await group.remove();
      }
      const again = await makeLimitGroup('run-1', limits, files);
      assert.ok(typeof again !== 'string', 'the name is free again');
      await again.remove();
    });
});

/** A process that does not exist, so that nothing that a test cleans up is this process. */
const supervisor = { pid: 4_194_303, start_time: '0', boot_id: 'none' };

for (const sandboxed of [false, true])
  describe(`a launch in a control group ${sandboxed ? 'and a sandbox' : 'alone'}`, () => {
    afterEach(cleanUp);

    let sandbox: Partial<LaunchTicket> = {};
    before(function () {
      if (sandboxed) sandbox = { sandbox: { means: 'bubblewrap', argv: sandboxArgv(bubblewrap(this)) } };
    });

    async function ended(
      script: string,
      exceeded: (folder: string) => ReturnType<LimitGroup['exceeded']>,
    ): Promise<{ readonly exit: ExitRecord; readonly steps: readonly string[] }> {
      const run = await newRun(['sh', '-c', script], { limits, ...sandbox });
      await run.prepare();
      const steps: string[] = [];
      const exit = await superviseWorker(
        { runDir: run.runDir, ticket: run.ticket, supervisor },
        new AbortController().signal,
        () => steps.push('started'),
        (name) => {
          steps.push(name === `mission-control-${run.ticket.launch_id}` ? 'made' : name);
          return Promise.resolve({
            holds: ['processes', 'memory_mb'],
            hold() {
              steps.push('held');
              return Promise.resolve(true);
            },
            exceeded: () => exceeded(run.folder),
            remove: () => Promise.resolve(void steps.push('removed')),
          });
        },
      );
      assert.ok(exit);
      return { exit, steps };
    }

    it('says that the kernel held it, and leaves no group', async () => {
      const { exit, steps } = await ended('exit 3', () => Promise.resolve(null));
      assert.deepEqual([exit.reason, exit.exit_code], ['exited', 3]);
      assert.deepEqual([exit.limits?.processes, exit.limits?.memory_mb], ['cgroup', 'cgroup']);
      assert.deepEqual(steps, ['made', 'started', 'held', 'removed']);
    });

    it('is ended with all its processes where the kernel had to refuse it some', async () => {
      const { exit } = await ended('sleep 300 & sleep 300', () => Promise.resolve('processes'));
      assert.deepEqual([exit.reason, exit.limits?.exceeded, exit.tree_gone], ['resource_limit', 'processes', true]);
      assert.match(exit.error ?? '', /^Its threads were more than 320, .*\(held by a control group\)\.$/);
    });

    it('that the kernel ended is over its limit, not just killed', async () => {
      const { exit } = await ended('touch over; kill -9 $$', (folder) =>
        Promise.resolve(existsSync(path.join(folder, 'over')) ? 'memory_mb' : null),
      );
      assert.deepEqual([exit.reason, exit.limits?.exceeded, exit.tree_gone], ['resource_limit', 'memory_mb', true]);
      assert.match(exit.error ?? '', /^Its memory was more than the 100 MB .*\(held by a control group\)\.$/);
    });
  });
