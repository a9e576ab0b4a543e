import assert from 'node:assert/strict';
import { CliBed, start } from './cliBed';

/** Without a database: `cli/fleet` has a real one, and takes long. */
describe('mission fleet submit, before it asks the database', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const submitted = (plan: string, ...more: readonly string[]) =>
    bed.mission(
      ...['fleet', 'submit', plan, '--repo', 'https://127.0.0.1:1/a.git', '--ref', 'a'.repeat(40)],
      ...['--database', 'postgres://127.0.0.1:1/fleet', ...more],
    );

  it('makes an order of a plan that is approved here, and of no other', async () => {
    const plan = bed.plan('away', [{ script: start }], {}, { status: 'DRAFT', risk: { level: 2, reason: 'careful' } });
    const approved = await bed.mission('plan', 'approve', plan, '--by', 'Ada', '--yes');
    assert.equal(approved.code, 0, approved.stdout);
    const [ended, pushed] = [
      await submitted(plan),
      await submitted(plan, '--push', '--needs', 'gpu', '--priority', '5'),
    ];
    // The order was made, and its database does not answer.
    assert.deepEqual([ended.json.code, ended.code], ['FLEET_UNAVAILABLE', 4], ended.stdout);
    assert.equal(pushed.json.code, 'FLEET_UNAVAILABLE', pushed.stdout);

    const other = bed.plan('other', [{ script: start }]);
    const refused = await submitted(other);
    assert.deepEqual([refused.json.code, refused.code], ['APPROVAL_RECORD_REQUIRED', 2], refused.stdout);
  });
});
