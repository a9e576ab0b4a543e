import assert from 'node:assert/strict';
import { watch } from 'node:fs';
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

  it('of an observed folder come there whole, because their temporary files lie in the state folder', async () => {
    const root = await scratch();
    const folder = path.join(root, 'docs/plans');
    await mkdir(folder, { recursive: true });
    await mkdir(path.join(root, '.mission-control'));
    const seen = new Set<string>();
    const watcher = watch(folder, (_, name) => seen.add(String(name)));
    try {
      assert.equal(await createFileAtomic(path.join(folder, 'PLAN_a.json'), 'one', { observed: true }), true);
      await writeFileAtomic(path.join(folder, 'PLAN_a.json'), 'two', { observed: true });
      await writeFileAtomic(path.join(folder, 'last'), '');
      for (const end = Date.now() + 10_000; !seen.has('last') && Date.now() < end;)
        await new Promise((resolve) => setTimeout(resolve, 10));
    } finally {
      watcher.close();
    }
    assert.deepEqual([...seen].filter((name) => name.includes('PLAN')).sort(), ['PLAN_a.json']);
    assert.ok(seen.has('last'));
    assert.equal(await readFile(path.join(folder, 'PLAN_a.json'), 'utf8'), 'two');
    assert.deepEqual(await readdir(path.join(root, '.mission-control')), []);
    // Without a state folder they lie beside the file.
    const elsewhere = await scratch();
    assert.equal(await createFileAtomic(path.join(elsewhere, 'PLAN_b.json'), 'one', { observed: true }), true);
    assert.deepEqual(await readdir(elsewhere), ['PLAN_b.json']);
  });
});
