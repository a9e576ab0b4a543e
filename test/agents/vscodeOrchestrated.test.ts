import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { findBrowser, VscodeToolsError } from '../../scripts/vscode-server.mjs';
import { taskEvidenceSchema } from '../../src/contracts/taskEvidence';
import { skipWithReason } from '../support/skip';
import { approveShown } from '../vscode/approving';
import { dumpOnFailure } from '../vscode/harness/failureDump';
import { makeScratch, type Scratch } from '../vscode/harness/scratch';
import { startServer } from '../vscode/harness/server';
import { waitFor } from '../vscode/harness/waitFor';
import type { VscodeWindow } from '../vscode/harness/window';
import { searchPath } from './homes';
import { writeWrapper } from './missionRun';
import { requireMission } from './missionSuite';
import { startMockModel } from './mockModel';
import { planFor, planId } from './plans';
import { finishTurn, missionToolTurn, packetFor, writeFileTurn } from './turns';

/** The real Claude Code as worker and as orchestrator, started by the extension in the real VS Code. */
describe('a question of the real claude as an orchestrator in the real VS Code', function () {
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
    const draft = planFor('claude', { members: { status: 'DRAFT', approval: { required: true } } });
    scratch = await makeScratch({
      [`docs/plans/PLAN_${planId}.json`]: `${JSON.stringify(draft, null, 2)}\n`,
      'src/existing.txt': 'here before\n',
    });
    ends.push(() => scratch.remove());
    const file = path.join(scratch.workspaceDir, 'src', 'hello.txt');
    const model = await startMockModel({
      'runtime orchestrator of mission': [
        missionToolTurn('claude', 'packet'),
        missionToolTurn('claude', 'choose_outcome', {
          ...{ outcome: 'ask-user', reason: 'Only a person knows.' },
          ...{ question: 'Which greeting?', choices: ['Hello', 'Good day'] },
        }),
        { say: 'A person is asked.' },
      ],
      '': (request, index) =>
        [finishTurn('claude', packetFor(request, [], 'failed')), writeFileTurn('claude', file, 'Good day\n')][index] ??
        finishTurn('claude', packetFor(request, [{ resource: 'src/hello.txt', action: 'created' }])),
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
      userSettings: {
        'missionControl.claude.path': claude,
        'missionControl.env.claude': ['MODEL_URL'],
        'missionControl.orchestrator.worker': 'claude',
      },
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

  it('reaches a person, whose answer the task completes with', async () => {
    await window.editor.open(path.join(scratch.workspaceDir, `docs/plans/PLAN_${planId}.json`));
    await window.command('Mission Control: Approve Plan');
    await window.quickInput.answer('Ada Lovelace');
    await approveShown(window);
    await window.notifications.waitFor(new RegExp(`^Plan ${planId} is approved`));
    await window.command('Mission Control: Run Plan');
    const asked = await window.notifications.waitFor(/Which greeting\?/);
    assert.ok(asked.buttons.includes('Answer Question'), asked.text);
    await window.screenshot('orchestrator-asks');
    await window.notifications.click(/Which greeting\?/, 'Answer Question');
    await waitFor(async () => (await window.quickInput.read()).items.includes('Good day'), { what: 'the choices' });
    await window.quickInput.pick('Good day');
    await window.quickInput.answer('It is formal.');
    await window.notifications.waitFor(new RegExp(`^Mission ${planId} completed`));
    const evidence = path.join(scratch.workspaceDir, 'docs/ops/executions', planId, 'TASK_T1.json');
    const task = taskEvidenceSchema.parse(JSON.parse(readFileSync(evidence, 'utf8')));
    const [answer] = task.attempts?.at(-1)?.answers ?? [];
    assert.deepEqual(
      [answer?.asked_by.kind, answer?.text, answer?.decision.actor.name],
      ['orchestrator', 'Good day', 'Ada Lovelace'],
    );
  });
});
