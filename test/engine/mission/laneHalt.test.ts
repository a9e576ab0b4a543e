import assert from 'node:assert/strict';
import { runner } from '../../../src/contracts/vocabulary/actors';
import { MissionEngine } from '../../../src/engine/mission/engine';
import { currentLaunch } from '../../../src/core/model/attempt';
import { startRealMission, until, type RealMission } from '../realMission';

const waits = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];
const tasks = ['A', 'B', 'C', 'D'].map((task_id) => ({ task_id, paths: [`src/${task_id}/`], command: waits }));

describe('engine: what cannot be recorded halts every lane', () => {
  let mission: RealMission | undefined;
  afterEach(async () => {
    await mission?.dispose();
    mission = undefined;
  });

  const all = (at: readonly string[]): boolean => at.length === 3 && at.every((stage) => stage === 'running');
  const some = (at: readonly string[]): boolean =>
    at.filter((stage) => stage === 'running' || stage === 'starting').length === 3 &&
    at.includes('starting') &&
    at.includes('running');

  for (const [when, reached] of [
    ['all run', all],
    ['some start', some],
  ] as const)
    it(`a journal that refuses an append when ${when}: no worker is left, and the next owner blocks each`, async () => {
      mission = await startRealMission(tasks, {}, { mode: 'parallel', max_parallel: 3 });
      const { engine, journal, ports, options } = mission;
      await until(engine, (of) => reached(of.mission?.lanes.map(({ stage }) => stage.at) ?? []));
      journal.refuseAppends({ ok: false, code: 'WRITE_FAILED', reason: 'no space left on device' });
      await engine.submit(
        { type: 'DocumentWasSaved', save: { path: 'x', sha256: 'A'.repeat(64), at: ports.clock.now() } },
        runner,
      );
      assert.equal(engine.halt?.code, 'WRITE_FAILED');
      const launches = (engine.mission?.lanes ?? []).map(currentLaunch).filter((launch) => launch !== undefined);
      assert.equal(launches.length, 3);

      journal.refuseAppends(null);
      const next = await MissionEngine.load(engine.missionId, ports, options);
      await next.resume();
      await next.settled();
      assert.deepEqual([next.halt, next.mission?.lanes], [null, []]);
      assert.deepEqual(
        next.mission?.rows.map(({ status, attempts }) => [status, attempts.length]),
        [
          ['blocked', 1],
          ['blocked', 1],
          ['blocked', 1],
          ['todo', 0],
        ],
      );
      assert.equal(new Set(next.mission.packets.map(({ packet_id }) => packet_id)).size, 3);
      for (const launch of launches) {
        const runDir = ports.paths.runDir(engine.missionId, launch.run_dir);
        const known = { ...launch, max_runtime_seconds: 60, grace_seconds: 1 };
        assert.deepEqual(await ports.launches.proveGone(runDir, known), { gone: true, survivors: [] });
      }
    });
});
