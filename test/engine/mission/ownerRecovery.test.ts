import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { isAlive } from '../../../src/adapters/processes/tree';
import { MissionEngine } from '../../../src/engine/mission/engine';
import type { Launches } from '../../../src/engine/ports/launches';
import type { MissionEvent } from '../../../src/core/model/events';
import { currentLaunch, type Launch } from '../../../src/core/model/attempt';
import { missionStatus } from '../../../src/core/mission/status';
import { ShiftedTime } from '../fakeWorld';
import { details, startRealMission, until, type RealMission, type TaskSpec } from '../realMission';

const node = process.execPath;
const make = 'require("fs").mkdirSync("src",{recursive:true});';
/** Ends when the test writes `src/go`. */
const waits = [
  node,
  '-e',
  `${make} const fs = require("fs"); fs.appendFileSync("src/started","x"); setInterval(() => { if (fs.existsSync("go")) process.exit(0); }, 50)`,
];
const quick = [node, '-e', `${make} require("fs").appendFileSync("src/out","x")`];

/** The machine says whether a worker lives; that it works is not said, however long Node takes to start. */
const atRest =
  (launches: Launches): Launches['activity'] =>
  async (...asked) => ({ ...(await launches.activity(...asked)), cpu_seconds: 0 });

describe('engine: recovery at the start', () => {
  let mission: RealMission | null = null;
  afterEach(async () => {
    await mission?.dispose();
    mission = null;
  });

  /** A mission whose owner is gone while its worker runs. */
  async function abandoned(task: Partial<TaskSpec> = {}, time = new ShiftedTime()): Promise<Launch> {
    mission = await startRealMission(
      [
        { task_id: 'T1', command: waits, ...task },
        { task_id: 'T2', command: quick },
      ],
      ({ launches }) => ({ clock: time, timers: time, launches: { ...launches, activity: atRest(launches) } }),
    );
    const { engine } = mission;
    await until(engine, (now) => now.mission?.lanes[0]?.stage.at === 'running');
    const launch = engine.mission?.lanes[0] && currentLaunch(engine.mission.lanes[0]);
    assert.ok(launch?.process?.worker);
    if (task.command === undefined) while (!existsSync(`${mission.dir}/src/started`)) await setTimeout(20);
    engine.detach();
    return launch;
  }

  async function next(): Promise<{
    readonly engine: MissionEngine;
    readonly events: () => Promise<readonly MissionEvent[]>;
  }> {
    assert.ok(mission);
    const { engine, ports, options, journal } = mission;
    const before = (await journal.read(engine.missionId)).length;
    const loaded = await MissionEngine.load(engine.missionId, ports, options);
    return {
      engine: loaded,
      events: async () => (await journal.read(engine.missionId, before)).map(({ event }) => event),
    };
  }

  it('a worker under its supervisor is attached to, and the recovery event says so before anything else', async () => {
    const launch = await abandoned();
    const { engine, events } = await next();
    await engine.resume();
    const [first] = await events();
    assert.ok(first?.type === 'OwnerResumed');
    assert.equal(first.resumed_run_id, engine.mission?.run_id);
    assert.equal(first.ledger.code, 'OK');
    const [task] = first.tasks;
    assert.deepEqual([task?.task_id, task?.launch_id, task?.standing], ['T1', launch.launch_id, 'supervised']);
    assert.equal(task?.verdict, 'alive');
    assert.ok(task.last_heartbeat_at !== null);
    assert.equal(engine.mission?.lanes[0]?.launches.length, 1);
    await engine.command('c', { type: 'CancelMission' }, { kind: 'human', name: 'ada' }, details);
    await engine.settled();
  });

  it('a supervised worker whose heartbeat is older than its timeout becomes TASK_TIMEOUT', async () => {
    const time = new ShiftedTime();
    await abandoned({ timeout_seconds: 60 }, time);
    // No owner looks for an hour.
    time.advance(3600);
    const { engine, events } = await next();
    await engine.resume();
    await engine.settled();
    const list = await events();
    assert.deepEqual(
      list.slice(0, 2).map(({ type }) => type),
      ['OwnerResumed', 'WorkerTimedOut'],
    );
    const [resumed] = list;
    assert.equal(resumed?.type === 'OwnerResumed' && resumed.tasks[0]?.verdict, 'timed_out');
    const [row] = engine.mission?.rows ?? [];
    assert.deepEqual([row?.status, row?.code, row?.lock], ['blocked', 'TASK_TIMEOUT', 'released']);
    assert.equal(row?.attempts[0]?.launches[0]?.end?.tree_gone, true);
  });

  it('a worker that ended while there was no owner is judged by its exit record, however old its heartbeat is', async () => {
    const time = new ShiftedTime();
    const launch = await abandoned({ command: quick, timeout_seconds: 60 }, time);
    assert.ok(mission);
    await mission.ports.launches.awaitExit(
      mission.ports.paths.runDir(mission.engine.missionId, launch.run_dir),
      { ...launch, max_runtime_seconds: 60, grace_seconds: 1 },
      () => undefined,
    );
    time.advance(3600);
    const { engine, events } = await next();
    await engine.resume();
    await engine.settled();
    const [resumed] = await events();
    assert.equal(resumed?.type === 'OwnerResumed' && resumed.tasks[0]?.standing, 'ended');
    assert.equal(engine.mission && missionStatus(engine.mission), 'completed');
    assert.equal(
      (await events()).some(({ type }) => type === 'WorkerTimedOut'),
      false,
    );
  });

  it('the processes of a dead supervisor are ended, which blocks with child_exit_nonzero and not with a timeout', async () => {
    const time = new ShiftedTime();
    const launch = await abandoned({ timeout_seconds: 60 }, time);
    const supervisor = launch.process?.supervisor;
    assert.ok(supervisor);
    process.kill(supervisor.pid, 'SIGKILL');
    while (await isAlive(supervisor)) await setTimeout(20);
    time.advance(3600);
    const { engine, events } = await next();
    await engine.resume();
    await engine.settled();
    const [resumed] = await events();
    assert.equal(resumed?.type === 'OwnerResumed' && resumed.tasks[0]?.standing, 'lost');
    const [row] = engine.mission?.rows ?? [];
    const failure = row?.attempts[0]?.failure;
    assert.equal(failure?.kind === 'recoverable' && failure.category, 'child_exit_nonzero');
    assert.equal(row?.attempts[0]?.launches[0]?.end?.tree_gone, true);
  });

  it('a command that takes the mission over recovers it first, and exactly once', async () => {
    await abandoned();
    const { engine, events } = await next();
    const answer = await engine.command(
      'c',
      { type: 'CancelMission' },
      { kind: 'human', name: 'ada' },
      {
        ...details,
        owner_was_absent: true,
      },
    );
    assert.equal(answer.accepted, true, answer.reason);
    await engine.resume();
    await engine.settled();
    const types = (await events()).map(({ type }) => type);
    assert.deepEqual(types.slice(0, 3), ['CommandAccepted', 'OwnerResumed', 'CancelRequested']);
    assert.equal(types.filter((type) => type === 'OwnerResumed').length, 1);
    assert.equal(engine.mission && missionStatus(engine.mission), 'cancelled');
  });

  it('a ledger that contradicts itself dispatches nothing', async () => {
    const time = new ShiftedTime();
    mission = await startRealMission(
      [
        { task_id: 'T1', command: waits },
        { task_id: 'T2', command: quick },
      ],
      { clock: time, timers: time },
    );
    const { engine: owner, journal, options } = mission;
    await until(owner, (now) => now.mission?.lanes[0]?.stage.at === 'running');
    owner.detach();
    // An edited journal released the lock of a task that is in progress.
    const entry = {
      run_id: owner.mission?.run_id ?? '',
      at: time.now(),
      actor: { kind: 'runner', name: 'mission-control' } as const,
      event: { type: 'LockReleased', task_id: 'T1' } as const,
    };
    const appended = await journal.append(owner.missionId, owner.mission?.last_seq ?? 0, options.fence, [entry]);
    assert.equal(appended.ok, true);
    const { engine, events } = await next();
    await engine.resume();
    const [resumed, paused] = await events();
    assert.ok(resumed?.type === 'OwnerResumed' && paused?.type === 'MissionPaused');
    assert.equal(resumed.ledger.code, 'LEDGER_INCONSISTENT');
    assert.equal(paused.code, 'LEDGER_INCONSISTENT');
    const { writeFile } = await import('node:fs/promises');
    await writeFile(`${mission.dir}/go`, '');
    await engine.settled();
    assert.equal(
      (await events()).some((event) => event.type === 'AttemptStarted'),
      false,
      'T2 is not dispatched',
    );
  });
});
