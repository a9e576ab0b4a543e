import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

describe('a checkout without a Node of its own', () => {
  let root: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'mission-no-node-')));
    cpSync('scripts', path.join(root, 'scripts'), { recursive: true });
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const demo = (): string => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/demo.mjs'], {
      cwd: root,
      encoding: 'utf8',
    });
    assert.equal(status, 1);
    return stdout + stderr;
  };

  it('says to run npm ci where that was not done', () =>
    assert.match(demo(), /node_modules holds no Node: run `npm ci` first\./));

  it('says that install scripts are switched off where the package is there and its program is not', () => {
    mkdirSync(path.join(root, 'node_modules/node'), { recursive: true });
    writeFileSync(path.join(root, 'node_modules/node/package.json'), '{}');
    assert.match(demo(), /install scripts are switched off\. Run `npm rebuild node --ignore-scripts=false`\./);
  });
});
