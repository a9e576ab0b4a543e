import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createLaunches } from '../../src/adapters/launches/launches';
import { isAlive } from '../../src/adapters/processes/tree';
import { processRecordSchema, runFiles } from '../../src/contracts/launch';
import type { ProcessIdentity } from '../../src/contracts/launch';
import { codeOf } from '../support/refused';
import { cleanUp, exitOf, identityFrom, newRun, programFile, supervisorFile, until } from './harness';

const node = process.execPath;

/** A supervisor started by hand, without an owner. */
function ownByHand(
  runDir: string,
  options: readonly string[] = [],
): { readonly pid: number | undefined; readonly ended: Promise<number | null>; text(): string } {
  const child = spawn(node, [...options, supervisorFile, 'own', runDir], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return { pid: child.pid, ended, text: () => text };
}

/** Options of a supervisor that has taken its ticket and goes no further before `gate` is there. */
async function slowDisk(folder: string): Promise<{ readonly options: readonly string[]; readonly gate: string }> {
  const [file, gate] = [path.join(folder, 'slow.cjs'), path.join(folder, 'gate')];
  await writeFile(
    file,
    `const fs = require('node:fs'); const { writeFile } = fs.promises;
     fs.promises.writeFile = async (...all) => {
       while (String(all[0]).endsWith('reserve.bin') && !fs.existsSync(${JSON.stringify(gate)}))
         await new Promise((go) => setTimeout(go, 20));
       return writeFile(...all);
     };`,
  );
  return { options: ['--require', file], gate };
}

describe('a launch whose processes die', () => {
  afterEach(cleanUp);

  it('without an owner ends a silent worker once its run directory is deleted, and not where it is moved', async () => {
    const run = await newRun([node, '-e', 'setInterval(() => {}, 1000)'], { heartbeat_interval_seconds: 600 });
    const { supervisor, worker } = await run.start();
    assert.ok(worker);
    await until('a heartbeat', () => run.read(runFiles.heartbeat).catch(() => null));
    const moved = path.join(run.folder, 'moved');
    await rename(run.runDir, moved);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    assert.equal(await isAlive(worker), true);
    await rm(moved, { recursive: true });
    await until('its end', async () => !(await isAlive(worker)));
    process.kill(supervisor.pid, 'SIGKILL');
  });

  it('with the supervisor killed and the worker alive has its tree ended, and its record says supervisor_lost', async () => {
    const run = await newRun([node, programFile('tree.mjs'), '.']);
    const { supervisor } = await run.start();
    const family = await Promise.all(
      ['worker', 'stubborn', 'daemon', 'bare'].map((name) => identityFrom(path.join(run.folder, `${name}.pid`))),
    );
    process.kill(supervisor.pid, 'SIGKILL');
    const exit = await run.awaitExit();
    assert.deepEqual(
      [exit.reason, exit.exit_code, exit.signal, exit.summary, exit.stdout],
      ['supervisor_lost', null, null, null, null],
    );
    assert.deepEqual([exit.tree_gone, exit.survivors], [true, []]);
    assert.equal(exit.error, 'The supervisor was killed, or .mission-control was away for a while.');
    assert.deepEqual(await Promise.all(family.map(isAlive)), [false, false, false, false]);
    assert.deepEqual(await exitOf(run.runDir), exit);
    assert.deepEqual(await run.awaitExit(), exit);
    assert.deepEqual(await run.launches.start(run.runDir, run.known), { kind: 'ended', exit });
  });

  it('with supervisor and worker killed together has a record that says supervisor_lost', async () => {
    const run = await newRun(['sleep', '1000']);
    const { supervisor, worker } = await run.start();
    process.kill(supervisor.pid, 'SIGKILL');
    process.kill(worker!.pid, 'SIGKILL');
    const exit = await run.awaitExit();
    assert.deepEqual([exit.reason, exit.tree_gone], ['supervisor_lost', true]);
  });

  it('with the supervisor killed before its process record is found out, and ended by nonce', async () => {
    const run = await newRun(['sleep', '1000']);
    const { supervisor, worker } = await run.start();
    process.kill(supervisor.pid, 'SIGKILL');
    await rename(path.join(run.runDir, runFiles.process), path.join(run.folder, 'kept.json'));
    const exit = await run.awaitExit();
    assert.deepEqual([exit.reason, exit.tree_gone, exit.leftovers], ['supervisor_lost', true, [worker!.pid]]);
    assert.equal(await isAlive(worker!), false);
  });

  it('lets a later owner attach, which gets every signal once, and the end', async () => {
    const run = await newRun([
      node,
      '-e',
      'let n = 0; const t = setInterval(() => { console.log("line " + n++); if (n === 10) clearInterval(t); }, 30)',
    ]);
    const first = await run.start();
    assert.deepEqual(await run.start(), first);
    const [one, two] = await Promise.all([
      run.awaitExit(),
      run.launches.awaitExit(run.runDir, run.known, () => undefined),
    ]);
    assert.deepEqual(one, two);
    assert.deepEqual(
      run.signals.map((signal) => signal.kind === 'progress' && signal.text),
      Array.from({ length: 10 }, (_, n) => `line ${n}`),
    );
  });

  it('has exit.json that the worker wrote itself replaced by the truth', async () => {
    const run = await newRun([node, '-e', '']);
    const forged = {
      ...(await (await newRun(['true'])).whole()),
      launch_id: run.ticket.launch_id,
      nonce: run.ticket.nonce,
      error: 'forged',
    };
    const forge = `require('fs').writeFileSync(${JSON.stringify(path.join(run.runDir, runFiles.exit))}, ${JSON.stringify(JSON.stringify(forged))}); setTimeout(() => process.exit(9), 300)`;
    const real = { ...run.ticket, argv: [node, '-e', forge] };
    assert.equal((await run.launches.prepare(run.runDir, '', [], real)).ok, true);
    await run.launches.start(run.runDir, run.known);
    const exit = await run.awaitExit();
    assert.equal(exit.exit_code, 9);
    assert.match(exit.error ?? '', /was replaced/);
  });
});

describe('a launch ticket', () => {
  afterEach(cleanUp);

  it('is claimed by exactly one of several supervisors', async () => {
    const run = await newRun([node, '-e', `require('fs').appendFileSync('started', 'x')`]);
    await run.prepare();
    const racers = Array.from({ length: 4 }, () => ownByHand(run.runDir));
    assert.deepEqual(await Promise.all(racers.map((racer) => racer.ended)), [0, 0, 0, 0]);
    assert.equal(racers.filter((racer) => racer.text().includes('nothing was started')).length, 3);
    assert.equal(await readFile(path.join(run.folder, 'started'), 'utf8'), 'x');
    assert.equal((await exitOf(run.runDir)).reason, 'exited');
  });

  it('is waited for as long as the supervisor lives that has taken it', async () => {
    const run = await newRun([node, '-e', `require('fs').appendFileSync('started', 'x')`]);
    await run.prepare();
    const { options, gate } = await slowDisk(run.folder);
    const slow = ownByHand(run.runDir, options);
    await until('the claim', async () => (await readdir(run.runDir)).includes(runFiles.claimed));
    const started = run.start();
    // Longer than an owner waits for one of which it cannot tell whether it lives.
    const enough = performance.now() + 6000;
    await until('the time', () => Promise.resolve(performance.now() > enough));
    assert.equal(await Promise.race([started, Promise.resolve('waits')]), 'waits');
    await writeFile(gate, '');
    assert.equal((await started).supervisor.pid, slow.pid);
    assert.equal((await run.awaitExit()).reason, 'exited');
    assert.equal(await readFile(path.join(run.folder, 'started'), 'utf8'), 'x');
  });

  it('is lost at once with the supervisor that has taken it, and after a while with one that stands still', async () => {
    for (const signal of ['SIGKILL', 'SIGSTOP'] as const) {
      const run = await newRun([node, '-e', `require('fs').appendFileSync('started', 'x')`]);
      await run.prepare();
      const { options } = await slowDisk(run.folder);
      const slow = ownByHand(run.runDir, options);
      await until('the claim', async () => (await readdir(run.runDir)).includes(runFiles.claimed));
      process.kill(slow.pid ?? 0, signal);
      const launches = createLaunches({ ...run.program, overdueMs: 200 });
      const start = await launches.start(run.runDir, run.known);
      assert.equal(start.kind === 'ended' && start.exit.reason, 'supervisor_lost', signal);
      await slow.ended;
      assert.deepEqual((await readdir(run.folder)).includes('started'), false);
    }
  });

  it('starts nothing when it was claimed, has expired or was revoked', async () => {
    const touch = [node, '-e', `require('fs').appendFileSync('started', 'x')`];
    const claimed = await newRun(touch);
    await claimed.whole();
    assert.equal(await ownByHand(claimed.runDir).ended, 0);
    assert.equal(await readFile(path.join(claimed.folder, 'started'), 'utf8'), 'x');

    const expired = await newRun(touch, { expires_at: new Date(Date.now() - 1000).toISOString() });
    await expired.prepare();
    assert.equal(await ownByHand(expired.runDir).ended, 0);
    assert.equal((await expired.awaitExit()).reason, 'expired');

    const late = await newRun(touch, { expires_at: new Date(Date.now() - 1000).toISOString() });
    await late.prepare();
    assert.deepEqual(await late.launches.start(late.runDir, late.known), {
      kind: 'refused',
      reason: 'The launch ticket has expired.',
    });
    assert.equal((await late.awaitExit()).reason, 'expired');

    const stopped = await newRun(touch);
    await stopped.prepare();
    await stopped.launches.requestStop(stopped.runDir, stopped.known, 'changed my mind');
    const start = await stopped.launches.start(stopped.runDir, stopped.known);
    assert.equal(start.kind, 'ended');
    assert.equal(await ownByHand(stopped.runDir).ended, 0);
    assert.equal((await stopped.awaitExit()).reason, 'revoked');

    for (const run of [expired, late, stopped]) await assert.rejects(stat(path.join(run.folder, 'started')));
  });

  it('that is not valid starts nothing and says why', async () => {
    for (const text of ['{', '{"schema_version":"1.0.0"}', '[]']) {
      const run = await newRun(['true']);
      await mkdir(run.runDir, { recursive: true });
      await writeFile(path.join(run.runDir, runFiles.ticket), text);
      assert.equal((await run.launches.start(run.runDir, run.known)).kind, 'refused');
      assert.equal(await ownByHand(run.runDir).ended, 0);
      const exit = await exitOf(run.runDir);
      assert.deepEqual([exit.reason, exit.tree_gone], ['spawn_failed', true]);
      assert.match(exit.error ?? '', /not valid/);
    }
    const empty = await newRun(['true']);
    assert.equal((await empty.launches.start(empty.runDir, empty.known)).kind, 'refused');
    assert.equal((await empty.awaitExit()).reason, 'spawn_failed');
  });

  it('may be prepared anew until it is claimed, by the same launch only', async () => {
    const run = await newRun(['true']);
    await run.prepare('first');
    await run.prepare('second');
    assert.equal(await run.read(runFiles.prompt), 'second');
    const other = await run.launches.prepare(run.runDir, '', [], { ...run.ticket, launch_id: 'another' });
    assert.equal(codeOf(other), 'COMMAND_INVALID');
    for (const stray of ['../x', '/x', 'a/../../x', 'exit.json', 'EXIT.json', 'a\\b', '']) {
      const refused = await run.launches.prepare(run.runDir, '', [{ path: stray, content: '' }], run.ticket);
      assert.equal(codeOf(refused), 'COMMAND_INVALID', stray);
    }
    await run.whole('third');
    await run.prepare('fourth');
    assert.equal(await run.read(runFiles.prompt), 'third');
  });

  it('keeps extra files and the supervisor of its version', async () => {
    const run = await newRun(['true']);
    const prepared = await run.launches.prepare(
      run.runDir,
      'p',
      [{ path: 'settings/result-schema.json', content: '{}' }],
      run.ticket,
    );
    assert.deepEqual(prepared, {
      ok: true,
      value: { prompt_sha256: '148DE9C5A7A44D19E56CD9AE1A554BF67847AFB0C58F6E12FA29AC7DDFCA9940' },
    });
    await run.launches.start(run.runDir, run.known);
    await run.awaitExit();
    assert.equal(await run.read('settings/result-schema.json'), '{}');
    const copy = await run.program.supervisor();
    assert.deepEqual(await readFile(copy), await readFile(supervisorFile));

    await rm(copy);
    await writeFile(copy, 'process.exit(3)');
    const next = await newRun(['true']);
    await next.prepare();
    const tampered = { ...run.program };
    const { createLaunches } = await import('../../src/adapters/launches/launches');
    assert.notEqual((await createLaunches(tampered).start(next.runDir, next.known)).kind, 'refused');
    assert.equal((await next.awaitExit()).exit_code, 0);
  });

  it('is not believed when a link, a pipe or another process stands in its files', async () => {
    const run = await newRun(['sleep', '1000']);
    const { supervisor, worker } = await run.start();
    // Pid reuse: a record with the pid of a living process and another start time ends no process.
    const bystander = spawn('sleep', ['1000'], { stdio: 'ignore' });
    try {
      const wrong: ProcessIdentity = { ...worker!, pid: bystander.pid!, start_time: '1' };
      const record = processRecordSchema.parse(JSON.parse(await run.read(runFiles.process)));
      process.kill(supervisor.pid, 'SIGKILL');
      await until('the supervisor is dead', async () => !(await isAlive(supervisor)));
      await writeFile(
        path.join(run.runDir, runFiles.process),
        JSON.stringify({ ...record, supervisor: { ...wrong, start_time: '2' }, worker: wrong }),
      );
      const exit = await run.awaitExit();
      assert.deepEqual([exit.reason, exit.tree_gone], ['supervisor_lost', true]);
      assert.equal(bystander.exitCode === null && bystander.signalCode === null, true);
      process.kill(bystander.pid!, 0);
      assert.equal(await isAlive(worker!), false); // by its nonce
    } finally {
      bystander.kill('SIGKILL');
    }
  });

  it('of a run without an owner lets the run end at its deadline', async () => {
    const run = await newRun(['sleep', '1000'], { max_runtime_seconds: 1 });
    await run.prepare();
    assert.equal(await ownByHand(run.runDir).ended, 0);
    assert.equal((await exitOf(run.runDir)).reason, 'deadline');
    assert.deepEqual(
      (await readdir(run.runDir)).filter((name) => name.endsWith('.tmp')),
      [],
    );
  });
});
