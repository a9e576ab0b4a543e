import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { ESLint } from 'eslint';

/**
 * The restrictions of eslint.config.mjs, each on a snippet that breaks it. A snippet is linted as if it were the text
 * of a file of the room.
 */
const eslint = new ESLint();
const onSyntax = 'no-restricted-syntax';
const onWords = 'house/plain-words';

interface Snippet {
  readonly rule: string;
  readonly code: string;
}

const anywhere: readonly Snippet[] = [
  { rule: 'no-restricted-syntax', code: `export enum Phase { One }` },
  { rule: 'no-restricted-syntax', code: `export default 1;` },
  { rule: 'no-restricted-syntax', code: `export * from './other';` },
  { rule: 'no-restricted-syntax', code: `export namespace Plan { export const x = 1; }` },
  { rule: 'eqeqeq', code: `export const same = (a: unknown, b: unknown): boolean => a == b;` },
  { rule: 'max-lines', code: lines(401) },
  { rule: 'house/max-lines-aim', code: lines(251) },
  { rule: 'no-restricted-syntax', code: `export interface IPlan { readonly id: string }` },
  { rule: 'no-restricted-syntax', code: `export type plan = { readonly id: string };` },
  { rule: 'no-restricted-syntax', code: `export class plan_file {}` },
  { rule: 'no-restricted-syntax', code: `export const f = <t>(x: t): t => x;` },
  {
    rule: '@typescript-eslint/consistent-type-imports',
    code: `import { Plan } from './plan';\nexport const f = (plan: Plan): Plan => plan;`,
  },
  {
    rule: '@typescript-eslint/no-import-type-side-effects',
    code: `import { type Plan } from './plan';\nexport type P = Plan;`,
  },
  { rule: '@typescript-eslint/no-explicit-any', code: `export const f = (x: any): void => undefined;` },
  { rule: '@typescript-eslint/no-unused-vars', code: `export function f(): void { const unused = 1; }` },
];

/** Code that shows text to people hands it to a writer that takes safe text only. */
const inProduct: readonly Snippet[] = [
  {
    rule: 'max-params',
    code: `export const f = (a: 1, b: 1, c: 1, d: 1, e: 1, g: 1): number => a + b + c + d + e + g;`,
  },
  { rule: 'no-restricted-syntax', code: `process.stdout.write('raw');` },
  { rule: 'no-restricted-syntax', code: `process.stderr.write(String(1));` },
  { rule: 'no-restricted-syntax', code: `console.log('raw');` },
  { rule: 'no-restricted-syntax', code: `export const forged = new SafeText('raw');` },
  { rule: 'no-restricted-syntax', code: `export const forged = visibleText('raw');` },
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
  { rule: 'no-restricted-syntax', code: `export const now = new Date();` },
  { rule: 'no-restricted-syntax', code: `export const now = Date();` },
  { rule: 'no-restricted-syntax', code: `export const f = (a: string, b: string): number => a.localeCompare(b);` },
  { rule: 'no-restricted-syntax', code: `export const f = (n: number): string => n.toLocaleString();` },
  { rule: 'no-restricted-syntax', code: `export const f = (d: Date): number => d.getHours();` },
  { rule: 'no-restricted-syntax', code: `export const f = async (): Promise<unknown> => import('./other');` },
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

const kindsOfFiles = [
  ...['src/cli/main.ts', 'webview-ui/src/app.tsx', 'test/architecture/lint.test.ts'],
  ...['scripts/test.mjs', 'scripts/floors.cjs', 'eslint.config.mjs'],
];
/** The places where a word can hide from a reader who acts. */
const wordHolders: readonly ((word: string) => string)[] = [
  (word) => `// It is so, ${word}.`,
  (word) => `/**\n * It is so,\n * ${word.replace(' ', '\n * ')}.\n */`,
  (word) => `it('is so, ${word}', () => {});`,
  (word) => `describe.only(\`is so, ${word}: \${name}\`, () => {});`,
];
/** Comments that begin with a clause and have no subject. */
const clauses: readonly string[] = [
  `/** Whether it runs. */\nexport function runs() {}`,
  `/**\n * Whether it runs.\n */\nconst runs = () => {};`,
  `class Worker {\n  /** Whether it runs. */\n  async runs() {}\n}`,
  `/** Of its file. */\nexport const sha256 = '';`,
  `const worker = {\n  /**\n   * As the CLI reported it.\n   */\n  session: null,\n};`,
];
/** Sentences of the product that hide who acts. */
const sentences: readonly string[] = [
  `export const reason = 'Nobody approved it.';`,
  'export const reason = `Task ${id} was changed by somebody else.`;',
  `export const shown = <p>The worker was told to stop.</p>;`,
];
/** Names of code are no words, and the comment of a value may be a clause. */
const plainText = `
/** @param told \`nobody\`, 'somebody' or "whoever": the person's own word */
export function runs(told) { return told === 'nobody'; }
/** Returns whether it runs. */
export const isRunning = () => true;
/** Whether it runs. */
export const running = runs('told');
it('is reported', () => {});
`;

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

/** A file of `room` whose place a snippet takes. */
function stageOf(room: string): string {
  const [file] = globSync(`src/${room}/**/*.ts`).sort();
  assert.ok(file !== undefined, `src/${room} has no TypeScript file`);
  return file;
}

/** @returns `rule` or, for a file that does not parse, the message; and the sentences the author reads. */
async function lint(room: string, code: string): Promise<{ rules: string[]; messages: string[] }> {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: stageOf(room) });
  const findings = result?.messages ?? [];
  return {
    rules: findings.map(({ ruleId, message }) => ruleId ?? message),
    messages: findings.map(({ message }) => message),
  };
}

