import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { markup } from '../../src/base/text/marked/markup';
import { ui } from '../../src/base/text/marked/ui';
import { approvalView } from '../../src/core/view/plan/approvalView';
import { approvalFoot, pageDocument } from '../../src/extension/pages/document';
import { approvalPage } from '../../src/extension/plans/approvalPage';
import { bare, sandboxedMachine, summaryOf, type Change } from '../extension/plans/summaries';
import type { Page } from '../vscode/harness/playwright';
import { violations } from './axe';
import { unreadable } from './look';
import { themes, themeStyle } from './themes';
import { sharedBrowser } from './browser';

const styles = ['page.css', 'reading.css'];
const hostile = '<img src=x onerror=alert(1)> <script>alert(1)</script> [a](command:x) \u202e " onclick="x';

const plans: Readonly<Record<string, readonly [Change, typeof bare]>> = {
  usual: [() => undefined, sandboxedMachine],
  unconfined: [commands, bare],
  forty: [
    (plan, task) => {
      const description = 'Writes what the last release changed for people who use it, in sentences they read once. ';
      plan['tasks'] = Array.from({ length: 40 }, (_, at) => ({
        ...task,
        task_id: `T${at}`,
        description: description.repeat(2),
        paths: [`docs/notes/${at}`],
      }));
    },
    sandboxedMachine,
  ],
  hostile: [
    (plan, task) => {
      Object.assign(plan, { goal_id: hostile });
      Object.assign(task, { description: hostile, prompt: hostile, acceptance_criteria: [hostile] });
      task['verify'] = [['node', '-e', hostile, 'x'.repeat(3000)]];
    },
    bare,
  ],
};

/** The page on which a plan is approved, as VS Code opens it, in a plain browser. */
describe('the page of an approval', function () {
  let server: Server;
  let page: Page;
  let shown = '';
  let close: () => Promise<void>;
  const foreign: string[] = [];

  before(async () => {
    server = await serve(() => shown);
    const browser = await sharedBrowser();
    const context = await browser.newContext({ viewport: { width: 1000, height: 900 } });
    page = await context.newPage();
    page.on('request', (request) => foreign.push(new URL(request.url()).pathname));
    close = () => context.close();
  });
  after(async () => {
    await close();
    await new Promise((done) => server.close(done));
  });

  async function open(name: string): Promise<void> {
    shown = documentOf(name);
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  }

  for (const name of Object.keys(plans))
    for (const theme of themes)
      it(`can be read and used: ${name}, ${theme}, wide and narrow`, async () => {
        await open(name);
        await page.evaluate(themeStyle(theme));
        for (const width of [1000, 300]) {
          await page.setViewportSize({ width, height: 900 });
          await page.screenshot({ path: path.join('.artifacts/webview', `approval-${name}-${theme}-${width}.png`) });
          assert.deepEqual(await unreadable({ page }), [], `${width} px`);
        }
        assert.deepEqual(await violations({ page }), []);
      });

  it('keeps its one button in sight, and a person reaches it by the keyboard', async () => {
    await open('forty');
    await page.setViewportSize({ width: 300, height: 500 });
    const box = await page.locator('a.button').boundingBox();
    assert.ok(box !== null && box.y >= 0 && box.y + box.height <= 500, JSON.stringify(box));
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement?.textContent'), 'Approve and Run');
    assert.equal(await page.evaluate('document.links.length'), 1);
  });

  it('shows what a plan says as text alone, asks for nothing but its styles, and runs nothing', async () => {
    foreign.length = 0;
    await open('hostile');
    assert.deepEqual(foreign.sort(), ['/', ...styles.map((file) => `/${file}`)].sort());
    assert.equal(await page.evaluate("document.querySelectorAll('img, script, form, iframe, [onclick]').length"), 0);
    assert.equal(await page.evaluate('document.links.length'), 1);
    const text = String(await page.evaluate('document.body.innerText'));
    assert.ok(text.includes(hostile.replace('\u202e', String.raw`\u202e`)), text);
  });
});

function documentOf(name: string): string {
  const [change, machine] = plans[name] ?? [];
  const summary = summaryOf(change, machine);
  const question = ui`Approve plan ${summary.plan_id} as Ada Lovelace?`;
  const view = approvalView(summary, () => []);
  const body = markup.lines([approvalPage(view, { question }), approvalFoot(ui`Approve and Run`, '1')]);
  const document = pageDocument({ title: ui`Approve`, body }, { source: "'self'", styleOf: (file) => file });
  // VS Code puts its own style sheet first.
  const own = readFileSync('test/webview/themes/default.css', 'utf8');
  return document.replace('<head>', () => `<head><style id="_defaultStyles">${own}</style>`);
}

function commands(_plan: Record<string, unknown>, task: Record<string, unknown>): void {
  Object.assign(task, {
    worker: 'command',
    command: ['node', 'tools/step.mjs'],
    prompt: undefined,
    type: 'automation',
  });
}

async function serve(documentNow: () => string): Promise<Server> {
  const server = createServer((request, response) => {
    const file = (request.url ?? '/').slice(1);
    if (file !== '' && !styles.includes(file)) {
      response.writeHead(404).end();
      return;
    }
    void (file === '' ? Promise.resolve(documentNow()) : readFile(path.join('dist/webview', file))).then((body) =>
      response.writeHead(200, { 'content-type': file === '' ? 'text/html; charset=utf-8' : 'text/css' }).end(body),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}
