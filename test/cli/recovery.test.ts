import assert from 'node:assert/strict';
import type { MissionEvent } from '../../src/core/model/events';
import { CliBed, decision, isAlive, start } from './cliBed';

/** An owner dies, and more than one process wants to be the next. */
describe('mission: recovery after the death of the owner', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  it('is done by one of three commands that start at once, and no task runs twice', async () => {
    const plan = bed.plan('twice', [
      { script: `${start}fs.appendFileSync('docs/out/runs', 'a'); ${bed.waitAt('go')}` },
      { script: `${start}fs.appendFileSync('docs/out/runs', 'b');` },
    ]);
    const running = bed.start('run', plan);
    const worker = await bed.waitsAt('go');
    const id = await bed.missionId();
    running.child.kill('SIGKILL');
    assert.equal((await running.ended).signal, 'SIGKILL');
    assert.equal(isAlive(worker), true, 'the worker goes on under its supervisor');

    const next = [1, 2, 3].map(() => bed.start('resume', id, ...decision));
    // The one that became the owner waits for the worker; the others have their answer.
    const first = await Promise.race(next.map(({ ended }) => ended));
    assert.deepEqual([first.code, first.json.code], [2, 'NOT_PAUSED'], first.stderr);
    bed.open('go');
    const ends = await Promise.all(next.map(({ ended }) => ended));
    assert.deepEqual(ends.map(({ code }) => code).sort(), [0, 2, 2]);
    assert.equal(ends.find(({ code }) => code === 0)?.json.mission.status, 'completed');

    const list = await bed.events(id);
    const count = (type: MissionEvent['type']): number => list.filter((event) => event.type === type).length;
    assert.equal(count('OwnerResumed'), 1);
    assert.equal(count('AttemptStarted'), 2);
    assert.equal(bed.read('docs/out/runs'), 'ab');
    const recovery = list.findIndex((event) => event.type === 'OwnerResumed');
    const dispatched = list.findIndex((event) => event.type === 'AttemptStarted' && event.task_id === 'T2');
    assert.ok(recovery < dispatched, 'the recovery event comes before any new dispatch');
    const resumed = list[recovery];
    assert.ok(resumed?.type === 'OwnerResumed' && resumed.tasks[0]?.standing === 'supervised');
  });
});
