import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parsePs } from '../../src/adapters/processes/darwin';
import { linuxProcesses, parseStat } from '../../src/adapters/processes/linux';
import { findExecutable, resolveCommandLine, shimTarget } from '../../src/adapters/processes/commandLine';
import { parseCim } from '../../src/adapters/processes/windows';
import {
  identityOf,
  identityState,
  isAlive,
  processTable,
  ancestorsIn,
  killTree,
  treeMembers,
} from '../../src/adapters/processes/tree';
import { skipWithReason } from '../support/skip';

const nonce = 'f'.repeat(32);

describe('processes of this machine', () => {
  it('an identity is alive until its process ends, and never under another start time or boot', async () => {
    const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
    const identity = await identityOf(child.pid!);
    assert.ok(identity);
    assert.equal(await isAlive(identity), true);
    assert.equal(await isAlive({ ...identity, start_time: '1' }), false);
    assert.equal(await identityState({ ...identity, boot_id: 'another-boot pid:[1]' }), 'dead');
    if (process.platform === 'linux') {
      const otherContainer = `${identity.boot_id.split(' ')[0]!} pid:[1]`;
      assert.equal(await identityState({ ...identity, boot_id: otherContainer }), 'unknown');
    }
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.equal(await isAlive(identity), false);
    assert.equal(await identityOf(child.pid!), null);
  });

  it('a record with a reused pid ends no process', async () => {
    const bystander = spawn('sleep', ['1000'], { stdio: 'ignore' });
    try {
      const identity = await identityOf(bystander.pid!);
      const stale = { ...identity!, start_time: '12' };
      assert.deepEqual(await killTree({ root: stale, nonce, seen: [stale] }, { graceMs: 0 }), {
        gone: true,
        survivors: [],
        members: [],
      });
      assert.equal(await isAlive(identity!), true);
    } finally {
      bystander.kill('SIGKILL');
    }
  });

  it('a tree is its root, its descendants and every process that carries the nonce; never this process or its ancestors', async () => {
    const root = spawn('sh', ['-c', 'sleep 1000 & sleep 1000 & wait'], { stdio: 'ignore', detached: true });
    const carrier = spawn('sleep', ['1000'], {
      stdio: 'ignore',
      env: { PATH: process.env['PATH'], MISSION_RUN_NONCE: nonce },
    });
    const identity = (await identityOf(root.pid!))!;
    try {
      let members = await treeMembers({ root: identity, nonce });
      while (members.length < 4) members = await treeMembers({ root: identity, nonce });
      const pids = members.map((member) => member.pid);
      assert.ok(pids.includes(root.pid!) && pids.includes(carrier.pid!));
      assert.ok(ancestorsIn(await processTable.list(), root.pid!).includes(process.pid));
      const own = (await identityOf(process.pid))!;
      assert.equal(
        (await treeMembers({ root: own, nonce })).some((member) => member.pid === process.pid),
        false,
      );
    } finally {
      const end = await killTree({ root: identity, nonce }, { graceMs: 500 });
      assert.deepEqual([end.gone, end.survivors.length, end.members.length], [true, 0, 4]);
    }
  });

  it('the table shows command lines and finds every process that carries a nonce', async function () {
    if (process.platform === 'win32')
      skipWithReason(this, 'the environment of another process cannot be read on Windows');
    assert.ok((await processTable.commandLine(process.pid)).length > 1);
    const carrier = spawn('sleep', ['1000'], {
      stdio: 'ignore',
      env: { PATH: process.env['PATH'], MISSION_RUN_NONCE: nonce },
    });
    const decoy = spawn('sleep', ['1000'], {
      stdio: 'ignore',
      env: { PATH: process.env['PATH'], NOT_MISSION_RUN_NONCE: nonce },
    });
    try {
      let found = await processTable.carriers(nonce);
      while (!found.includes(carrier.pid!)) found = await processTable.carriers(nonce);
      assert.deepEqual(found, [carrier.pid]);
      assert.ok((await processTable.carriers(null)).includes(carrier.pid!));
    } finally {
      carrier.kill('SIGKILL');
      decoy.kill('SIGKILL');
    }
  });
});

describe('process tables in the words of each platform', () => {
  it('Linux: a name may hold spaces and parentheses', () => {
    const stat = '42 (evil) name (x) S 7 42 42 0 -1 4194304 98 0 0 0 150 50 10 40 20 0 1 0 82624 3133440 381 0\n';
    assert.deepEqual(parseStat(42, stat), {
      pid: 42,
      parent: 7,
      group: 42,
      session: 42,
      startTime: '82624',
      zombie: false,
      cpuSeconds: 2,
      childCpuSeconds: 0.5,
    });
    assert.equal(parseStat(42, stat.replace(' S ', ' Z '))?.zombie, true);
    assert.equal(parseStat(42, ''), null);
    assert.equal(typeof linuxProcesses.list, 'function');
  });

  it('macOS: ps with start time and CPU', () => {
    const table = parsePs(
      '    1     0     1 Ss   Mon Mar  2 09:14:07 2026     1:02.50\n  412     1   412 Z+   Tue Mar  3 09:14:07 2026   1-02:03:04\nnonsense\n',
    );
    assert.deepEqual(table.get(1), {
      pid: 1,
      parent: 0,
      group: 1,
      session: null,
      startTime: 'Mon Mar 2 09:14:07 2026',
      zombie: false,
      cpuSeconds: 62.5,
      childCpuSeconds: 0,
    });
    assert.equal(table.get(412)?.zombie, true);
    assert.equal(table.get(412)?.cpuSeconds, 26 * 3600 + 3 * 60 + 4);
    assert.equal(table.size, 2);
  });

  it('Windows: CIM rows, one or many', () => {
    const row = {
      ProcessId: 8,
      ParentProcessId: 4,
      KernelModeTime: 10_000_000,
      UserModeTime: 5_000_000,
      Start: '2026-03-02T09:14:07.1234567Z',
    };
    assert.equal(parseCim(JSON.stringify(row)).get(8)?.cpuSeconds, 1.5);
    assert.equal(parseCim(JSON.stringify([row, { ...row, ProcessId: 9, Start: null }])).get(9)?.startTime, 'unknown');
    assert.equal(parseCim('').size, 0);
  });

  it('Windows: a shim of npm becomes node and its script, any other batch file is refused', async () => {
    const shim = String.raw`@ECHO off
SETLOCAL
  SET "_prog=node"
endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\node_modules\@openai\codex\bin\codex.js" %*`;
    assert.equal(shimTarget(shim, String.raw`C:\npm`), String.raw`C:\npm\node_modules\@openai\codex\bin\codex.js`);
    assert.equal(shimTarget('@echo off\r\ndir %*', String.raw`C:\npm`), null);
    assert.deepEqual(await resolveCommandLine(['git', 'status'], {}, 'linux'), { file: 'git', args: ['status'] });
    const script = await resolveCommandLine([String.raw`C:\x\tool.ps1`, 'a b'], {}, 'win32');
    assert.deepEqual([script.file, script.args.at(-1), script.args.includes('-File')], ['powershell.exe', 'a b', true]);
  });

  it('a name is looked up on absolute entries of PATH only', async () => {
    assert.ok(await findExecutable('sh', { PATH: '/nowhere:/bin:/usr/bin' }, 'linux'));
    assert.equal(await findExecutable('sh', { PATH: '../bin:bin:.' }, 'linux'), null);
    assert.equal(await findExecutable('/bin', {}, 'linux'), null);
    assert.equal(await findExecutable('sh', {}, 'linux'), null);
  });
});
