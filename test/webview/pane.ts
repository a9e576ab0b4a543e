import { createServer, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { HostMessage } from '../../src/contracts/page/panelMessages';
import type { PanelView } from '../../src/contracts/page/panelView';
import type { Page } from '../vscode/harness/playwright';
import { sharedBrowser } from './browser';
import { panePage, type Theme, themeStyle } from './themes';

/** The built page as VS Code opens it, in a plain browser: its policy, its theme variables, its messages. */
export interface Pane {
  readonly page: Page;
  /** Sends a snapshot, and waits until what follows from it is painted. */
  show(panel: PanelView): Promise<void>;
  send(message: HostMessage): Promise<void>;
  /** What the page posted since it was opened. */
  asked(): Promise<readonly unknown[]>;
  /** Waits until what was done last is painted. */
  painted(): Promise<void>;
  wear(theme: Theme): Promise<void>;
  widen(width: number): Promise<void>;
  /** Reloads the page as VS Code restores it: what it kept by `setState` is there, everything else is gone. */
  reload(): Promise<void>;
  /** A page that never was open. */
  renew(): Promise<void>;
  /** What went wrong since this was asked last: console errors, exceptions, refusals of the policy, foreign requests. */
  troubles(): readonly string[];
  close(): Promise<void>;
}

export const paneHeight = 900;

/** Everything a page can load: the two files that the extension ships. */
const served: Readonly<Record<string, string>> = { '/page.js': 'text/javascript', '/page.css': 'text/css' };

export async function openPane(): Promise<Pane> {
  const server = await serve();
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await sharedBrowser();
  const context = await browser.newContext({
    viewport: { width: 1200, height: paneHeight },
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  });
  await context.addInitScript({ content: host });
  const page = await context.newPage();
  let troubles: string[] = [];
  let sequence = 0;
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') troubles.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => troubles.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (url !== `${origin}/` && served[url.slice(origin.length)] === undefined) troubles.push(`request: ${url}`);
  });
  const painted = async (): Promise<void> => {
    await page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))',
    );
  };
  const send = async (message: HostMessage): Promise<void> => {
    await page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`);
    await painted();
  };
  await page.goto(`${origin}/`);
  return {
    page,
    send,
    painted,
    show: (panel) => send({ type: 'snapshot', sequence: ++sequence, panel }),
    asked: async () => (await page.evaluate('window.missionTest.asked')) as readonly unknown[],
    wear: async (theme) => {
      await page.evaluate(themeStyle(theme));
      await painted();
    },
    widen: async (width) => {
      await page.setViewportSize({ width, height: paneHeight });
      await painted();
    },
    reload: async () => {
      await page.reload();
    },
    renew: async () => {
      await page.evaluate('sessionStorage.clear()');
      await page.reload();
    },
    troubles: () => {
      const found = troubles;
      troubles = [];
      return found;
    },
    close: async () => {
      await context.close();
      await new Promise((done) => server.close(done));
    },
  };
}

async function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    const type = served[url];
    if (url !== '/' && type === undefined) {
      response.writeHead(404).end();
      return;
    }
    void (type === undefined ? Promise.resolve(panePage()) : readFile(path.join('dist/webview', url))).then(
      (body) => response.writeHead(200, { 'content-type': type ?? 'text/html; charset=utf-8' }).end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

/** VS Code's side of the page. State outlives a reload, as there; what the policy refuses is an error here. */
const host = `(() => {
  const asked = [];
  window.missionTest = { asked };
  let acquired = false;
  window.acquireVsCodeApi = () => {
    if (acquired) throw new Error('acquireVsCodeApi can be called once');
    acquired = true;
    return {
      postMessage: (message) => void asked.push(structuredClone(message)),
      getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
      setState: (state) => (sessionStorage.setItem('state', JSON.stringify(state)), state),
    };
  };
  addEventListener('securitypolicyviolation', (event) =>
    console.error('the policy refused ' + event.violatedDirective + ': ' + event.blockedURI + ' ' + event.sample));
})();`;
