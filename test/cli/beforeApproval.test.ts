import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { CliBed, decision, type TaskOptions } from './cliBed';

/** What keeps a plan from starting is said before a person reads and approves it: `dist/cli.js` as real processes. */
describe('mission run with a draft', function () {
  this.timeout(180_000);
  let bed: OwnBed;
  beforeEach(() => {
    bed = new OwnBed();
  });
  afterEach(() => bed.dispose());

  const draft = (task: TaskOptions = { command: ['true'], verify: [['true']] }, more: object = {}): string =>
    bed.plan('draft', [task], {}, { status: 'DRAFT', approval: { required: true }, ...more });
  const codeOf = async (file: string): Promise<string> => {
    const { json, stdout } = await bed.mission('run', file);
    assert.equal(json.status, 'refused', stdout);
    return json.code;
  };

  it('names the approval where nothing else is missing', async () => {
    const { json } = await bed.mission('run', draft());
    assert.equal(json.code, 'PLAN_INVALID');
    assert.match(json.next[0] ?? '', /^mission plan approve docs\/plans\/PLAN_draft\.json --by NAME/);
  });

  it('names what held starts first, also for a revision', async () => {
    const file = draft();
    assert.equal((await bed.mission('stop', '--all', ...decision)).code, 0);
    assert.equal(await codeOf(file), 'STARTS_HELD');
    assert.equal(await codeOf(draft(undefined, { supersedes: 'earlier' })), 'STARTS_HELD');
  });

  it('names a CLI that is missing first', async () => {
    assert.equal(await codeOf(draft({ worker: 'codex', prompt: 'x' })), 'WORKER_MISSING');
  });

  it('names a failed mission that no person has acknowledged first', async () => {
    const strays = bed.plan('strays', [{ command: ['false'] }], { on_block: 'fail' });
    assert.equal((await bed.mission('run', strays)).json.status, 'failed');
    assert.equal(await codeOf(draft()), 'FAILURE_UNACKNOWLEDGED');
  });

  it('says the same of an approved plan that needs a record of its approval here', async () => {
    const file = bed.plan('approved', [{ worker: 'codex', prompt: 'x' }]);
    const { json } = await bed.mission('run', file, '--require-approval-record');
    assert.equal(json.code, 'WORKER_MISSING');
  });

  it('names its other errors before all of it', async () => {
    assert.equal((await bed.mission('stop', '--all', ...decision)).code, 0);
    assert.equal(await codeOf(draft({ command: ['true'], depends_on: ['none'] })), 'PLAN_INVALID');
  });

  it('names a number that loses digits, and what to write: at the check, the approval and the run', async () => {
    const file = draft();
    bed.write(file, bed.read(file).replace(/"level": ?1/, '"level": 1.00000000000000000001'));
    for (const words of [
      ['plan', 'validate', file],
      ['plan', 'approve', file, '--by', 'Ann', '--yes'],
      ['run', file],
    ]) {
      const { code, stdout, stderr } = await bed.mission(...words);
      assert.notEqual(code, 0);
      assert.doesNotMatch(stdout + stderr, /0 errors/);
      assert.match(stdout + stderr, /would be read as 1, /);
    }
  });
});

/** With files of a user of its own, because a stop holds every start of one user. */
class OwnBed extends CliBed {
  override get env(): NodeJS.ProcessEnv {
    const home = path.join(this.scratch, 'user');
    mkdirSync(home, { recursive: true });
    return { ...super.env, MISSION_CONTROL_HOME: home };
  }
}
