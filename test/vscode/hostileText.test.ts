import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
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

const onlyPosix = process.platform === 'win32' ? describe.skip : describe;

/** Windows has no such names. */
onlyPosix('a file whose name is a link, an icon and a change of direction', () => {
  const name = 'PLAN_[click](command:workbench.action.closeWindow)$(error)\u202e.json';
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    workspace = await makeMissionWorkspace('plain', ['only'], { approved: true });
    copyFileSync(workspace.planPath, path.join(path.dirname(workspace.planPath), name));
    window = await openMissionWindow(workspace);
  });

  it('is text in the list of plans and in the notification', async () => {
    await window.command('Mission Control: Validate Plan');
    const row = window.page.locator('.quick-input-list .monaco-list-row', { hasText: 'closeWindow' });
    await row.waitFor();
    await window.screenshot('hostile-text-list');
    const label = await row.locator('.label-name').first().textContent();
    assert.equal(label, String.raw`PLAN_[click](command:workbench.action.closeWindow)$(error)\u202e.json`);
    assert.equal(await row.locator('.codicon-error').count(), 0);
    await row.click();

    const told = await window.notifications.waitForToast(/click/);
    const shown = String.raw`PLAN_[click](command:workbench.action.closeWindow)$(error)\u202e.json is `;
    assert.ok(seen(told.text).includes(shown), told.text);
    assert.equal(await window.page.locator('.notification-list-item-message a').count(), 0);
    await window.screenshot('hostile-text-notification');
  });
});

onlyPosix('names and reasons of others where VS Code asks and reports', () => {
  const file = '[x](command:workbench.action.closeWindow)$(error)\u202e\u001b[31m`*.txt';
  const shown = '[x](command:workbench.action.closeWindow)$(error)\\u202e\\x1b[31m`*.txt';
  const reason = '[x](command:workbench.action.closeWindow)$(error)\u202e [how](docs/how.md) `*<b>why</b>';
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    const verify = ['node', '-e', `require('node:fs').writeFileSync(${JSON.stringify(file)}, 'Rewritten.')`];
    workspace = await makeMissionWorkspace('told', ['build'], { git: true, verify });
    await writeFile(path.join(workspace.workspaceDir, file), 'Before.\n');
    const git = (...args: string[]): void => {
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', ...args], {
        cwd: workspace.workspaceDir,
        stdio: 'ignore',
      });
    };
    git('add', '-A');
    git('commit', '-qm', 'A file with such a name');
    window = await openMissionWindow(workspace);
    await approveAndRun(window, workspace);
    await window.terminals.waitForText('build · command (Mission told)', 'Step started');
  });

  /** No link and no icon came out of it. */
  async function nothingOf(place: string): Promise<void> {
    const box = window.page.locator(place);
    assert.equal(await box.locator('a[href*="command:"], a[title*="command:"], a[data-href*="command:"]').count(), 0);
    assert.equal(await box.locator('.codicon-error:not(.notification-list-item-icon)').count(), 0, place);
  }

  it('is text in a notification, in what the status bar says when pointed at, and on the panel', async () => {
    await window.command('Mission Control: Stop Worker');
    await window.dialogs.answer('Stop Worker');
    await window.quickInput.answer(reason);
    const told = await window.notifications.waitForToast(/task build was stopped/);
    const inToast = String.raw`[x](command:workbench.action.closeWindow)$(error)\u202e [how](docs/how.md)`;
    assert.ok(seen(told.text).includes(inToast), told.text);
    await nothingOf('.notifications-toasts');
    await window.screenshot('hostile-toast');
    await waitForStatus(window, 'Mission told paused');
    const shownReason = reason.replace('\u202e', String.raw`\u202e`);
    const tooltip = await window.statusBarTooltip('missionControl.status');
    assert.ok(tooltip.includes(shownReason), tooltip);
    const frame = await window.webviewFrame('Mission Control');
    await waitFor(async () => (await frame.locator('main').innerText()).includes(shownReason), {
      what: 'the reason on the panel',
    });
    assert.equal(await frame.locator('main a, main img, main script, main bdi *').count(), 0);
    await window.screenshot('hostile-panel');
  });

  it('is text in a list that is ticked, and below an input box', async () => {
    await window.command('Mission Control: Retry Task');
    await window.quickInput.answer('Once more');
    await workspace.openGate('build');
    await window.notifications.waitFor(/task build is blocked \(NON_COMPLIANT\)/);
    await window.command('Mission Control: Accept Change…');
    const { items } = await window.quickInput.read();
    assert.deepEqual(items, [shown, 'It is tracked by git.']);
    await nothingOf('.quick-input-widget');
    await window.screenshot('hostile-list');
    await window.quickInput.tick([shown]);
    const asked = await waitFor(
      async () => {
        const { message } = await window.quickInput.read();
        return message.includes('Accepted for task build') && message;
      },
      { what: 'the question for the reason' },
    );
    assert.ok(seen(asked).includes(shown), asked);
    assertVisible(asked);
    await nothingOf('.quick-input-widget');
    await window.screenshot('hostile-input');
    await window.quickInput.answer('It is generated');
    await waitForEvent(workspace, 'ChangesAccepted');
  });
});

/** The text that a person sees of it: what keeps `](` apart has no width. */
function seen(text: string): string {
  return text.replaceAll('\u200b', '');
}

function assertVisible(text: string): void {
  for (const hidden of ['\u202e', '\u001b']) assert.ok(!text.includes(hidden), JSON.stringify(text));
}
