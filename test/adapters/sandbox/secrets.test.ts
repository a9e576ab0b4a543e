import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findPrivate } from '../../../src/adapters/sandbox/places/hidden';
import type { SecretsSeen } from '../../../src/contracts/vocabulary/files/privatePlaces';
import { readingWords, secretsSeen } from '../../../src/core/paths/reading';
import { usersOfTier } from '../../support/users';
import { makeBed, removeBeds, type Asked, type Bed } from './bed';

/** Prints each secret that a launch can read, wherever mounts show it. */
const readAll = `for f in $(find "$HOME" "$RUN" "$BED" -name 'a-secret*' -type f 2>/dev/null); do cat "$f"; done | sort -u`;
const files = {
  '.ssh/a-secret': 'key of ssh\n',
  '.ssh/deep/a-secret': 'key below\n',
  '.aws/a-secret': 'key of aws\n',
  '.config/gh/a-secret': 'token of gh\n',
  '.config/sops/age/a-secret': 'key of sops\n',
  '.config/doctl/a-secret': 'token of doctl\n',
  '.thunderbird/a-secret': 'passwords of mail\n',
  'snap/firefox/common/.mozilla/a-secret': 'passwords of a snap\n',
  '.var/app/org.mozilla.firefox/a-secret': 'passwords of a flatpak\n',
  '.cache/tool/v1/auth/a-secret': 'deeper sign-in in a cache\n',
  '.config/tool/a-secret-no': 'settings\n',
  '.cache/google-tool/auth/a-secret': 'sign-in in a cache\n',
};
const all = Object.values(files).sort().join('');

const tokenOf = ({ home }: Bed): string => path.join(home, '.cache/huggingface/token');

function lay(bed: Bed): void {
  bed.put(Object.fromEntries(Object.entries(files).map(([name, text]) => [path.join(bed.home, name), text])));
  bed.put({ 'out/': '', [path.join(bed.home, '.netrc')]: 'password of netrc\n' });
  bed.put({ [tokenOf(bed)]: 'a token\n', [path.join(bed.home, '.cache/tool/tokens.py')]: 'a module\n' });
  Object.assign(bed.environment, { RUN: bed.run, BED: bed.folder });
}

