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
  'contracts-rooms': ['src/contracts/contracts-rooms.ts -> src/core/decide.ts'],
  'contracts-packages': ['src/contracts/contracts-packages.ts -> execa'],
  'contracts-node': ['src/contracts/contracts-node.ts -> fs'],
  'core-rooms': [
    'src/core/core-rooms.ts -> src/engine/ports.ts',
    'src/core/core-rooms.ts -> src/workers/claude.ts',
    'src/core/evasions.ts -> src/adapters/clock.ts',
    'src/core/evasions.ts -> src/engine/loop.ts',
    'src/core/evasions.ts -> src/engine/ports.ts',
  ],
  'core-packages': ['src/core/core-packages.ts -> zod'],
  'core-node': [
    'src/core/core-node.ts -> fs',
    'src/core/core-node.ts -> node:sqlite',
    'src/core/evasions.ts -> child_process',
    'src/core/evasions.ts -> os',
  ],
  'core-types-only': [
    'src/core/core-types-and-value.ts -> src/contracts/plan.ts',
    'src/core/core-types-only.ts -> src/contracts/plan.ts',
  ],
  'workers-rooms': ['src/workers/workers-rooms.ts -> src/engine/loop.ts'],
  'workers-packages': ['src/workers/workers-packages.ts -> zod'],
  'workers-node': ['src/workers/workers-node.ts -> path'],
  'workers-types-only': ['src/workers/workers-types-only.ts -> src/core/decide.ts'],
  'engine-rooms': ['src/engine/engine-rooms.ts -> src/adapters/clock.ts'],
  'engine-packages': ['src/engine/engine-packages.ts -> zod'],
  'engine-node': ['src/engine/engine-node.ts -> fs'],
  'adapters-rooms': ['src/adapters/adapters-rooms.ts -> src/engine/loop.ts'],
  'adapters-packages': ['src/adapters/adapters-packages.ts -> zod'],
  'adapters-types-only': ['src/adapters/adapters-types-only.ts -> src/engine/ports.ts'],
  'supervisor-rooms': ['src/supervisor/supervisor-rooms.ts -> webview-ui/src/page.ts'],
  'supervisor-packages': ['src/supervisor/supervisor-packages.ts -> zod'],
  'supervisor-types-only': ['src/supervisor/supervisor-types-only.ts -> src/core/decide.ts'],
  'mcp-rooms': ['src/mcp/mcp-rooms.ts -> webview-ui/src/page.ts'],
  'mcp-packages': ['src/mcp/mcp-packages.ts -> zod'],
  'mcp-types-only': ['src/mcp/mcp-types-only.ts -> src/core/decide.ts'],
  'cli-rooms': [
    'src/cli/cli-rooms.ts -> webview-ui/src/page.ts',
    'src/cli/programs-stay-apart.ts -> src/supervisor/own.ts',
  ],
  'cli-packages': ['src/cli/cli-packages.ts -> zod'],
  'cli-types-only': ['src/cli/cli-types-only.ts -> src/core/decide.ts'],
  'extension-rooms': ['src/extension/extension-rooms.ts -> src/workers/claude.ts'],
  'extension-packages': ['src/extension/extension-packages.ts -> execa'],
  'extension-node': ['src/extension/extension-node.ts -> fs'],
  'extension-types-only': ['src/extension/extension-types-only.ts -> src/core/decide.ts'],
  'webview-ui-rooms': ['webview-ui/src/webview-ui-rooms.ts -> src/contracts/plan.ts'],
  'webview-ui-packages': ['webview-ui/src/webview-ui-packages.ts -> zod'],
  'webview-ui-node': ['webview-ui/src/webview-ui-node.ts -> path'],
  'room-for-every-file': ['src/room-for-every-file.ts -> src/contracts/vocabulary/words.ts'],
  'room-for-every-import': ['test/room-for-every-import.ts -> src/util/homeless.ts'],
  'room-for-every-orphan': ['src/util/room-for-every-orphan.ts'],
  'no-cycles': ['src/core/no-cycles-other.ts -> src/core/no-cycles.ts'],
  'extension-is-a-root': ['scripts/extension-is-a-root.ts -> src/extension/compose.ts'],
  'programs-stay-apart': ['src/cli/programs-stay-apart.ts -> src/supervisor/own.ts'],
  'vscode-in-extension-only': ['scripts/vscode-in-extension-only.ts -> @types/vscode'],
  'product-without-tests': ['src/adapters/product-without-tests.ts -> test/support/helper.ts'],
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
async function cruise(tree: string): Promise<CruiseResult> {
  const args = [bin, '--config', config, '--output-type', 'json', 'src', 'webview-ui', 'test', 'scripts'];
  const run = promisify(execFile)(process.execPath, args, { cwd: path.join(root, tree), maxBuffer: 64 << 20 });
  const { stdout } = await run.catch((error: unknown) => {
    // The exit code is the number of errors; the document on stdout is complete all the same.
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
  const { forbidden } = createRequire(config)(config) as { forbidden: readonly { name: string; severity: string }[] };
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
    const judged = new Set((await cruise('.')).modules.map(({ source }) => source));
    const files = globSync(['src/**/*.{ts,tsx,mts,cts,js,mjs,cjs}', 'webview-ui/**/*.{ts,tsx}']);
    assert.deepEqual(
      files.map((file) => file.replaceAll('\\', '/')).filter((file) => !judged.has(file)),
      [],
    );
  });
});
