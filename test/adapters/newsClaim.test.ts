import assert from 'node:assert/strict';
import { mkdir, readdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { claimNews } from '../../src/adapters/state/newsClaim';
import { openStateFolder, type StateFolder } from '../../src/adapters/state/folder';
import { removeScratch, scratch } from './scratch';

describe('news of a mission', () => {
  let folder: StateFolder;
  beforeEach(async () => {
    const opened = await openStateFolder(await scratch());
    assert.ok(opened.ok);
    folder = opened.value;
    await mkdir(folder.missionDir('m'));
  });
  after(removeScratch);

  it('belongs to one of all that ask at once, and to nobody later', async () => {
    const claims = await Promise.all(Array.from({ length: 20 }, () => claimNews(folder, 'm', 'block 1')));
    assert.equal(claims.filter(Boolean).length, 1);
    assert.equal(await claimNews(folder, 'm', 'block 1'), false);
    assert.equal(await claimNews(folder, 'm', 'block 2'), true);
  });

  it('is told where nobody can say whose it is', async () => {
    assert.deepEqual(await Promise.all([claimNews(folder, 'gone', 'k'), claimNews(folder, '../m', 'k')]), [true, true]);
    assert.deepEqual(await readdir(folder.missionsDir), ['m']);
  });

  it('leads nowhere else', async () => {
    const elsewhere = await scratch();
    await symlink(elsewhere, path.join(folder.missionDir('m'), 'notified'));
    assert.equal(await claimNews(folder, 'm', 'k'), true);
    await rm(folder.missionDir('m'), { recursive: true });
    await symlink(elsewhere, folder.missionDir('m'));
    assert.equal(await claimNews(folder, 'm', 'k'), true);
    assert.deepEqual(await readdir(elsewhere), []);
  });
});