describe('secrets of a person', function () {
  this.timeout(60_000);
  after(removeBeds);

  for (const user of usersOfTier) {
    const read: { readonly [S in SecretsSeen]: string } = {
      none: 'settings\n',
      provider: 'key of aws\nsettings\n',
      all,
    };
    for (const secrets of ['none', 'provider', 'all'] as const)
      it(`are read by a launch that sees ${secrets}, as ${user}`, async function () {
        const bed = makeBed(this, user);
        lay(bed);
        const script = `${readAll}; cat "$HOME/.netrc" 2> /dev/null || echo denied`;
        const { output } = await bed.confined({ secrets, caches: { env_names: [], shared: { name: 'only' } } }, script);
        assert.equal(output, `${read[secrets]}${secrets === 'all' ? 'password of netrc' : 'denied'}\n`);
      });

    it(`are hidden where they lie in a cache, and all else of the cache is seen, as ${user}`, async function () {
      const bed = makeBed(this, user);
      lay(bed);
      const script = `cat "${tokenOf(bed)}" 2> /dev/null || echo denied; cat "$HOME/.cache/tool/tokens.py"`;
      for (const caches of [undefined, { env_names: [], shared: { name: 'only' } }])
        assert.equal((await bed.confined({ ...(caches && { caches }) }, script)).output, 'denied\na module\n');
      assert.equal((await bed.confined({ secrets: 'all' }, script)).output, 'a token\na module\n');
    });

    it(`are hidden where a file is closed to all others and holds a key, as ${user}`, async function () {
      const bed = makeBed(this, user);
      const key = `token = "${'k3y'.repeat(8)}"`;
      const laid: readonly (readonly [name: string, text: string, mode: number])[] = [
        ['.newtoolcfg', key, 0o600],
        ['.newtool/deep/id', '-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----', 0o400],
        ['.local/share/newtool/auth/login', key, 0o600],
        ['.newtool/colours', 'blue', 0o600],
        ['.newtool/example', key, 0o644],
        ['.npmrc', key, 0o600],
        ['.newagent/login', key, 0o600],
      ];
      for (const [name, text, mode] of laid) {
        bed.put({ [path.join(bed.home, name)]: text });
        chmodSync(path.join(bed.home, name), mode);
      }
      const names = laid.map(([name]) => name);
      const script = `cd "$HOME"; for f in ${names.join(' ')}; do cat "$f" > /dev/null 2>&1 && echo "$f"; done; :`;
      const read = async (asked: Asked): Promise<readonly string[]> =>
        (await bed.confined(asked, script)).output.split('\n').filter((one) => one !== '');
      const open = ['.newtool/colours', '.newtool/example', '.npmrc'];
      for (const caches of [undefined, { env_names: [], shared: { name: 'only' } }])
        assert.deepEqual(await read({ ...(caches && { caches }) }), open);
      const home = [{ variable: null, below: '', otherwise: '.newagent', entries: [] }];
      assert.deepEqual(await read({ secrets: 'provider', home }), [...open, '.newagent/login']);
      assert.deepEqual(await read({ secrets: 'all' }), names);
    });

    it(`of other workspaces are hidden with their state folders, and the own run is not, as ${user}`, async function () {
      const bed = makeBed(this, user);
      const others = [path.join(bed.home, 'other'), path.join(bed.workspace, 'inner')];
      bed.put({ [path.join(bed.run, 'a-secret-own')]: 'own run\n', 'out/': '' });
      for (const other of others)
        bed.put({
          [path.join(other, '.mission-control/missions/m/a-secret')]: 'other\n',
          [path.join(other, 'a-secret-no')]: 'tree\n',
        });
      bed.states = [bed.workspace, ...others].map((one) => path.join(one, '.mission-control'));
      Object.assign(bed.environment, { RUN: bed.run, BED: bed.folder });
      for (const asked of [
        {},
        { writable: ['out'], layered: true, caches: { env_names: [], shared: { name: 'only' } } },
      ] as const)
        assert.equal((await bed.confined(asked, readAll)).output, 'own run\ntree\n');
    });

    it(`are hidden where HOME is shown through a view, as ${user}`, async function () {
      const bed = makeBed(this, user);
      lay(bed);
      for (let index = 0; index < 310; index += 1) mkdirSync(path.join(bed.home, `folder-${index}`));
      // The CLI's own folder is missing, so HOME itself is replaced, by links into a view of it.
      const home = [{ variable: null, below: '', otherwise: '.cli', entries: [] }];
      const { output } = await bed.confined({ home }, `${readAll}; cat "$HOME/.netrc" 2> /dev/null || echo denied`);
      assert.equal(output, 'settings\ndenied\n');
      assert.equal((await bed.free(readAll)).output, all);
    });

    it(`are hidden where they lie behind a link, as ${user}`, async function () {
      const bed = makeBed(this, user);
      bed.put({ [path.join(bed.outside, 'keys/a-secret')]: 'key elsewhere\n' });
      symlinkSync(path.join(bed.outside, 'keys'), path.join(bed.home, '.ssh'));
      const script = 'cat "$HOME/.ssh/a-secret" "$BED/outside/keys/a-secret" 2> /dev/null; echo end';
      bed.environment['BED'] = bed.folder;
      assert.equal((await bed.confined({}, script)).output, 'end\n');
      assert.equal((await bed.free(script)).output, 'key elsewhere\nkey elsewhere\nend\n');
    });

    it(`stay where a place holds the workspace, or was granted, as ${user}`, async function () {
      const bed = makeBed(this, user);
      lay(bed);
      const granted = [path.join(bed.home, '.ssh')];
      const ran = await bed.confined({ granted }, 'cat "$HOME/.ssh/a-secret"; echo x > "$HOME/.ssh/new"');
      assert.equal(ran.output, 'key of ssh\n');
      assert.ok(existsSync(path.join(bed.home, '.ssh/new')));
    });

    it(`leave a program on PATH beside them, as ${user}`, async function () {
      const bed = makeBed(this, user);
      lay(bed);
      const program = path.join(bed.home, '.ssh/bin/tool');
      mkdirSync(path.dirname(program));
      writeFileSync(program, '#!/bin/sh\necho ran\n', { mode: 0o755 });
      bed.environment['PATH'] = `${bed.environment['PATH']}:${path.dirname(program)}`;
      assert.equal((await bed.confined({}, `tool; ${readAll}`)).output, 'ran\nsettings\n');
    });
  }

  it('are found by the next look where a folder or a closed file of HOME has changed', async function () {
    if (process.platform !== 'linux') this.skip();
    const home = mkdtempSync(path.join(tmpdir(), 'looked-'));
    const tool = path.join(home, '.tool');
    const [login, colours] = [path.join(tool, 'login'), path.join(tool, 'colours')];
    const look = async (): Promise<readonly string[]> =>
      (await findPrivate(home, { seen: 'none', needed: [], isOwn: () => false })).files;
    const close = (file: string, text: string): void => writeFileSync(file, text, { mode: 0o600 });
    const key = `token = "${'k3y'.repeat(8)}"`;
    try {
      mkdirSync(tool);
      close(colours, 'blue');
      // Long unchanged, so that a look counts for the next one.
      for (const folder of [home, tool]) utimesSync(folder, 1e9, 1e9);
      assert.deepEqual([await look(), await look()], [[], []]);
      close(login, key);
      assert.deepEqual(await look(), [login]);
      utimesSync(tool, 1e9, 1e9);
      assert.deepEqual(await look(), [login]);
      close(colours, key);
      assert.deepEqual([...(await look())].sort(), [colours, login]);
      rmSync(login);
      assert.deepEqual(await look(), [colours]);
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  it('are seen by what signs in by them', () => {
    const sockets = { ports: [], sockets: ['/run/docker.sock'], devices: [] };
    assert.equal(secretsSeen('agent', { network: true }), 'provider');
    assert.equal(secretsSeen('command', { network: false }), 'none');
    assert.equal(secretsSeen('command', { services: { ...sockets, sockets: [], ports: [5432] } }), 'none');
    assert.equal(secretsSeen('command', { services: sockets }), 'all');
    assert.equal(secretsSeen('command', { network: true }), 'all');
    const all = 'may read all that this user may read';
    assert.equal(readingWords('all'), all);
    assert.equal(
      readingWords('none'),
      `${all}, apart from known places of secrets such as ~/.ssh and ~/.gnupg, and closed files that hold a key`,
    );
    assert.match(readingWords('provider'), /; those of providers stay, such as ~\/\.aws and ~\/\.config\/gcloud$/);
  });
});
