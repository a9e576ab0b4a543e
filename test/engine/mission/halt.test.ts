import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { exitRecordSchema } from '../../../src/contracts/launch';
import { missionStatus } from '../../../src/core/mission/status';
import { currentLaunch } from '../../../src/core/model/attempt';
import { MissionEngine } from '../../../src/engine/mission/engine';
import { details, startRealMission, until, type RealMission } from '../realMission';

const node = process.execPath;
const waits = [
  node,
  '-e',
  'require("fs").mkdirSync("src",{recursive:true}); require("fs").writeFileSync("src/started","x"); setInterval(()=>{}, 1000)',
];
const writes = [
  node,
  '-e',
  'require("fs").mkdirSync("src",{recursive:true}); require("fs").appendFileSync("src/out","x")',
];

describe('engine: what cannot be recorded halts (invariant 14)', () => {
  let mission: RealMission | null = null;
  afterEach(async () => {
    await mission?.dispose();
    mission = null;
  });

  it('a journal that refuses an append halts the engine without a terminal state and stops the worker', async () => {
    mission = await startRealMission([{ task_id: 'T1', command: waits }]);
    const { engine, journal, ports } = mission;
    await until(engine, (now) => now.mission?.lanes[0]?.stage.at === 'running');
    const launch = engine.mission?.lanes[0] && currentLaunch(engine.mission.lanes[0]);
    assert.ok(launch);
    const runDir = ports.paths.runDir(engine.missionId, launch.run_dir);

    journal.refuseAppends({ ok: false, code: 'WRITE_FAILED', reason: 'no space left on device' });
    const answer = await engine.command('c1', { type: 'PauseMission' }, { kind: 'human', name: 'ada' }, details);
    assert.equal(answer.accepted, false);
    assert.equal(answer.code, 'WRITE_FAILED');
    assert.equal(engine.halt?.code, 'WRITE_FAILED');
    assert.deepEqual(engine.halt.phases, ['T1, phase 5 (execution)'], 'a halt says in which phase');
    const exit = await ports.launches.awaitExit(
      runDir,
      { ...launch, max_runtime_seconds: 60, grace_seconds: 1 },
      () => undefined,
    );
    assert.equal(exit.reason, 'stop_requested');
    assert.equal(exit.tree_gone, true);
    assert.equal(engine.mission.ending, null);

    // At the next start the attempt is blocked: what ran unrecorded is not trusted.
    journal.refuseAppends(null);
    const next = await MissionEngine.load(engine.missionId, ports, mission.options);
    await next.resume();
    await next.settled();
    assert.equal(next.mission && missionStatus(next.mission), 'blocked');
    assert.match(next.mission?.rows[0]?.reason ?? '', /the mission halted: no space left on device/);
  });

  it('is settled after a halt only when the stop of its workers was asked for: the owner may exit then', async () => {
    mission = await startRealMission([{ task_id: 'T1', command: waits }]);
    const { engine, journal, ports } = mission;
    await until(engine, (now) => now.mission?.lanes[0]?.stage.at === 'running');
    let asked = false;
    const requestStop = ports.launches.requestStop.bind(ports.launches);
    Object.assign(ports.launches, {
      requestStop: async (...request: Parameters<typeof requestStop>) => {
        for (let turn = 0; turn < 100; turn++) await new Promise((go) => setImmediate(go));
        await requestStop(...request);
        asked = true;
      },
    });
    journal.refuseAppends({ ok: false, code: 'WRITE_FAILED', reason: 'no space left on device' });
    await engine.command('c1', { type: 'PauseMission' }, { kind: 'human', name: 'ada' }, details);
    await engine.settled();
    assert.equal(asked, true);
    journal.refuseAppends(null);
  });

  it('evidence that cannot be written halts, and the next start writes it', async () => {
    mission = await startRealMission([{ task_id: 'T1', command: writes }]);
    const { engine, ports, options } = mission;
    await engine.settled();
    assert.equal(engine.mission && missionStatus(engine.mission), 'completed');

    const broken = {
      ...ports,
      evidence: {
        ...ports.evidence,
        write: () =>
          Promise.resolve({
            ok: false as const,
            refusal: { code: 'EVIDENCE_UNWRITABLE' as const, reason: 'read-only file system', next: [] },
          }),
      },
    };
    mission = await restarted(mission, broken, options);
  });

  it('a foreign append halts the owner', async () => {
    mission = await startRealMission([{ task_id: 'T1', command: waits }]);
    const { engine, journal, options } = mission;
    await until(engine, (now) => now.mission?.lanes[0]?.stage.at === 'running');
    const entry = {
      run_id: 'x',
      at: '2026-01-01T00:00:00.000Z',
      actor: { kind: 'runner', name: 'foreign' } as const,
      event: { type: 'MissionPaused', reason: 'foreign' } as const,
    };
    const foreign = await journal.append(engine.missionId, engine.mission?.last_seq ?? 0, options.fence, [entry]);
    assert.equal(foreign.ok, true);
    await engine.command('c1', { type: 'PauseMission' }, { kind: 'human', name: 'ada' }, details);
    assert.equal(engine.halt?.code, 'STALE_SEQUENCE');
  });

  it('a journal whose last entry was replaced halts the owner', async () => {
    mission = await startRealMission([{ task_id: 'T1', command: waits }]);
    const { engine, journal } = mission;
    await until(engine, (now) => now.mission?.lanes[0]?.stage.at === 'running');
    const append = journal.append.bind(journal);
    const elsewhere: typeof append = async (...request) => {
      const result = await append(...request);
      if (!result.ok) return result;
      return { ...result, entries: result.entries.map((entry) => ({ ...entry, prev_hash: '9'.repeat(64) })) };
    };
    Object.assign(journal, { append: elsewhere });
    await engine.command('c1', { type: 'PauseMission' }, { kind: 'human', name: 'ada' }, details);
    assert.equal(engine.halt?.code, 'STALE_SEQUENCE');
    assert.match(engine.halt.reason, /replaced/);
  });

  it('a fenced owner leaves the worker to the next one', async () => {
    mission = await startRealMission([{ task_id: 'T1', command: waits }]);
    const { engine, journal, ports, options } = mission;
    await until(engine, (now) => now.mission?.lanes[0]?.stage.at === 'running');
    const fence = await journal.raiseFence({ kind: 'human', name: 'next' });
    assert.ok(fence.ok);
    await engine.command('c1', { type: 'PauseMission' }, { kind: 'human', name: 'ada' }, details);
    assert.equal(engine.halt?.code, 'FENCED');

    const next = await MissionEngine.load(engine.missionId, ports, { ...options, fence: fence.value.fence });
    await next.resume();
    assert.equal(next.mission?.lanes[0]?.stage.at, 'running');
    assert.equal(next.mission.lanes[0].launches.length, 1, 'the next owner attaches, it does not start again');
    const answer = await next.command('c2', { type: 'CancelMission' }, { kind: 'human', name: 'ada' }, details);
    assert.equal(answer.accepted, true);
    await next.settled();
    assert.equal(missionStatus(next.mission), 'cancelled');
  });
});

