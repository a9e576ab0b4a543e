import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { CliBed } from '../cli/cliBed';
import { serve, type Served } from '../cli/servedBed';
import { ask } from '../support/eventClient';
import type { BrowserContext, Page } from '../vscode/harness/playwright';
import { violations } from './axe';
import { unreadable } from './look';
import { themes, variablesOf } from './themes';
import { sharedBrowser } from './browser';

const pictures = path.resolve('.artifacts/webview');
const wishes = {
  light: { colorScheme: 'light', contrast: 'no-preference', forcedColors: 'none' },
  dark: { colorScheme: 'dark', contrast: 'no-preference', forcedColors: 'none' },
  contrast: { colorScheme: 'dark', contrast: 'more', forcedColors: 'none' },
  'contrast-light': { colorScheme: 'light', contrast: 'more', forcedColors: 'none' },
  forced: { colorScheme: 'dark', contrast: 'no-preference', forcedColors: 'active' },
} as const;

/** The page of a real `mission events serve` in a plain browser, beside a mission that another process runs. */
describe('the page in a browser', () => {
  let bed: CliBed;
  let served: Served;
  let context: BrowserContext;
  let page: Page;
  const troubles: string[] = [];
  const asked: string[] = [];

  before(async () => {
    await mkdir(pictures, { recursive: true });
    bed = new CliBed();
    served = await serve(bed);
    const browser = await sharedBrowser();
    context = await browser.newContext({ viewport: { width: 1200, height: 900 }, timezoneId: 'UTC' });
    page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') troubles.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => troubles.push(`exception: ${error.message}`));
    page.on('request', (request) => {
      asked.push(`${request.method()} ${request.url()}`);
    });
  });
  after(async () => {
    await context.close();
    await bed.dispose();
  });

  const shows = (text: string | RegExp): Promise<void> =>
    page.locator('main', { hasText: text }).first().waitFor({ timeout: 60_000 });
  const look = async (name: string): Promise<void> => {
    for (const [wish, media] of Object.entries(wishes)) {
      await page.emulateMedia({ ...media, reducedMotion: 'reduce' });
      await page.screenshot({ path: path.join(pictures, `served-${name}-${wish}.png`), fullPage: true });
      // What a system forces on a page, and whether it can be read, is the system's.
      const seen = wish === 'forced' ? [] : await unreadable({ page });
      assert.deepEqual([...seen, ...(await violations({ page }))], [], wish);
    }
  };

  it('is opened by the link, once, and is empty where nothing has happened', async () => {
    await page.goto(served.link);
    await page.locator('[data-section="empty"]').waitFor();
    assert.match(page.url().slice(served.url.length), /^\/[\w-]{43}\/$/);
    // No walkthrough opens here: its steps look like nothing that can be pressed, and say what to type.
    assert.equal(await page.locator('[data-section="empty"] button').count(), 0);
    assert.equal(await page.evaluate('getComputedStyle(document.querySelector("[data-step=check]")).cursor'), 'auto');
    await page.locator('[data-section="empty"]', { hasText: 'mission doctor' }).waitFor();
    await look('empty');
    const other = await (await sharedBrowser()).newContext({ viewport: { width: 800, height: 600 } });
    const late = await other.newPage();
    await late.goto(served.link);
    assert.match(String(await late.evaluate('document.body.textContent')), /LINK_USED/);
    await other.close();
  });

  it('shows a mission that begins, runs and ends, without being reloaded', async () => {
    const script = `import fs from 'node:fs'; fs.mkdirSync('docs/out', { recursive: true }); console.log('at work'); ${bed.waitAt('gate')} fs.writeFileSync('docs/out/a.md', 'a');`;
    const tasks = [
      { script },
      {
        task_id: 'T2',
        depends_on: ['T1'],
        script: `import fs from 'node:fs'; fs.writeFileSync('docs/out/b.md', 'b');`,
      },
    ];
    const run = bed.start('run', bed.plan('INVOICES', tasks), '--by', 'Ada');
    await bed.waitsAt('gate');
    await shows(/Running/i);
    await page.locator('[data-section="workers"], .lane').first().waitFor({ timeout: 60_000 });
    await look('running');
    bed.open('gate');
    assert.equal((await run.ended).code, 0);
    await shows(/Completed/i);
    // Verified by a process of its own.
    await shows(/Evidence verif/i);
    await look('completed');
  });

  it('opens plan and evidence as text, and nothing that only an editor can', async () => {
    for (const [kind, words] of [
      ['plan', '"plan_id": "INVOICES"'],
      ['evidence', 'INVOICES'],
    ] as const) {
      const popup = page.waitForEvent('popup');
      await page.locator(`[data-open="${kind}"]`).first().click();
      const text = await popup;
      const shown = String(await text.evaluate('document.contentType + document.body.textContent'));
      assert.ok(shown.startsWith('text/plain') && shown.includes(words), shown.slice(0, 300));
      await text.close();
    }
    assert.equal(await page.locator('[data-open="terminal"], [data-open="file"]').count(), 0);
    await page.getByRole('button', { name: /^All .* events$/ }).click();
    await shows(/Plan INVOICES received/);
    assert.deepEqual(
      asked.filter((one) => !one.startsWith('GET ') || !one.slice(4).startsWith(served.url)),
      [],
    );
  });

  it('sends its cookie and its address to no other port, where a stranger may listen', async () => {
    const [cookie, ...others] = await context.cookies(page.url());
    assert.ok(cookie && others.length === 0);
    assert.deepEqual(
      [cookie.name, cookie.httpOnly, cookie.sameSite, cookie.path],
      ['mission_control', true, 'Strict', new URL(page.url()).pathname],
    );
    const told: string[] = [];
    const stranger = createServer(({ method, url, headers }, response) => {
      told.push(`${method} ${url} ${headers.cookie ?? 'no cookie'} ${headers.referer ?? 'no referrer'}`);
      response.end('a stranger');
    });
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`;
    // As a person goes there, as another page leads there, and from this very page.
    const visit = await context.newPage();
    for (const path of ['', 'events', 'panel']) await visit.goto(`${address}${path}`);
    const popup = page.waitForEvent('popup');
    await page.evaluate(`window.open(${JSON.stringify(`${address}from-the-page`)}), undefined`);
    const opened = await popup;
    await opened.waitForURL('**/from-the-page');
    for (const tab of [visit, opened]) await tab.close();
    stranger.closeAllConnections();
    await new Promise((resolve) => stranger.close(resolve));
    const pages = told.filter((one) => !one.includes('favicon'));
    assert.deepEqual(
      pages.map((one) => one.replace(/^GET \/[\w-]* /, '')),
      pages.map(() => 'no cookie no referrer'),
    );
    assert.equal(pages.length, 4);
    // What one sees who had it, without the path.
    const headers = { cookie: `${cookie.name}=${cookie.value}` };
    for (const path of ['/', '/health', '/events', '/panel'])
      assert.equal((await ask(`${served.url}${path}`, headers)).status, 401, path);
    assert.equal((await ask(`${page.url()}health`, headers)).status, 200);
  });

  it('says why no stream opens, and connects when one may', async () => {
    const address = page.url();
    const panel = `${address}panel`;
    const refusal = { code: 'TOO_MANY_CLIENTS', reason: 'The reason.', next: ['The next step.'] };
    await page.route(`${panel}*`, (route) => route.fulfill({ status: 503, json: refusal }));
    await page.route(`${address}range*`, (route) => route.fulfill({ status: 404, json: refusal }));
    // It unfolds again what was unfolded, all events among it.
    await page.reload();
    await page.locator('#standing', { hasText: 'Not connected: The reason. The next step.' }).waitFor();
    await page.unroute(`${panel}*`);
    await shows(/Completed/i);
    await page.locator('#standing', { hasText: /^$/ }).waitFor({ state: 'attached' });
    await shows(/These events could not be read/);
    await page.unroute(`${address}range*`);
    await page.getByRole('button', { name: 'Read them again' }).click();
    await shows(/Plan INVOICES received/);
    const refused = troubles.splice(0).filter((one) => !/status of (503|404)/.test(one));
    assert.deepEqual(refused, []);
  });

  it('says that it has lost its connection when the server ends', async () => {
    served.kill('SIGINT');
    assert.equal((await served.ended).code, 0);
    await page.locator('#standing', { hasText: 'what is shown is old' }).waitFor({ timeout: 60_000 });
    // Only the end itself was an error.
    assert.deepEqual(
      troubles.filter((one) => !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE/.test(one)),
      [],
    );
  });
});

describe('the themes of the page in a browser', () => {
  it('are those that VS Code gives it', async () => {
    const style = await readFile('dist/webview/browser.css', 'utf8');
    for (const theme of themes) {
      const [, rules = ''] = new RegExp(String.raw`^\.vscode-${theme} \{([^}]*)\}`, 'm').exec(style) ?? [];
      const found = [...rules.matchAll(/(--vscode-[\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [
        name,
        value,
      ]);
      assert.ok(found.length >= 5, theme);
      const known = variablesOf(theme);
      for (const [name = '', value] of found) assert.equal(value, known[name], `${theme} ${name}`);
    }
  });
});

describe('a block on the page in a browser', () => {
  it('opens no output, because only an editor can', async () => {
    const bed = new CliBed();
    const context = await (
      await sharedBrowser()
    ).newContext({ viewport: { width: 1200, height: 900 }, timezoneId: 'UTC' });
    try {
      const plan = bed.plan('fails', [{ script: "console.log('said'); process.exit(3);" }]);
      assert.equal((await bed.mission('run', plan)).code, 3);
      const page = await context.newPage();
      await page.goto((await serve(bed)).link);
      const card = page.locator('[data-section="decision"]');
      await card.getByText('Open the recovery packet').waitFor({ timeout: 60_000 });
      assert.equal(await card.getByText('Open its whole output').count(), 0);
    } finally {
      await context.close();
      await bed.dispose();
    }
  });
});
