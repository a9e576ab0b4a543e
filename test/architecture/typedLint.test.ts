import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ESLint } from 'eslint';
import { execa } from 'execa';
import tseslint from 'typescript-eslint';

/** A line that breaks a typed rule, in the place where it counts. */
interface Broken {
  readonly file: string;
  readonly rule: string;
  readonly code: string;
}

const broken: readonly Broken[] = [
  { file: 'src/cli/a.ts', rule: 'no-floating-promises', code: `export function f(p: Promise<number>): void { p; }` },
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
  'test/cli/fixtures/ok.ts': `export function f(p: Promise<number>): void { p; }`,
};

/** The compiler options of the house, without the packages that a snippet has no need of. */
const options = { strict: true, target: 'ES2023', lib: ['ES2023'], types: [], jsx: 'react-jsx', noEmit: true };
const notThere = ['no-unsafe-class-instance-assignment'];
const prefix = '@typescript-eslint/';

/** @returns the rules of the preset that ask for types */
function typedRulesOfThePreset(): readonly string[] {
  const { rules } = tseslint.plugin as unknown as {
    rules: Record<string, { meta: { docs?: { requiresTypeChecking?: boolean } } }>;
  };
  return tseslint.configs.strictTypeChecked
    .flatMap((config) => Object.entries(config.rules ?? {}))
    .filter(([name, value]) => name.startsWith(prefix) && value !== 'off')
    .map(([name]) => name.slice(prefix.length))
    .filter((name) => rules[name]?.meta.docs?.requiresTypeChecking === true);
}

/** The command of the gate has one place, package.json; only its project is another one here. */
async function gate(): Promise<readonly string[]> {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
  return (scripts['lint:types'] ?? '')
    .split(' ')
    .map((word) => (word.startsWith('scripts/') ? path.resolve(word) : word));
}

describe('rules that need types', () => {
  it('are those of the preset, each as an error', async () => {
    const lines = (await readFile('scripts/typed-rules.json', 'utf8')).split('\n');
    const { overrides } = JSON.parse(lines.filter((line) => !/^\s*\/\//.test(line)).join('\n')) as {
      overrides: readonly { rules: Record<string, string | readonly [string, ...unknown[]]> }[];
    };
    const rules = overrides[0]?.rules ?? {};
    const expected = typedRulesOfThePreset().filter((name) => !notThere.includes(name));
    assert.ok(expected.length > 40);
    for (const name of expected) assert.equal([rules[`typescript/${name}`]].flat()[0], 'error', name);
  });

  it('run in one linter only', async () => {
    const { rules } = (await new ESLint().calculateConfigForFile('src/cli/main.ts')) as {
      rules: Record<string, readonly [number, ...unknown[]]>;
    };
    const typed = typedRulesOfThePreset().filter((name) => (rules[`${prefix}${name}`]?.[0] ?? 0) !== 0);
    assert.deepEqual(typed, []);
  });

  let folder = '';
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'mission-typed-lint-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('go red by the command of the gate, and only where they hold', async () => {
    const files = { ...Object.fromEntries(broken.map(({ file, code }) => [file, code])), ...accepted };
    for (const [file, code] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), `${code}\n`);
    }
    const tsconfig = path.join(folder, 'tsconfig.json');
    await writeFile(tsconfig, JSON.stringify({ compilerOptions: options, include: ['src', 'webview-ui', 'test'] }));
    const [program, ...words] = await gate();
    const args = words.map((word) => (word.endsWith('tsconfig.lint.json') ? tsconfig : word));
    const { stdout, exitCode } = await execa(program ?? '', [...args, '--format', 'unix'], {
      cwd: folder,
      reject: false,
      preferLocal: true,
      localDir: process.cwd(),
      env: { OXLINT_TSGOLINT_PATH: path.resolve('node_modules/.bin/tsgolint') },
    });
    const found = stdout.split('\n').flatMap((line) => {
      const [, file, rule] = /^(\S+?):\d+:\d+: .*typescript\((\S+)\)\]$/.exec(line) ?? [];
      return file === undefined || rule === undefined ? [] : [`${file}: ${rule}`];
    });
    assert.deepEqual(found.toSorted(), broken.map(({ file, rule }) => `${file}: ${rule}`).toSorted(), stdout);
    assert.equal(exitCode, 1);
  });
});
