import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { planFiles } from '../../../src/adapters/documents/planFiles';
import { directories } from '../../../src/adapters/files/directories';
import { makeFolder } from '../../../src/adapters/files/makeFolder';
import { copyHandoff } from '../../../src/adapters/handoff/copy';
import { codeOf } from '../../support/refused';

describe('a folder that a person names', () => {
  let dir = '';
  beforeEach(async () => (dir = await mkdtemp(path.join(tmpdir(), 'mission-folder-'))));
  afterEach(() => rm(dir, { recursive: true }));

  it('is made with all above it, by each of those who make it at once', async () => {
    const folder = path.join(dir, 'a', 'b', 'c');
    await Promise.all([makeFolder(folder, 0o700), makeFolder(folder, 0o700), makeFolder(folder, 0o700)]);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
  });

  it('is refused at once where the system lets no folder be, and where a file stands', async () => {
    const file = path.join(dir, 'file');
    await writeFile(file, '');
    // Below /proc Node's own way of making folders never ends; elsewhere the root denies its folders to no superuser.
    for (const place of [...(process.platform === 'linux' ? ['/proc/x/y'] : []), path.join(file, 'x', 'y')]) {
      assert.equal(codeOf(await copyHandoff(dir, path.join(place, 'handoff'))), 'EVIDENCE_UNWRITABLE');
      assert.equal(codeOf(await directories.create(place)), 'DIRECTORY_MISSING');
      assert.equal(codeOf(await planFiles.write(path.join(place, 'PLAN_P.json'), '{}', null)), 'PLAN_UNWRITABLE');
    }
  });
});
