import assert from 'node:assert/strict';
import { fold } from '../../../src/core/mission/evolve';
import { missionStatus } from '../../../src/core/mission/status';
import { headline } from '../../../src/core/view/mission/headline';
import { MissionEngine } from '../../../src/engine/mission/engine';
import { startRealMission, until, type RealMission } from '../realMission';

const waits = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];
const ada = { kind: 'human', name: 'ada' } as const;
/** Changes nothing: no session runs. */
const report = { type: 'OrchestratorMustEnd', launch_id: 'x', code: 'ORCHESTRATOR_LIMIT', reason: 'x' } as const;

describe('engine: a mistake of ours', () => {
  let mission: RealMission | null = null;
  afterEach(async () => {
    await mission?.dispose();
    mission = null;
  });

  it('halts the owner, and every other process reads why; the next owner goes on', async () => {
    let broken = false;
    mission = await startRealMission([{ task_id: 'T1', command: waits }], ({ ids }) => ({
      ids: {
        ...ids,
        uuid: () => {
          if (broken) throw new Error('Broken invariant: a test.');
          return ids.uuid();
        },
      },
    }));
    const { engine, journal, ports, options } = mission;
    await until(engine, (now) => now.mission?.lanes[0]?.stage.at === 'running');
    broken = true;
    await engine.submit(report, ada);
    assert.equal(engine.halt?.code, 'INVARIANT_BROKEN');
    await engine.settled();

    const read = fold(await journal.read(engine.missionId));
    assert.ok(read);
    assert.equal(missionStatus(read), 'blocked');
    assert.match(headline(read, false), /^The runner stopped: A mistake of ours: .*Broken invariant: a test\./);
    const failed = (await journal.read(engine.missionId)).filter(({ event }) => event.type === 'EffectFailed');
    assert.equal(failed.length, 1, 'once for one halt');

    broken = false;
    const next = await MissionEngine.load(engine.missionId, ports, options);
    await next.resume();
    assert.equal(next.halt, null);
    assert.ok(next.mission);
    assert.doesNotMatch(headline(next.mission, false), /mistake of ours/);
    next.detach();
  });
});
