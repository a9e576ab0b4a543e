import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createLaunches } from '../../src/adapters/launches/launches';
import { unobservedExit } from '../../src/adapters/launches/conclude';
import { isAlive } from '../../src/adapters/processes/tree';
import { runFiles } from '../../src/contracts/launch';
import type { ExitRecord } from '../../src/contracts/launch';
import { codeOf } from '../support/refused';
import { cleanUp, exitOf, identityFrom, newRun, until, type Run } from './harness';

const node = process.execPath;

/** A record that says: all went well. */
function forged(names: { readonly launch_id: string; readonly nonce: string }): ExitRecord {
  const { launch_id, nonce } = names;
  const record = unobservedExit({ launch_id, nonce, started_at: new Date().toISOString() }, 'exited', '');
  return { ...record, exit_code: 0, error: null };
}

describe('a run directory that a worker has written to', () => {
  afterEach(cleanUp);

  it('an exit record planted before the launch is refused, and never stands for the launch', async () => {
    const run = await newRun(['false']);
    await mkdir(run.runDir, { recursive: true });
    const planted = { launch_id: '11111111-1111-4111-8111-111111111111', nonce: '0'.repeat(32) };
    await writeFile(path.join(run.runDir, runFiles.exit), JSON.stringify(forged(planted)));
    const prepared = await run.launches.prepare(run.runDir, '', [], run.ticket);
    assert.equal(!prepared.ok && prepared.refusal.code, 'NON_COMPLIANT');

    // Planted in the moment between the two.
    await rm(path.join(run.runDir, runFiles.exit));
    await run.prepare();
    await writeFile(path.join(run.runDir, runFiles.exit), JSON.stringify(forged(planted)));
    assert.notEqual((await run.launches.start(run.runDir, run.known)).kind, 'refused');
    const exit = await run.awaitExit();
    assert.deepEqual([exit.reason, exit.exit_code, exit.nonce], ['supervisor_lost', null, run.ticket.nonce]);
  });

  it('a link planted under the name of a run file leads no write out of the run directory', async () => {
    for (const name of [runFiles.reserve, runFiles.supervisorLog, runFiles.prompt, 'settings', 'work']) {
      const run = await newRun(['true']);
      await mkdir(run.runDir, { recursive: true });
      await writeFile(path.join(run.folder, 'precious'), 'precious');
      await symlink(path.join(run.folder, 'precious'), path.join(run.runDir, name));
      const prepared = await run.launches.prepare(run.runDir, '', [], run.ticket);
      assert.equal(!prepared.ok && prepared.refusal.code, 'NON_COMPLIANT', name);
      assert.equal(await readFile(path.join(run.folder, 'precious'), 'utf8'), 'precious');
    }
  });

  it('a temporary folder of the worker that is a link is refused', async () => {
    const run = await newRun(['true']);
    await mkdir(path.join(run.runDir, 'work'), { recursive: true });
    await symlink(run.folder, path.join(run.runDir, 'work', 'tmp'));
    const prepared = await run.launches.prepare(run.runDir, '', [], run.ticket);
    assert.equal(codeOf(prepared), 'NON_COMPLIANT');
  });

  it('a run directory that is a link is refused', async () => {
    const run = await newRun(['true']);
    await mkdir(path.dirname(run.runDir), { recursive: true });
    await mkdir(path.join(run.folder, 'elsewhere'));
    await symlink(path.join(run.folder, 'elsewhere'), run.runDir);
    const prepared = await run.launches.prepare(run.runDir, '', [], run.ticket);
    assert.equal(codeOf(prepared), 'NON_COMPLIANT');
  });

  it('a worker that hides its supervisor and forges its end is not believed while it runs', async () => {
    const run = await newRun(['sleep', '1000']);
    const process_ = await run.start();
    await rm(path.join(run.runDir, runFiles.process));
    await writeFile(path.join(run.runDir, runFiles.exit), JSON.stringify(forged(run.ticket)));
    const ending = run.launches.awaitExit(run.runDir, { ...run.known, process: process_ }, () => undefined);
    await run.launches.requestStop(run.runDir, { ...run.known, process: process_ }, 'enough');
    // The forged record stands in the place of the end: only the supervisor's own counts.
    process.kill(process_.supervisor.pid, 'SIGTERM');
    const exit = await ending;
    assert.equal(exit.reason, 'stop_requested');
    assert.equal(await isAlive(process_.worker!), false);
  });

  it('a supervisor record that names a process which never ends delays nothing', async () => {
    const run = await newRun(['true']);
    await run.prepare();
    const started = await run.launches.start(run.runDir, run.known);
    await run.awaitExit();
    const record = started.kind === 'running' ? started.process : null;
    const known = record === null ? run.known : { ...run.known, process: record };
    const text = await readFile(path.join(run.runDir, runFiles.process), 'utf8');
    const eternal = { ...(JSON.parse(text) as object), supervisor: await ourselves() };
    await writeFile(path.join(run.runDir, runFiles.process), JSON.stringify(eternal));
    if (record !== null) assert.equal((await run.launches.awaitExit(run.runDir, known, () => undefined)).exit_code, 0);
  });

  it('an exit record that cannot be read does not keep a dead run alive', async () => {
    for (const text of ['{', '[]', JSON.stringify(forged({ launch_id: 'other', nonce: '0'.repeat(32) }))]) {
      const run = await newRun(['sleep', '1000']);
      const { supervisor, worker } = await run.start();
      await writeFile(path.join(run.runDir, runFiles.exit), text);
      process.kill(supervisor.pid, 'SIGKILL');
      const exit = await run.awaitExit();
      assert.deepEqual([exit.reason, exit.tree_gone], ['supervisor_lost', true], text);
      assert.equal(await isAlive(worker!), false);
      assert.equal((await run.launches.start(run.runDir, run.known)).kind, 'ended');
    }
  });

  it('what a worker puts in the place of the exit record is moved aside and named with its path', async () => {
    const places = { folder: 'mkdir -p exit.json/deep', pipe: 'mkfifo exit.json', link: 'ln -s nowhere exit.json' };
    for (const [what, make] of Object.entries(places)) {
      const run = await newRun(['sh', '-c', `cd runs/1-T1 && ${make} && rm reserve.bin && mkdir -p reserve.bin/deep`]);
      const exit = await run.whole();
      assert.deepEqual([exit.reason, exit.exit_code, exit.tree_gone], ['exited', 0, true], what);
      const aside = (await readdir(run.runDir)).filter((name) => name.startsWith(`${runFiles.exit}~`));
      assert.equal(aside.length, 1, what);
      const place = path.join(run.runDir, runFiles.exit);
      const named = `A ${what} stood in the place of ${place}; it was moved to ${aside[0]!} beside it.`;
      assert.ok(exit.error?.includes(named), exit.error ?? what);
      assert.deepEqual(await exitOf(run.runDir), exit);
    }
  });

  it('a folder in the place of the exit record of a dead supervisor is moved aside and named', async () => {
    const run = await newRun(['sleep', '1000']);
    const { supervisor } = await run.start();
    await mkdir(path.join(run.runDir, runFiles.exit, 'x'), { recursive: true });
    process.kill(supervisor.pid, 'SIGKILL');
    const exit = await run.awaitExit();
    assert.deepEqual([exit.reason, exit.tree_gone], ['supervisor_lost', true]);
    assert.match(exit.error ?? '', /A folder stood in the place of .*exit\.json/);
    assert.deepEqual(await exitOf(run.runDir), exit);
  });

  it('what stands where a run is recorded ends it, and is named with its path', async () => {
    const place = 'runs/1-T1/heartbeat.json';
    // A beat may come between the two.
    const script = `until mkdir -p ${place}/deep; do rm -f ${place}; done; while :; do :; done`;
    const run = await newRun(['sh', '-c', script]);
    const exit = await run.whole();
    assert.deepEqual([exit.reason, exit.tree_gone], ['log_failed', true]);
    const named = `a folder stands in the place of ${path.join(run.runDir, runFiles.heartbeat)}`;
    assert.ok(exit.error?.includes(named), exit.error ?? '');
  });

  it('without any file that can be believed, every process that carries the nonce is ended', async () => {
    const run = await newRun(['sleep', '1000']);
    const { worker } = await run.start();
    await writeFile(path.join(run.runDir, runFiles.claimed), '{');
    await rm(path.join(run.runDir, runFiles.process));
    const exit = await run.awaitExit();
    assert.equal(exit.tree_gone, true);
    assert.notEqual(exit.reason, 'exited');
    await until('the worker is gone', async () => !(await isAlive(worker!)));
  });

  it("processes that are alive after the supervisor's record are found and ended", async () => {
    const run = await newRun(['sleep', '1000']);
    const { supervisor, worker } = await run.start();
    process.kill(supervisor.pid, 'SIGKILL');
    await until('the supervisor is dead', async () => !(await isAlive(supervisor)));
    await writeFile(path.join(run.runDir, runFiles.exit), JSON.stringify(forged(run.ticket)));
    const exit = await run.awaitExit();
    assert.equal(await isAlive(worker!), false);
    assert.deepEqual([exit.tree_gone, exit.leftovers], [true, [worker!.pid]]);
    assert.match(exit.error ?? '', /were alive after its end had been recorded/);
  });

  it('a stop request that the worker put there itself is replaced', async () => {
    const run = await newRun(['sleep', '1000']);
    await run.start();
    const useless = { launch_id: 'other', reason: 'none', at: new Date().toISOString() };
    await writeFile(path.join(run.runDir, runFiles.stop), JSON.stringify(useless));
    await run.launches.requestStop(run.runDir, run.known, 'enough');
    assert.equal((await run.awaitExit()).reason, 'stop_requested');
  });
});

