import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { KnownMissions } from '../../../src/adapters/user/knownMissions';
import { removeScratch, scratch } from '../scratch';

describe('missions that this machine knows', () => {
  after(removeScratch);
  const open = (folder: string): KnownMissions => new KnownMissions((problem) => assert.fail(problem), folder);
  const knows = async (folder: string, workspace: string, id: string): Promise<boolean> => {
    const known = open(folder);
    await known.look(workspace, [id]);
    return known.has(workspace, id);
  };

  it('are those of one folder, and every window sees them', async () => {
    const folder = path.join(await scratch(), 'key');
    assert.equal(await knows(folder, '/a', 'M1'), false);
    const first = open(folder);
    const second = open(folder);
    await Promise.all([first.remember('/a', 'M1'), second.remember('/a', 'M2'), second.remember('/b', 'M3')]);
    assert.equal(first.has('/a', 'M1'), true);
    const found = await Promise.all([
      knows(folder, '/a', 'M1'),
      knows(folder, '/a', 'M2'),
      knows(folder, '/b', 'M1'),
      knows(folder, '/b', 'M3'),
    ]);
    assert.deepEqual(found, [true, true, false, true]);
  });

  it('are forgotten with the key, and a file without a valid seal does not count', async () => {
    const folder = path.join(await scratch(), 'key');
    await open(folder).remember('/a', 'M1');
    const [name] = await readdir(path.join(folder, 'missions'));
    await writeFile(path.join(folder, 'missions', String(name)), 'A'.repeat(64));
    assert.equal(await knows(folder, '/a', 'M1'), false);
    await open(folder).remember('/a', 'M1');
    assert.equal(await knows(folder, '/a', 'M1'), true);
    await rm(path.join(folder, 'approval.key'));
    assert.equal(await knows(folder, '/a', 'M1'), false);
  });

  it('are not known by what was written of another mission or folder', async () => {
    const folder = path.join(await scratch(), 'key');
    await open(folder).remember('/a', 'M1');
    const missions = path.join(folder, 'missions');
    const [name = ''] = await readdir(missions);
    for (const [workspace, id] of [
      ['/b', 'M1'],
      ['/a', 'M2'],
    ] as const) {
      const named = createHash('sha256')
        .update(JSON.stringify([workspace, id]))
        .digest('hex');
      await copyFile(path.join(missions, name), path.join(missions, named));
      assert.equal(await knows(folder, workspace, id), false, `${workspace} ${id}`);
    }
    assert.equal(await knows(folder, '/a', 'M1'), true);
  });

  it('are known in the window that started them even when nothing can be written, and the problem is reported', async () => {
    const folder = path.join(await scratch(), 'key');
    await writeFile(folder, 'no folder');
    const problems: string[] = [];
    const known = new KnownMissions((problem) => problems.push(problem), folder);
    await known.remember('/a', 'M1');
    assert.equal(known.has('/a', 'M1'), true);
    assert.ok(problems.length > 0 && problems.every((problem) => problem.includes(folder)), problems.join('\n'));
  });

  it('are at most five hundred', async () => {
    const folder = path.join(await scratch(), 'key');
    const known = open(folder);
    for (let index = 0; index < 505; index++) await known.remember('/a', `M${index}`);
    assert.equal((await readdir(path.join(folder, 'missions'))).length, 500);
    assert.equal(await knows(folder, '/a', 'M504'), true);
  });
});
