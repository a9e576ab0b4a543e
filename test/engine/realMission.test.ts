import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { isAlive } from '../../src/adapters/processes/tree';
import { processRecordSchema, runFiles, type ProcessIdentity } from '../../src/contracts/launch';
import { startRealMission, until, type RealMission } from './realMission';

const waits = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];

describe('a real mission that a test leaves while its worker runs', () => {
  it('leaves no process behind', async () => {
    const mission = await startRealMission([{ task_id: 'T1', command: waits }]);
    await until(mission.engine, ({ mission: state }) => state?.lanes[0]?.stage.at === 'running');
    const left = processesOf(mission);
    assert.deepEqual(await Promise.all(left.map(isAlive)), [true, true]);
    await mission.dispose();
    assert.deepEqual(await Promise.all(left.map(isAlive)), [false, false]);
  });
});

/** Supervisor and worker, by what the supervisor has written. */
function processesOf({ dir }: RealMission): readonly ProcessIdentity[] {
  const [file = ''] = globSync(path.join(dir, '.mission-control/missions/*/runs/*', runFiles.process));
  const { supervisor, worker } = processRecordSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  assert.ok(worker);
  return [supervisor, worker];
}
