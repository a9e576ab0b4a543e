import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isAlive } from '../cli/cliBed';
import { writeFakeClaude } from '../cli/fakeClaude';
import { makeScratch, type Scratch } from './harness/scratch';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { openMissionWindow } from './missionWorkspace';

const draftPlan = 'Mission Control: Draft Plan With Agent';

/** What a person sees of a draft that does not become a plan; the agent is scripted. */
describe('a plan that an agent drafts', () => {
  let scratch: Scratch;
  let window: VscodeWindow;
  let outside: string;

  story(async () => {
    scratch = await makeScratch({ 'notes.md': 'One note.\n' });
    outside = path.join(path.dirname(scratch.workspaceDir), 'agent');
    mkdirSync(outside);
    const claude = path.join(outside, 'claude');
    const at = (name: string): string => JSON.stringify(path.join(outside, name));
    writeFakeClaude(
      claude,
      `
if (!fs.existsSync(${at('answer')})) {
  fs.writeFileSync(${at('pid')}, String(process.pid));
  setInterval(() => {}, 1000);
  await new Promise(() => {});
}
say({ type: 'result', subtype: 'success', is_error: false, result: fs.readFileSync(${at('answer')}, 'utf8') });`,
    );
    window = await openMissionWindow(scratch, {
      userSettings: {
        'missionControl.claude.path': claude,
        // A person who has several chooses which of them drafts.
        'missionControl.codex.path': claude,
        'missionControl.confinement': 'off',
      },
    });
  });

  const plans = (): readonly string[] => {
    const folder = path.join(scratch.workspaceDir, 'docs/plans');
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  const ask = async (goal: string): Promise<void> => {
    await window.command(draftPlan);
    await window.quickInput.answer(goal);
    await waitFor(async () => (await window.quickInput.read()).items.includes('notes.md'), { what: 'the files' });
    await window.quickInput.tick([]);
    await window.quickInput.pick('Claude Code');
  };

  it('is canceled with its agent gone, and nothing is written', async () => {
    await ask('Write a note');
    await window.quickInput.answer('Ada Lovelace');
    const file = path.join(outside, 'pid');
    await waitFor(() => existsSync(file), { what: 'the agent' });
    await window.screenshot('draft-under-way');
    await window.notifications.click(/Claude Code drafts a plan/, 'Cancel');
    await window.notifications.waitFor(/The draft was canceled/);
    assert.equal(isAlive(Number(readFileSync(file, 'utf8'))), false);
    assert.deepEqual(plans(), []);
  });

  it('says why it has no plan where the agent answers with no plan', async () => {
    writeFileSync(path.join(outside, 'answer'), 'I approve everything.');
    await ask('Write a note');
    const told = await window.notifications.waitFor(/answered 3 times with no plan/);
    assert.match(told.text, /JSON_SYNTAX/);
    await window.screenshot('draft-none');
    assert.deepEqual(plans(), []);
  });

  it('is shown with what was found where it is not valid, and is discarded without a trace', async () => {
    writeFileSync(path.join(outside, 'answer'), `\`\`\`json\n${JSON.stringify(invalid, null, 2)}\n\`\`\``);
    await ask('Write a note');
    const told = await window.notifications.waitFor(/drafted sly-note/);
    assert.match(told.text, /Left out[^]*\/approval[^]*REQUIRES_NOT_ALLOWED/);
    await waitFor(
      async () => {
        const names = (await window.terminals.list()).map((name) => name.replace('Draft of a plan · claude', 'draft'));
        if (names.sort().join() === 'draft,draft · 3,draft · 3') return true;
        throw new Error(`there are ${names.join()}`);
      },
      { what: 'one terminal of each draft, that of its last launch' },
    );
    await window.screenshot('draft-invalid');
    await window.notifications.click(/drafted sly-note/, 'Discard Draft');
    await waitFor(async () => (await window.editor.activeTab())?.name.includes('sly-note') !== true, {
      what: 'the diff to close',
    });
    assert.deepEqual(plans(), []);
  });

  it('has its own name while an earlier one is open, and is there once the editor saves it', async () => {
    await window.command('Notifications: Clear All Notifications');
    await ask('Write a note');
    await window.notifications.waitFor(/drafted sly-note\./);
    await ask('Write a note');
    await window.notifications.waitFor(/drafted sly-note-2\./);
    await window.notifications.click(/drafted sly-note-2\./, 'Discard Draft');
    const tab = async (): Promise<string> => (await window.editor.activeTab())?.name ?? '';
    await waitFor(async () => /sly-note[.]json/.test(await tab()), { what: 'the first draft' });
    await window.page.keyboard.press('Control+s');
    const file = path.join(scratch.workspaceDir, 'docs/plans/PLAN_sly-note.json');
    await waitFor(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('}\n'), { what: 'the plan' });
    assert.deepEqual(plans(), ['PLAN_sly-note.json']);
    assert.equal((JSON.parse(readFileSync(file, 'utf8')) as { readonly plan_id: string }).plan_id, 'sly-note');
    await window.notifications.click(/drafted sly-note\./, 'Save Draft');
    await waitFor(async () => (await tab()) === 'PLAN_sly-note.json', { what: 'the plan in an editor' });
    await window.screenshot('draft-saved-before');
    assert.deepEqual(
      (await window.notifications.list()).filter(({ severity }) => severity !== 'info'),
      [],
    );
  });

  it('ends with its agent when the window is reloaded', async () => {
    const before = plans();
    const file = path.join(outside, 'pid');
    rmSync(file);
    rmSync(path.join(outside, 'answer'));
    await ask('Write a note');
    await waitFor(() => existsSync(file), { what: 'the agent' });
    await window.reload();
    await waitFor(() => !isAlive(Number(readFileSync(file, 'utf8'))), { what: 'the end of the agent' });
    assert.deepEqual(plans(), before);
  });
});

const invalid = {
  plan_id: 'sly-note',
  approval: { required: false, approved_by: 'root' },
  risk: { level: 1, notes: 'none' },
  scope: { allowed: ['nothing'], forbidden: [] },
  tasks: [
    {
      task_id: 'T1',
      description: 'Remove everything.',
      worker: 'command',
      command: ['rm', '-rf', '.'],
      paths: ['notes.md'],
      requires: ['docs_update'],
    },
  ],
  execution: { mode: 'sequential' },
  success_criteria: ['no_scope_violation'],
};
