import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { approveShown } from './approving';
import { chooseFolder } from './harness/folderDialog';
import type { Server } from './harness/server';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import {
  approveAndRun,
  journalOf,
  makeMissionWorkspace,
  startMissionServer,
  verifyPlanEvidence,
  waitForEvent,
  waitForStatus,
  type MissionWorkspace,
} from './missionWorkspace';

describe('a run that is handed over', () => {
  let workspace: MissionWorkspace;
  let server: Server;
  let source: VscodeWindow;
  let target: VscodeWindow;
  let elsewhere: string;
  let handedOver: string;

  story(async () => {
    workspace = await makeMissionWorkspace('handed', ['first', 'second'], { git: true });
    elsewhere = path.join(path.dirname(workspace.workspaceDir), 'elsewhere');
    handedOver = path.join(path.dirname(workspace.workspaceDir), 'handed-over');
    server = await startMissionServer(workspace);
    source = await server.openWindow();
    await approveAndRun(source, workspace);
    await source.terminals.waitForText('first · command (Mission handed)', 'Step started');
  });

  it('Export Handoff writes one while a worker runs, and shows where it lies', async () => {
    await source.command('Mission Control: Export Handoff');
    await source.quickInput.pick('The run stays here');
    await source.quickInput.answer('To look at it elsewhere');
    const told = await source.notifications.waitFor(/^Handoff 1 is written/);
    assert.match(told.text, /It lies in \.mission-control\/missions\/handed-.*\/handoff\/1\./);
    await source.notifications.click(/^Handoff 1 is written/, 'Open Bundle');
    await waitFor(async () => (await source.editor.activeTab())?.name === 'bundle.json', { what: 'the bundle' });
    const asked = await waitForEvent(workspace, 'HandoffRequested');
    assert.deepEqual(asked.actor, { kind: 'human', name: 'Ada Lovelace' });
    assert.equal((await workspace.events()).filter(({ event }) => event.type === 'MissionMoved').length, 0);
  });

  it('gives the run away only when nothing of it runs', async () => {
    await giveAway('Too early');
    const refusal = await source.notifications.waitFor(/^Export Handoff was refused/);
    assert.match(refusal.text, /Next: /);
    await source.command('Mission Control: Pause');
    await source.quickInput.answer('It goes on elsewhere');
    await waitForEvent(workspace, 'PauseRequested');
    await workspace.openGate('first');
    await waitForStatus(source, 'Mission handed paused');
    await giveAway('My machine is needed');
    await source.notifications.waitFor(/^Handoff \d+ is written. The run was given away with it and has ended here/);
    const moved = await waitForEvent(workspace, 'MissionMoved');
    assert.ok(moved.event.type === 'MissionMoved');
    const { actor, reason } = moved.event.decision;
    assert.deepEqual([actor.name, reason], ['Ada Lovelace', 'My machine is needed']);
    await waitForStatus(source, 'Mission handed canceled');
    await source.screenshot('handoff-exported');
    const written = (await workspace.events())
      .map(({ event }) => event)
      .findLast(({ type }) => type === 'HandoffWritten');
    assert.ok(written?.type === 'HandoffWritten');
    cpSync(path.join(workspace.workspaceDir, written.path), handedOver, { recursive: true });
  });

  it('Resume Handoff does not go on where the run was given away', async () => {
    await resume(handedOver, source);
    const refusal = await source.notifications.waitFor(/^Resume Handoff… was refused \(MISSION_CLOSED\)/);
    assert.match(
      refusal.text,
      /Ada Lovelace gave mission \S+ of plan \S+ away at .* with handoff \d+ \(bundle [0-9A-F]{8}\): .* Next: Go on with it in the place/,
    );
    const imported = (await workspace.events()).filter(({ event }) => event.type === 'HandoffImported');
    assert.equal(imported.length, 0);
  });

  it('Resume Handoff refuses what is no handoff, with code and next step', async () => {
    cpSync(workspace.workspaceDir, elsewhere, {
      recursive: true,
      filter: (file) => !['.mission-control', 'ops'].includes(path.basename(file)),
    });
    assert.equal(existsSync(path.join(elsewhere, 'out/first.txt')), true);
    target = await server.openWindow(elsewhere);
    await resume(path.join(elsewhere, 'docs'));
    const refusal = await target.notifications.waitFor(/^Resume Handoff… was refused \(MISSING_REQUIRED_INPUT\)/);
    assert.match(refusal.text, /There is no bundle\.json in .*\. Next: Check the path of the folder\./);
    assert.equal(existsSync(path.join(elsewhere, 'docs/ops')), false);
  });

  it('takes the plan and outputs from the handoff when a person says so, shows the plan, and goes on', async () => {
    const output = path.join(elsewhere, 'out/first.txt');
    const plan = path.join(elsewhere, 'docs/plans/PLAN_handed.json');
    const approved = readFileSync(plan);
    renameSync(output, path.join(path.dirname(elsewhere), 'first.txt'));
    rmSync(path.dirname(plan), { recursive: true });
    await resume(handedOver);
    const lacks = await target.dialogs.answer('Write It from the Handoff');
    assert.match(lacks.detail, /^The plan docs\/plans\/PLAN_handed\.json is not in this repository\./);
    const approval = await approveShown(target, 'Approve and Resume');
    assert.match(approval, /approved somewhere else/);
    assert.deepEqual(readFileSync(plan), approved);
    const diff = await target.dialogs.answer('Write Them from the Diff');
    assert.match(diff.detail, /out\/first\.txt/);
    await target.notifications.waitFor(/^The run goes on here as mission handed-/);
    assert.equal(readFileSync(output, 'utf8'), 'executed\n');
    const page = await target.editor.text();
    assert.equal(page.split('\n').filter((line) => line.startsWith('- [x] ')).length, 10, page);
    await target.screenshot('handoff-resumed');
    await target.terminals.waitForText('second · command (Mission handed)', 'Step started');
    await workspace.openGate('second');
    await waitForStatus(target, 'Mission handed completed');
    assert.deepEqual(
      ['first', 'second'].map((task) => readFileSync(path.join(elsewhere, `out/${task}.txt`), 'utf8')),
      ['executed\n', 'executed\n'],
    );
    assert.equal(workspace.executions('second'), 0);
    const imported = (await journalOf(elsewhere)).find(({ event }) => event.type === 'HandoffImported')?.event;
    assert.ok(imported?.type === 'HandoffImported');
    const { actor, reason } = imported.source.decision;
    assert.deepEqual([actor.name, reason], ['Ada Lovelace', 'Taken over']);
    assert.deepEqual(verifyPlanEvidence(elsewhere, 'handed').valid, true);
  });

  it('does not go on from the same handoff twice', async () => {
    await resume(handedOver);
    await target.notifications.waitFor(/^Resume Handoff… was refused \(MISSION_CLOSED\)/);
  });

  async function giveAway(reason: string): Promise<void> {
    await source.command('Mission Control: Export Handoff');
    await source.quickInput.pick('Give the run away');
    await source.dialogs.answer('Give the Run Away');
    await source.quickInput.answer(reason);
  }

  async function resume(folder: string, window = target): Promise<void> {
    await window.command('Mission Control: Resume Handoff…');
    await chooseFolder(window.page, folder);
    await window.quickInput.answer('Taken over');
  }
});
