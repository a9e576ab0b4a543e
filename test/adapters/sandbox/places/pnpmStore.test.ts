import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  needsStore,
  pnpmVariables,
  type PnpmAsked,
  type StoreAsked,
} from '../../../../src/adapters/sandbox/places/pnpmStore';

describe('where pnpm finds its store in the sandbox', () => {
  let folder = '';
  let home = '';
  let workspace = '';
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'mission-pnpm-')));
    [home, workspace] = [path.join(folder, 'home'), path.join(folder, 'ws')];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const put = (name: string, text = ''): void => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  /** The store that both variables name; null: none. */
  const led = async (layer: string, environment: StoreAsked['environment'] = {}): Promise<string | null> => {
    const at = path.join(folder, layer);
    const layers = [{ at, kind: 'private', from: path.join(folder, 'own') } as const];
    const found = await pnpmVariables({ environment, home, workspace, layers });
    assert.ok(Object.values(found).every((one) => one === at));
    assert.equal(found['pnpm_config_store_dir'], found['npm_config_store_dir']);
    return found['npm_config_store_dir'] === undefined ? null : layer;
  };
  const usual = 'home/.local/share/pnpm/store';

  it('is the layer of the store in HOME, for a project in the workspace or in a folder of it', async () => {
    put('ws/web/pnpm-lock.yaml');
    assert.equal(await led(usual), usual);
    rmSync(path.join(workspace, 'web'), { recursive: true });
    put('ws/pnpm-workspace.yaml', 'packages:\n  - packages/*\n');
    put('home/.npmrc', '# store-dir=/elsewhere\nregistry=http://localhost/\n');
    assert.equal(await led(usual), usual);
  });

  it('is the same for a package of a workspace of pnpm, two folders below its root', async () => {
    workspace = path.join(folder, 'ws/packages/web');
    put('ws/packages/web/package.json', '{}');
    put('ws/pnpm-lock.yaml');
    assert.equal(await led(usual), null, 'no root of pnpm');
    put('ws/pnpm-workspace.yaml', 'packages:\n  - packages/*\n');
    assert.equal(await led(usual), usual);
    put('ws/.npmrc', 'store-dir=/elsewhere\n');
    assert.equal(await led(usual), null);
  });

  it('is needed on macOS as well, unless the settings there name one', async () => {
    const needed = (environment: PnpmAsked['environment'] = {}): Promise<boolean> =>
      needsStore({ environment, home, workspace, platform: 'darwin' });
    put('ws/package-lock.json');
    assert.equal(await needed(), false);
    put('ws/pnpm-lock.yaml');
    put('home/.config/pnpm/rc', 'store-dir=/elsewhere\n');
    assert.equal(await needed(), true);
    put('home/Library/Preferences/pnpm/rc', 'store-dir=/elsewhere\n');
    assert.equal(await needed(), false);
    assert.equal(await needed({ XDG_CONFIG_HOME: path.join(folder, 'x') }), true);
  });

  it('is where variables of the person lead pnpm, and only if that is a layer', async () => {
    put('ws/pnpm-lock.yaml');
    assert.equal(await led('p/store', { PNPM_HOME: path.join(folder, 'p') }), 'p/store');
    assert.equal(await led('x/pnpm/store', { XDG_DATA_HOME: path.join(folder, 'x') }), 'x/pnpm/store');
    const named = { npm_config_store_dir: path.join(folder, 's'), PNPM_HOME: path.join(folder, 'p') };
    assert.equal(await led('s', named), 's');
    assert.equal(await led(usual, named), null);
  });

  it('is found beside settings that no person wrote: a pipe, a device and a folder in their places', async () => {
    put('ws/pnpm-lock.yaml');
    put('ws/web/pnpm-lock.yaml');
    execFileSync('mkfifo', [path.join(workspace, '.npmrc')]);
    symlinkSync('/dev/zero', path.join(workspace, 'web/.npmrc'));
    mkdirSync(path.join(workspace, 'web/pnpm-workspace.yaml'));
    assert.equal(await led(usual), usual);
  });

  it('is not led where no project of pnpm is, because npm warns of the variable', async () => {
    put('ws/package-lock.json');
    put('ws/node_modules/pnpm-lock.yaml');
    assert.equal(await led(usual), null);
  });

  for (const [file, text] of [
    ['ws/.npmrc', 'store-dir = /elsewhere\n'],
    ['ws/pnpm-workspace.yaml', 'packages: []\nstoreDir: /elsewhere\n'],
    ['home/.npmrc', 'registry=http://localhost/\nstore-dir=/elsewhere\n'],
    ['home/.config/pnpm/rc', 'store-dir=/elsewhere\n'],
    ['home/.config/pnpm/config.yaml', '"storeDir": /elsewhere\n'],
  ] as const)
    it(`is what ${file} says, if it names one`, async () => {
      put('ws/pnpm-lock.yaml');
      assert.equal(await led(usual), usual);
      put(file, text);
      assert.equal(await led(usual), null);
    });
});
