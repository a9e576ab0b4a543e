import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { machinePath } from '../support/machine';
import { makeScratch, type Scratch } from './harness/scratch';
import { doctorText } from './doctorText';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { openMissionWindow } from './missionWorkspace';

/** Writes the search path that a worker gets. */
const tellsPath = `import fs from 'node:fs';
fs.mkdirSync('out', { recursive: true });
fs.writeFileSync('out/path.txt', process.env.PATH);
`;

const plan = {
  contract_version: 'S2-B-05.v1',
  plan_id: 'ground',
  goal_id: 'SHOW-IT',
  created_at: '2026-01-15T09:00:00Z',
  planner: 'The test',
  status: 'APPROVED',
  risk: { level: 1, notes: 'Writes one file.' },
  scope: { allowed: ['report_writing'], forbidden: ['network'] },
  tasks: [
    {
      task_id: 'path',
      description: 'Write the search path.',
      paths: ['out/'],
      requires: ['report_writing'],
      worker: 'command',
      command: ['node', 'tools/path.mjs'],
      verify: [['node', '-e', "require('node:fs').accessSync('out/path.txt')"]],
      heartbeat_interval_seconds: 5,
    },
  ],
  execution: { mode: 'sequential', recovery: { allow: [] } },
  approval: { required: true, approved_by: 'Ada', approved_at: '2026-01-15T10:00:00Z' },
  success_criteria: ['validator_passes', 'no_scope_violation'],
};

describe('what the extension brings to a window', () => {
  let scratch: Scratch;
  let window: VscodeWindow;
  let state: string;

  story(async () => {
    scratch = await makeScratch({
      // Our programs do not care what `.js` means here.
      'package.json': '{ "type": "module" }\n',
      'tools/path.mjs': tellsPath,
      'docs/plans/PLAN_ground.json': `${JSON.stringify(plan, null, 2)}\n`,
    });
    state = path.join(scratch.serverDataDir, 'state of ours');
    window = await openMissionWindow(scratch, { env: { MISSION_CONTROL_HOME: state } });
  });

  it('gives terminals the mission command, on VS Code’s own Node', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    await waitFor(() => Promise.resolve(existsSync(path.join(state, 'bin/mission'))), { what: 'the command, written' });
    await window.command('Terminal: Create New Terminal');
    await window.page.locator('.terminal-wrapper.active .xterm').waitFor({ timeout: 60_000 });
    await says('', /[$#]/);
    await says('command -v mission; echo found-$?\n', /state of ours\/bin\/mission\s+found-0/);
    await says('mission --version; echo version-$?\n', `${version}\nversion-0`);
    const text = await says('mission doctor; echo doctor-$?\n', /doctor-\d/);
    assert.match(text, /ok {3}supervisor .*state of ours.programs.supervisor-.*cjs started/);
    assert.match(text, /Everything that is required is in order\.\s+doctor-0/);
    await window.screenshot('mission-in-terminal');
    await says('mission run docs/plans/PLAN_ground.json; echo run-$?\n', 'run-0');
    await says('echo "path $PATH"\n', /path \/.*:[^:]*state of ours\/bin/);
  });

  it('gives workers no mission command', () => {
    const worker = readFileSync(path.join(scratch.workspaceDir, 'out/path.txt'), 'utf8');
    assert.ok(worker.includes(machinePath()), worker);
    assert.ok(!worker.includes(state), worker);
  });

  it('leaves the folder of missions out of the Explorer', async () => {
    assert.ok(existsSync(path.join(scratch.workspaceDir, '.mission-control/state.db')));
    await window.command('File: Focus on Files Explorer');
    const rows = window.page.locator('.explorer-folders-view .monaco-list-row');
    const names = await waitFor(
      async () => {
        const found = await rows.allInnerTexts();
        return found.some((name) => name.includes('out')) && found;
      },
      { what: 'the folder that the mission wrote, in the Explorer' },
    );
    await window.screenshot('explorer-without-missions');
    assert.ok(!names.some((name) => name.includes('.mission-control')), names.join());
  });

  it('has the doctor start a supervisor as a mission would', async () => {
    await window.command('Mission Control: Doctor');
    await waitFor(async () => /supervisor\s.* started, ran a program/.test(await doctorText(window)), {
      what: 'the supervisor in the page of the doctor',
    });
  });

  /** Types into the only terminal and waits until it shows this. */
  async function says(keys: string, wanted: string | RegExp): Promise<string> {
    await window.page.locator('.terminal-wrapper.active textarea.xterm-helper-textarea').focus();
    await window.page.keyboard.type(keys);
    return waitFor(
      async () => {
        const text = await window.terminals.activeText();
        return (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text)) && text;
      },
      { what: `${String(wanted)} in the terminal`, timeout: 60_000 },
    );
  }
});
