import assert from 'node:assert/strict';
import { story } from './harness/story';
import { titleButtons } from './harness/menu';
import type { VscodeWindow } from './harness/window';
import { runInWindow, verifyEvidence, waitForEvent, waitForStatus, type MissionWorkspace } from './missionWorkspace';

describe('a task whose verify command changes a tracked file', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    const verify = ['node', '-e', `require('node:fs').writeFileSync('notes.md', 'Rewritten.')`];
    ({ workspace, window } = await runInWindow('accepts', ['build'], { git: true, verify }));
    await workspace.openGate('build');
  });

  it('blocks, and offers the acceptance instead of a retry', async () => {
    const news = await window.notifications.waitFor(/task build is blocked \(NON_COMPLIANT\)/);
    assert.deepEqual(news.buttons, ['Review Changes', 'Accept Change…', 'Show Mission']);
  });

  it('has in the title of the panel what helps: the acceptance, and Resolve Blocker once that is done', async () => {
    await window.command('Mission Control: Show Mission Control');
    const accept = await titleButtons(window, 'Accept Change…');
    assert.ok(!accept.some((label) => /Resolve Blocker/.test(label)), accept.join());
    await window.screenshot('accept-change-title');
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
    const resolve = await titleButtons(window, 'Resolve Blocker');
    assert.ok(!resolve.some((label) => /Accept Change/.test(label)), resolve.join());
    await window.command('Mission Control: Rerun Validation');
    await window.quickInput.answer('Accepted');
    await waitForStatus(window, 'Mission accepts completed');
    assert.equal(workspace.executions('build'), 1);
    assert.equal(verifyEvidence(workspace).valid, true);
    const page = await window.webviewFrame('Mission Control');
    await page.locator('[data-section="changed"]', { hasText: /accepted by Ada Lovelace/ }).waitFor();
  });
});