describe('a supervisor that does not do its work', () => {
  afterEach(cleanUp);

  it('is ended with its worker when a stop is overdue', async () => {
    const run = await frozen({ grace_seconds: 0.1 });
    const launches = createLaunches({ ...run.program, overdueMs: 300 });
    const { supervisor, worker } = await freeze(run);
    await launches.requestStop(run.runDir, run.known, 'enough');
    const exit = await launches.awaitExit(run.runDir, run.known, () => undefined);
    assert.deepEqual([exit.reason, exit.tree_gone], ['supervisor_lost', true]);
    assert.equal(exit.error, 'The supervisor did not end its worker in time.');
    assert.deepEqual([await isAlive(supervisor), await isAlive(worker!)], [false, false]);
  });

  it('is ended with its worker when the deadline is overdue', async () => {
    const run = await frozen({ max_runtime_seconds: 1 });
    const launches = createLaunches({ ...run.program, overdueMs: 300 });
    const { supervisor, worker } = await freeze(run);
    const exit = await launches.awaitExit(run.runDir, run.known, () => undefined);
    assert.deepEqual([exit.reason, exit.tree_gone], ['supervisor_lost', true]);
    assert.equal(exit.error, 'The supervisor did not end its worker in time.');
    assert.deepEqual([await isAlive(supervisor), await isAlive(worker!)], [false, false]);
  });

  const frozen = (changes: Parameters<typeof newRun>[1]): Promise<Run> => newRun(['sleep', '1000'], changes);
  const freeze = async (run: Run): ReturnType<Run['start']> => {
    const record = await run.start();
    process.kill(record.supervisor.pid, 'SIGSTOP');
    return record;
  };
});

describe('a tree that was not proven gone', () => {
  afterEach(cleanUp);

  it('is looked for by nonce, ended, and proven gone', async () => {
    const run = await newRun([
      node,
      '-e',
      `require('fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000)`,
    ]);
    const { supervisor } = await run.start();
    const worker = await identityFrom(path.join(run.folder, 'pid'));
    assert.deepEqual(await run.launches.proveGone(run.runDir, run.known), { gone: true, survivors: [] });
    assert.deepEqual([await isAlive(supervisor), await isAlive(worker)], [false, false]);
    assert.deepEqual(await run.launches.proveGone(run.runDir, run.known), { gone: true, survivors: [] });
  });
});

async function ourselves(): Promise<object> {
  const { identityOf } = await import('../../src/adapters/processes/tree');
  return (await identityOf(process.pid)) ?? {};
}
