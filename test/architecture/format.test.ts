import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';

/** Each file holds the same line, which the house writes otherwise. */
const crooked = 'export  const a = "b"\n';

describe('the format gate', () => {
  let tree = '';
  before(() => {
    tree = mkdtempSync(path.join(tmpdir(), 'mission-format-'));
    for (const name of ['.oxfmtrc.json', '.prettierignore', '.gitignore']) copyFileSync(name, path.join(tree, name));
  });
  after(() => rmSync(tree, { recursive: true, force: true }));

  /** Runs the command of package.json, which is its one place. */
  const gate = async (files: Readonly<Record<string, string>>): Promise<{ red: boolean; output: string }> => {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(tree, file)), { recursive: true });
      writeFileSync(path.join(tree, file), text);
    }
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const [program = '', ...args] = (scripts['lint:format'] ?? '').split(' ');
    const { exitCode, all } = await execa(program, args, {
      cwd: tree,
      reject: false,
      all: true,
      preferLocal: true,
      localDir: process.cwd(),
    });
    return { red: exitCode !== 0, output: all };
  };

  it('reads neither the lock of an installation nor what is kept byte for byte', async () => {
    const { red, output } = await gate({
      'src/straight.ts': "export const a = 'b';\n",
      'test/tools/vscode.lock/a.ts': crooked,
      'test/tools/agents.lock/a.ts': crooked,
      'test/core/fixtures/a.ts': crooked,
      'node_modules/a/a.ts': crooked,
    });
    assert.equal(red, false, output);
  });

  it('goes red on a file that the house writes otherwise, and names it', async () => {
    const { red, output } = await gate({ 'src/a.ts': crooked, 'webview-ui/src/b.css': 'a{color:red}\n' });
    assert.equal(red, true);
    assert.match(output, /src\/a\.ts/);
    assert.match(output, /webview-ui\/src\/b\.css/);
    assert.doesNotMatch(output, /straight|fixtures|lock|node_modules/);
  });
});
