import assert from 'node:assert/strict';
import { execa } from 'execa';
import { readFile } from 'node:fs/promises';
import { lintTree } from './lintRun';

/** A line that breaks a typed rule, in the place where it counts. */
interface Broken {
  readonly file: string;
  readonly rule: string;
  readonly code: string;
}

const broken: readonly Broken[] = [
  {
    file: 'src/cli/a.ts',
    rule: 'no-floating-promises',
    code: `export function f(p: Promise<number>): void { p.then(() => 1); }`,
  },
  {
    file: 'src/cli/b.ts',
    rule: 'switch-exhaustiveness-check',
    code: `export function f(x: 'a' | 'b'): number { switch (x) { case 'a': return 1; } return 2; }`,
  },
  {
    file: 'src/core/mission/c.ts',
    rule: 'switch-exhaustiveness-check',
    code: `export function f(x: 'a' | 'b'): number { switch (x) { case 'a': return 1; default: return 2; } }`,
  },
  {
    file: 'webview-ui/src/d.tsx',
    rule: 'restrict-template-expressions',
    code: 'export const f = (x: string | null): string => `${x}`;',
  },
  {
    file: 'src/mcp/e.ts',
    rule: 'no-deprecated',
    code: `/** @deprecated Use two. */\nexport const one = 1;\nexport const three = one + 2;`,
  },
  {
    file: 'test/cli/f.test.ts',
    rule: 'no-unnecessary-condition',
    code: `export const f = (x: string): number => (x === undefined ? 1 : 2);`,
  },
];

/** Each is right where it stands. */
const accepted: Readonly<Record<string, string>> = {
  'src/cli/ok.ts': `export function f(x: 'a' | 'b'): number { switch (x) { case 'a': return 1; default: return 2; } }`,
  'src/core/ok.ts': 'export const f = (n: number, b: boolean): string => `${n} ${b}`;',
  'test/cli/ok.test.ts': `/** @deprecated Use two. */\nexport const one = 1;\nexport const f = async (): Promise<number> => one;`,
  'test/cli/fixtures/ok.ts': `export function f(p: Promise<number>): void { p.then(() => 1); }`,
};

/** Rules that ask for types and that the house does without. */
const without = [
  ...['consistent-return', 'dot-notation', 'no-unnecessary-qualifier', 'no-unsafe-type-assertion'],
  ...['non-nullable-type-assertion-style', 'prefer-find', 'prefer-includes', 'prefer-nullish-coalescing'],
  ...['prefer-optional-chain', 'prefer-readonly', 'prefer-readonly-parameter-types', 'prefer-regexp-exec'],
  ...['prefer-string-starts-ends-with', 'promise-function-async', 'strict-boolean-expressions', 'strict-void-return'],
];

describe('rules that need types', () => {
  it('are on as errors, each that the house does not do without by name', async () => {
    const { stdout } = await execa('oxlint', ['--rules', '--format', 'json'], { preferLocal: true });
    const rules = JSON.parse(stdout) as readonly {
      scope: string;
      value: string;
      category: string;
      type_aware: boolean;
    }[];
    const typed = rules.filter((rule) => rule.scope === 'typescript' && rule.type_aware);
    assert.ok(typed.length > 40);
    const config = await readFile('.oxlintrc.json', 'utf8');
    const missing = typed
      .filter(({ value }) => !new RegExp(`"typescript/${value}": (\\["error"|\\[\\n\\s*"error"|"error")`).test(config))
      .filter(({ category }) => category !== 'correctness')
      .map(({ value }) => value);
    assert.deepEqual(missing.toSorted(), without.toSorted());
  });

  it('go red by the command of the gate, and only where they hold', async () => {
    const files = { ...Object.fromEntries(broken.map(({ file, code }) => [file, `${code}\n`])), ...accepted };
    const { exitCode, found } = await lintTree(files);
    const all = [...found].flatMap(([file, findings]) => findings.map(({ rule }) => `${file}: ${rule}`));
    assert.deepEqual(all.toSorted(), broken.map(({ file, rule }) => `${file}: typescript/${rule}`).toSorted());
    assert.equal(exitCode, 1);
  });
});