async function optionsOf(room: string, rule: string): Promise<readonly unknown[]> {
  const config = (await eslint.calculateConfigForFile(stageOf(room))) as { rules: Record<string, unknown[]> };
  return (config.rules[rule] ?? []).slice(1);
}

describe('house style', () => {
  for (const { rule, code } of anywhere) {
    it(`${rule} goes red on: ${firstLine(code)}`, async () => {
      assert.ok((await lint('contracts', code)).rules.includes(rule));
    });
  }

  for (const room of ['cli', 'supervisor', 'extension', 'engine', 'adapters']) {
    for (const { rule, code } of inProduct) {
      it(`${rule} in ${room} goes red on: ${firstLine(code)}`, async () => {
        assert.ok((await lint(room, code)).rules.includes(rule));
      });
    }
  }

  for (const code of inExtension) {
    it(`the extension has one place for: ${code.split('\n').at(-1) ?? ''}`, async () => {
      const told = (await lint('extension', code)).messages.filter((message) => message.includes('ui.ts'));
      assert.notEqual(told.length, 0);
    });
  }

  it('the extension has one place for every way to have text drawn', async () => {
    const ways = drawing.map((name) => `export const of${name} = vscode.${name};`).join('\n');
    const told = await lint('extension', `import * as vscode from './vscode';\n${ways}`);
    assert.equal(told.messages.filter((message) => message.includes('ui.ts')).length, drawing.length);
  });

  for (const code of inPage) {
    it(`the page does without: ${firstLine(code)}`, async () => {
      const [found] = await eslint.lintText(`${code}\n`, { filePath: 'webview-ui/src/app.tsx' });
      const told = (found?.messages ?? []).map(({ message }) => message);
      assert.ok(
        told.some((message) => /No markup from strings|leads nowhere/.test(message)),
        told.join('\n'),
      );
    });
  }

  it('the page has a snippet for every restriction of its own', async () => {
    const config = (await eslint.calculateConfigForFile('webview-ui/src/app.tsx')) as {
      rules: Record<string, unknown[]>;
    };
    const restrictions = (config.rules[onSyntax] ?? []).slice(1) as { selector: string; message: string }[];
    const own = restrictions.filter(({ message }) => /No markup from strings|leads nowhere/.test(message));
    assert.equal(own.length, 8);
    const silent: string[] = [];
    for (const restriction of own) {
      const alone = new ESLint({
        overrideConfig: { rules: { [onSyntax]: ['error', restriction] } },
        ruleFilter: ({ ruleId }) => ruleId === onSyntax,
      });
      const found = await alone.lintText(
        `${inPage.map((code, at) => code.replaceAll(/\bf\b/g, `f${at}`)).join('\n')}\n`,
        { filePath: 'webview-ui/src/app.tsx' },
      );
      if (found[0]?.messages.length === 0) silent.push(restriction.selector);
    }
    assert.deepEqual(silent, []);
  });

  for (const room of ['base', 'core', 'workers', 'engine']) {
    describe(`pure room ${room}`, () => {
      for (const { rule, code } of inPureRooms) {
        it(`${rule} goes red on: ${firstLine(code)}`, async () => {
          assert.ok((await lint(room, code)).rules.includes(rule));
        });
      }

      it('knows no global that reaches the world', async () => {
        const globals = (await optionsOf(room, 'no-restricted-globals')) as { name: string }[];
        assert.ok(globals.length > 0);
        const code = globals.map(({ name }, index) => `export const used${index}: unknown = ${name};`).join('\n');
        const fired = (await lint(room, code)).messages.filter((message) => message.startsWith('Unexpected use of '));
        assert.equal(fired.length, globals.length);
      });

      it('cannot ask for the time or for randomness', async () => {
        const properties = (await optionsOf(room, 'no-restricted-properties')) as {
          object: string;
          property: string;
        }[];
        assert.deepEqual(
          properties.map(({ object, property }) => `${object}.${property}`),
          ['Date.now', 'Math.random'],
        );
        for (const { object, property } of properties) {
          const { rules } = await lint(room, `export const used = ${object}.${property}();`);
          assert.ok(rules.includes('no-restricted-properties'));
        }
      });

      it('has a snippet for every restriction on syntax', async () => {
        const restrictions = (await optionsOf(room, 'no-restricted-syntax')) as { message: string }[];
        const fired = new Set<string>();
        for (const { code } of [...anywhere, ...inProduct, ...inPureRooms]) {
          for (const message of (await lint(room, code)).messages) fired.add(message);
        }
        assert.deepEqual(
          restrictions.map(({ message }) => message).filter((message) => !fired.has(message)),
          [],
        );
      });

      it('accepts pure code', async () => {
        assert.deepEqual((await lint(room, clean)).messages, []);
      });
    });
  }

  describe('tests', () => {
    const filePath = 'test/architecture/lint.test.ts';
    const told = async (code: string): Promise<readonly string[]> => {
      const [result] = await eslint.lintText(`${code}\n`, { filePath });
      return (result?.messages ?? []).filter(({ ruleId }) => ruleId === onSyntax).map(({ message }) => message);
    };
    for (const code of inTests)
      it(`no limit of a busy machine in: ${code}`, async () => assert.equal((await told(code)).length, 1));
    it('may say what does not depend on the machine', async () => assert.deepEqual(await told(timelessTests), []));
  });

  describe('words', () => {
    const findings = async (code: string, filePath: string): Promise<readonly string[]> => {
      const [result] = await eslint.lintText(`${code}\n`, { filePath });
      return (result?.messages ?? []).filter(({ ruleId }) => ruleId === onWords).map(({ message }) => message);
    };
    for (const filePath of kindsOfFiles)
      it(`of comments and titles say who does what: ${filePath}`, async () => {
        const config = (await eslint.calculateConfigForFile(filePath)) as { rules: Record<string, unknown[]> };
        const words = Object.keys(config.rules[onWords]?.[1] ?? {});
        assert.ok(words.length > 10);
        for (const word of words) {
          const found = await findings(wordHolders.map((hold) => hold(word)).join('\n'), filePath);
          assert.equal(found.filter((message) => message.includes(`"${word}"`)).length, wordHolders.length, word);
        }
      });
    for (const code of clauses)
      it(`begin with a subject or a verb in: ${code.replaceAll('\n', ' ')}`, async () => {
        assert.equal((await findings(code, 'src/cli/main.ts')).length, 1);
      });
    for (const code of sentences)
      it(`of sentences for people say who acts: ${code}`, async () => {
        assert.equal((await findings(code, 'webview-ui/src/app.tsx')).length, 1);
        assert.deepEqual(await findings(code, 'test/architecture/lint.test.ts'), []);
      });
    it('may be names of code', async () => assert.deepEqual(await findings(plainText, 'src/cli/main.ts'), []));
  });

  it('lets adapters ask for the time', async () => {
    assert.deepEqual((await lint('adapters', 'export const now = (): number => Date.now();')).messages, []);
  });
});
