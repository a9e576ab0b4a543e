import assert from 'node:assert/strict';
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { evidenceNames } from '../../src/contracts/vocabulary/files/evidenceFiles';
import { approveShown } from './approving';
import { story } from './harness/story';
import { Trees } from './harness/trees';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { runInWindow, waitForStatus, type MissionWorkspace } from './missionWorkspace';

/** What a person opens from the page is opened as the Explorer opens it. */
describe('the panel beside files that are no text, and the evidence of years', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    ({ workspace, window } = await runInWindow('picture', ['one']));
    await workspace.openGate('one');
    await waitForStatus(window, 'Mission picture completed');
    await writeFile(path.join(workspace.workspaceDir, 'out/one.txt'), Buffer.from([0x89, 0x50, 0, 0, 0, 1, 2, 3]));
  });

  it('opens a changed file whose bytes are no text', async () => {
    const frame = await window.webviewFrame('Mission Control');
    await frame.locator('[aria-label="Open out/one.txt"]').first().click();
    await waitFor(async () => (await window.editor.activeTab())?.name === 'one.txt', { what: 'the file' });
    await window.screenshot('panel-opens-binary');
  });

  it('has the focus once it is asked for', async () => {
    await window.command('View: Close All Editors');
    await window.command('Mission Control: Show Mission Control');
    await window.webviewFrame('Mission Control');
    await window.command('File: New Untitled Text File');
    await window.editor.focus();
    await window.command('Mission Control: Show Mission Control');
    await waitFor(async () => (await window.page.evaluate('document.activeElement?.tagName')) === 'IFRAME', {
      what: 'the focus in the page',
    });
  });

  it('shows a mission that a person runs, and leaves the focus to who types on', async () => {
    const first = await readFile(workspace.planPath, 'utf8');
    const second = workspace.planPath.replace('PLAN_picture', 'PLAN_second');
    await writeFile(second, first.replace('"plan_id": "picture"', '"plan_id": "second"'));
    await window.command('View: Move Editor into Right Group');
    const frame = await window.webviewFrame('Mission Control');
    await window.command('View: Show Explorer');
    await frame.locator('button.entry', { hasText: 'picture' }).click();
    await frame.locator('h1', { hasText: 'picture' }).waitFor();
    await window.command('View: Focus First Editor Group');
    await window.editor.open(second);
    await window.command('Mission Control: Run Plan');
    await approveShown(window, 'Approve and Run');
    await frame.locator('h1', { hasText: 'second' }).waitFor();
    await window.screenshot('panel-runs-beside');
    // The page of the approval goes while the terminal comes.
    await waitFor(
      () => window.page.evaluate(`document.activeElement?.closest('.part.editor .monaco-editor') != null`),
      {
        what: 'the focus in the plan',
      },
    );
    await window.page.keyboard.type(' ');
    await waitFor(async () => (await window.editor.activeTab())?.dirty, { what: 'what was typed, in the plan' });
  });

  it('lists so much evidence, and says how much more there is without a mission of this machine', async () => {
    // Its verification would find what is written here.
    await waitForStatus(window, 'Mission second completed');
    for (let number = 0; number < 203; number += 1) {
      const folder = path.join(workspace.workspaceDir, 'docs/ops/executions', `earlier-${number}`);
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, evidenceNames.header), '{}');
      // Each is younger than the one before, also where a clock ticks slower than files are written.
      const seconds = Date.now() / 1000 - 203 + number;
      for (const written of [path.join(folder, evidenceNames.header), folder]) await utimes(written, seconds, seconds);
    }
    // VS Code's watcher reports none of them now and then, when so many come at once.
    await window.reload();
    await waitForStatus(window, 'Mission second completed');
    const trees = new Trees(window.page);
    await window.command('View: Show Mission Control');
    // All without a mission of this machine, and nothing else: what is its own stands with its missions, and may be
    // among the newest.
    await trees.waitFor('Missions', 'Evidence Only', /^(200 · 3|199 · 4|198 · 5) others are not listed$/);
    await window.screenshot('evidence-others');
    const [group] = await trees.rows('Missions').then((rows) => rows.filter(({ label }) => label === 'Evidence Only'));
    if (group?.expanded === false) await trees.row('Missions', 'Evidence Only').click();
    await trees.waitFor('Missions', 'earlier-202');
    const menu = await trees.menuOn('Missions', 'earlier-202');
    assert.deepEqual(menu.items, ['Open Evidence', 'Verify Evidence']);
    await window.screenshot('evidence-menu');
    await menu.choose('Open Evidence');
    const header = evidenceNames.header;
    await waitFor(async () => (await window.editor.activeTab())?.name === header, { what: 'its header' });
  });
});
