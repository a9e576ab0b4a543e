import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, readFile, readdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createApprovals } from '../../../src/adapters/state/approvals';
import { openUserKey, userKeyFolder } from '../../../src/adapters/user/key';
import { codeOf } from '../../support/refused';
import { removeScratch, scratch } from '../scratch';

const approval = { plan_sha256: 'A'.repeat(64), by: 'Ann', at: '2026-01-02T03:04:05.678Z' } as const;

async function keyFolder(): Promise<string> {
  return path.join(await scratch(), 'key');
}

describe('the key of this machine’s user', () => {
  after(removeScratch);

  describe('lies below the home folder', () => {
    const names = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'LOCALAPPDATA', 'MISSION_CONTROL_HOME'];
    const kept = { ...process.env };
    before(() => Object.assign(process.env, Object.fromEntries(names.map((name) => [name, '/elsewhere']))));
    after(() => (process.env = kept));

    it('whatever other variables say', () => {
      assert.equal(userKeyFolder('/home/ann', 'linux'), '/home/ann/.config/mission-control');
      assert.equal(userKeyFolder('/Users/ann', 'darwin'), '/Users/ann/Library/Application Support/Mission Control');
      assert.equal(userKeyFolder('C:\\Users\\ann', 'win32'), 'C:\\Users\\ann\\AppData\\Local\\Mission Control');
    });
  });

  it('stays the key that was made first, whenever another process comes to make one', async () => {
    for (let round = 0; round < 10; round += 1) {
      const folder = await keyFolder();
      const opening = [];
      for (let n = 0; n < 10; n += 1) {
        opening.push(openUserKey(folder));
        await new Promise(setImmediate);
      }
      const keys = await Promise.all([...opening, openUserKey(folder)]);
      assert.equal(new Set(keys.map((key) => (key.ok ? key.value.seal('x') : key.refusal.reason))).size, 1);
    }
  });

  it('seals parts so that another division of the same text has another seal', async () => {
    const key = await openUserKey(await keyFolder());
    assert(key.ok);
    const seal = (...parts: readonly string[]): string => key.value.seal(...parts);
    const divided = [seal('a', 'bc'), seal('ab', 'c'), seal('abc'), seal('a","bc'), seal('', 'abc')];
    assert.equal(new Set(divided).size, divided.length);
    assert.equal(seal('a', 'bc'), divided[0]);
  });

  it('closes a folder that others may read', async function () {
    if (process.platform === 'win32') this.skip();
    const folder = await keyFolder();
    await mkdir(folder);
    await chmod(folder, 0o755);
    assert((await openUserKey(folder)).ok);
    assert.equal((await lstat(folder)).mode & 0o777, 0o700);
  });

  it('is made once, whole, for this user alone, also by many at once', async () => {
    const folder = await keyFolder();
    const keys = await Promise.all(Array.from({ length: 20 }, () => openUserKey(folder)));
    assert.equal(new Set(keys.map((key) => (key.ok ? key.value.seal('x') : key.refusal.reason))).size, 1);
    assert.deepEqual((await readdir(folder)).sort(), ['.gitignore', 'approval.key']);
    // A home folder, or its configuration, is a repository for many.
    assert.equal(await readFile(path.join(folder, '.gitignore'), 'utf8'), '*\n');
    assert.equal((await readFile(path.join(folder, 'approval.key'))).length, 32);
    if (process.platform === 'win32') return;
    assert.equal((await lstat(folder)).mode & 0o777, 0o700);
    assert.equal((await lstat(path.join(folder, 'approval.key'))).mode & 0o777, 0o600);
  });

  const unfit: readonly (readonly [string, (folder: string, file: string) => Promise<unknown>, RegExp])[] = [
    ['others may read it', (_folder, file) => chmod(file, 0o640), /others may read or write it/],
    ['others may write into its folder', (folder) => chmod(folder, 0o777), /others may write into it/],
    [
      'it is a link',
      (folder, file) => rename(file, `${folder}/k`).then(() => symlink(`${folder}/k`, file)),
      /it is a link/,
    ],
    ['it is a folder', (_folder, file) => rm(file).then(() => mkdir(file)), /it is a folder/],
    ['it is too short', (_folder, file) => writeFile(file, 'short'), /5 bytes instead of 32/],
    ['it is too long', (_folder, file) => writeFile(file, 'x'.repeat(33)), /no key/],
  ];
  for (const [name, spoil, says] of unfit) {
    it(`is not used, and that is said, where ${name}`, async function () {
      if (process.platform === 'win32') this.skip();
      const folder = await keyFolder();
      assert((await openUserKey(folder)).ok);
      await spoil(folder, path.join(folder, 'approval.key'));
      const key = await openUserKey(folder);
      assert(!key.ok);
      assert.equal(key.refusal.code, 'STATE_FOLDER_UNAVAILABLE');
      assert.match(key.refusal.reason, says);
    });
  }
});

