import assert from 'node:assert/strict';
import { mkdir, readdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { notifyOnce } from '../../../src/adapters/state/notifyOnce';
import { openStateFolder, type StateFolder } from '../../../src/adapters/state/folder';
import { removeScratch, scratch } from '../scratch';

describe('news of a mission', () => {
  let folder: StateFolder;
  beforeEach(async () => {
    const opened = await openStateFolder(await scratch());
    assert.ok(opened.ok);
    folder = opened.value;
    await mkdir(folder.missionDir('m'));
  });
  after(removeScratch);

  it('belongs to exactly one of all windows that ask at once, and to none that asks later', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => notifyOnce(folder, 'm', 'block 1')));
    assert.equal(answers.filter(Boolean).length, 1);
    assert.equal(await notifyOnce(folder, 'm', 'block 1'), false);
    assert.equal(await notifyOnce(folder, 'm', 'block 2'), true);
  });

  it('is shown where no file can record that it was shown', async () => {
    assert.deepEqual(await Promise.all([notifyOnce(folder, 'gone', 'k'), notifyOnce(folder, '../m', 'k')]), [
      true,
      true,
    ]);
    assert.deepEqual(await readdir(folder.missionsDir), ['m']);
  });

  it('is recorded through no link', async () => {
    const elsewhere = await scratch();
    await symlink(elsewhere, path.join(folder.missionDir('m'), 'notified'));
    assert.equal(await notifyOnce(folder, 'm', 'k'), true);
    await rm(folder.missionDir('m'), { recursive: true });
    await symlink(elsewhere, folder.missionDir('m'));
    assert.equal(await notifyOnce(folder, 'm', 'k'), true);
    assert.deepEqual(await readdir(elsewhere), []);
  });
});
