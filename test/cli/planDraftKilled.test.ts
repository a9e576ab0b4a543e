import assert from 'node:assert/strict';
import { exitRecordSchema } from '../../src/contracts/launch';
import { isAlive, until } from './cliBed';
import { DraftBed } from './draftBed';

/** Only the process that started it takes the answer of an agent that drafts, so the agent ends with that process. */
describe('mission plan draft, whose owner is killed', function () {
  this.timeout(120_000);
  let bed: DraftBed;
  beforeEach(() => (bed = new DraftBed()));
  afterEach(() => bed.dispose());

  for (const [what, before] of [
    ['ends the agent with its whole tree', ''],
    ['ends one that does not end when it is asked to', "process.on('SIGTERM', () => {});"],
  ] as const)
    it(what, async () => {
      const agent = bed.hangs(before);
      const running = bed.start(...bed.options());
      const both = await agent.pids();
      assert.deepEqual(both.filter(isAlive), both);
      running.child.kill('SIGKILL');
      await running.ended;
      const [draft = assert.fail('no draft')] = bed.drafts();
      const file = `.mission-control/missions/${draft}/runs/1-draft/exit.json`;
      await until(() => bed.exists(file), 30_000);
      const exit = exitRecordSchema.parse(JSON.parse(bed.read(file)));
      assert.deepEqual(
        [exit.reason, exit.error, exit.tree_gone],
        ['stop_requested', 'The process that wanted its answer has ended.', true],
      );
      assert.deepEqual(both.filter(isAlive), []);

      const cleaned = await bed.mission('clean', '--yes');
      assert.equal(cleaned.code, 0, cleaned.stdout + cleaned.stderr);
      assert.deepEqual(bed.drafts(), []);
    });
});
