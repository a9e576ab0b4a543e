import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';

/**
 * Enforcer 2: dependency-cruiser with the table of .dependency-cruiser.cjs, run on two fixture trees that are laid
 * out like this repository. One holds at least one violation of every rule, the other every import the table allows.
 */
const root = process.cwd();
const config = path.join(root, '.dependency-cruiser.cjs');
const bin = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
const forbiddenTree = 'test/architecture/fixtures/imports-forbidden';
const allowedTree = 'test/architecture/fixtures/imports-allowed';

/** rule: the imports that must set it off, `from -> to`; packages by name, modules of Node as dependency-cruiser names them. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'contracts-rooms': ['src/contracts/contracts-rooms.ts -> src/core/mission/decide.ts'],
  'contracts-packages': ['src/contracts/contracts-packages.ts -> execa'],
  'contracts-node': ['src/contracts/contracts-node.ts -> fs'],
  'base-rooms': ['src/base/base-rooms.ts -> src/core/mission/decide.ts'],
  'base-packages': ['src/base/base-packages.ts -> zod'],
  'base-node': ['src/base/base-node.ts -> fs'],
  'core-rooms': [
    'src/core/mission/core-rooms.ts -> src/engine/ports/ports.ts',
    'src/core/mission/core-rooms.ts -> src/workers/claude/launch.ts',
    'src/core/mission/evasions.ts -> src/adapters/system/clock.ts',
    'src/core/mission/evasions.ts -> src/engine/mission/loop.ts',
    'src/core/mission/evasions.ts -> src/engine/ports/ports.ts',
  ],
  'core-packages': ['src/core/mission/core-packages.ts -> zod'],
  'core-node': [
    'src/core/mission/core-node.ts -> fs',
    'src/core/mission/core-node.ts -> node:sqlite',
    'src/core/mission/evasions.ts -> child_process',
    'src/core/mission/evasions.ts -> os',
  ],
  'core-types-only': [
    'src/core/mission/core-types-and-value.ts -> src/contracts/plan.ts',
    'src/core/mission/core-types-only.ts -> src/contracts/plan.ts',
  ],
  'workers-rooms': ['src/workers/claude/workers-rooms.ts -> src/engine/mission/loop.ts'],
  'workers-packages': ['src/workers/claude/workers-packages.ts -> zod'],
  'workers-node': ['src/workers/claude/workers-node.ts -> path'],
  'workers-types-only': ['src/workers/claude/workers-types-only.ts -> src/contracts/plan.ts'],
  'engine-rooms': ['src/engine/mission/engine-rooms.ts -> src/adapters/system/clock.ts'],
  'engine-packages': ['src/engine/mission/engine-packages.ts -> zod'],
  'engine-node': ['src/engine/mission/engine-node.ts -> fs'],
  'adapters-rooms': ['src/adapters/system/adapters-rooms.ts -> src/engine/mission/loop.ts'],
  'adapters-packages': ['src/adapters/system/adapters-packages.ts -> zod'],
  'adapters-types-only': ['src/adapters/system/adapters-types-only.ts -> src/engine/ports/ports.ts'],
  'supervisor-rooms': ['src/supervisor/supervisor-rooms.ts -> webview-ui/src/page.ts'],
  'supervisor-packages': ['src/supervisor/supervisor-packages.ts -> zod'],
  'supervisor-types-only': ['src/supervisor/supervisor-types-only.ts -> src/core/mission/decide.ts'],
  'mcp-rooms': ['src/mcp/mcp-rooms.ts -> webview-ui/src/page.ts'],
  'mcp-packages': ['src/mcp/mcp-packages.ts -> zod'],
  'mcp-types-only': ['src/mcp/mcp-types-only.ts -> src/core/mission/decide.ts'],
  'cli-rooms': [
    'src/cli/commands/cli-rooms.ts -> webview-ui/src/page.ts',
    'src/cli/commands/programs-stay-apart.ts -> src/supervisor/own.ts',
  ],
  'cli-packages': ['src/cli/commands/cli-packages.ts -> zod'],
  'cli-types-only': ['src/cli/commands/cli-types-only.ts -> src/core/mission/decide.ts'],
  'extension-rooms': ['src/extension/commands/extension-rooms.ts -> src/workers/claude/launch.ts'],
  'extension-packages': ['src/extension/commands/extension-packages.ts -> execa'],
  'extension-node': ['src/extension/commands/extension-node.ts -> fs'],
  'extension-types-only': ['src/extension/commands/extension-types-only.ts -> src/core/mission/decide.ts'],
  'webview-ui-rooms': ['webview-ui/src/webview-ui-rooms.ts -> src/contracts/plan.ts'],
  'webview-ui-packages': ['webview-ui/src/webview-ui-packages.ts -> zod'],
  'webview-ui-types-only': ['webview-ui/src/webview-ui-types-only.ts -> src/contracts/page/pageMessage.ts'],
  'webview-ui-node': ['webview-ui/src/webview-ui-node.ts -> path'],
  'room-for-every-file': [
    'src/core/unknownFolder/homeless.ts -> src/core/mission/decide.ts',
    'src/room-for-every-file.ts -> src/contracts/vocabulary/words.ts',
  ],
  'room-for-every-import': ['test/room-for-every-import.ts -> src/util/homeless.ts'],
  'room-for-every-orphan': ['src/adapters/directlyInARoom.ts', 'src/util/room-for-every-orphan.ts'],
  'no-cycles': ['src/core/mission/no-cycles-other.ts -> src/core/mission/no-cycles.ts'],
  'subfolder-below-its-folder': [
    'src/base/text/above.ts -> src/base/outcome.ts',
    'src/core/plan/rules/below.ts -> src/core/plan/report.ts',
  ],
  'extension-is-a-root': ['scripts/extension-is-a-root.ts -> src/extension/compose.ts'],
  'programs-stay-apart': ['src/cli/commands/programs-stay-apart.ts -> src/supervisor/own.ts'],
  'vscode-in-extension-only': ['scripts/vscode-in-extension-only.ts -> @types/vscode'],
  'product-without-tests': ['src/adapters/system/product-without-tests.ts -> test/support/helper.ts'],
  resolvable: ['test/resolvable.ts -> ./gone'],
  'declared-packages': ['test/declared-packages.ts -> semver'],
};

interface Violation {
  readonly rule: { readonly name: string };
  readonly from: string;
  readonly to: string;
}

interface CruiseResult {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: { readonly violations: readonly Violation[] };
}

/** Runs the real command in `tree`, a folder laid out like this repository. */
async function cruise(tree: string, folders = ['src', 'webview-ui', 'test', 'scripts']): Promise<CruiseResult> {
  const args = [bin, '--config', config, '--output-type', 'json', ...folders];
  const run = promisify(execFile)(process.execPath, args, { cwd: path.join(root, tree), maxBuffer: 64 << 20 });
  const { stdout } = await run.catch((error: unknown) => {
    // The exit code is the number of errors; the document on stdout is complete anyway.
    if (error instanceof Error && 'stdout' in error && error.stdout !== '') return { stdout: String(error.stdout) };
    throw error;
  });
  return JSON.parse(stdout) as CruiseResult;
}

