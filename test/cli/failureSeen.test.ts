import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CliBed, cliFile, decision, start, type Ended } from './cliBed';

const writes = (text: string): string => `${start}fs.writeFileSync('docs/out/a.txt', '${text}');`;

/** Phase 0 across the missions of a workspace, through `dist/cli.js`. */
describe('mission run after a mission that failed', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const run = (plan: string, script: string, more: Record<string, unknown> = {}): Promise<Ended> =>
    bed.mission('run', bed.plan(plan, [{ script }], more), '--confinement', 'off');

  it('is refused with the command that acknowledges it, and runs after that', async () => {
    const failed = await run('fails', `${writes('first')} fs.writeFileSync('.git/hooks/pre-push', '');`);
    assert.equal(failed.json.status, 'failed', failed.stdout + failed.stderr);
    const told = /mission acknowledge fails-\S+ --by NAME --reason TEXT/;
    const shown = await bed.spawn(process.execPath, [cliFile, 'status']).ended;
    assert.match(shown.stdout, told);
    const refused = await run('next', writes('second'));
    assert.deepEqual([refused.code, refused.json.code], [2, 'FAILURE_UNACKNOWLEDGED'], refused.stdout);
    assert.match(refused.json.reason, /^Mission fails-\S+, the last that ended in this workspace, failed/);
    assert.match(refused.json.reason, /SCOPE_VIOLATION|pre-push|outside/);
    assert.equal(bed.exists('docs/out/a.txt'), true);
    assert.equal(bed.exists('docs/ops/executions/next'), false);
    assert.deepEqual(refused.json.next, [
      `mission status ${failed.json.mission_id}`,
      `mission acknowledge ${failed.json.mission_id} --by NAME --reason TEXT`,
    ]);
    const closed = await bed.mission('pause', failed.json.mission_id, ...decision);
    assert.deepEqual(
      closed.json.next.map((step) => step.split(' ')[1]),
      ['acknowledge', 'run'],
    );
    const seen = await bed.mission('acknowledge', failed.json.mission_id, ...decision);
    assert.equal(seen.code, 0, seen.stderr);
    const ran = await bed.mission('run', 'docs/plans/PLAN_next.json');
    assert.equal(ran.json.status, 'completed', ran.stdout + ran.stderr);
  });

  for (const [what, event] of [
    ['cannot be read', `'{"type":"Unknown"}'`],
    ['was changed behind its last entry', `json_set(event, '$.forged', 1)`],
  ])
    it(`is refused while the record of a mission ${what}, and runs once it is put away`, async () => {
      const first = await run('first', writes('first'));
      const db = new DatabaseSync(bed.at('.mission-control/state.db'));
      const made = db.prepare(`SELECT sql FROM sqlite_master WHERE name = 'entries_update'`).get();
      db.exec('DROP TRIGGER entries_update');
      db.prepare(`UPDATE entries SET event = ${event} WHERE stream = ? AND seq = 9`).run(first.json.mission_id);
      db.exec(String(made?.['sql']));
      db.close();
      const refused = await run('next', writes('second'));
      assert.deepEqual([refused.code, refused.json.code], [4, 'STATE_STORE_CORRUPT'], refused.stdout);
      assert.match(
        refused.json.reason,
        /^Mission first-\S+ of this workspace cannot be read, so it is unknown whether/,
      );
      assert.equal(bed.exists('docs/ops/executions/next'), false);
      renameSync(bed.at('.mission-control'), path.join(bed.scratch, 'kept'));
      const ran = await run('next', writes('second'));
      assert.equal(ran.json.status, 'completed', ran.stdout + ran.stderr);
    });

  it('runs after a mission that a person canceled', async () => {
    const blocked = await run('given-up', `${start}process.exit(7);`);
    assert.equal(blocked.json.status, 'blocked', blocked.stdout + blocked.stderr);
    const cancelled = await bed.mission('cancel', blocked.json.mission_id, ...decision);
    assert.equal(cancelled.code, 0, cancelled.stderr);
    const ran = await run('next', writes('first'));
    assert.equal(ran.json.status, 'completed', ran.stdout + ran.stderr);
  });
});
