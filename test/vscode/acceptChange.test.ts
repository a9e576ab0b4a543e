import assert from 'node:assert/strict';
import { dumpOnFailure } from './harness/failureDump';
import type { Server } from './harness/server';
import { stepByStep } from './harness/steps';
import type { VscodeWindow } from './harness/window';
import { runInWindow, verifyEvidence, waitForEvent, waitForStatus, type MissionWorkspace } from './missionWorkspace';

describe('a verify command that changes a file of somebody else', () => {
  stepByStep();
  dumpOnFailure();
  let workspace: MissionWorkspace;
  let server: Server;
  let window: VscodeWindow;

  before(async () => {
    const verify = ['node', '-e', `require('node:fs').writeFileSync('notes.md', 'Rewritten.')`];
    ({ workspace, server, window } = await runInWindow('accepts', ['build'], { git: true, verify }));
    await workspace.openGate('build');
  });
  after(async () => {
    await server.stop();
    await workspace.remove();
  });

  it('blocks the task, and offers the acceptance instead of a retry', async () => {
    const news = await window.notifications.waitFor(/task build is blocked \(NON_COMPLIANT\)/);
    assert.deepEqual(news.buttons, ['Accept Change…', 'Open Recovery Packet', 'Show Mission Control']);
  });

  it('records which change a person accepts, and why', async () => {
    await window.notifications.click(/task build is blocked \(NON_COMPLIANT\)/, 'Accept Change…');
    const { items } = await window.quickInput.read();
    assert.deepEqual(items, ['notes.md', 'It is tracked by git.']);
    await window.quickInput.tick(['notes.md']);
    await window.quickInput.answer('The notes are generated');
    const accepted = await waitForEvent(workspace, 'ChangesAccepted');
    assert.ok(accepted.event.type === 'ChangesAccepted');
    const { names, decision } = accepted.event;
    assert.deepEqual(
      [names, decision.actor.name, decision.reason],
      [['notes.md'], 'Ada Lovelace', 'The notes are generated'],
    );
  });

  it('completes once it is judged again, with evidence that verifies', async () => {
    await window.command('Mission Control: Rerun Validation');
    await window.quickInput.answer('Accepted');
    await waitForStatus(window, 'Mission accepts completed');
    assert.equal(workspace.executions('build'), 1);
    assert.equal(verifyEvidence(workspace).valid, true);
  });
});
