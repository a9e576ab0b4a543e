import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { MissionEvent } from '../../src/core/model/events';
import { writeFakeClaude } from '../cli/fakeClaude';
import { playing } from '../cli/orchestratorBed';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { waitForStarted } from './laneChecks';
import {
  approveAndRun,
  makeMissionWorkspace,
  startMissionServer,
  waitForStatus,
  type MissionWorkspace,
} from './missionWorkspace';

/** Waits until the gate `checked` is open. */
const checkProgram = `
  const { existsSync } = require('node:fs');
  while (!existsSync('../gates/checked')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
`;
const alphabet = 'abcdefghijklmnopqrstuvwxyz ';

/** Terminals of workers and of the runtime orchestrator open while a person types: every key stays in the editor. */
describe('a person who types while terminals open', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;
  let go: string;
  let typed = '';

  story(async () => {
    workspace = await makeMissionWorkspace('typing', ['first', 'left', 'right'], {
      lanes: 2,
      after: { left: ['first'], right: ['first'] },
      verify: ['node', '-e', checkProgram],
    });
    const folder = path.dirname(workspace.workspaceDir);
    const claude = path.join(folder, 'claude');
    const notes = path.join(folder, 'notes');
    go = path.join(folder, 'go');
    const session = `while (!fs.existsSync(${JSON.stringify(go)})) await wait(50);\nnote(await choose('retry-repair'));`;
    writeFakeClaude(claude, playing('', session, notes));
    const server = await startMissionServer(workspace, {
      userSettings: { 'missionControl.claude.path': claude, 'missionControl.orchestrator.worker': 'claude' },
    });
    window = await server.openWindow();
    await approveAndRun(window, workspace);
    await waitForStarted(workspace, 'first');
    await window.terminals.waitForText('first · command (Mission typing)', 'Step started');
    // In the window after a reload no terminal has been shown yet, and the panel is closed.
    await window.command('View: Close All Editors');
    await window.command('View: Hide Panel');
    await window.reload();
    await waitForStatus(window, 'Mission typing 0/3');
    await window.command('File: New Untitled Text File');
    await window.editor.focus();
  });

  /** Types on, key by key and without ever asking for the focus, until `there`, and some more. */
  const typeUntil = async (there: () => Promise<boolean>, what: string): Promise<void> => {
    for (let more = 3; more > 0;) {
      await window.page.keyboard.type(alphabet);
      typed += alphabet;
      const column = `Col ${typed.length + 1}`;
      await waitFor(async () => (await window.statusBarItem('status.editor.selection'))?.text.includes(column), {
        what: `${column}: every key that was typed before ${what}`,
      });
      if (await there()) more -= 1;
      assert.ok(typed.length < 10_000, what);
    }
  };
  const listed = async (): Promise<readonly string[]> =>
    (await window.page.locator('.part.panel .terminal-tabs-entry').allInnerTexts()).map((text) => text.trim());
  const lists = async (...names: readonly string[]): Promise<boolean> => {
    const all = await listed();
    return names.every((name) => all.some((text) => text.startsWith(name)));
  };
  const ofType = async (type: MissionEvent['type']): Promise<number> =>
    (await workspace.events()).filter(({ event }) => event.type === type).length;
  const assertAllIsThere = async (): Promise<void> => assert.equal(await window.editor.text(), typed);

  it('keeps every key, and the panel closed, where a task is checked', async () => {
    await workspace.openGate('first');
    await typeUntil(async () => (await ofType('LaunchPrepared')) === 2, 'the check of the first task');
    assert.equal(await window.page.locator('.part.panel').isVisible(), false);
    await assertAllIsThere();
  });

  it('keeps every key where the terminals of two lanes open, the first of which opens the panel', async () => {
    await workspace.openGate('checked');
    await typeUntil(() => lists('left · command', 'right · command'), 'the terminals of both lanes');
    await window.screenshot('typing-lanes');
    await assertAllIsThere();
  });

  it('keeps every key where the terminal of an orchestrator opens', async () => {
    await workspace.openGate('right');
    await workspace.breakTask('left');
    await typeUntil(() => lists('left · orchestrator claude'), 'the terminal of the orchestrator');
    await window.screenshot('typing-orchestrator');
    await assertAllIsThere();
  });

  it('keeps every key where the terminal of the next attempt opens', async () => {
    await workspace.mendTask('left');
    await writeFile(go, '');
    await typeUntil(() => lists('#2 left · command'), 'the terminal of the next attempt');
    await assertAllIsThere();
  });
});
