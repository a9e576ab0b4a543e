import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createFileAtomic, writeFileAtomic } from '../../src/adapters/files/atomic';
import { createTimers, systemClock } from '../../src/adapters/system/clock';
import { systemIds } from '../../src/adapters/system/ids';
import { findStateFolder, isPathId, openStateFolder, stateFolderOf } from '../../src/adapters/state/folder';
import { removeScratch, scratch } from './scratch';

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

  it('refuses a workspace that is not there', async () => {
    const outcome = await openStateFolder(path.join(await scratch(), 'missing'));
    assert(!outcome.ok);
    assert.equal(outcome.refusal.code, 'STATE_STORE_UNWRITABLE');
  });

  it('lets no id out of its folder', () => {
    const folder = stateFolderOf('workspace');
    assert.equal(
      folder.runDir('M1', 3, 'T1'),
      path.resolve('workspace', '.mission-control', 'missions', 'M1', 'runs', '3-T1'),
    );
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
      assert.throws(() => folder.runDir('M1', 1, id), RangeError);
    }
    assert.throws(() => folder.runDir('M1', -1, 'T1'), RangeError);
  });
});

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

  it('are created by exactly one of many', async () => {
    const file = path.join(await scratch(), 'once');
    const tries = Array.from({ length: 20 }, (_, index) => createFileAtomic(file, `writer ${String(index)}`));
    const won = await Promise.all(tries);
    assert.equal(won.filter(Boolean).length, 1);
    assert.equal(await readFile(file, 'utf8'), `writer ${String(won.indexOf(true))}`);
    assert.deepEqual(await readdir(path.dirname(file)), ['once']);
    await rename(file, `${file}2`);
    assert.equal(await createFileAtomic(file, 'again'), true);
    await rm(file);
  });
});

describe('clock, timers and ids', () => {
  it('fire at or after the time, also one that has passed, and not when disposed', async () => {
    const timers = createTimers();
    const due = systemClock.after(systemClock.now(), 0.03);
    await new Promise<void>((resolve) => timers.at(due, resolve));
    assert(systemClock.now() >= due);
    await new Promise<void>((resolve) => timers.at('2000-01-01T00:00:00Z', resolve));
    timers.at(systemClock.now(), () => assert.fail('was disposed')).dispose();
    assert.throws(() => timers.at('tomorrow', () => undefined), RangeError);
  });

  it('wait for times further away than setTimeout can', async () => {
    const far = createTimers().at('2126-01-01T00:00:00Z', () => assert.fail('a hundred years early'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    far.dispose();
  });

  it('have ids of the length and digits asked for, never the same', () => {
    assert.match(systemIds.uuid(), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    for (const length of [0, 1, 7, 32]) {
      assert.match(systemIds.hex(length), new RegExp(`^[0-9a-f]{${String(length)}}$`));
      assert.match(systemIds.base36(length), new RegExp(`^[0-9a-z]{${String(length)}}$`));
    }
    assert.notEqual(systemIds.hex(32), systemIds.hex(32));
  });
});
