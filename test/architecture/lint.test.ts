import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { restrictions } from '../../scripts/house-rules.mjs';
import { type Finding, lintTree, messagesOf, Snippets } from './lintRun';

/**
 * The rules of the house, each on a snippet that breaks it. A snippet is a file of its own in the folder whose rules
 * it breaks.
 */
interface Snippet {
  readonly rule: string;
  readonly code: string;
}

const anywhere: readonly Snippet[] = [
  { rule: 'house/syntax', code: `export enum Phase { One }` },
  { rule: 'house/syntax', code: `export default 1;` },
  { rule: 'house/syntax', code: `export * from './other';` },
  { rule: 'house/syntax', code: `export namespace Plan { export const x = 1; }` },
  { rule: 'eqeqeq', code: `export const same = (a: unknown, b: unknown): boolean => a == b;` },
  { rule: 'max-lines', code: lines(401) },
  { rule: 'house/syntax', code: `export interface IPlan { readonly id: string }` },
  { rule: 'house/syntax', code: `export type plan = { readonly id: string };` },
  { rule: 'house/syntax', code: `export class plan_file {}` },
  { rule: 'house/syntax', code: `export const f = <t>(x: t): t => x;` },
  {
    rule: 'typescript/consistent-type-imports',
    code: `import { Plan } from './plan';\nexport const f = (plan: Plan): Plan => plan;`,
  },
  {
    rule: 'typescript/no-import-type-side-effects',
    code: `import { type Plan } from './plan';\nexport type P = Plan;`,
  },
  { rule: 'typescript/no-explicit-any', code: `export const f = (x: any): void => undefined;` },
  { rule: 'no-unused-vars', code: `export function f(): void { const unused = 1; }` },
];

/** Code that shows text to people hands it to a writer that takes safe text only. */
const inProduct: readonly Snippet[] = [
  {
    rule: 'max-params',
    code: `export const f = (a: 1, b: 1, c: 1, d: 1, e: 1, g: 1): number => a + b + c + d + e + g;`,
  },
  { rule: 'house/names', code: `export const told = 1;` },
  { rule: 'house/names', code: `export function nameOf(path: string): string { return path; }` },
  {
    rule: 'house/names',
    code: `function kindOf(path: string): string { return path; }\nexport const kind = kindOf('a');`,
  },
  { rule: 'house/pen', code: `process.stdout.write('raw');` },
  { rule: 'house/pen', code: `process.stderr.write(String(1));` },
  { rule: 'house/pen', code: `console.log('raw');` },
  { rule: 'house/pen', code: `export const forged = new SafeText('raw');` },
  { rule: 'house/pen', code: `export const forged = visibleText('raw');` },
];

/** Only `ui.ts` hands text to what VS Code draws itself. */
const inExtension: readonly string[] = [
  `import { window } from 'vscode';\nvoid window.showInformationMessage('raw');`,
  `import * as vscode from 'vscode';\nvoid vscode.window.showQuickPick(['raw']);`,
  `import { window } from 'vscode';\nconst { showErrorMessage } = window;\nvoid showErrorMessage('raw');`,
  `import { window } from 'vscode';\nwindow.createStatusBarItem().text = 'raw';`,
  `import { window } from 'vscode';\nwindow.createTerminal({ name: 'raw' });`,
  `import { MarkdownString } from 'vscode';\nexport const tooltip = new MarkdownString('raw');`,
];

/** The page shows text as text, and asks the host where anything is to be opened. */
const inPage: readonly string[] = [
  `export const f = (place: Element, text: string): void => { place.innerHTML = text; };`,
  `export const f = (place: Element, text: string): void => { place['outerHTML'] = text; };`,
  `export const f = (place: Element, text: string): void => { place.insertAdjacentHTML('beforeend', text); };`,
  `export const f = (text: string) => <p dangerouslySetInnerHTML={{ __html: text }} />;`,
  `export const f = (text: string) => <p {...{ dangerouslySetInnerHTML: { __html: text } }} />;`,
  `export const f = (text: string) => <p {...{ 'innerHTML': text }} />;`,
  `export const f = (text: string) => <section srcdoc={text} />;`,
  `export const f = (text: string): void => document.write(text);`,
  `export const f = (text: string): Node => document.createRange().createContextualFragment(text);`,
  `export const f = (url: string) => <b href={url}>open</b>;`,
  `export const f = (url: string) => <svg><path xlink:href={url} /></svg>;`,
  `export const f = (url: string) => <b {...{ href: url }}>open</b>;`,
  `export const f = (place: HTMLAnchorElement, url: string): void => { place.href = url; };`,
  `export const f = (url: string): void => { window.location = url; };`,
  `export const f = (place: Element, url: string): void => place.setAttribute('href', url);`,
  `export const f = () => <a>open</a>;`,
  `export const f = () => <iframe />;`,
  `export const f = () => <img />;`,
];

