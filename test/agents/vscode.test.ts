import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { findBrowser, VscodeToolsError } from '../../scripts/vscode-server.mjs';
import { taskEvidenceSchema } from '../../src/contracts/taskEvidence';
import { agentWorkers } from '../../src/workers/registry';
import { skipWithReason } from '../support/skip';
import { approveShown } from '../vscode/approving';
import { dumpOnFailure } from '../vscode/harness/failureDump';
import { makeScratch } from '../vscode/harness/scratch';
import type { Scratch } from '../vscode/harness/scratch';
import { startServer } from '../vscode/harness/server';
import type { Server } from '../vscode/harness/server';
import { waitFor } from '../vscode/harness/waitFor';
import type { VscodeWindow } from '../vscode/harness/window';
import { searchPath } from './homes';
import { missionProgram, writeWrapper } from './missionRun';
import { requireMission } from './missionSuite';
import { startMockModel, tokensPerTurn } from './mockModel';
import type { MockModel } from './mockModel';
import { planFor, planId } from './plans';
import { finishTurn, packetFor, writeFileTurn } from './turns';

/**
 * The real Claude Code, started by the extension in the real VS Code. Its path and the variable that leads to the
 * model come from the user's settings; the variable's value comes from the environment VS Code was started in.
 */
describe('a mission with the real claude in the real VS Code', function () {
  this.timeout(300_000);
  dumpOnFailure();
  let scratch: Scratch;
  let server: Server;
  let window: VscodeWindow;
  let model: MockModel;
  let finish = (): void => undefined;
  /** What was started, to be ended the other way round. */
  const ends: (() => Promise<void>)[] = [];
  const terminal = `T1 · claude (Mission ${planId})`;

  before(async function () {
    requireMission(this, 'claude');
    await findBrowser(process.cwd()).catch((error: unknown) => {
      if (error instanceof VscodeToolsError) skipWithReason(this, error.message);
      throw error;
    });
    const draft = planFor('claude', {
      members: { status: 'DRAFT', approval: { required: true } },
    });
    scratch = await makeScratch({
      [`docs/plans/PLAN_${planId}.json`]: `${JSON.stringify(draft, null, 2)}\n`,
      'src/existing.txt': 'here before\n',
    });
    ends.push(() => scratch.remove());
    const file = path.join(scratch.workspaceDir, 'src', 'hello.txt');
    const seen = new Promise<void>((resolve) => (finish = resolve));
    model = await startMockModel({
      '': (request, index) =>
        index === 0
          ? writeFileTurn('claude', file, 'written in VS Code\n')
          : {
              until: seen,
              turn: finishTurn('claude', packetFor(request, [{ resource: 'src/hello.txt', action: 'created' }])),
            },
    });
    ends.push(() => model.stop());
    const bin = path.join(path.dirname(scratch.workspaceDir), 'bin');
    mkdirSync(bin);
    const script = `env | sed 's/=.*//' > '${bin}/names'\nANTHROPIC_BASE_URL="$MODEL_URL" exec $CLI "$@"`;
    await writeWrapper(path.join(bin, 'my-claude'), 'claude', model.url, script);
    server = await startServer({
      workspaceDir: scratch.workspaceDir,
      serverDataDir: scratch.serverDataDir,
      extensionDir: process.cwd(),
      userSettings: {
        'missionControl.claude.path': path.join(bin, 'my-claude'),
        'missionControl.env.claude': ['MODEL_URL'],
      },
      env: {
        PATH: searchPath(),
        ANTHROPIC_API_KEY: 'test-key',
        CLAUDE_CODE_MAX_RETRIES: '1',
        MODEL_URL: model.url,
        NOT_ASKED_FOR: '1',
        CLAUDECODE: '1',
      },
    });
    ends.push(() => server.stop());
    window = await server.openWindow();
  });
  after(async () => {
    finish();
    for (const end of ends.reverse()) await end();
  });

  it('is approved through the palette, which says what confines the worker', async () => {
    await window.editor.open(path.join(scratch.workspaceDir, `docs/plans/PLAN_${planId}.json`));
    await window.command('Mission Control: Approve Plan');
    await window.quickInput.answer('Ada Lovelace');
    const shown = await approveShown(window);
    assert.match(shown, /T1\n[^]*worker\nclaude, at most/);
    assert.match(shown, /claude: .*no operating system sandbox/i);
    await window.notifications.waitFor(new RegExp(`^Plan ${planId} is approved`));
  });

  it('runs, and its terminal shows what the agent does', async () => {
    await window.command('Mission Control: Run Plan');
    const text = await window.terminals.waitForText(terminal, /Write: .*src\/hello\.txt/);
    assert.match(text, /claude/i);
    await waitFor(() => model.requests.length >= 2, { what: 'the CLI to ask its model again' });
    await window.screenshot('agent-in-vscode-terminal');
    finish();
  });

  it('completes, and the evidence verifies', async () => {
    await window.notifications.waitFor(new RegExp(`^Mission ${planId} completed`));
    await window.screenshot('agent-in-vscode-completed');
    assert.equal(readFileSync(path.join(scratch.workspaceDir, 'src/hello.txt'), 'utf8'), 'written in VS Code\n');
    const folder = path.join(scratch.workspaceDir, 'docs/ops/executions', planId);
    const task = taskEvidenceSchema.parse(JSON.parse(readFileSync(path.join(folder, 'TASK_T1.json'), 'utf8')));
    const launch = task.attempts?.[0]?.launches.at(-1);
    assert.equal(task.status, 'SUCCESS');
    assert.equal(launch?.usage?.input_tokens, model.requests.length * tokensPerTurn.input);
    assert.equal(launch.cli_version, agentWorkers.claude.testedVersions.to);
    const args = [missionProgram, 'evidence', 'verify', planId, '--workspace', scratch.workspaceDir, '--json'];
    const answer = execFileSync(process.execPath, args, { encoding: 'utf8', env: { PATH: searchPath() } });
    assert.equal((JSON.parse(answer) as { valid: boolean }).valid, true);
  });

  it('gave the agent the variables the setting names and none of the editor', () => {
    const bin = path.join(path.dirname(scratch.workspaceDir), 'bin');
    const names = readFileSync(path.join(bin, 'names'), 'utf8').trim().split('\n');
    for (const name of ['PATH', 'HOME', 'ANTHROPIC_API_KEY', 'MODEL_URL', 'MISSION_RUN_NONCE'])
      assert.ok(names.includes(name), name);
    assert.deepEqual(
      names.filter((name) => /^(NOT_ASKED_FOR|CLAUDECODE|ELECTRON_|VSCODE_|GIT_ASKPASS)/.test(name)),
      [],
    );
  });
});
