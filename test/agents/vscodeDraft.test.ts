import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { findBrowser, VscodeToolsError } from '../../scripts/vscode-server.mjs';
import { skipWithReason } from '../support/skip';
import { approveShown } from '../vscode/approving';
import { dumpOnFailure } from '../vscode/harness/failureDump';
import { makeScratch, type Scratch } from '../vscode/harness/scratch';
import { startServer } from '../vscode/harness/server';
import { waitFor } from '../vscode/harness/waitFor';
import type { VscodeWindow } from '../vscode/harness/window';
import { searchPath } from './homes';
import { missionProgram, writeWrapper } from './missionRun';
import { requireMission } from './missionSuite';
import { startMockModel } from './mockModel';
import { finishTurn, packetFor, writeFileTurn } from './turns';

/** From a goal to a verified mission, without leaving the editor: the real Claude Code drafts the plan and performs it. */
describe('a goal that becomes a verified mission in the real VS Code, with the real claude', function () {
  this.timeout(300_000);
  dumpOnFailure();
  let scratch: Scratch;
  let window: VscodeWindow;
  const ends: (() => Promise<void>)[] = [];

  before(async function () {
    requireMission(this, 'claude');
    await findBrowser(process.cwd()).catch((error: unknown) => {
      if (error instanceof VscodeToolsError) skipWithReason(this, error.message);
      throw error;
    });
    scratch = await makeScratch({ 'src/existing.txt': 'here before\n', 'notes.md': 'Say hello.\n' });
    ends.push(() => scratch.remove());
    const file = path.join(scratch.workspaceDir, 'src', 'hello.txt');
    const model = await startMockModel({
      'You draft a plan for Mission Control': (request) => ({
        say: block(request.prompt.includes('<previous_draft>') ? plan : { ...plan, scope: { allowed: ['nothing'] } }),
      }),
      '': (request, index) =>
        index === 0
          ? writeFileTurn('claude', file, 'Hello\n')
          : finishTurn('claude', packetFor(request, [{ resource: 'src/hello.txt', action: 'created' }])),
    });
    ends.push(() => model.stop());
    const bin = path.join(path.dirname(scratch.workspaceDir), 'bin');
    mkdirSync(bin);
    const claude = path.join(bin, 'my-claude');
    await writeWrapper(claude, 'claude', model.url, 'ANTHROPIC_BASE_URL="$MODEL_URL" exec $CLI "$@"');
    const server = await startServer({
      workspaceDir: scratch.workspaceDir,
      serverDataDir: scratch.serverDataDir,
      extensionDir: process.cwd(),
      userSettings: { 'missionControl.claude.path': claude, 'missionControl.env.claude': ['MODEL_URL'] },
      env: {
        PATH: searchPath(),
        ANTHROPIC_API_KEY: 'test-key',
        CLAUDE_CODE_MAX_RETRIES: '1',
        MODEL_URL: model.url,
      },
    });
    ends.push(() => server.stop());
    window = await server.openWindow();
  });
  after(async () => {
    for (const end of ends.reverse()) await end();
  });

  const plans = (): readonly string[] => {
    const folder = path.join(scratch.workspaceDir, 'docs/plans');
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  it('is drafted, repaired and shown as a diff, of which nothing is written before it is saved', async () => {
    await window.command('Mission Control: Draft Plan With Agent');
    await window.screenshot('draft-goal');
    await window.quickInput.answer('Greet people in src/hello.txt');
    await waitFor(async () => (await window.quickInput.read()).items.includes('notes.md'), { what: 'the files' });
    await window.screenshot('draft-files');
    await window.quickInput.tick(['notes.md']);
    // All four are on PATH.
    await window.quickInput.pick('Claude Code');
    await window.quickInput.answer('Ada Lovelace');
    const told = await window.notifications.waitFor(/drafted greet-people/);
    await window.screenshot('draft-diff');
    assert.deepEqual(plans(), []);
    assert.ok(told.buttons.includes('Save Draft'), told.text);
    await window.notifications.click(/drafted greet-people/, 'Save Draft');
    const file = path.join(scratch.workspaceDir, 'docs/plans/PLAN_greet-people.json');
    // VS Code makes the file before it writes it.
    const text = await waitFor(() => (plans().length > 0 && readFileSync(file, 'utf8')) || null, {
      what: 'the saved draft',
    });
    assert.match(text, /"status": "DRAFT"/);
    assert.doesNotMatch(text, /APPROVED|approved_by/);
  });

  it('is approved, run and verified', async () => {
    await window.command('Mission Control: Approve Plan');
    // The plan allows no corrections of a launch, so a person is asked: none.
    await waitFor(async () => (await window.quickInput.read()).items.includes('Correct file permissions'), {
      what: 'the question about corrections',
    });
    await window.quickInput.tick([]);
    await approveShown(window);
    await window.notifications.waitFor(/^Plan greet-people is approved/);
    await window.command('Mission Control: Run Plan');
    await window.notifications.waitFor(/^Mission greet-people completed/);
    await window.screenshot('draft-completed');
    const verified = execFileSync(
      process.execPath,
      [missionProgram, 'evidence', 'verify', 'greet-people', '--json', '--workspace', scratch.workspaceDir],
      { encoding: 'utf8' },
    );
    assert.equal((JSON.parse(verified) as { readonly valid: boolean }).valid, true, verified);
  });
});

const plan = {
  plan_id: 'greet-people',
  goal_id: 'GOAL-1',
  status: 'APPROVED',
  approval: { required: true, approved_by: 'Ada Lovelace', approved_at: '2026-01-01T00:00:00Z' },
  risk: { level: 1, notes: 'It could greet nobody.' },
  scope: { allowed: ['code_change'], forbidden: [] },
  tasks: [
    {
      task_id: 'T1',
      description: 'Write the greeting.',
      worker: 'claude',
      paths: ['src/hello.txt'],
      requires: ['code_change'],
      verify: [['node', '-e', "require('node:fs').accessSync('src/hello.txt')"]],
    },
  ],
  execution: { mode: 'sequential', delegation: { claude_code: true } },
  success_criteria: ['validator_passes', 'no_scope_violation'],
};

function block(value: object): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}