/** @returns violations as rule -> sorted `from -> to`. */
async function violationsOf(tree: string): Promise<Record<string, string[]>> {
  const { summary } = await cruise(tree);
  const found: Record<string, string[]> = {};
  for (const { rule, from, to } of summary.violations) {
    (found[rule.name] ??= []).push(from === to ? from : `${from} -> ${withoutPackageFolder(to)}`);
  }
  for (const lines of Object.values(found)) lines.sort();
  return found;
}

function withoutPackageFolder(to: string): string {
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(to) ?? [];
  return name ?? to;
}

describe('import table', () => {
  const all = (createRequire(config)(config) as { forbidden: readonly { name: string; severity: string }[] }).forbidden;
  // floors.test.ts shows the floors red.
  const forbidden = all.filter(({ name }) => !name.includes('-floors-'));
  let found: Record<string, string[]>;

  before(async () => {
    found = await violationsOf(forbiddenTree);
  });

  for (const { name, severity } of forbidden) {
    it(`${name} goes red on its fixture`, () => {
      assert.equal(severity, 'error');
      assert.ok((expected[name] ?? []).length > 0, `no fixture for rule ${name}`);
      assert.deepEqual(found[name], expected[name]);
    });
  }

  it('names no rule that does not exist', () => {
    assert.deepEqual(Object.keys(expected).sort(), forbidden.map((rule) => rule.name).sort());
    assert.deepEqual(Object.keys(found).sort(), Object.keys(expected).sort());
  });

  it('lets every import of the table through', async () => {
    assert.deepEqual(await violationsOf(allowedTree), {});
  });

  it('judges every source file of the product', async () => {
    const judged = new Set((await cruise('.', ['src', 'webview-ui'])).modules.map(({ source }) => source));
    const files = globSync(['src/**/*.{ts,tsx,mts,cts,js,mjs,cjs}', 'webview-ui/**/*.{ts,tsx}']);
    assert.deepEqual(
      files.map((file) => file.replaceAll('\\', '/')).filter((file) => !judged.has(file)),
      [],
    );
  });
});
