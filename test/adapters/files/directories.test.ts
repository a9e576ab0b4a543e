import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { directories } from '../../../src/adapters/files/directories';

describe('permission bits of directories', function () {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'mission-directories-'));
  });
  afterEach(async () => {
    await chmod(path.join(dir, 'closed'), 0o700).catch(() => undefined);
    await rm(dir, { recursive: true });
  });
  const modeOf = async (name: string): Promise<string> => ((await stat(path.join(dir, name))).mode & 0o777).toString(8);

  it('what is missing, usable, and no directory are distinguished', async () => {
    await writeFile(path.join(dir, 'file'), '');
    assert.equal(await directories.standing(path.join(dir, 'none')), 'missing');
    assert.equal(await directories.standing(dir), 'usable');
    assert.equal(await directories.standing(path.join(dir, 'file')), 'other');
  });

  if (process.platform === 'win32') return;

  it('only the owner gets more, and the mode before is reported', async () => {
    await mkdir(path.join(dir, 'closed'));
    await chmod(path.join(dir, 'closed'), 0o050);
    const fixed = await directories.addOwnerBits(path.join(dir, 'closed'), [path.join(dir, 'closed')]);
    const changes = [{ path: path.join(dir, 'closed'), before: '0050', after: '0750' }];
    assert.deepEqual(fixed, { changes, tried: true, problem: null });
    assert.equal(await modeOf('closed'), '750');
  });

  it('of a file that is not there yet, the folder that holds it; nothing below is touched', async () => {
    await mkdir(path.join(dir, 'closed/inner'), { recursive: true });
    await chmod(path.join(dir, 'closed/inner'), 0o500);
    await chmod(path.join(dir, 'closed'), 0o500);
    const fixed = await directories.addOwnerBits(path.join(dir, 'closed/new.txt'), [dir]);
    assert.equal(fixed.problem, null);
    assert.deepEqual([await modeOf('closed'), await modeOf('closed/inner')], ['700', '500']);
  });

  it('a file gets no right to be run', async () => {
    await mkdir(path.join(dir, 'closed'));
    await writeFile(path.join(dir, 'closed/a.txt'), '', { mode: 0o400 });
    assert.equal((await directories.addOwnerBits(path.join(dir, 'closed/a.txt'), [dir])).problem, null);
    assert.equal(await modeOf('closed/a.txt'), '600');
  });

  it('nothing that lies elsewhere, whatever link leads there', async () => {
    await mkdir(path.join(dir, 'closed'));
    await mkdir(path.join(dir, 'approved'));
    await chmod(path.join(dir, 'closed'), 0o500);
    await symlink(path.join(dir, 'closed'), path.join(dir, 'approved/link'));
    const fixed = await directories.addOwnerBits(path.join(dir, 'approved/link/x'), [path.join(dir, 'approved')]);
    assert.deepEqual(fixed, { changes: [], tried: false, problem: 'It lies elsewhere, so nothing was changed.' });
    assert.equal(await modeOf('closed'), '500');
  });

  it('where nothing is to be changed, that is no correction', async () => {
    const fixed = await directories.addOwnerBits(dir, [dir]);
    const problem = 'Its owner may use it already, so nothing was changed.';
    assert.deepEqual(fixed, { changes: [], tried: false, problem });
  });
});
