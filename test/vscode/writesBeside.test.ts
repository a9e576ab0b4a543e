import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { runInWindow, waitForStatus, type MissionWorkspace } from './missionWorkspace';

/** The worker is not confined, so a change that the product does not announce would be a doubt, and block its task. */
describe('commands that write plans while a worker runs', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;
  story(async () => {
    ({ workspace, window } = await runInWindow('beside', ['only'], { git: true }));
  });

  const at = (file: string): string => path.join(workspace.workspaceDir, file);

  it('write a draft with New Plan', async () => {
    await window.command('Mission Control: New Plan');
    await window.quickInput.answer('other-1');
    await window.quickInput.pick('A command');
    await waitFor(() => existsSync(at('docs/plans/PLAN_other-1.json')), { what: 'the draft' });
    await window.notifications.click(/^Git may change line ends/, 'Add Lines');
    await waitFor(() => existsSync(at('.gitattributes')), { what: 'the lines' });
  });

  it('write a revision of the plan that runs with New Revision', async () => {
    await window.command('Mission Control: New Revision');
    await waitFor(() => existsSync(at('docs/plans/PLAN_beside-r2.json')), { what: 'the revision' });
  });

  it('are not taken for the work of that worker: its mission completes', async () => {
    await workspace.openGate('only');
    await waitForStatus(window, 'Mission beside completed');
    const evidence = JSON.parse(readFileSync(at('docs/ops/executions/beside/TASK_only.json'), 'utf8')) as TaskEvidence;
    const changes = evidence.attempts?.flatMap((attempt) => attempt.changes) ?? [];
    assert.ok(changes.length > 0);
    for (const { path: file, attribution, violation, doubt } of changes)
      if (/^docs\/plans\/|^\.gitattributes$/.test(file))
        assert.deepEqual([attribution, violation, doubt], ['external_change', null, undefined], file);
  });
});
