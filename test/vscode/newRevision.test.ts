import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { approveShown } from './approving';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import {
  approveAndRun,
  makeMissionWorkspace,
  openMissionWindow,
  waitForEvent,
  waitForStatus,
  type MissionWorkspace,
} from './missionWorkspace';

const newRevision = 'Mission Control: New Revision';

interface Draft {
  readonly status: string;
  readonly tasks: readonly { readonly task_id: string; readonly carried_from?: unknown }[];
}

describe('the plan of a blocked mission that a person revises', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    workspace = await makeMissionWorkspace('revised', ['first', 'broken'], { after: { broken: ['first'] } });
    window = await openMissionWindow(workspace, { userSettings: { 'missionControl.terminals.open': false } });
    await approveAndRun(window, workspace);
    await workspace.openGate('first');
    await workspace.breakTask('broken');
    await waitForStatus(window, 'Mission revised blocked');
  });

  const draft = (): Draft =>
    JSON.parse(readFileSync(path.join(workspace.workspaceDir, 'docs/plans/PLAN_revised-r2.json'), 'utf8')) as Draft;

  it('opens beside as a DRAFT in which the done task is carried over', async () => {
    await window.command(newRevision);
    await waitFor(async () => (await window.editor.text()).includes('"revised-r2"'), { what: 'the draft' });
    await window.screenshot('draft');
    const { status, tasks } = draft();
    assert.deepEqual(
      [status, tasks.map(({ task_id, carried_from }) => [task_id, carried_from !== undefined])],
      [
        'DRAFT',
        [
          ['first', true],
          ['broken', false],
        ],
      ],
    );
  });

  it('ends the mission by its approval, which says so before', async () => {
    await window.command('Mission Control: Approve Plan');
    const shown = await approveShown(window);
    for (const words of ['Supersedes: plan revised', 'Ends: mission revised-', 'Carried over: first'])
      assert.ok(shown.includes(words), `${words}: ${shown}`);
    const { event } = await waitForEvent(workspace, 'MissionSuperseded');
    assert.ok(event.type === 'MissionSuperseded');
    assert.deepEqual([event.plan_id, event.decision.actor.name], ['revised-r2', 'Ada Lovelace']);
    await waitForEvent(workspace, 'MissionReported');
    await waitFor(() => draft().status === 'APPROVED', { what: 'the approval in the file' });
  });

  it('runs what is left: the carried task is not executed again', async () => {
    await workspace.mendTask('broken');
    await workspace.openGate('broken');
    await window.command('Mission Control: Run Plan');
    await waitForStatus(window, 'Mission revised-r2 completed');
    assert.deepEqual([workspace.executions('first'), workspace.executions('broken')], [1, 2]);
    await window.screenshot('completed');
  });

  it('closes the terminals of the mission that it ended, and opens no panel where the setting says so', async () => {
    assert.equal(await window.page.locator('.part.panel').isVisible(), false);
    // The terminal of a check closes a moment after the mission has ended.
    await waitFor(async () => (await window.terminals.list()).join() === 'broken · command (Mission revised-r2)', {
      what: 'the terminal of the worker alone',
    });
  });
});
