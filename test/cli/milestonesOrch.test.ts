import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import type { ExecutionHeader } from '../../src/contracts/record/header';
import { CliBed, cliFile, start } from './cliBed';

/** `mission orch` with a plan that has milestones. */
describe('milestones of an external execution', () => {
  let bed: CliBed;
  beforeEach(() => {
    bed = new CliBed();
  });
  afterEach(() => bed.dispose());

  it('are recorded as not validated, at the start and in the evidence', async () => {
    const file = bed.plan(
      'outside',
      [{ milestone: 'M1', script: start }],
      {},
      {
        milestones: [
          { id: 'M1', title: 'First', validate: { verify: [['node', '-v']] } },
          { id: 'M2', title: 'Second' },
        ],
      },
    );
    const args = ['orch', 'start', '--plan', path.join(bed.root, file), '--workspace', bed.root];
    const { code, stdout, stderr } = await bed.spawn(process.execPath, [cliFile, ...args]).ended;
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /Milestone M1 is not validated or accepted here/);
    const header = JSON.parse(bed.read('docs/ops/executions/outside/EXECUTION_HEADER.json')) as ExecutionHeader;
    assert.ok(header.not_observed?.some((line) => line.includes('Milestone M1 is not validated or accepted here')));
    assert.equal(header.milestones, undefined);
  });
});
