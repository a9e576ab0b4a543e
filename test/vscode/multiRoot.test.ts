import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { approveShown } from './approving';
import { story } from './harness/story';
import type { VscodeWindow } from './harness/window';
import {
  approveAndRun,
  makeMissionWorkspace,
  startMissionServer,
  verifyEvidence,
  waitForEvent,
  type MissionWorkspace,
} from './missionWorkspace';

/** A habitat of its own: a `.code-workspace` with two folders, each with a plan. */
describe('two folders in one window', () => {
  let left: MissionWorkspace;
  let right: MissionWorkspace;
  let window: VscodeWindow;
  const stateOf = (workspace: MissionWorkspace): string => path.join(workspace.workspaceDir, '.mission-control');

  story(async () => {
    left = await makeMissionWorkspace('left', ['one']);
    right = await makeMissionWorkspace('right', ['two']);
    const both = path.join(path.dirname(left.workspaceDir), 'both.code-workspace');
    const folders = [left, right].map(({ workspaceDir, planId }) => ({ name: planId, path: workspaceDir }));
    await writeFile(both, JSON.stringify({ folders }));
    const server = await startMissionServer(left);
    window = await server.openWindow(both);
  });

  it('run a mission in the folder of its plan, and nowhere else', async () => {
    await approveAndRun(window, right);
    await window.terminals.waitForText('two · command (Mission right)', 'Step started: out/two.txt');
    assert.ok(existsSync(path.join(stateOf(right), 'state.db')));
    assert.equal(existsSync(stateOf(left)), false);
    assert.equal(existsSync(path.join(left.workspaceDir, 'out')), false);
  });

  it('run a second one beside it, with a state folder of its own', async () => {
    await window.editor.open(left.planPath);
    await window.command('Mission Control: Approve Plan');
    const page = await approveShown(window);
    assert.match(page, /^Approve plan left in left as Ada Lovelace\?\n/);
    await window.notifications.waitFor(/^Plan left is approved by Ada Lovelace in left\.$/);
    await window.command('Mission Control: Run Plan');
    await window.terminals.waitForText('one · command (Mission left)', 'Step started: out/one.txt');
    assert.ok(existsSync(path.join(stateOf(left), 'state.db')));
    await left.openGate('one');
    await right.openGate('two');
    for (const workspace of [left, right]) {
      await waitForEvent(workspace, 'MissionReported');
      const { valid, findings } = verifyEvidence(workspace);
      // A stranger verifies here, who has no seal of the person that approved.
      assert.deepEqual([valid, findings.map(({ code }) => code)], [true, ['JOURNAL_FOREIGN']]);
      assert.equal(workspace.executions(workspace === left ? 'one' : 'two'), 1);
    }
    const other = path.join('docs/ops/executions', right.planId);
    assert.equal(existsSync(path.join(left.workspaceDir, other)), false);
  });
});
