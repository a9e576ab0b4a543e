import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** `generate --check` on a copy of the tree, into which the drift is written. */
const root = process.cwd();
const copied = [
  'src',
  'webview-ui',
  'scripts',
  'schemas',
  'docs/messages.md',
  'package.json',
  'tsconfig.json',
  'tsconfig.base.json',
];

describe('generate --check', () => {
  let tree: string;

  beforeEach(() => {
    tree = mkdtempSync(path.join(os.tmpdir(), 'mission-generate-'));
    for (const name of [...copied, '.prettierrc.json']) {
      cpSync(path.join(root, name), path.join(tree, name), { recursive: true });
    }
    symlinkSync(path.join(root, 'node_modules'), path.join(tree, 'node_modules'), 'dir');
  });

  afterEach(() => {
    rmSync(tree, { recursive: true, force: true });
  });

  function check(): { code: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/generate.mjs', '--check'], {
      cwd: tree,
      encoding: 'utf8',
    });
    return { code: status, output: stdout + stderr };
  }

  function someSchema(): string {
    const [name] = readdirSync(path.join(tree, 'schemas')).filter((file) => file.endsWith('.json'));
    assert.ok(name !== undefined, 'schemas/ holds no schema');
    return path.join(tree, 'schemas', name);
  }

  function assertDrift(name: string): void {
    const { code, output } = check();
    assert.notEqual(code, 0, 'drift went through');
    assert.ok(output.includes(name), `the output does not name ${name}: ${output}`);
  }

  it('passes on the tree as it is', () => {
    const { code, output } = check();
    assert.equal(code, 0, output);
  });

  it('goes red when a schema was edited by hand', () => {
    const file = someSchema();
    writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{ "x_edited": true,'));
    assertDrift(path.basename(file));
  });

  it('goes red when a sentence changed, when a code has no message, and when a message has an unknown code', () => {
    const edit = (file: string, from: string, to: string): void => {
      const place = path.join(tree, file);
      const text = readFileSync(place, 'utf8');
      assert.ok(text.includes(from), file);
      writeFileSync(place, text.replace(from, to));
    };
    edit('src/core/mission/commands.ts', 'The mission is not paused.', 'The mission is not paused now.');
    assertDrift('docs/messages.md is out of date');
    edit(
      'src/contracts/vocabulary/refusals.ts',
      "  NOT_PAUSED: '",
      "  NEVER_TOLD: 'Nothing says this.',\n  NOT_PAUSED: '",
    );
    assertDrift('no message has the code NEVER_TOLD');
    edit('src/core/mission/commands.ts', "'NOT_PAUSED'", "'NOWHERE_LISTED'");
    assertDrift('NOWHERE_LISTED has no meaning');
  });

  it('goes red when an example stands for nothing any more', () => {
    const file = path.join(tree, 'scripts/messageExamples.mjs');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('export const examples = {', "$& 'check of old': 'gone',"));
    assertDrift('check of old');
  });

  it('goes red when a schema is missing', () => {
    const file = someSchema();
    rmSync(file);
    assertDrift(path.basename(file));
  });

  it('goes red when a schema has no source any more', () => {
    writeFileSync(path.join(tree, 'schemas', 'leftOver.schema.json'), '{}\n');
    assertDrift('leftOver.schema.json');
  });

  it("goes red when package.json's contributes was edited by hand", () => {
    const file = path.join(tree, 'package.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as { contributes?: { commands?: unknown[] } };
    const commands = [
      ...(manifest.contributes?.commands ?? []),
      { command: 'missionControl.byHand', title: 'By Hand' },
    ];
    writeFileSync(
      file,
      `${JSON.stringify({ ...manifest, contributes: { ...manifest.contributes, commands } }, null, 2)}\n`,
    );
    assertDrift('package.json');
  });
});
