import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { story } from './harness/story';
import type { VscodeWindow } from './harness/window';
import { evidenceStatus, living, waitForStarted } from './laneChecks';
import { runInWindow, verifyEvidence, waitForEvent, waitForStatus, type MissionWorkspace } from './missionWorkspace';

describe('the early look of a window at the writes of a worker', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    ({ workspace, window } = await runInWindow('at-once', ['honest', 'stray'], { git: true }));
  });

  it('lets the worker go on when a person saves a file, or files outside its scope come, and go', async () => {
    await waitForStarted(workspace, 'honest');
    const passing = path.join(workspace.workspaceDir, 'passing.tmp');
    await writeFile(passing, 'for a moment');
    await rm(passing);
    await window.editor.open(path.join(workspace.workspaceDir, 'notes.md'));
    for (const text of ['A person was here.\n', 'A person was here, twice.\n']) {
      await window.editor.replaceText(text);
      await window.editor.save();
    }
    await waitForEvent(workspace, 'ExternalSaveRecorded', 2);
    await workspace.openGate('honest');
    await waitForEvent(workspace, 'TaskEvidenceWritten');
    assert.equal(evidenceStatus(workspace, 'honest'), 'SUCCESS');
  });

  it('stops a worker that plants a hook before it ends, with SCOPE_VIOLATION and no process left', async () => {
    const records = await waitForStarted(workspace, 'stray');
    await workspace.plantHook('stray');
    const seen = await waitForEvent(workspace, 'ScopeBreachSeen');
    assert.ok(seen.event.type === 'ScopeBreachSeen');
    assert.deepEqual([seen.event.launch_id, seen.event.path], [records[0]?.launch_id, '.git/hooks/pre-push']);
    const ended = await waitForEvent(workspace, 'WorkerEnded', 2);
    assert.ok(ended.event.type === 'WorkerEnded');
    assert.equal(ended.event.end.reason, 'stop_requested');
    assert.equal(await living(...records), 0);
    await waitForStatus(window, 'Mission at-once failed');
    const failed = await waitForEvent(workspace, 'MissionFailed');
    assert.ok(failed.event.type === 'MissionFailed');
    assert.equal(failed.event.code, 'SCOPE_VIOLATION');
    await waitForEvent(workspace, 'MissionReported');
    assert.equal(evidenceStatus(workspace, 'stray'), 'FAILED');
    assert.equal(verifyEvidence(workspace).valid, true);
  });
});
