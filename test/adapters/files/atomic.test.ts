import assert from 'node:assert/strict';
import promises, { mkdir, readFile, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { createFileAtomic, writeFileAtomic } from '../../../src/adapters/files/atomic';
import { removeScratch, scratch } from '../scratch';

after(removeScratch);

describe('atomic files', () => {
  it('replace the whole file or leave it, and leave nothing else', async () => {
    const folder = await scratch();
    const file = path.join(folder, 'a.json');
    await writeFileAtomic(file, 'one');
    await writeFileAtomic(file, new Uint8Array([0x74, 0x77, 0x6f]));
    assert.equal(await readFile(file, 'utf8'), 'two');
    if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
    await mkdir(path.join(folder, 'd'));
    await assert.rejects(writeFileAtomic(path.join(folder, 'd'), 'x'));
    assert.deepEqual((await readdir(folder)).sort(), ['a.json', 'd']);
  });

  it('replace a link and never write through it', async () => {
    const folder = await scratch();
    await writeFile(path.join(folder, 'precious'), 'mine');
    await symlink('precious', path.join(folder, 'link'));
    await writeFileAtomic(path.join(folder, 'link'), 'theirs');
    assert.equal(await readFile(path.join(folder, 'precious'), 'utf8'), 'mine');
    assert.equal(await readFile(path.join(folder, 'link'), 'utf8'), 'theirs');
  });

  for (const [where, code] of [
    ['', null],
    [', also where the file system knows no hard links (FAT)', 'EPERM'],
    [', also where the file system knows no hard links (a network share)', 'ENOTSUP'],
  ] as const)
    it(`are created by exactly one of many${where}`, async () => {
      const { link } = promises;
      if (code) promises.link = () => Promise.reject(Object.assign(new Error(code), { code }));
      syncBuiltinESMExports();
      try {
        const file = path.join(await scratch(), 'once');
        const tries = Array.from({ length: 20 }, (_, index) => createFileAtomic(file, `writer ${String(index)}`));
        const won = await Promise.all(tries);
        assert.equal(won.filter(Boolean).length, 1);
        assert.equal(await readFile(file, 'utf8'), `writer ${String(won.indexOf(true))}`);
        if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
        assert.deepEqual(await readdir(path.dirname(file)), ['once']);
        await rename(file, `${file}2`);
        assert.equal(await createFileAtomic(file, 'again'), true);
        await rm(file);
        await mkdir(file);
        assert.equal(await createFileAtomic(file, 'a folder is there'), false);
      } finally {
        promises.link = link;
        syncBuiltinESMExports();
      }
    });
});
