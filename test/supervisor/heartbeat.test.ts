import assert from 'node:assert/strict';
import process from 'node:process';
import { isAlive } from '../../src/adapters/processes/tree';
import { cleanUp, newRun, until } from './harness';

const node = process.execPath;

describe('the heartbeat of a supervised worker', function () {
  afterEach(cleanUp);

  it('is written at the first event, however long its interval is', async () => {
    const run = await newRun([node, '-e', 'setTimeout(() => console.log("one"), 500); setInterval(() => {}, 1e9)'], {
      heartbeat_interval_seconds: 3600,
    });
    await run.start();
    const beat = await until('a heartbeat with an event', async () => {
      const found = await run.launches.heartbeat(run.runDir);
      return found !== null && found.events > 0 && found;
    });
    assert.ok(beat.last_progress_at === beat.at && beat.output_bytes > 0);
    await run.launches.requestStop(run.runDir, run.known, 'done');
    await run.awaitExit();
  });

  it('reports for how long the machine slept, which is no progress', async function () {
    if (process.platform === 'win32') this.skip();
    const run = await newRun(['sleep', '1000'], { heartbeat_interval_seconds: 3600 });
    const { supervisor } = await run.start();
    const first = await until('a heartbeat', () => run.launches.heartbeat(run.runDir));
    // A supervisor that stands still finds its clock as far ahead as one whose machine slept.
    assert.equal(await isAlive(supervisor), true);
    process.kill(supervisor.pid, 'SIGSTOP');
    const stoppedAt = Date.now();
    await until('six seconds later', () => Promise.resolve(Date.now() - stoppedAt > 6000));
    process.kill(supervisor.pid, 'SIGCONT');
    const beat = await until('a heartbeat that knows', async () => {
      const found = await run.launches.heartbeat(run.runDir);
      return found?.sleeps !== undefined && found;
    });
    assert.equal(beat.last_progress_at, first.last_progress_at);
    const [slept] = beat.sleeps ?? [];
    assert.ok(slept && Date.parse(slept.to) - Date.parse(slept.from) > 5000);
    await run.launches.requestStop(run.runDir, run.known, 'done');
    assert.equal((await run.awaitExit()).tree_gone, true);
  });

  it('a look at its processes reports whether they live and their work, without the CLI where it does not count', async () => {
    const run = await newRun([
      node,
      '-e',
      'require("child_process").spawn(process.execPath, ["-e", "while (process.cpuUsage().user < 700000); setInterval(() => {}, 1e9)"]); setInterval(() => {}, 1e9)',
    ]);
    await run.prepare();
    assert.equal(await run.launches.standing(run.runDir, run.known), 'unstarted');
    await run.start();
    assert.equal(await run.launches.standing(run.runDir, run.known), 'supervised');
    await until('half a second of work of the child', async () => {
      const { alive, cpu_seconds } = await run.launches.activity(run.runDir, run.known, true);
      return alive && cpu_seconds >= 0.5;
    });
    await run.launches.requestStop(run.runDir, run.known, 'done');
    await run.awaitExit();
    assert.deepEqual(await run.launches.activity(run.runDir, run.known, true), { alive: false, cpu_seconds: 0 });
    assert.equal(await run.launches.standing(run.runDir, run.known), 'ended');
  });
});
