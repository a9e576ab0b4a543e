import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { approveShown } from './approving';
import type { Scratch } from './harness/scratch';
import { makeScratch } from './harness/scratch';
import { doctorText } from './doctorText';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { journalOf, openMissionWindow, verifyPlanEvidence, waitForStatus } from './missionWorkspace';

describe('the sample workspace in VS Code', () => {
  let scratch: Scratch;
  let window: VscodeWindow;

  story(async () => {
    scratch = await makeScratch();
    cpSync('examples', scratch.workspaceDir, { recursive: true });
    window = await openMissionWindow(scratch);
  });

  it('is run with one approval and one question', async () => {
    await window.command('Mission Control: Run Plan');
    await window.quickInput.answer('Ada Lovelace');
    const page = await approveShown(window, 'Approve and Run');
    assert.match(page, /The file says that it is approved/);
    await window.notifications.waitFor(/^Mission sample-001 completed/);
    await waitForStatus(window, 'Mission sample-001 completed');
    await window.screenshot('sample-completed');
  });

  it('leaves evidence that verifies, and a workspace that is not cluttered with terminals', async () => {
    assert.equal(verifyPlanEvidence(scratch.workspaceDir, 'sample-001').valid, true);
    // Not what started: one that has ended before the first look is not journalled as started.
    const launches = (await journalOf(scratch.workspaceDir)).filter(
      ({ event }) => event.type === 'WorkerEnded' || event.type === 'VerifyEnded',
    ).length;
    assert.equal(launches, 6);
    await waitFor(
      async () => (await window.terminals.list()).filter((name) => name.includes('(Mission ')).length === 1,
      {
        what: 'the terminal of the last task alone',
      },
    );
  });

  it('may be run again: the bytes are known now, so nothing is asked', async () => {
    await window.command('Mission Control: Run Plan');
    await waitFor(
      async () => {
        const events = await journalOf(scratch.workspaceDir);
        return (
          events[0]?.event.type === 'MissionReceived' &&
          events.at(-1)?.event.type === 'MissionReported' &&
          (await newestMissions()) === 2
        );
      },
      { what: 'the second mission to end' },
    );
    assert.equal(await window.dialogs.isOpen(), false);
  });

  it('shows in a page what the machine has', async () => {
    await window.command('Mission Control: Doctor');
    const text = await waitFor(async () => (await doctorText(window)) || undefined, { what: 'the page of the doctor' });
    for (const part of ['ok vscode VS Code ', 'ok file-system can hold locks', 'ok state-store ', 'claude'])
      assert.ok(text.includes(part), `${part} in ${text}`);
  });

  async function newestMissions(): Promise<number> {
    const { readdir } = await import('node:fs/promises');
    return (await readdir(path.join(scratch.workspaceDir, '.mission-control/missions'))).length;
  }
});
