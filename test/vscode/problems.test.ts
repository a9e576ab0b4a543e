import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { approveShown } from './approving';
import type { ProblemEntry } from './harness/problems';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { answerName, makeMissionWorkspace, openMissionWindow, type MissionWorkspace } from './missionWorkspace';

describe('plan findings in the Problems panel', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;
  let closedPlan: string;
  let valid: string;

  story(async () => {
    workspace = await makeMissionWorkspace('checked', ['only'], { approved: true });
    closedPlan = path.join(workspace.workspaceDir, 'docs/plans/PLAN_closed.json');
    const { readFileSync } = await import('node:fs');
    valid = readFileSync(workspace.planPath, 'utf8');
    writeFileSync(
      closedPlan,
      valid.replace('"plan_id": "checked"', '"plan_id": "closed"').replace('"level": 1', '"level": 7'),
    );
    window = await openMissionWindow(workspace);
  });

  const problemsOf = async (file: string): Promise<ProblemEntry[]> =>
    (await window.problems()).filter((problem) => problem.file === file);
  const at = (text: string, needle: string, plus = 0): { line: number; column: number } => {
    const before = text.slice(0, text.indexOf(needle) + plus).split('\n');
    return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  };

  it('shows an invalid plan that is not open, once, at the value', async () => {
    const [found, ...others] = await waitFor(
      async () => {
        const problems = await problemsOf(closedPlan);
        return problems.length > 0 && problems;
      },
      { what: 'a problem in the closed plan' },
    );
    assert.deepEqual(others, []);
    const text = valid.replace('"level": 1', '"level": 7');
    assert.deepEqual({ line: found?.line, column: found?.column }, at(text, '"level": 7', '"level": '.length));
    assert.deepEqual([found?.severity, found?.source], ['error', 'Mission Control']);
  });

  it('follows what is typed, with no finding twice', async () => {
    await window.editor.open(workspace.planPath);
    assert.deepEqual(await problemsOf(workspace.planPath), []);
    const wrong = valid.replace('"out/only.txt"\n', '"../only.txt"\n');
    await window.editor.replaceText(wrong);
    const expected = at(wrong, '"../only.txt"\n');
    await waitFor(async () => (await problemsOf(workspace.planPath)).length > 0, { what: 'a problem while typing' });
    const found = await problemsOf(workspace.planPath);
    assert.deepEqual(
      found.map(({ line, column, severity }) => ({ line, column, severity })),
      [{ ...expected, severity: 'error' }],
    );
    await window.editor.goTo(expected.line, expected.column);
    await window.screenshot('problems');
    await window.editor.goTo(2, 1);
    await window.editor.type('"surprise": 1,\n');
    await waitFor(async () => (await problemsOf(workspace.planPath)).some(({ line }) => line === expected.line + 1), {
      what: 'the finding to move with its value',
    });
    const names = (await problemsOf(workspace.planPath)).map(({ code, line }) => `${code} ${line}`);
    assert.equal(new Set(names).size, names.length, names.join());
  });

  it('clears when the plan is right again, and when a file is deleted', async () => {
    await window.editor.replaceText(valid);
    await waitFor(async () => (await problemsOf(workspace.planPath)).length === 0, {
      what: 'no problem in the open plan',
    });
    await window.editor.save();
    writeFileSync(closedPlan, valid.replace('"plan_id": "checked"', '"plan_id": "closed"'));
    await waitFor(async () => (await problemsOf(closedPlan)).length === 0, { what: 'no problem in the closed plan' });
  });

  it('says in a sentence that a plan is valid', async () => {
    await window.editor.open(workspace.planPath);
    await window.command('Mission Control: Validate Plan');
    await window.notifications.waitFor(/PLAN_checked\.json is valid/);
  });

  it('writes a new plan that lacks nothing but its approval', async () => {
    await window.command('Mission Control: New Plan');
    // An id that is taken is refused while it is typed.
    await window.quickInput.asks(/plan id names/);
    await window.quickInput.narrow('checked');
    await window.quickInput.asks(/PLAN_checked\.json is there already/);
    await window.quickInput.answer('fresh-1');
    await window.quickInput.pick('A command');
    await waitFor(async () => (await window.editor.activeTab())?.name === 'PLAN_fresh-1.json', {
      what: 'the new plan',
    });
    const file = path.join(workspace.workspaceDir, 'docs/plans/PLAN_fresh-1.json');
    await waitFor(async () => (await problemsOf(file)).length > 0, { what: 'the findings of the draft' });
    const found = await problemsOf(file);
    assert.deepEqual(
      found.map(({ code, severity, message }) => [code, severity, /is a draft\. Approve it/.test(message)]),
      [['STATUS_NOT_APPROVED', 'info', true]],
    );
    await window.screenshot('draft');
    await window.command('Mission Control: Validate Plan');
    await window.notifications.waitFor(/PLAN_fresh-1\.json is a draft that lacks nothing but its approval/);
  });

  it('clears the finding before it says that the plan is approved', async () => {
    const file = path.join(workspace.workspaceDir, 'docs/plans/PLAN_fresh-1.json');
    await window.command('Mission Control: Approve Plan');
    await answerName(window);
    await approveShown(window);
    await window.notifications.waitFor(/^Plan fresh-1 is approved/);
    assert.deepEqual(await problemsOf(file), []);
    assert.equal((await window.editor.activeTab())?.name, 'PLAN_fresh-1.json');
  });
});