describe('sealed approvals', () => {
  after(removeScratch);

  it('hold with every byte of what they bind, and with no other key', async () => {
    const [workspace, folder] = [await scratch(), await keyFolder()];
    const approvals = createApprovals(workspace, folder);
    const sealed = await approvals.seal(approval);
    assert(sealed.ok);
    const record = sealed.value;
    const holds = async (changed: object): Promise<unknown> => {
      const { seals } = await approvals.look([{ ...record, ...changed }]);
      return seals[0]?.sealed;
    };
    assert.equal(await holds({}), true);
    const changes = {
      plan_sha256: 'B'.repeat(64),
      by: 'Eve',
      workspace_dir: '/b',
      machine_id: 'm',
      at: 'x',
      nonce: 'n',
      instructions: ['AGENTS.md=B'],
      speaks_to: ['AGENTS.md=A'],
    };
    for (const [name, value] of Object.entries(changes)) assert.equal(await holds({ [name]: value }), false, name);
    const instructions = ['AGENTS.md=A'];
    const told = await approvals.seal({ ...approval, instructions });
    assert(told.ok);
    const { instructions: _, ...rest } = told.value;
    const looked = await approvals.look([told.value, rest, { ...rest, speaks_to: instructions }]);
    assert.deepEqual(
      looked.seals.map(({ sealed: held }) => held),
      [true, false, false],
    );
    const other = await createApprovals(workspace, await keyFolder()).look([record, null]);
    assert.deepEqual(
      other.seals.map(({ sealed: held }) => held),
      [false, false],
    );
  });

  it('count for the real folder, by whatever path it is reached', async function () {
    if (process.platform === 'win32') this.skip();
    const [workspace, folder] = [await scratch(), await keyFolder()];
    const link = path.join(await scratch(), 'link');
    await symlink(workspace, link);
    const places = await Promise.all([workspace, link].map((way) => createApprovals(way, folder).look([])));
    assert.deepEqual(places[0]?.here, places[1]?.here);
  });

  it('are used by one mission, however many ask at the same time', async () => {
    const [workspace, folder] = [await scratch(), await keyFolder()];
    const approvals = createApprovals(workspace, folder);
    const sealed = await approvals.seal(approval);
    assert(sealed.ok);
    const { nonce } = sealed.value;
    const uses = await Promise.all(Array.from({ length: 10 }, (_, index) => approvals.use(nonce, `M${index}`)));
    assert.equal(uses.filter(({ ok }) => ok).length, 1);
    const winner = `M${uses.findIndex(({ ok }) => ok)}`;
    const { seals } = await createApprovals(workspace, folder).look([sealed.value]);
    assert.deepEqual(seals, [{ sealed: true, used_by: winner }]);
  });

  it('count as used where the mission that used them cannot be read', async () => {
    const [workspace, folder] = [await scratch(), await keyFolder()];
    const approvals = createApprovals(workspace, folder);
    const sealed = await approvals.seal(approval);
    assert(sealed.ok);
    assert.ok((await approvals.use(sealed.value.nonce, 'M1')).ok);
    const [name = ''] = await readdir(path.join(folder, 'used'));
    for (const spoil of ['../../x', '']) {
      await writeFile(path.join(folder, 'used', name), spoil);
      const { seals } = await approvals.look([sealed.value]);
      assert.deepEqual(seals, [{ sealed: true, used_by: 'another mission' }], spoil);
    }
  });

  it('are recorded as used below the folder of the key, whatever their nonce is', async () => {
    const [workspace, folder] = [await scratch(), await keyFolder()];
    const approvals = createApprovals(workspace, folder);
    for (const nonce of ['../../evil', '/tmp/mission-evil', '', 'a'.repeat(5000), 'n\0'])
      assert.ok((await approvals.use(nonce, 'M1')).ok, nonce);
    assert.deepEqual((await readdir(folder)).sort(), ['.gitignore', 'approval.key', 'used']);
    const names = await readdir(path.join(folder, 'used'));
    assert.deepEqual([names.length, names.every((name) => /^[0-9a-f]{64}$/.test(name))], [5, true]);
  });

  it('keep 2,000 records of use, and forget the oldest first', async function () {
    this.timeout(60_000);
    const [workspace, folder] = [await scratch(), await keyFolder()];
    const approvals = createApprovals(workspace, folder);
    assert.ok((await approvals.use('first', 'M1')).ok);
    const used = path.join(folder, 'used');
    const [first = ''] = await readdir(used);
    for (let index = 0; index < 2000; index += 1) {
      const file = path.join(used, `f${index}`);
      await writeFile(file, 'M');
      await utimes(file, 1_000_000 + index, 1_000_000 + index);
    }
    assert.ok((await approvals.use('last', 'M2')).ok);
    const names = await readdir(used);
    assert.equal(names.length, 2000);
    assert.deepEqual(
      [first, 'f0', 'f1', 'f2', 'f1999'].map((name) => names.includes(name)),
      [true, false, false, true, true],
    );
    assert.equal(codeOf(await approvals.use('first', 'M3')), 'APPROVAL_RECORD_REQUIRED');
  });
});
