import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

describe('a checkout without a Node of its own', function () {
  this.timeout(60_000);
  let root: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'mission-no-node-')));
    for (const name of ['scripts', 'test/tiers.json']) cpSync(name, path.join(root, name), { recursive: true });
    cpSync('package.json', path.join(root, 'package.json'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const said = (script: string, ...nodeOptions: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeOptions, script], {
      cwd: root,
      encoding: 'utf8',
    });
    assert.equal(status, 1, stdout + stderr);
    return stdout + stderr;
  };
  /** The packages as npm leaves them with `ignore-scripts=true`: that of Node has no program. */
  const installedWithoutScripts = (): void => {
    mkdirSync(path.join(root, 'node_modules/node'), { recursive: true });
    writeFileSync(path.join(root, 'node_modules/node/package.json'), '{}');
    for (const name of readdirSync('node_modules').filter((one) => one !== 'node' && !one.startsWith('.')))
      symlinkSync(path.resolve('node_modules', name), path.join(root, 'node_modules', name));
  };
  const step = /install scripts are switched off\. Run `npm rebuild node --ignore-scripts=false`\./;

  it('says to run npm ci where that was not done', () =>
    assert.match(said('scripts/demo.mjs'), /node_modules holds no Node: run `npm ci` first\./));

  for (const [command, script] of [
    ['npm run demo', 'scripts/demo.mjs'],
    ['npm test', 'scripts/test.mjs'],
  ] as const)
    it(`says in \`${command}\` that install scripts are switched off, where the package is there and its program is not`, () => {
      installedWithoutScripts();
      assert.match(said(script), step);
    });

  it('says it in `npm run package` under an older Node of the machine', () => {
    installedWithoutScripts();
    const older = path.join(root, 'older.cjs');
    writeFileSync(older, `Object.defineProperty(process.versions, 'node', { value: '20.19.0' });`);
    assert.match(said('scripts/build.mjs', '--require', older), step);
  });
});
