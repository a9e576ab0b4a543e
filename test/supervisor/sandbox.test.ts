import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { readLiveFacts } from '../../src/adapters/launches/files';
import { programOf } from '../../src/adapters/processes/namespace';
import { isAlive, processTable } from '../../src/adapters/processes/tree';
import { runFiles, type LaunchTicket } from '../../src/contracts/launch';
import { superviseWorker } from '../../src/supervisor/supervise';
import { machinePath } from '../support/machine';
import { skipWithReason } from '../support/skip';
import { needsReachableCheckout } from '../support/unprivileged';
import { cleanUp, newRun, programFile, until } from './harness';
import {
  aLongTime,
  bubblewrap,
  opensByName,
  peakOf,
  processesWith,
  sandboxArgv,
  sandboxedRun,
  unstartable,
} from './sandboxed';

const node = process.execPath;

describe('a worker in a sandbox', () => {
  let bwrap = '';
  before(function () {
    bwrap = bubblewrap(this);
  });
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
    await cleanUp();
  });

  it('ends by itself: its own code, output and environment, its own pid, nothing left', async () => {
    const run = await sandboxedRun(bwrap, ['sh', '-c', 'echo "$MISSION_RUN_NONCE"; cat; exit 7'], {
      env: { SET_HERE: '1' },
    });
    const exit = await run.whole('prompt');
    assert.deepEqual(
      [exit.reason, exit.exit_code, exit.signal, exit.tree_gone, exit.error],
      ['exited', 7, null, true, null],
    );
    assert.equal(await run.read(runFiles.stdout), `${run.ticket.nonce}\nprompt`);
    assert.equal(exit.stderr?.bytes, 0);
  });

  it('leaves its layers until the end of the launch is recorded, because an owner reads them without a record', async () => {
    const layered = async (): Promise<readonly [Awaited<ReturnType<typeof newRun>>, string]> => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'mission-layers-'));
      folders.push(folder);
      const layers = { folder: path.join(folder, 'own'), kept: path.join(folder, 'kept'), home: null, caches: [] };
      await mkdir(layers.folder);
      const run = await newRun(['true'], { sandbox: { means: 'bubblewrap', argv: sandboxArgv(bwrap), layers } });
      return [run, layers.folder];
    };
    const [unrecorded, left] = await layered();
    await unrecorded.prepare();
    const supervisor = { pid: 4_194_303, start_time: '0', boot_id: 'none' };
    const { runDir, ticket } = unrecorded;
    const exit = await superviseWorker({ runDir, ticket, supervisor }, new AbortController().signal, () => undefined);
    assert.equal(exit?.reason, 'exited');
    assert.ok(existsSync(left), 'before its record');
    const [recorded, gone] = await layered();
    assert.equal((await recorded.whole()).exit_code, 0);
    await until('the layers are removed', () => Promise.resolve(!existsSync(gone)));
  });

  it('opens its input, output and error by name, as below a shell', async () => {
    const run = await sandboxedRun(bwrap, opensByName);
    assert.equal((await run.whole('prompt\n')).exit_code, 0, await run.read(runFiles.stderr));
    assert.equal(await run.read(runFiles.stdout), 'prompt\nto-both\nto-output\n');
    assert.equal(await run.read(runFiles.stderr), 'to-error\nto-both\n');
  });

  it('is process.json by its pid out here; the namespace is beside it, and only the worker has the nonce', async () => {
    const time = aLongTime();
    const run = await sandboxedRun(bwrap, ['sleep', time]);
    const { worker, namespace, supervisor } = await run.start();
    assert.ok(worker && namespace);
    assert.deepEqual(await processTable.commandLine(worker.pid), ['sleep', time]);
    assert.equal((await processTable.read(worker.pid))?.parent, namespace.pid);
    assert.deepEqual(await processTable.carriers(run.ticket.nonce), [worker.pid]);
    for (const pid of await processesWith(time))
      assert.ok(!(await processTable.commandLine(pid)).join(' ').includes(run.ticket.nonce));
    await run.launches.requestStop(run.runDir, run.known, 'enough');
    const exit = await run.awaitExit();
    assert.deepEqual(
      [exit.reason, exit.exit_code, exit.signal, exit.tree_gone],
      ['stop_requested', null, 'SIGTERM', true],
    );
    assert.deepEqual(await processesWith(time), []);
    for (const one of [worker, namespace, supervisor]) assert.equal(await isAlive(one), false);
  });

  it('is not started with a read-only ticket whose sandbox lets it write one of those paths', async () => {
    const argv = sandboxArgv(bwrap);
    const cwd = await mkdtemp(path.join(os.tmpdir(), 'mission-read-only-'));
    try {
      const bind = (kind: string, at: string): string[] => [kind, path.join(cwd, at), path.join(cwd, at)];
      const line = (...binds: string[][]): string[] => [...argv.slice(0, -1), ...binds.flat(), '--'];
      await mkdir(path.join(cwd, 'src/deep'), { recursive: true });
      const cases: readonly (readonly [string[], started: boolean])[] = [
        [argv, false],
        [line(bind('--ro-bind', '')), true],
        [line(bind('--ro-bind', ''), bind('--bind', 'src')), false],
        [line(bind('--ro-bind', ''), bind('--bind', 'src/deep')), false],
        [line(bind('--bind', ''), bind('--ro-bind', 'src')), true],
        [line(bind('--ro-bind', 'src'), bind('--bind', '')), false],
      ];
      for (const [words, started] of cases) {
        const run = await sandboxedRun(bwrap, ['true'], {
          cwd,
          sandbox: { means: 'bubblewrap', argv: words, read_only: ['src'] },
        });
        const exit = await run.whole();
        assert.equal(exit.reason, started ? 'exited' : 'spawn_failed', words.slice(-8).join(' '));
        if (!started)
          assert.match(exit.error ?? '', /the ticket is read-only, and its sandbox would let the worker write src$/);
      }
    } finally {
      await rm(cwd, { recursive: true });
    }
  });

  it('ends before the supervisor has seen it: no output is lost, its code is known', async () => {
    const runs = await Promise.all(
      Array.from({ length: 8 }, (_, code) => sandboxedRun(bwrap, ['sh', '-c', `echo out; echo err >&2; exit ${code}`])),
    );
    const exits = await Promise.all(runs.map((run) => run.whole()));
    assert.deepEqual(
      exits.map(({ reason, exit_code, stdout, stderr }) => [reason, exit_code, stdout?.bytes, stderr?.bytes]),
      exits.map((_, code) => ['exited', code, 4, 4]),
    );
  });

  it('that catches SIGTERM has its grace time to clean up', async () => {
    const program = `
      process.on('SIGTERM', () => setTimeout(() => { console.log('cleaned up'); process.exit(3); }, 2000));
      setInterval(() => undefined, 1000); console.log('ready');`;
    const run = await sandboxedRun(bwrap, [node, '-e', program], { grace_seconds: 60 });
    await run.start();
    await until('its first line', async () => (await run.read(runFiles.stdout)) === 'ready\n');
    await run.launches.requestStop(run.runDir, run.known, 'enough');
    const exit = await run.awaitExit();
    assert.deepEqual([exit.reason, exit.exit_code, exit.signal, exit.tree_gone], ['stop_requested', 3, null, true]);
    assert.equal(await run.read(runFiles.stdout), 'ready\ncleaned up\n');
  });

  it('that catches SIGTERM keeps its code where the machine is too busy to tell it at once', async () => {
    const program = `process.on('SIGTERM', () => process.exit(3)); setInterval(() => undefined, 1000); console.log('ready');`;
    const run = await sandboxedRun(bwrap, [node, '-e', program], { grace_seconds: 60 });
    const { worker, namespace } = await run.start();
    assert.ok(worker && namespace);
    await until('its first line', async () => (await run.read(runFiles.stdout)) === 'ready\n');
    process.kill(namespace.pid, 'SIGSTOP'); // it is what reports the code
    await run.launches.requestStop(run.runDir, run.known, 'enough');
    await until('its end', async () => (await processTable.read(worker.pid))?.zombie === true);
    await delay(500);
    if (await isAlive(namespace)) process.kill(namespace.pid, 'SIGCONT');
    const exit = await run.awaitExit();
    assert.deepEqual([exit.reason, exit.exit_code, exit.signal, exit.tree_gone], ['stop_requested', 3, null, true]);
  });

  it('that ignores SIGTERM is killed with its grandchildren', async () => {
    const time = aLongTime();
    const program = `trap '' TERM; (sleep ${time} & sleep ${time} & wait) & echo ready; while :; do sleep ${time}; done`;
    const run = await sandboxedRun(bwrap, ['sh', '-c', program]);
    await run.start();
    await until('its trap', async () => (await run.read(runFiles.stdout)) === 'ready\n');
    await run.launches.requestStop(run.runDir, run.known, 'enough');
    const exit = await run.awaitExit();
    const seen = [exit.reason, exit.signal, exit.tree_gone, exit.survivors];
    assert.deepEqual(seen, ['stop_requested', 'SIGKILL', true, []]);
    assert.deepEqual(await processesWith(time), []);
  });

  it('is ended at its deadline, whatever it ignores by then, with its grandchildren', async () => {
    const time = aLongTime();
    const program = `trap '' TERM; (sleep ${time} & sleep ${time} & wait) & while :; do sleep ${time}; done`;
    const exit = await (await sandboxedRun(bwrap, ['sh', '-c', program], { max_runtime_seconds: 2 })).whole();
    assert.deepEqual([exit.reason, exit.tree_gone, exit.survivors], ['deadline', true, []]);
    assert.deepEqual(await processesWith(time), []);
  });

  it('with a difficult family is stopped with all of it', async () => {
    const run = await sandboxedRun(bwrap, [node, programFile('tree.mjs'), '.']);
    const { namespace } = await run.start();
    await until('its family', async () => (await run.read(runFiles.stdout)).includes('family complete'));
    await run.launches.requestStop(run.runDir, run.known, 'enough');
    const exit = await run.awaitExit();
    assert.deepEqual([exit.reason, exit.tree_gone, exit.survivors], ['stop_requested', true, []]);
    assert.equal(await isAlive(namespace!), false);
  });

  /** Double fork, a session of its own, no environment: only the namespace shows whose it is. */
  const strange = (time: string): string => `setsid -f env -i /bin/sleep ${time} > /dev/null 2>&1`;

  it('leaves nothing behind that cleared its environment and left its parents and session', async () => {
    const time = aLongTime();
    const exit = await (await sandboxedRun(bwrap, ['sh', '-c', `${strange(time)}; sleep 0.2; exit 4`])).whole();
    assert.deepEqual([exit.reason, exit.exit_code, exit.tree_gone, exit.survivors], ['exited', 4, true, []]);
    assert.deepEqual(await processesWith(time), []);
  });

  it('is gone with all its processes when its supervisor is killed', async () => {
    const time = aLongTime();
    const run = await sandboxedRun(bwrap, ['sh', '-c', `${strange(time)}; exec sleep ${time}`]);
    const { supervisor } = await run.start();
    await until('both of them', async () => (await processesWith(time)).length >= 2);
    process.kill(supervisor.pid, 'SIGKILL');
    await until('nobody left', async () => (await processesWith(time)).length === 0);
    const exit = await run.awaitExit();
    assert.deepEqual([exit.reason, exit.tree_gone, exit.survivors], ['supervisor_lost', true, []]);
  });

  it('that outlives its supervisor is ended by its owner with the namespace, also what hides in it', async () => {
    const time = aLongTime();
    const sandbox: LaunchTicket['sandbox'] = { means: 'bubblewrap', argv: sandboxArgv(bwrap, []) };
    const run = await sandboxedRun(bwrap, ['sh', '-c', `${strange(time)}; exec env -i /bin/sleep ${time}`], {
      sandbox,
    });
    const { supervisor, namespace } = await run.start();
    await until('both of them', async () => (await processesWith(time)).length >= 2);
    process.kill(supervisor.pid, 'SIGKILL');
    const exit = await run.awaitExit();
    assert.deepEqual([exit.reason, exit.tree_gone, exit.survivors], ['supervisor_lost', true, []]);
    assert.equal(await isAlive(namespace!), false);
    assert.deepEqual(await processesWith(time), []);
  });

  it('ends when a program kills bubblewrap, or the first process in it', async () => {
    for (const victim of ['bubblewrap', 'first process'] as const) {
      const time = aLongTime();
      const run = await sandboxedRun(bwrap, ['sh', '-c', `${strange(time)}; exec sleep ${time}`]);
      const { namespace } = await run.start();
      const outside = (await processTable.read(namespace!.pid))?.parent;
      process.kill(victim === 'bubblewrap' ? outside! : namespace!.pid, 'SIGKILL');
      const exit = await run.awaitExit();
      const told = victim === 'bubblewrap' ? [null, 'SIGKILL'] : [137, null];
      assert.deepEqual([exit.reason, exit.tree_gone, exit.exit_code, exit.signal], ['exited', true, ...told], victim);
      assert.deepEqual(await processesWith(time), []);
    }
  });

  it('cannot be started: the program, a place of the sandbox, or bubblewrap is missing', async () => {
    const secret = 'quiet-and-unusual-value';
    const withPlace = sandboxArgv(bwrap, ['--bind', `/nowhere/${secret}`, '/mnt']);
    const cases = [
      [sandboxArgv(bwrap), /no-such-program cannot be started in .*: no folder of PATH holds a program of this name/],
      [withPlace, /: bwrap: Can't find source path \/nowhere\/\[redacted:environment\]: No such file/],
      [['/nowhere/bwrap'], /\/nowhere\/bwrap cannot be started in .*: it is not there/],
      [['/bin/false'], /cannot be started in .*: its sandbox ended without a word/],
    ] as const;
    for (const [argv, words] of cases) {
      const environment = { PATH: machinePath(), MY_TOKEN: secret };
      const sandbox: LaunchTicket['sandbox'] = { means: 'bubblewrap', argv: [...argv] };
      const run = await newRun(['no-such-program'], { sandbox, env_names: ['MY_TOKEN'] }, environment);
      const exit = await run.whole();
      assert.equal(exit.reason, 'spawn_failed');
      assert.match(exit.error ?? '', words);
      assert.deepEqual([exit.tree_gone, exit.exit_code], [true, null]);
      assert.ok(!(await run.read(runFiles.stderr)).includes(secret));
    }
  });

  it('cannot be started: the sentence names the cause that its files show', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'mission-unstartable-'));
    try {
      for (const [argv, changes, cause] of await unstartable(folder)) {
        const env = { PATH: machinePath() };
        const exit = await (await sandboxedRun(bwrap, argv, { cwd: folder, env, ...changes })).whole();
        assert.equal(exit.reason, 'spawn_failed');
        assert.match(exit.error ?? '', cause);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('is not taken for one that runs while it ends without having executed its program', async () => {
    const [file = '', ...options] = sandboxArgv(bwrap, ['--die-with-parent', '--as-pid-1']);
    // The first process of the namespace never waits for its child, which stays there when it has ended.
    const argv = [...options, 'sh', '-c', 'sleep 1000 & exec sleep 2000'];
    const child = spawn(file, argv, { stdio: 'ignore' });
    try {
      const first = await until('the first process', () => childOf(child.pid!));
      const program = await until('its child', () => programOf(first));
      process.kill(program, 'SIGKILL');
      await until('the end of that', async () => (await processTable.commandLine(program)).length === 0);
      assert.equal(await childOf(first), program);
      assert.equal(await programOf(first), null);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('is started in a sandbox that is built anew when a socket vanishes while it is built', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'mission-vanishing-'));
    try {
      const socket = path.join(folder, 'one.sock');
      const other = path.join(folder, 'other.sock');
      for (const file of [socket, other]) await writeFile(file, '');
      // Removes one of them at each start, after the last look of the supervisor.
      const slow = path.join(folder, 'bwrap');
      const [first, ...options] = sandboxArgv(bwrap);
      await writeFile(
        slow,
        `#!/bin/sh\nif [ -e ${other} ]; then rm ${other}; else rm -f ${socket}; fi\nexec "${first}" "$@"\n`,
        {
          mode: 0o755,
        },
      );
      const closed = ['--ro-bind', folder, folder];
      const covers = [socket, other].flatMap((at) => ['--ro-bind', '/dev/null', at]);
      const argv = [slow, ...options.slice(0, -1), ...closed, ...covers, '--'];
      const run = await newRun(['sh', '-c', 'echo once; echo aside >&2'], { sandbox: { means: 'bubblewrap', argv } });
      const exit = await run.whole();
      assert.deepEqual([exit.reason, exit.exit_code, exit.error], ['exited', 0, null]);
      assert.deepEqual([await run.read(runFiles.stdout), await run.read(runFiles.stderr)], ['once\n', 'aside\n']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('counts the CPU of its descendants as progress of a silent agent CLI', async () => {
    const burn =
      'require("child_process").spawn(process.execPath, ["-e", "for (;;) {}"]); setInterval(() => undefined, 1000)';
    const run = await sandboxedRun(bwrap, [node, '-e', burn], { worker: 'claude' });
    await run.start();
    const first = await until('a heartbeat', () => run.launches.heartbeat(run.runDir));
    await until('a later one', async () => ((await run.launches.heartbeat(run.runDir))?.at ?? '') > first.at);
    assert.equal((await run.launches.heartbeat(run.runDir))?.events, 0);
    await run.launches.requestStop(run.runDir, run.known, 'done');
    assert.equal((await run.awaitExit()).tree_gone, true);
  });

  it('that writes as fast as it can, or never ends its line, is stopped; memory stays flat', async () => {
    for (const flood of [`exec '${node}' '${programFile('flood.mjs')}' 1e12`, "exec tr '\\0' a < /dev/zero"]) {
      const run = await sandboxedRun(bwrap, ['sh', '-c', `trap '' TERM; ${flood}`]);
      const { supervisor } = await run.start();
      await until('100 MB', async () => ((await readLiveFacts(run.runDir))?.output_bytes ?? 0) > 100_000_000);
      const peak = peakOf(supervisor.pid);
      await run.launches.requestStop(run.runDir, run.known, 'enough');
      const exit = await run.awaitExit();
      assert.deepEqual([exit.reason, exit.tree_gone, exit.survivors], ['stop_requested', true, []], flood);
      assert.ok(peak > 0 && peak < 300, `${peak} MB of memory`);
    }
  });
});

/** The only child of a process; null: it has none. */
async function childOf(pid: number): Promise<number | null> {
  return Number(await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')) || null;
}

describe('a worker in a sandbox, for root', () => {
  it('is held as by an unprivileged user', async function () {
    bubblewrap(this);
    if (process.getuid?.() !== 0) skipWithReason(this, 'only root can become another user');
    needsReachableCheckout(this);
    const home = await mkdtemp(path.join(os.tmpdir(), 'mission-nobody-'));
    await chown(home, 65534, 65534);
    const mocha = path.resolve('node_modules/mocha/bin/mocha.js');
    const options = ['--no-config', '--timeout', '120000', '-g', 'a worker in a sandbox '];
    try {
      const env = { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: home, NO_COLOR: '1' };
      const argv = [mocha, ...options, 'dist-test/supervisor/sandbox.test.js'];
      const ran = spawnSync(node, argv, { encoding: 'utf8', env, uid: 65534, gid: 65534 });
      const all =
        this.test?.parent?.parent?.suites.find(({ title }) => title === 'a worker in a sandbox')?.total() ?? 0;
      assert.ok(all > 0);
      assert.match(ran.stdout, new RegExp(`\\b${all} passing`), ran.stdout + ran.stderr);
      assert.equal(ran.status, 0, ran.stdout);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});
