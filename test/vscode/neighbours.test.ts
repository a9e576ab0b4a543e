import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import {
  approveAndRun,
  makeMissionWorkspace,
  openMissionWindow,
  verifyEvidence,
  waitForEvent,
  waitForStatus,
  type MissionWorkspace,
} from './missionWorkspace';

describe('a mission beside Git, autofetch and a person who goes on working', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    workspace = await makeMissionWorkspace('among-others', ['work'], { git: true });
    const origin = path.join(path.dirname(workspace.workspaceDir), 'origin.git');
    const git = (...args: string[]): void => {
      execFileSync('git', args, {
        cwd: workspace.workspaceDir,
        stdio: 'ignore',
        env: { PATH: process.env['PATH'], HOME: workspace.workspaceDir },
      });
    };
    git('clone', '-q', '--bare', '.', origin);
    git('remote', 'add', 'origin', origin);
    git('fetch', '-q', 'origin');
    window = await openMissionWindow(workspace, {
      builtIn: 'all',
      userSettings: { 'git.autofetch': true, 'git.autofetchPeriod': 1, 'git.autorefresh': true },
    });
    await approveAndRun(window, workspace);
  });

  it('records a file that a person saves during the task as theirs', async () => {
    await window.terminals.waitForText('work · command (Mission among-others)', 'Step started');
    await window.editor.open(path.join(workspace.workspaceDir, 'notes.md'));
    await window.editor.replaceText('One note.\nAnd another one.\n');
    await window.editor.save();
    const saved = await waitForEvent(workspace, 'ExternalSaveRecorded');
    assert.ok(saved.event.type === 'ExternalSaveRecorded');
    assert.equal(saved.event.save.path, 'notes.md');
  });

  it('completes although Git refreshes and fetches meanwhile', async () => {
    await window.command('Git: Refresh');
    await window.command('Git: Fetch');
    await workspace.openGate('work');
    await waitForStatus(window, 'Mission among-others completed');
    const observed = await waitForEvent(workspace, 'ChangesObserved');
    assert.ok(observed.event.type === 'ChangesObserved');
    const attributions = Object.fromEntries(
      observed.event.observed.changes.map((change) => [change.path, change.attribution]),
    );
    assert.deepEqual(attributions, { 'notes.md': 'external_change', 'out/work.txt': 'worker' });
    assert.equal(workspace.executions('work'), 1);
    assert.equal(verifyEvidence(workspace).valid, true);
    await waitFor(async () => (await window.notifications.list()).every(({ severity }) => severity !== 'error'), {
      what: 'no error',
    });
  });
});
