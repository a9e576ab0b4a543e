import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { planFiles } from '../../src/adapters/documents/planFiles';
import { openNodeViewer } from '../../src/adapters/nodeViewer';
import { RefusedBytes } from '../../src/cli/commands/plan/planValidate';
import { checkPlan } from '../../src/engine/plans/check';
import { CliBed } from './cliBed';

/** Warnings about bytes that no mission runs, for all plans of one call. */
describe('refused bytes', function () {
  this.timeout(300_000);
  let bed: CliBed;
  let plans: readonly string[];
  beforeEach(async () => {
    bed = new CliBed();
    plans = ['x', 'y', 'z'].map((id) => bed.plan(id, [{ script: 'process.exit(7);' }]));
    const ran = await bed.mission('run', 'docs/plans/PLAN_x.json');
    assert.equal(ran.code, 3, ran.stdout);
    for (const plan of plans) bed.write(plan, bed.read(plan).replace('Task T1', 'Task T2'));
  });
  afterEach(() => bed.dispose());

  it('one call opens the workspace once and reads its missions once, however many plans it names', async () => {
    const counted = { opened: 0, pages: 0, closed: 0 };
    const refused = new RefusedBytes(async (options) => {
      counted.opened += 1;
      const viewer = await openNodeViewer(options);
      if (!viewer.ok || viewer.value === null) return viewer;
      const { value } = viewer;
      const journal = Object.create(value.journal) as typeof value.journal;
      journal.pages = (...asked) => {
        counted.pages += 1;
        return value.journal.pages(...asked);
      };
      const close = async (): Promise<void> => {
        counted.closed += 1;
        await value.close();
      };
      return { ok: true, value: { ...value, journal, close } };
    });
    const found = [];
    for (const plan of [...plans, ...plans]) {
      const path = bed.at(plan);
      const check = await checkPlan(planFiles, path, { defaultWorker: 'claude', looksAtProject: true });
      found.push((await refused.warnings(check, path)).map(({ code }) => code));
    }
    await refused.close();
    assert.deepEqual(found, [['LOCKED_OTHERWISE'], [], [], ['LOCKED_OTHERWISE'], [], []]);
    assert.deepEqual(counted, { opened: 1, pages: 1, closed: 1 });
  });

  it('a journal that cannot be read takes no finding of a file away', async () => {
    const approved = await bed.mission('plan', 'approve', plans[2] ?? '', '--by', 'Ann', '--yes');
    assert.equal(approved.json.recorded, true, approved.stdout);
    const db = new DatabaseSync(bed.at('.mission-control/state.db'));
    const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${String(name)}`);
    db.exec("UPDATE entries SET event = '{'");
    for (const { sql } of triggers) db.exec(String(sql));
    db.close();
    bed.write(plans[1] ?? '', '{');
    const { code, json, stdout } = await bed.mission('plan', 'validate', ...plans);
    assert.equal(code, 1, stdout);
    assert.deepEqual(
      json.files.map((file) => file.findings.length > 0),
      [false, true, false],
      stdout,
    );
  });
});
