import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { approvePage, approveShown, pageShown } from './approving';
import { makeScratch, type Scratch } from './harness/scratch';
import { doctorText } from './doctorText';
import { startServer } from './harness/server';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { waitForStatus } from './missionWorkspace';

/** The README's steps to install: the package is built, installed, and used in a repository that is not this one. */
describe('the first hour', () => {
  let checkout: string;
  let scratch: Scratch;
  let window: VscodeWindow;
  const plan = 'docs/plans/PLAN_first-1.json';
  const readme = readFileSync('README.md', 'utf8');
  const vsix = /^code --install-extension (.*)$/m.exec(readme)?.[1] ?? '';

  story(async () => {
    checkout = makeCheckout();
    scratch = await makeScratch({
      'package.json': '{ "name": "own", "type": "module" }\n',
      'index.js': 'export {};\n',
    });
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], {
        cwd: scratch.workspaceDir,
        encoding: 'utf8',
      });
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'Begin');
  });
  after(() => rmSync(checkout, { recursive: true, force: true }));

  it('builds the package by the README’s command, on the machine’s own Node', () => {
    assert.match(readme, /^npm ci && npm run package$/m);
    execFileSync('npm', ['run', 'package'], { cwd: checkout, stdio: 'pipe' });
    assert.ok(existsSync(path.join(checkout, vsix)), vsix);
  });

  it('installs it, opens the folder and trusts it', async () => {
    const server = await startServer({
      workspaceDir: scratch.workspaceDir,
      serverDataDir: scratch.serverDataDir,
      vsix: path.join(checkout, vsix),
      trust: 'on',
      builtIn: 'all',
    });
    window = await server.openWindow();
    await window.grantTrust();
  });

  it('runs the sample by the three steps of the README: doctor, sample, evidence', async () => {
    await window.command('Mission Control: Doctor');
    await waitFor(async () => (await doctorText(window)).includes('file-system can hold locks'), {
      what: 'the doctor',
    });
    await window.screenshot('first-hour-doctor-page');
    await window.command('Mission Control: Run Sample');
    await window.quickInput.answer('Ann');
    const page = await pageShown(window, 'Approve and Run');
    assert.match(page, /sample-1/);
    await window.screenshot('sample');
    await approvePage(window, 'Approve and Run');
    await waitForStatus(window, 'Mission sample-1 completed');
    await window.webviewFrame('Mission Control');
    await window.screenshot('first-hour-sample');
    await window.command('Mission Control: Open Evidence');
    await window.quickInput.pick('EXECUTION_SUMMARY.md');
    await window.webviewFrame(/EXECUTION_SUMMARY/);
    await window.screenshot('first-hour-evidence');
  });

  it('says at once that no agent is here to draft a plan, before it asks for anything', async () => {
    await window.command('Mission Control: Draft Plan With Agent');
    await window.notifications.waitFor(/No agent CLI that could draft a plan is found on this machine/);
    await window.command('Notifications: Clear All Notifications');
  });

  it('writes a draft with New Plan, and the Problems panel says what it lacks', async () => {
    await window.command('Mission Control: New Plan');
    await window.quickInput.answer('first-1');
    await window.quickInput.pick('A command');
    await waitFor(async () => (await window.editor.activeTab())?.name === path.basename(plan), { what: 'the draft' });
    const problems = await waitFor(
      async () => {
        const found = await window.problems();
        return found.length > 0 && found;
      },
      { what: 'what the draft lacks' },
    );
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['STATUS_NOT_APPROVED'],
    );
    await window.screenshot('first-hour-draft');
  });

  it('adds the lines that keep git from changing a plan, when asked after New Plan', async () => {
    await window.notifications.click(
      /^Git may change line ends, and then an approval no longer fits its file\. Add \d lines to \.gitattributes\?$/,
      'Add Lines',
    );
    const file = path.join(scratch.workspaceDir, '.gitattributes');
    await waitFor(() => existsSync(file), { what: 'the file' });
    assert.match(readFileSync(file, 'utf8'), /^docs\/plans\/\*\.json -text$/m);
  });

  it('has the mission command in a new terminal, whose doctor starts a supervisor', async () => {
    await window.command('Terminal: Create New Terminal');
    await window.page.locator('.terminal-wrapper.active .xterm').waitFor();
    const text = await says('mission doctor; echo doctor-$?\n', /doctor-\d/);
    assert.match(text, /ok {3}supervisor /);
    assert.match(text, /doctor-0/);
    await window.screenshot('first-hour-doctor');
  });

  it('approves and runs it through the palette', async () => {
    await window.editor.open(path.join(scratch.workspaceDir, plan));
    await window.command('Mission Control: Approve Plan');
    await approveShown(window);
    await window.notifications.waitFor(/^Plan first-1 is approved/);
    await window.command('Mission Control: Run Plan');
    await waitForStatus(window, 'Mission first-1 completed');
    assert.equal(readFileSync(path.join(scratch.workspaceDir, 'docs/notes/first.md'), 'utf8'), 'Hello.\n');
  });

  it('approves, runs and verifies one in the terminal as well', async () => {
    await window.terminals.show('sh');
    await says('mission plan new second-1 --from command --by Ann; echo new-$?\n', 'new-0');
    await says('mission plan approve docs/plans/PLAN_second-1.json --by Ann --yes; echo approved-$?\n', 'approved-0');
    await says('mission run docs/plans/PLAN_second-1.json; echo ran-$?\n', 'ran-0');
    await says('mission evidence verify second-1; echo verified-$?\n', 'verified-0');
    await window.screenshot('first-hour-terminal');
    await window.command('Mission Control: Show Mission Control');
    await window.webviewFrame('Mission Control');
    await window.screenshot('first-hour-completed');
    const status = execFileSync('git', ['status', '--porcelain'], { cwd: scratch.workspaceDir, encoding: 'utf8' });
    assert.ok(!status.includes('.mission-control'), status);
  });

  it('shows the page of the extension: no picture that VS Code leaves out, and links that lead to chapters', async () => {
    await window.command('Extensions: Show Installed Extensions');
    await window.page.locator('.extension-list-item', { hasText: 'Mission Control' }).first().click();
    const page = await waitFor(
      async () => {
        for (const frame of window.page.frames()) if ((await frame.locator('#why').count()) > 0) return frame;
        return null;
      },
      { what: 'the page of the extension' },
    );
    await window.screenshot('first-hour-extension');
    assert.equal(await page.evaluate(`[...document.images].filter((image) => !image.naturalWidth).length`), 0);
    const links = (await page.evaluate(
      `[...document.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href').slice(1)).filter(Boolean)
        .map((target) => [target, document.getElementById(target) !== null])`,
    )) as readonly (readonly [target: string, leads: boolean])[];
    assert.ok(links.length > 15, String(links.length));
    assert.deepEqual(
      links.filter(([, leads]) => !leads),
      [],
    );
  });

  async function says(keys: string, wanted: string | RegExp): Promise<string> {
    await window.page.locator('.terminal-wrapper.active textarea.xterm-helper-textarea').focus();
    await window.page.keyboard.type(keys);
    return waitFor(
      async () => {
        const text = await window.terminals.activeText();
        return (typeof wanted === 'string' ? text.includes(`\n${wanted}`) : wanted.test(text)) && text;
      },
      { what: `${String(wanted)} in the terminal` },
    );
  }
});

/** What a clone holds, with the packages that `npm ci` brings: building here would change what other tests run. */
function makeCheckout(): string {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'mission-checkout-')));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  for (const file of listed.split('\0')) {
    if (file !== '' && !file.startsWith('test/') && existsSync(file)) cpSync(file, path.join(folder, file));
  }
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  return folder;
}
