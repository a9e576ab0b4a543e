import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { identityOf, isAlive } from '../../src/adapters/processes/tree';
import { heartbeatSchema, processRecordSchema, runFiles } from '../../src/contracts/launch';
import { cleanUp, exitOf, identityFrom, newRun, programFile, until } from './harness';
import { opensByName, unstartable } from './sandboxed';

const node = process.execPath;
const upperSha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex').toUpperCase();

describe('a supervised worker', () => {
  afterEach(cleanUp);

  it('ends by itself: exit code, digest of all bytes, output as progress, nothing left', async () => {
    const run = await newRun([node, '-e', 'console.log("one"); console.log("two"); console.error("oops")']);
    const exit = await run.whole();
    assert.deepEqual(
      {
        reason: exit.reason,
        code: exit.exit_code,
        signal: exit.signal,
        gone: exit.tree_gone,
        left: exit.leftovers,
        error: exit.error,
      },
      { reason: 'exited', code: 0, signal: null, gone: true, left: [], error: null },
    );
    assert.deepEqual(exit.stdout, { bytes: 8, sha256: upperSha256('one\ntwo\n'), kept_bytes: 8, redactions: 0 });
    assert.equal(exit.stderr_tail, 'oops');
    assert.equal(await run.read(runFiles.stdout), 'one\ntwo\n');
    assert.deepEqual(run.signals.map((signal) => signal.kind === 'progress' && signal.text).sort(), [
      'one',
      'oops',
      'two',
    ]);
    assert.equal(exit.summary?.finalSeen, true);
    assert.deepEqual(await exitOf(run.runDir), exit);
    const record = processRecordSchema.parse(JSON.parse(await run.read(runFiles.process)));
    assert.equal(await isAlive(record.supervisor), false);
    await assert.rejects(stat(path.join(run.runDir, runFiles.reserve)));
    if (process.platform !== 'win32')
      assert.equal((await stat(path.join(run.runDir, runFiles.stdout))).mode & 0o777, 0o600);
  });

  it('ends at once: no output is lost, however busy the machine is', async () => {
    const runs = await Promise.all(Array.from({ length: 10 }, () => newRun(['sh', '-c', 'echo out; echo err >&2'])));
    const exits = await Promise.all(runs.map((run) => run.whole()));
    assert.deepEqual(
      exits.map((exit) => [exit.stdout?.bytes, exit.stderr?.bytes]),
      exits.map(() => [4, 4]),
    );
  });

  it('ends with another code', async () => {
    const exit = await (await newRun([node, '-e', 'process.exit(7)'])).whole();
    assert.deepEqual([exit.reason, exit.exit_code, exit.signal], ['exited', 7, null]);
  });

  it('is killed from outside: the signal is recorded', async () => {
    const run = await newRun(['sleep', '1000']);
    const { worker } = await run.start();
    process.kill(worker!.pid, 'SIGKILL');
    const exit = await run.awaitExit();
    assert.deepEqual([exit.reason, exit.exit_code, exit.signal, exit.tree_gone], ['exited', null, 'SIGKILL', true]);
  });

  it('cannot be started: the sentence names the cause that its files show', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'mission-unstartable-'));
    try {
      for (const [argv, changes, cause] of await unstartable(folder)) {
        // A folder of PATH that may not be searched answers EACCES.
        const run = await newRun(argv, { env: { PATH: path.dirname(process.execPath) }, cwd: folder, ...changes });
        const exit = await run.whole();
        assert.deepEqual([exit.reason, exit.tree_gone], ['spawn_failed', true]);
        assert.match(exit.error ?? '', cause);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('gets a prompt of 300 KB on standard input, which ends', async () => {
    const prompt = 'Zeile mit Umlaut ä. '.repeat(15_000);
    const digest =
      'const h = require("crypto").createHash("sha256"); process.stdin.on("data", (d) => h.update(d)).on("end", () => console.log(h.digest("hex").toUpperCase()))';
    const run = await newRun([node, '-e', digest]);
    await run.whole(prompt);
    assert.equal((await run.read(runFiles.stdout)).trim(), upperSha256(prompt));
  });

  it('opens its input, output and error by name, as below a shell', async () => {
    const run = await newRun(opensByName);
    assert.equal((await run.whole('prompt\n')).exit_code, 0, await run.read(runFiles.stderr));
    assert.equal(await run.read(runFiles.stdout), 'prompt\nto-both\nto-output\n');
    assert.equal(await run.read(runFiles.stderr), 'to-error\nto-both\n');
  });

  it('ends without reading a prompt that no pipe holds, and cannot write what it was asked', async () => {
    const prompt = 'x'.repeat(5_000_000);
    const forge = `const { openSync, writeSync, constants: { O_WRONLY, O_TRUNC, O_NONBLOCK } } = require('fs');
      try { writeSync(openSync('/dev/stdin', O_WRONLY | O_TRUNC | O_NONBLOCK), 'FORGED'); } catch {}`;
    const run = await newRun([node, '-e', forge]);
    const exit = await run.whole(prompt);
    assert.deepEqual([exit.reason, exit.exit_code, exit.error], ['exited', 0, null]);
    assert.equal(await run.read(runFiles.prompt), prompt);
  });

  it('gets the environment of its ticket and nothing else', async () => {
    const run = await newRun(
      [node, '-e', 'console.log(JSON.stringify(process.env))'],
      { env: { SET_HERE: '1' }, env_names: ['WANTED', 'UNSET'] },
      {
        PATH: process.env['PATH'],
        HOME: '/home/somebody',
        WANTED: 'yes',
        UNRELATED_PASSWORD: 'hunter2-hunter2',
        CLAUDECODE: '1',
        VSCODE_PID: '12',
        npm_config_cache: '/x',
        NODE_OPTIONS: '--no-warnings',
        ELECTRON_RUN_AS_NODE: '1',
        MISSION_RUN_NONCE: 'of somebody else',
      },
    );
    await run.whole();
    assert.deepEqual(JSON.parse(await run.read(runFiles.stdout)), {
      PATH: process.env['PATH'],
      HOME: '/home/somebody',
      WANTED: 'yes',
      SET_HERE: '1',
      MISSION_RUN_NONCE: run.ticket.nonce,
    });
    const record = processRecordSchema.parse(JSON.parse(await run.read(runFiles.process)));
    assert.deepEqual(record.env_names, ['HOME', 'MISSION_RUN_NONCE', 'PATH', 'SET_HERE', 'WANTED']);
  });

  it('leaves no secret on disk, not even one that arrives in pieces', async () => {
    const key = ['sk-', 'proj-', 'a1B2c3D4e5F6g7H8i9J0k1L2'].join('');
    const program = `
      const key = ${JSON.stringify(key)};
      const pieces = ['the key is ', key.slice(0, 2), key.slice(2, 9), key.slice(9), '\\nmine: ', process.env.MY_TOKEN.slice(0, 5), process.env.MY_TOKEN.slice(5), '\\n'];
      (async () => { for (const piece of pieces) { process.stdout.write(piece); await new Promise((r) => setTimeout(r, 20)); } console.error(key); })();`;
    const run = await newRun(
      [node, '-e', program],
      { env_names: ['MY_TOKEN'], env: {} },
      { PATH: process.env['PATH'], MY_TOKEN: 'quiet-and-unusual-value' },
    );
    // The key stands in argv only because this test has to bring it along.
    const exit = await run.whole();
    for (const name of [runFiles.stdout, runFiles.stderr, runFiles.signals, runFiles.exit, runFiles.process]) {
      const text = await run.read(name);
      assert.equal(text.includes(key), false, name);
      assert.equal(text.includes('quiet-and-unusual-value'), false, name);
    }
    assert.equal(await run.read(runFiles.stdout), 'the key is [redacted:openai]\nmine: [redacted:environment]\n');
    assert.equal(exit.stdout?.redactions, 2);
    assert.equal(exit.stdout.sha256, upperSha256(`the key is ${key}\nmine: quiet-and-unusual-value\n`));
  });

  it('is stopped with its whole tree: what ignores SIGTERM, what daemonised itself, what emptied its environment', async () => {
    const run = await newRun([node, programFile('tree.mjs'), '.']);
    const { worker } = await run.start();
    const names = ['worker', 'stubborn', 'daemon', 'bare'];
    const family = await Promise.all(names.map((name) => identityFrom(path.join(run.folder, `${name}.pid`))));
    assert.equal(family[0]!.pid, worker!.pid);
    await run.launches.requestStop(run.runDir, run.known, 'enough');
    const exit = await run.awaitExit();
    assert.deepEqual([exit.reason, exit.tree_gone, exit.survivors, exit.error], ['stop_requested', true, [], 'enough']);
    for (const [index, member] of family.entries()) assert.equal(await isAlive(member), false, names[index]);
  });

  it('ends by itself and leaves descendants behind: they are ended, and recorded', async () => {
    const run = await newRun([node, programFile('tree.mjs'), '.', '--exit']);
    await run.start();
    const exit = await run.awaitExit();
    assert.deepEqual([exit.reason, exit.exit_code, exit.tree_gone], ['exited', 0, true]);
    const bare = Number(await readFile(path.join(run.folder, 'bare.pid'), 'utf8'));
    const daemon = Number(await readFile(path.join(run.folder, 'daemon.pid'), 'utf8'));
    const stubborn = Number(await readFile(path.join(run.folder, 'stubborn.pid'), 'utf8'));
    for (const pid of [bare, daemon, stubborn]) assert.ok(exit.leftovers.includes(pid));
    // Where no init process collects orphans they stay in the table as zombies.
    for (const pid of exit.leftovers) assert.equal(await identityOf(pid), null);
  });

  it('is stopped when its time is over', async () => {
    const run = await newRun(['sleep', '1000'], { max_runtime_seconds: 1, grace_seconds: 60 });
    const exit = await run.whole();
    assert.deepEqual([exit.reason, exit.signal, exit.tree_gone], ['deadline', 'SIGTERM', true]);
  });

  it('ends with the process that its ticket names, also where another has its pid, and not while it lives', async () => {
    const here = (await identityOf(process.pid)) ?? assert.fail('no identity');
    const kept = await (await newRun([node, '-e', '0'], { ends_with: here })).whole();
    assert.deepEqual([kept.reason, kept.exit_code], ['exited', 0]);
    const run = await newRun(['sleep', '1000'], { ends_with: { ...here, start_time: `${here.start_time}0` } });
    const exit = await run.whole();
    assert.deepEqual(
      [exit.reason, exit.error, exit.tree_gone],
      ['stop_requested', 'The process that wanted its answer has ended.', true],
    );
  });

  it('is stopped when its supervisor is asked to end', async () => {
    const run = await newRun(['sleep', '1000']);
    const { supervisor } = await run.start();
    for (const signal of ['SIGHUP', 'SIGINT'] as const) process.kill(supervisor.pid, signal);
    assert.equal(await isAlive(supervisor), true);
    process.kill(supervisor.pid, 'SIGTERM');
    const exit = await run.awaitExit();
    assert.deepEqual([exit.reason, exit.tree_gone], ['stop_requested', true]);
  });

  it('has a heartbeat while it makes progress, and none while it does not', async () => {
    const run = await newRun([node, '-e', 'setInterval(() => console.log("tick"), 200)']);
    await run.start();
    const first = await until('a heartbeat', () => run.launches.heartbeat(run.runDir));
    const later = await until('a later one', async () => {
      const beat = await run.launches.heartbeat(run.runDir);
      return beat !== null && beat.events > first.events + 3 && beat;
    });
    assert.ok(later.at > first.at && later.output_bytes > 0);
    assert.equal(heartbeatSchema.safeParse(later).success, true);

    const idle = await newRun(['sleep', '1000']);
    await idle.prepare();
    await idle.start();
    const only = await until('its first heartbeat', () => idle.launches.heartbeat(idle.runDir));
    await until(
      'three more beats of the other',
      async () => ((await run.launches.heartbeat(run.runDir))?.events ?? 0) > later.events + 15,
    );
    assert.deepEqual(await idle.launches.heartbeat(idle.runDir), only);
    await run.launches.requestStop(run.runDir, run.known, 'done');
    await idle.launches.requestStop(idle.runDir, idle.known, 'done');
    assert.equal((await run.awaitExit()).reason, 'stop_requested');
    assert.equal((await idle.awaitExit()).reason, 'stop_requested');
  });

  it('counts the CPU of descendants as progress of a silent agent CLI', async () => {
    const burn =
      'require("child_process").spawn(process.execPath, ["-e", "for (;;) {}"]); setInterval(() => undefined, 1000)';
    const run = await newRun([node, '-e', burn], { worker: 'claude' });
    await run.start();
    const first = await until('a heartbeat', () => run.launches.heartbeat(run.runDir));
    await until('a later one', async () => ((await run.launches.heartbeat(run.runDir))?.at ?? '') > first.at);
    assert.equal((await run.launches.heartbeat(run.runDir))?.events, 0);
    await run.launches.requestStop(run.runDir, run.known, 'done');
    assert.equal((await run.awaitExit()).tree_gone, true);
  });

  it('feeds the stream parser of its CLI: signals on disk and a summary', async () => {
    const events = [
      { type: 'system', subtype: 'init', session_id: 'S-1', model: 'some-model', claude_code_version: '2.1.328' },
      {
        type: 'result',
        subtype: 'success',
        is_error: false,
        session_id: 'S-1',
        result: 'all done',
        usage: { input_tokens: 3, output_tokens: 2 },
      },
    ];
    const program = events.map((event) => `console.log(${JSON.stringify(JSON.stringify(event))})`).join(';');
    const run = await newRun([node, '-e', program], { worker: 'claude' });
    const exit = await run.whole();
    assert.equal(exit.summary?.sessionId, 'S-1');
    assert.deepEqual(
      [exit.summary.finalSeen, exit.summary.finalOk, exit.summary.lastMessage],
      [true, true, 'all done'],
    );
    assert.ok(
      run.signals.some((signal) => signal.kind === 'session') && run.signals.some((signal) => signal.kind === 'final'),
    );
  });
});
