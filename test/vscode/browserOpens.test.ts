import assert from 'node:assert/strict';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { story } from './harness/story';
import type { Page } from './harness/playwright';
import { DEFAULT_TIMEOUT, waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import {
  approveAndRun,
  makeMissionWorkspace,
  startMissionServer,
  waitForStatus,
  type MissionWorkspace,
} from './missionWorkspace';

const title = 'Mission Control: Open Mission Control in Browser';

/** The command, the browser that opens, and the server behind it, until the window is gone. */
describe('Mission Control in a browser, where a person switched it on', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;
  let opened: Page;
  /** The link that the browser was given. */
  let link: string;

  let forwarder: HttpServer;

  story(async () => {
    forwarder = await startForwarder();
    const { port } = forwarder.address() as AddressInfo;
    workspace = await makeMissionWorkspace('elsewhere', ['only']);
    const server = await startMissionServer(workspace, {
      userSettings: { 'missionControl.events.enabled': true },
      env: { VSCODE_PROXY_URI: `http://127.0.0.1:${port}/{{port}}/` },
    });
    window = await server.openWindow();
    await approveAndRun(window, workspace);
    // The panel and the terminal take the focus when they open, and a palette that is open then closes.
    await window.terminals.waitForText('only · command (Mission elsewhere)', 'Step started: out/only.txt');
  });
  after(() => forwarder.close());

  /** What the browser opens when the command is called, and the first address that it asks for. */
  const open = async (): Promise<{ readonly page: Page; readonly link: string }> => {
    const asked: string[] = [];
    window.page.context().on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname === '/open') asked.push(request.url());
    });
    const popups: Page[] = [];
    window.page.waitForEvent('popup', { timeout: DEFAULT_TIMEOUT }).then(
      (popup) => popups.push(popup),
      () => undefined,
    );
    await window.command(title);
    // A browser lets nothing open later than some seconds after a key was pressed: VS Code then asks a person to retry.
    const retry = window.page.locator('.monaco-dialog-box .monaco-button', { hasText: 'Retry' });
    const page = await waitFor(
      async () => {
        if (await retry.isVisible()) await retry.click();
        return popups[0];
      },
      { what: 'the page to open in the browser' },
    );
    await page.locator('main', { hasText: 'elsewhere' }).first().waitFor({ timeout: 60_000 });
    const [first] = asked;
    assert.ok(first !== undefined);
    return { page, link: first };
  };
  const refuses = async (): Promise<boolean> => {
    try {
      await fetch(new URL('/', link));
      return false;
    } catch {
      return true;
    }
  };

  it('the command opens the page of the mission that this window runs', async () => {
    ({ page: opened, link } = await open());
    await opened.locator('[data-section=header]', { hasText: /running/i }).waitFor({ timeout: 60_000 });
    assert.equal(new URL(opened.url()).origin, new URL(link).origin);
    await opened.screenshot({ path: '.artifacts/screenshots/browser-opened.png' });
  });

  it('the link that was opened opens nothing a second time', async () => {
    const again = await fetch(link);
    assert.equal(again.ok, false);
    assert.match(await again.text(), /LINK_USED/);
  });

  it('the page follows the mission to its end', async () => {
    await workspace.openGate('only');
    await waitForStatus(window, /Mission elsewhere (1\/1|completed)/);
    await opened.locator('[data-section=header]', { hasText: /completed/i }).waitFor({ timeout: 60_000 });
  });

  it('opens another page of the same server when it is called again', async () => {
    const another = await open();
    assert.equal(new URL(another.link).origin, new URL(link).origin);
    assert.notEqual(another.page.url(), opened.url());
  });

  it('nothing listens when the window is loaded anew', async () => {
    assert.equal(await refuses(), false);
    await window.reload();
    await waitFor(refuses, { what: 'the server to have ended with its window' });
  });
});

/**
 * This VS Code server gives local addresses to a proxy of its own; to another one where that is named. This one sends
 * the browser to the address itself, as VS Code does everywhere else.
 */
async function startForwarder(): Promise<HttpServer> {
  const server = createServer(({ url = '' }, answer) => {
    const [, port = '', rest = ''] = /^\/(\d+)(\/.*)$/.exec(url) ?? [];
    answer.writeHead(302, { location: `http://127.0.0.1:${port}${rest}` }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
