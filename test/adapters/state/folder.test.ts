import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findStateFolder, isPathId, openStateFolder, stateFolderOf } from '../../../src/adapters/state/folder';
import { skipWithReason } from '../../support/skip';
import { removeScratch, scratch } from '../scratch';

after(removeScratch);

describe('state folder', () => {
  it('is made once, private, ignored by git, and opens again', async () => {
    const workspace = await scratch();
    assert.deepEqual(await findStateFolder(workspace), { ok: true, value: null });
    assert.deepEqual(await readdir(workspace), []);
    for (let round = 0; round < 2; round++) {
      const opened = await openStateFolder(workspace);
      assert(opened.ok);
      assert.equal(await readFile(path.join(opened.value.root, '.gitignore'), 'utf8'), '*\n');
      if (process.platform === 'win32') continue;
      for (const at of [opened.value.root, opened.value.inboxDir, opened.value.missionsDir]) {
        assert.equal((await stat(at)).mode & 0o777, 0o700);
        await chmod(at, 0o755);
      }
    }
    const found = await findStateFolder(workspace);
    assert(found.ok && found.value !== null);
  });

  it('refuses links and files in its place, and creates nothing through them', async () => {
    const elsewhere = await scratch();
    const places = [
      '.mission-control',
      '.mission-control/inbox',
      '.mission-control/missions',
      '.mission-control/state.db',
    ];
    for (const place of places) {
      for (const kind of ['link', 'file'] as const) {
        if (place.endsWith('.db') && kind === 'file') continue;
        const workspace = await scratch();
        const at = path.join(workspace, place);
        await mkdir(path.dirname(at), { recursive: true });
        if (kind === 'link') await symlink(elsewhere, at);
        else await writeFile(at, '');
        for (const outcome of [await openStateFolder(workspace), await findStateFolder(workspace)]) {
          assert(!outcome.ok, `${place} ${kind}`);
          assert.equal(outcome.refusal.code, 'STATE_STORE_UNWRITABLE');
          assert(outcome.refusal.reason.includes(place.replaceAll('/', path.sep)));
        }
      }
    }
    assert.deepEqual(await readdir(elsewhere), []);
  });

  it('does not advise to move away what belongs to another user', async function () {
    const own = process.getuid?.();
    if (own === undefined) return skipWithReason(this, 'no file of this system has a user');
    const other = own + 1;
    for (const kind of ['folder', 'file', 'link'] as const) {
      const workspace = await scratch();
      const at = path.join(workspace, '.mission-control');
      if (kind === 'folder') await mkdir(at);
      else if (kind === 'file') await writeFile(at, '');
      else await symlink(await scratch(), at);
      for (const [user, advice] of [
        [other, `Work as user ${own}, whose it is, or let that user give ${at} to yours.`],
        [own, kind === 'folder' ? undefined : `Look at ${at} and move it away if you did not expect it.`],
      ] as const) {
        const outcome = await findStateFolder(workspace, user);
        assert.deepEqual(outcome.ok ? undefined : outcome.refusal.next, advice && [advice], `${kind} as ${user}`);
        if (!outcome.ok && kind === 'folder')
          assert.ok(outcome.refusal.reason.endsWith(` belongs to user ${own}, not to user ${other}.`));
      }
    }
  });

  it('refuses a workspace that is not there', async () => {
    const outcome = await openStateFolder(path.join(await scratch(), 'missing'));
    assert(!outcome.ok);
    assert.equal(outcome.refusal.code, 'STATE_STORE_UNWRITABLE');
  });

  it('lets no id out of its folder', () => {
    const folder = stateFolderOf('workspace');
    assert.equal(folder.missionDir('M1'), path.resolve('workspace', '.mission-control', 'missions', 'M1'));
    for (const id of [
      '',
      '.',
      '..',
      '../x',
      'a/b',
      'a\\b',
      'a\0b',
      '-x',
      'a'.repeat(200),
      'CON',
      'nul.txt',
      'x.',
      'ü',
      'a b',
    ]) {
      assert.equal(isPathId(id), false, id);
      assert.throws(() => folder.missionDir(id), RangeError);
    }
  });
});
