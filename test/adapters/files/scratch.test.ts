import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inScratchFolder } from '../../../src/adapters/files/scratch';

const name = 'mission-test-scratch';

describe('scratch folder', () => {
  it('is removed when the work ends, also when the work fails', async () => {
    const seen: string[] = [];
    const work = (folder: string): Promise<number> => {
      seen.push(folder);
      writeFileSync(path.join(folder, 'x'), '');
      return seen.length === 1 ? Promise.resolve(7) : Promise.reject(new Error('no'));
    };
    assert.equal(await inScratchFolder(name, work), 7);
    await assert.rejects(inScratchFolder(name, work), /no/);
    assert.deepEqual(seen.filter(existsSync), []);
    assert.notEqual(seen[0], seen[1]);
  });

  it('removes what killed processes left, and nothing else', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const left = mkdtempSync(path.join(os.tmpdir(), `${name}-${pid}-`));
    const others = [`${name}-${process.pid}-other`, `${name}x-${pid}-other`, `${name}-other`].map((folder) =>
      path.join(os.tmpdir(), folder),
    );
    for (const folder of others) mkdirSync(folder, { recursive: true });
    mkdirSync(path.join(left, 'a'));
    try {
      await inScratchFolder(name, (folder) => Promise.resolve(readdirSync(folder)));
      assert.equal(existsSync(left), false);
      assert.deepEqual(others.filter(existsSync), others);
    } finally {
      for (const folder of others) rmSync(folder, { recursive: true });
    }
  });
});
