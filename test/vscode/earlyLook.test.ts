import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { dumpOnFailure } from './harness/failureDump';
import type { Server } from './harness/server';
import { stepByStep } from './harness/steps';
import type { VscodeWindow } from './harness/window';
import { evidenceStatus, living, waitForStarted } from './laneChecks';
import { runInWindow, verifyEvidence, waitForEvent, waitForStatus, type MissionWorkspace } from './missionWorkspace';

describe('a worker that writes out of its scope and would go on', () => {
  stepByStep();
  dumpOnFailure();
  let workspace: MissionWorkspace;
  let server: Server;
  let window: VscodeWindow;

  before(async () => {
    ({ workspace, server, window } = await runInWindow('at-once', ['honest', 'stray'], { git: true }));
  });
  after(async () => {
    await server.stop();
    assert.deepEqual(await server.processes(), []);
    await workspace.remove();
  });

  it('is not one whose person saves a file meanwhile, nor one beside whom a file comes and goes', async () => {
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

  it('is stopped at once, with SCOPE_VIOLATION and no process left', async () => {
    const records = await waitForStarted(workspace, 'stray');
    await workspace.strayTask('stray');
    const seen = await waitForEvent(workspace, 'ScopeBreachSeen');
    assert.ok(seen.event.type === 'ScopeBreachSeen');
    assert.deepEqual([seen.event.launch_id, seen.event.path], [records[0]?.launch_id, 'stray.txt']);
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