/** Runs the same plan again with evidence that cannot be written, then with evidence that can. */
async function restarted(
  mission: RealMission,
  broken: RealMission['ports'],
  options: RealMission['options'],
): Promise<RealMission> {
  const { startMission } = await import('../../../src/engine/mission/start');
  const { createMissionPaths } = await import('../../../src/adapters/state/missionPaths');
  const paths = createMissionPaths(mission.dir, { case_insensitive: false });
  const request = {
    plan_path: path.join(mission.dir, 'docs/plans/PLAN_P1.json'),
    actor: { kind: 'human', name: 'ada' },
    default_worker: 'claude',
    require_approval_record: false,
  } as const;
  const records = mission.journal as unknown as Parameters<typeof startMission>[1]['records'];
  const refused = await startMission(request, { ...broken, records }, options);
  assert.equal(refused.kind, 'refused', 'nothing starts when the locked bytes cannot be kept');

  // The locked bytes are kept, the header is refused: the engine halts and the next start goes on.
  const halfway = {
    ...broken,
    records,
    evidence: {
      ...broken.evidence,
      write: (file: string, content: string | Uint8Array) =>
        file.startsWith('.mission-control')
          ? mission.ports.evidence.write(file, content)
          : broken.evidence.write(file, content),
    },
  };
  const started = await startMission(request, halfway, options);
  assert.ok(started.kind === 'started');
  await started.engine.settled();
  assert.equal(started.engine.halt?.code, 'EFFECT_FAILED');
  assert.equal(started.engine.mission?.execution, 'LOCKED');

  const next = await MissionEngine.load(started.engine.missionId, mission.ports, options);
  await next.resume();
  await next.settled();
  assert.equal(next.mission && missionStatus(next.mission), 'completed');
  await access(paths.absolute('docs/ops/executions/P1/EXECUTION_HEADER.json'));
  const launch = next.mission?.rows[0]?.attempts[0]?.launches[0];
  const exit: unknown = JSON.parse(
    await readFile(path.join(paths.runDir(next.missionId, launch?.run_dir ?? ''), 'exit.json'), 'utf8'),
  );
  assert.equal(exitRecordSchema.parse(exit).exit_code, 0);
  assert.equal(await readFile(path.join(mission.dir, 'src/out'), 'utf8'), 'xx');
  return mission;
}