/** Every other way to the same. */
const drawing = [
  ...['showInformationMessage', 'showWarningMessage', 'showErrorMessage', 'showQuickPick', 'showInputBox'],
  ...['createQuickPick', 'createInputBox', 'createStatusBarItem', 'createTerminal', 'createTreeView'],
  ...['withProgress', 'setStatusBarMessage', 'MarkdownString', 'InlayHint', 'TreeItem', 'Hover', 'FileDecoration'],
];

const inPureRooms: readonly Snippet[] = [
  { rule: 'house/pure', code: `export const now = new Date();` },
  { rule: 'house/pure', code: `export const now = Date();` },
  { rule: 'house/pure', code: `export const f = (a: string, b: string): number => a.localeCompare(b);` },
  { rule: 'house/pure', code: `export const f = (n: number): string => n.toLocaleString();` },
  { rule: 'house/pure', code: `export const f = (d: Date): number => d.getHours();` },
  { rule: 'house/pure', code: `export const f = async (): Promise<unknown> => import('./other');` },
];

/** What would make the outcome of a test depend on how fast the machine is. */
const inTests: readonly string[] = [
  `it('waits', function () { this.timeout(5_000); });`,
  `describe('waits', function () { this.timeout(59_999); });`,
  `await until('it ends', look, { timeout: 30_000 });`,
  `await waitFor(look, { what: 'it', timeout: 2000 });`,
  `await locator.waitFor({ timeout: 20_000 });`,
  `await inbox.waitForAnswer({ timeoutMs: 3000 });`,
  `assert.ok(Date.now() - began < 1000);`,
  `assert.equal(limit > performance.now() - began, true);`,
  `assert(performance.now() < 5);`,
];
/** What they may still say about time. */
const timelessTests = `
it('waits', async function () {
  this.timeout(60_000 * rounds);
  this.timeout(120_000);
  await waitFor(look, { what: 'it', timeout: 60_000 });
  await waitFor(() => button.click({ timeout: 2000 }), { what: 'a click' });
  assert.equal(await sendCommand(folder, sent, { timeoutMs: 50 }), 'nobody');
  assert.throws(() => Date.now());
  const expired = new Date(Date.now() - 1000);
});`;

/** Code that every room may hold. */
const clean = `
/** What every room may write. */
export type Phase = 'one' | 'two';
export function next(phase: Phase): Phase {
  switch (phase) {
    case 'one':
      return 'two';
    case 'two':
      return 'one';
  }
}
export const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
`;

function firstLine(code: string): string {
  return (code.split('\n')[0] ?? '').slice(0, 80);
}

function lines(count: number): string {
  return Array.from({ length: count }, (_, index) => `export const line${index} = ${index};`).join('\n');
}

const snippets = new Snippets();
const lint = (place: string, code: string): (() => readonly Finding[]) => snippets.add(place, code);

