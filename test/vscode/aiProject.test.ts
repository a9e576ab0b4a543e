import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ProblemEntry } from './harness/problems';
import { story } from './harness/story';
import { DEFAULT_TIMEOUT, waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { makeMissionWorkspace, openMissionWindow, type MissionWorkspace } from './missionWorkspace';

describe('what a task needs of its project', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;
  let project: string;

  story(async () => {
    workspace = await makeMissionWorkspace('shelf', ['only']);
    project = path.join(workspace.workspaceDir, 'ai.project.json');
    const plan = JSON.parse(readFileSync(workspace.planPath, 'utf8')) as { tasks: Record<string, unknown>[] };
    const { command: _command, type: _type, ...task } = plan.tasks[0] ?? assert.fail('no task');
    const description = 'Refactor the parser and design the architecture of the store.';
    writeFileSync(
      workspace.planPath,
      `${JSON.stringify({ ...plan, tasks: [{ ...task, worker: 'codex', description }] }, null, 2)}\n`,
    );
    writeFileSync(path.join(workspace.workspaceDir, 'package.json'), '{"name":"shelf"}');
    window = await openMissionWindow(workspace);
  });

  const problem = (file: string, code: string): Promise<ProblemEntry> =>
    waitFor(async () => (await window.problems()).find((one) => one.file === file && one.code === code), {
      what: `the problem ${code}`,
    });
  const gone = (code: string): Promise<unknown> =>
    waitFor(async () => (await window.problems()).every((one) => one.code !== code), { what: `no problem ${code}` });

  /** Opens the quick fixes at a problem of the open file, as Ctrl+. does. */
  async function fixes({ line, column }: ProblemEntry): Promise<readonly string[]> {
    await window.editor.goTo(line, column);
    const rows = window.page.locator('.action-widget .monaco-list-row.action');
    await waitFor(
      async () => {
        await window.page.keyboard.press('Control+.');
        return rows
          .first()
          .waitFor({ timeout: 2000 })
          .then(
            () => true,
            () => false,
          );
      },
      { what: 'the quick fixes' },
    );
    return (await rows.allTextContents()).map((text) => text.trim());
  }
  async function fix(label: string): Promise<void> {
    await window.page
      .locator('.action-widget .monaco-list-row.action', { hasText: label })
      .first()
      .click({ timeout: DEFAULT_TIMEOUT });
  }

  /** Lists follow each other in one place, so each is waited for before its entry is hit. */
  async function choose(field: string, label: string): Promise<void> {
    await asked(field);
    await window.quickInput.pick(label);
  }

  async function asked(field: string): Promise<void> {
    await waitFor(async () => (await window.quickInput.read()).placeholder.startsWith(`${field}: `), {
      what: `the question about ${field}`,
    });
  }

  it('an ambiguous intent asks: a quick fix for each reading, which writes the choice into the plan', async () => {
    await window.editor.open(workspace.planPath);
    const found = await problem(workspace.planPath, 'INTENT_AMBIGUOUS');
    assert.equal(found.severity, 'error');
    const offered = await fixes(found);
    assert.deepEqual(
      offered.filter((label) => label.startsWith('Declare')),
      ['Declare the intent refactor', 'Declare the intent architecture'],
    );
    await window.screenshot('intent-asked');
    await fix('Declare the intent architecture');
    await gone('INTENT_AMBIGUOUS');
    await window.editor.save();
    const { tasks } = JSON.parse(readFileSync(workspace.planPath, 'utf8')) as { tasks: { intent?: string }[] };
    assert.equal(tasks[0]?.intent, 'architecture');
  });

  it('a missing ai.project.json is a problem of the plan, and its quick fix asks for what cannot be detected', async () => {
    const found = await problem(workspace.planPath, 'PROJECT_FILE_MISSING');
    assert.equal(found.severity, 'warning');
    await window.editor.open(workspace.planPath);
    const offered = await fixes(found);
    assert.ok(offered.includes('Create ai.project.json'), offered.join());
    await window.screenshot('project-file-missing');
    await fix('Create ai.project.json');
    await waitFor(() => window.quickInput.isOpen(), { what: 'the first question' });
    await window.screenshot('project-file-asked');
    await choose('meta.project_type', 'backend');
    await choose('meta.project_stage', 'active');
    await window.quickInput.answer('production');
    await window.quickInput.answer('Lend books.');
    await asked('architecture.application_style');
    await window.quickInput.dismiss();
    // A closed list costs no answer.
    await window.command('Mission Control: Create ai.project.json');
    await choose('architecture.application_style', 'monolith');
    await choose('tooling.api.style', 'rest');
    assert.equal(existsSync(project), false, 'nothing is written before the last answer');
    // A field that a task needs is not left open.
    await window.quickInput.asks(/storage_type/);
    await window.quickInput.narrow(' ');
    await window.quickInput.asks(/it is empty/);
    await window.quickInput.answer('sqlite');
    await waitFor(async () => (await window.editor.activeTab())?.name === 'ai.project.json', { what: 'the new file' });
    const made = JSON.parse(readFileSync(project, 'utf8')) as { meta: Record<string, string> };
    assert.deepEqual([made.meta['project_name'], made.meta['project_type']], ['shelf', 'backend']);
  });

  it('a field that is emptied is a problem of the file, and of the plan; filled in, both are gone', async () => {
    await gone('PROJECT_FILE_MISSING');
    const text = readFileSync(project, 'utf8');
    await window.editor.open(project);
    await window.editor.replaceText(text.replace('"storage_type": "sqlite"', '"storage_type": ""'));
    await window.editor.save();
    const open = await problem(project, 'PROJECT_FIELD_EMPTY');
    assert.match(open.message, /tooling\.data\.storage_type is not filled in/);
    await problem(workspace.planPath, 'PROJECT_FILE_INVALID');
    await window.screenshot('project-file-open-field');
    await window.editor.open(project);
    await window.editor.replaceText(text);
    await gone('PROJECT_FIELD_EMPTY');
    await window.editor.save();
    await gone('PROJECT_FILE_INVALID');
    const errors = (await window.problems()).filter(({ severity }) => severity === 'error');
    assert.deepEqual(errors, []);
  });
});
