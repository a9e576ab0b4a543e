import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { writeFakeClaude } from '../cli/fakeClaude';
import { needsBubblewrap } from '../support/bubblewrap';
import { approvalAsked, approveShown } from './approving';
import { makeScratch, type Scratch } from './harness/scratch';
import { story } from './harness/story';
import type { VscodeWindow } from './harness/window';
import { answerName, openMissionWindow, verifyPlanEvidence, waitForStatus } from './missionWorkspace';

/** The supervisor, and so the relay, is started by the extension host, with its Node. */
describe('the setting missionControl.agentNetwork is provider', () => {
  const provider = createServer((_, answer) => answer.end('the model'));
  let port = 0;
  let bubblewrap = '';
  let scratch: Scratch;
  let window: VscodeWindow;

  before(async function () {
    bubblewrap = needsBubblewrap(this);
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    port = (provider.address() as AddressInfo).port;
  });
  after(() => provider.close());
  story(async () => {
    scratch = await makeScratch({ 'docs/plans/PLAN_held.json': planText, 'README.md': '# A workspace\n' });
    const claude = path.join(path.dirname(scratch.workspaceDir), 'claude');
    writeFakeClaude(claude, asking(port));
    window = await openMissionWindow(scratch, {
      userSettings: {
        'missionControl.claude.path': claude,
        'missionControl.claude.hosts': [`127.0.0.1:${port}`],
        'missionControl.agentNetwork': 'provider',
        'missionControl.confinement': 'required',
      },
      env: { PATH: [process.env['PATH'], bubblewrap].join(path.delimiter) },
    });
  });

  it('the approval names the hosts', async () => {
    await window.editor.open(path.join(scratch.workspaceDir, 'docs/plans/PLAN_held.json'));
    await window.command('Mission Control: Approve Plan');
    await answerName(window);
    await approvalAsked(window);
    await window.screenshot('approval-agent-network');
    const page = await approveShown(window);
    const only = `Its network: only hosts of its provider (api.anthropic.com, platform.claude.com, 127.0.0.1:${port}).`;
    assert.ok(page.includes(only), page);
    await window.notifications.waitFor(/Plan held is approved/);
  });

  it('the agent reaches its provider through the relay, and nothing else, which the evidence records', async () => {
    await window.command('Mission Control: Run Plan');
    await waitForStatus(window, 'Mission held completed');
    const told = readFileSync(path.join(scratch.workspaceDir, 'docs/out/told.txt'), 'utf8');
    assert.equal(told, '200 the model\n403 This host was held back\nundefined');
    const evidence = readFileSync(path.join(scratch.workspaceDir, 'docs/ops/executions/held/TASK_report.json'), 'utf8');
    assert.match(evidence, /127\.0\.0\.1:1 was held back: only the hosts of its provider can be reached\./);
    assert.equal(verifyPlanEvidence(scratch.workspaceDir, 'held').valid, true);
  });
});

const planText = `${JSON.stringify(
  {
    contract_version: 'S2-B-05.v1',
    plan_id: 'held',
    goal_id: 'G1',
    created_at: '2026-01-01T00:00:00Z',
    planner: 'tester',
    status: 'DRAFT',
    risk: { level: 1, notes: '' },
    scope: { allowed: ['file_edit'], forbidden: ['network'] },
    tasks: [
      { task_id: 'report', description: 'Write it.', paths: ['docs/out'], worker: 'claude', prompt: 'Write it.' },
    ],
    execution: { mode: 'sequential', recovery: { allow: [] }, delegation: { claude_code: true, constraints: [] } },
    approval: { required: true },
    success_criteria: ['no_scope_violation'],
  },
  null,
  2,
)}\n`;

/** Asks its provider and another, and reports whether it was left a variable that is for our own programs. */
function asking(port: number): string {
  return `
  const http = require('node:http');
  const agent = new http.Agent({ proxyEnv: process.env });
  const ask = (port) => new Promise((told) => http.get('http://127.0.0.1:' + port + '/', { agent }, (answer) => {
    let text = '';
    answer.on('data', (chunk) => (text += chunk)).on('end', () => told(answer.statusCode + ' ' + text.split(':')[0]));
  }).on('error', (error) => told(error.code)));
  const told = [await ask(${port}), await ask(1), String(process.env.ELECTRON_RUN_AS_NODE)];
  fs.mkdirSync('docs/out', { recursive: true });
  fs.writeFileSync('docs/out/told.txt', told.join('\\n'));
  end('done', 'docs/out/told.txt');`;
}