/** What the configuration says of a rule in the pure rooms. */
function optionsInPureRooms(rule: string): readonly unknown[] {
  const lines = readFileSync('.oxlintrc.json', 'utf8').split('\n');
  const { overrides } = JSON.parse(lines.filter((line) => !/^\s*\/\//.test(line)).join('\n')) as {
    overrides: readonly { rules: Record<string, readonly unknown[]> }[];
  };
  return overrides.find(({ rules }) => rule in rules)?.rules[rule]?.slice(1) ?? [];
}

describe('house style', () => {
  before(() => snippets.run());

  for (const { rule, code } of anywhere) {
    const findings = lint('src/contracts/*.ts', code);
    it(`${rule} goes red on: ${firstLine(code)}`, () => {
      assert.notEqual(messagesOf(findings(), rule).length, 0);
    });
  }

  it('has a snippet for every restriction on syntax', () => {
    const fired = new Set(snippets.findings().map(({ message }) => message));
    for (const name of ['syntax', 'names', 'pen', 'editor-pen', 'pure', 'tests'])
      assert.deepEqual(
        restrictions[name]?.map(({ message }) => message).filter((message) => !fired.has(message)),
        [],
        name,
      );
  });

  for (const room of ['cli', 'supervisor', 'extension', 'engine', 'adapters']) {
    for (const { rule, code } of inProduct) {
      const findings = lint(`src/${room}/*.ts`, code);
      it(`${rule} in ${room} goes red on: ${firstLine(code)}`, () => {
        assert.notEqual(messagesOf(findings(), rule).length, 0);
      });
    }
  }

  for (const code of inExtension) {
    const findings = lint('src/extension/*.ts', code);
    it(`the extension has one place for: ${code.split('\n').at(-1) ?? ''}`, () => {
      assert.notEqual(messagesOf(findings(), 'house/editor-pen').length, 0);
    });
  }

  const ways = drawing.map((name) => `export const of${name} = vscode.${name};`).join('\n');
  const allWays = lint('src/extension/*.ts', `import * as vscode from './vscode';\n${ways}`);
  it('the extension has one place for every way to have text drawn', () => {
    assert.equal(messagesOf(allWays(), 'house/editor-pen').length, drawing.length);
  });

  for (const code of inPage) {
    const findings = lint('webview-ui/src/*.tsx', code);
    it(`the page does without: ${firstLine(code)}`, () => {
      assert.notEqual(messagesOf(findings(), 'house/page-pen').length, 0);
    });
  }

  it('the page has a snippet for every restriction of its own', async () => {
    const own = restrictions['page-pen'] ?? [];
    assert.equal(own.length, 8);
    // Each is a rule alone, because two may say the same of a line.
    const rules = own.map((_, at) => `r${at}`);
    const plugin = `import { restrictions, restricting } from './scripts/house-rules.mjs';
const rules = restrictions['page-pen'].map((one, at) => [\`r\${at}\`, restricting([one])]);
export default { meta: { name: 'alone' }, rules: Object.fromEntries(rules) };`;
    const code = inPage.map((one, at) => one.replaceAll(/\bf\b/g, `f${at}`)).join('\n');
    const linted = await lintTree(
      { 'webview-ui/src/all.tsx': `${code}\n`, 'alone.mjs': plugin },
      {
        jsPlugins: ['./alone.mjs'],
        categories: { correctness: 'off' },
        rules: Object.fromEntries(rules.map((rule) => [`alone/${rule}`, 'error'])),
      },
    );
    const fired = linted.found.get('webview-ui/src/all.tsx')?.map(({ rule }) => rule) ?? [];
    assert.deepEqual(
      rules.filter((rule) => !fired.includes(`alone/${rule}`)),
      [],
    );
  });

  for (const room of ['base', 'core', 'workers', 'engine']) {
    describe(`pure room ${room}`, () => {
      const place = `src/${room}/*.ts`;
      for (const { rule, code } of inPureRooms) {
        const findings = lint(place, code);
        it(`${rule} goes red on: ${firstLine(code)}`, () => {
          assert.notEqual(messagesOf(findings(), rule).length, 0);
        });
      }

      const globals = optionsInPureRooms('no-restricted-globals') as readonly string[];
      const usingGlobals = lint(
        place,
        globals.map((name, index) => `export const used${index}: unknown = ${name};`).join('\n'),
      );
      it('knows no global that reaches the world', () => {
        assert.ok(globals.length > 20);
        assert.equal(messagesOf(usingGlobals(), 'no-restricted-globals').length, globals.length);
      });

      const properties = optionsInPureRooms('no-restricted-properties') as readonly Record<string, string>[];
      const asked = properties.map(({ object, property }) => `${object ?? ''}.${property ?? ''}`);
      const asking = asked.map((one) => lint(place, `export const used = ${one}();`));
      it('cannot ask for the time or for randomness', () => {
        assert.deepEqual(asked, ['Date.now', 'Math.random']);
        for (const findings of asking) assert.equal(messagesOf(findings(), 'no-restricted-properties').length, 1);
      });

      const pure = lint(place, clean);
      it('accepts pure code', () => {
        assert.deepEqual(pure(), []);
      });
    });
  }

  describe('tests', () => {
    const place = 'test/architecture/*.test.ts';
    for (const code of inTests) {
      const findings = lint(place, code);
      it(`no limit of a busy machine in: ${code}`, () => {
        assert.equal(messagesOf(findings(), 'house/tests').length, 1);
      });
    }
    const timeless = lint(place, timelessTests);
    it('may say what does not depend on the machine', () => {
      assert.deepEqual(messagesOf(timeless(), 'house/tests'), []);
    });
  });

  const adapter = lint('src/adapters/*.ts', 'export const now = (): number => Date.now();');
  it('lets adapters ask for the time', () => {
    assert.deepEqual(adapter(), []);
  });
});
