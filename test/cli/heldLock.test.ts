import assert from 'node:assert/strict';
import type { ConfinementMode } from '../../src/contracts/vocabulary/confinement';
import { isAlive, until } from './cliBed';
import { ConfinedBed } from './confinedBed';

/** A worker that takes a lock for reading on the owner's file as soon as it can, and holds it. */
const locks = `import fs from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
const look = () => {
  try {
    const db = new DatabaseSync('.mission-control/lease.db', { readOnly: true, timeout: 0 });
    db.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    return db;
  } catch (error) {
    return String(error);
  }
};
fs.mkdirSync('docs/out', { recursive: true });
fs.writeFileSync('docs/out/pid', String(process.pid));
let held = look();
// Once, because the worker may be killed within a write.
if (typeof held === 'string') fs.writeFileSync('docs/out/said', held);
while (typeof held === 'string') {
  await new Promise((go) => setTimeout(go, 5));
  held = look();
}
fs.writeFileSync('docs/out/locked', '');
setInterval(() => held, 1000);
`;
const decision = ['--by', 'Ada', '--reason', 'enough'];

describe('a worker that holds a lock on the file of the owner, whose owner is killed', function () {
  this.timeout(180_000);
  let bed: ConfinedBed;
  beforeEach(function () {
    bed = new ConfinedBed(this);
  });
  afterEach(() => bed.dispose());

  /** Resolves with the id of the mission once its owner is gone. */
  async function orphaned(confinement: ConfinementMode): Promise<string> {
    const plan = bed.plan('locks', [{ script: locks }]);
    const running = bed.start('run', plan, '--confinement', confinement);
    await until(() => bed.exists('docs/out/said'));
    const id = await bed.missionId();
    running.child.kill('SIGKILL');
    await running.ended;
    return id;
  }

  it('sees no such file in a sandbox, so its task is stopped at once', async () => {
    const id = await orphaned('required');
    const stopped = await bed.mission('stop', id, 'T1', ...decision);
    assert.deepEqual([stopped.code, stopped.json.accepted], [0, true], stopped.stdout + stopped.stderr);
    assert.equal(bed.exists('docs/out/locked'), false);
    assert.match(bed.read('docs/out/said'), /unable to open/);
  });

  it('keeps owners out without a sandbox: the command names it at once, and a stop of everything ends it', async () => {
    const id = await orphaned('off');
    await until(() => bed.exists('docs/out/locked'));
    const pid = Number(bed.read('docs/out/pid'));
    const refused = await bed.mission('stop', id, 'T1', ...decision);
    assert.deepEqual([refused.code, refused.json.code], [4, 'LEASE_BLOCKED'], refused.stdout + refused.stderr);
    if (process.platform === 'linux')
      assert.ok(refused.json.reason.includes(`process ${pid} holds`), refused.json.reason);
    assert.ok(refused.json.next.some((step) => step.includes('mission stop --all')));
    await bed.mission('stop', '--all', ...decision);
    await until(() => !isAlive(pid));
    const after = await bed.mission('stop', id, 'T1', ...decision);
    assert.notEqual(after.json.code, 'LEASE_BLOCKED');
  });
});
