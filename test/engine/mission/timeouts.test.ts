import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { recoveryPacketSchema } from '../../../src/contracts/recoveryPacket';
import { missionStatus } from '../../../src/core/mission/status';
import type { MissionEngine } from '../../../src/engine/mission/engine';
import { ShiftedTime } from '../fakeWorld';
import { startRealMission, until, type RealMission } from '../realMission';

const node = process.execPath;
/**
 * Prints once, then nothing for ever; does not end when asked to, and neither does its child, which is in a session of
 * its own. The file that its argument names appears then. Programs whose start costs no time that a probe would see.
 */
const silentProgram = `trap '' TERM; setsid sleep 1000000 & echo once; : > "$0"; sleep 1000000; :`;
const quick = [
  node,
  '-e',
  'require("fs").mkdirSync("src",{recursive:true}); require("fs").writeFileSync("src/out","x")',
];

describe('engine: a worker without a sign of life', () => {
  let mission: RealMission | null = null;
  let scratch: string;
  let silent: readonly string[];
  beforeEach(async () => {
    scratch = await mkdtemp(path.join(tmpdir(), 'mission-silent-'));
    silent = ['sh', '-c', silentProgram, path.join(scratch, 'quiet')];
  });
  afterEach(async () => {
    await mission?.dispose();
    mission = null;
    await rm(scratch, { recursive: true, force: true });
  });

  it('is stopped with its tree and blocked with TASK_TIMEOUT', async () => {
    const time = new ShiftedTime();
    mission = await startRealMission([{ task_id: 'T1', command: silent, timeout_seconds: 1200 }], {
      clock: time,
      timers: time,
    });
    await running(mission.engine, 'worker');
    await atRest(scratch);
    time.advance(1202);
    await mission.engine.settled();
    await assertTimedOut(mission, 1200);
    const { failure } = mission.engine.mission?.rows[0]?.attempts[0] ?? {};
    assert.match(failure?.details.join('\n') ?? '', /^its last line: once$/m);
  });

  it('is one as well when it is a verify command', async () => {
    const time = new ShiftedTime();
    const verify = [['true'], silent, ['false']];
    mission = await startRealMission([{ task_id: 'T1', command: quick, verify, timeout_seconds: 60 }], {
      clock: time,
      timers: time,
    });
    await running(mission.engine, 'verify');
    await atRest(scratch);
    time.advance(62);
    await mission.engine.settled();
    await assertTimedOut(mission, 60);
    const [row] = mission.engine.mission?.rows ?? [];
    assert.match(row?.reason ?? '', /^No sign of life of verify command 2 of 3 \(sh -c /);
    assert.match(row?.attempts[0]?.failure?.details.join('\n') ?? '', /^its last line: once$/m);
  });
});

function running(engine: MissionEngine, purpose: 'worker' | 'verify'): Promise<void> {
  return until(
    engine,
    ({ mission }) => mission?.lanes[0]?.stage.at === 'running' && mission.lanes[0].stage.purpose.kind === purpose,
  );
}

async function atRest(folder: string): Promise<void> {
  while (!existsSync(path.join(folder, 'quiet'))) await delay(20);
}

async function assertTimedOut({ engine, journal, dir, ports }: RealMission, timeout: number): Promise<void> {
  const { mission } = engine;
  assert.ok(mission);
  const row = mission.rows[0];
  const attempt = row?.attempts[0];
  assert.equal(row?.status, 'blocked', row?.reason);
  assert.equal(row.code, 'TASK_TIMEOUT');
  assert.equal(row.lock, 'released');
  assert.equal(missionStatus(mission), 'blocked');
  assert.deepEqual(mission.lanes, []);
  const entries = await journal.read(engine.missionId);
  const events = entries.map(({ event }) => event);
  const timedOut = events.find((event) => event.type === 'WorkerTimedOut');
  assert.ok(timedOut);
  assert.equal(timedOut.task_id, 'T1');
  assert.equal(timedOut.timeout_seconds, timeout);
  assert.ok(timedOut.age_seconds > timeout, String(timedOut.age_seconds));
  assert.ok(Date.parse(timedOut.last_heartbeat_at) > 0);
  const launch = attempt?.launches.at(-1);
  assert.equal(launch?.end?.reason, 'stop_requested');
  assert.match(launch.end.error ?? '', /TASK_TIMEOUT/);
  assert.equal(launch.end.tree_gone, true);
  assert.deepEqual(launch.end.survivors, []);
  const released = events.findIndex((event) => event.type === 'LockReleased');
  const ended = events.findIndex((event) => event.type === 'WorkerEnded' || event.type === 'VerifyEnded');
  assert.ok(ended < released, 'no lock is released before the tree is gone');
  const packet = mission.packets[0];
  const text = await readFile(path.join(dir, ...(packet?.written?.path ?? '').split('/')), 'utf8');
  const document = recoveryPacketSchema.parse(JSON.parse(text));
  assert.equal(document.block.reasonCategory, 'task_timeout');
  assert.match(document.block.status ?? '', /No sign of life/);
  const { gone } = await ports.launches.proveGone(ports.paths.runDir(engine.missionId, launch.run_dir), {
    ...launch,
    max_runtime_seconds: 60,
    grace_seconds: 1,
  });
  assert.equal(gone, true);
}
