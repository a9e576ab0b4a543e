import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { missionStatus } from '../../../src/core/mission/status';
import { spares } from '../../support/spares';
import { startRealMission, until, type RealMission, type TaskSpec } from '../realMission';

const waits = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];
const quick = ['/bin/true'];
/** Ends once the test has seen it run. */
const seen = (name: string): string[] => [
  process.execPath,
  '-e',
  `setInterval(() => fs.existsSync("src/${name}") && process.exit(), 5)`,
];

describe('engine: a supervisor that starts ahead for the next launch', function () {
  this.timeout(60_000);
  let mission: RealMission | null = null;
  afterEach(async () => {
    await mission?.dispose();
    mission = null;
  });

  async function running(...tasks: readonly TaskSpec[]): Promise<void> {
    mission = await startRealMission(tasks);
    await until(mission.engine, (now) => now.mission?.lanes[0]?.stage.at === 'running');
  }

  /** @param names of its launches, each of which ends once it was seen to run */
  async function completed(names: readonly string[], ...tasks: readonly TaskSpec[]): Promise<void> {
    mission = await startRealMission(tasks);
    const { engine, dir } = mission;
    mkdirSync(path.join(dir, 'src'), { recursive: true });
    for (const [index, name] of names.entries()) {
      await until(engine, ({ mission: now }) => now?.launches === index + 1 && now.lanes[0]?.stage.at === 'running');
      writeFileSync(path.join(dir, 'src', name), '');
    }
    await until(engine, (now) => now.mission?.execution === 'REPORTED');
    await engine.settled();
    assert.equal(engine.mission && missionStatus(engine.mission), 'completed');
  }

  /** Resolves once exactly one waits. */
  async function oneWaits(): Promise<void> {
    while ((await spares()).length !== 1) await sleep(20);
  }

  it('waits beside a worker when another task is open', async () => {
    await running({ task_id: 'T1', command: waits }, { task_id: 'T2', command: quick });
    await oneWaits();
  });

  it('waits beside a worker whose verify command comes next', async () => {
    await running({ task_id: 'T1', command: waits, verify: [quick] });
    await oneWaits();
  });

  it('is not there after the last task of a mission', async () => {
    await completed(['a', 'b'], { task_id: 'T1', command: seen('a') }, { task_id: 'T2', command: seen('b') });
    assert.deepEqual(await spares(), []);
  });

  it('is not there after the last verify command of a mission', async () => {
    await completed(['a', 'b'], { task_id: 'T1', command: seen('a'), verify: [seen('b')] });
    assert.deepEqual(await spares(), []);
  });
});
