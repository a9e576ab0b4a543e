import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readComparison } from '../../src/adapters/workspaceCase';

describe('workspace: letter case', () => {
  it('is what the file system makes of it, not a second folder of another name', async () => {
    const scratch = mkdtempSync(path.join(tmpdir(), 'mission-case-'));
    try {
      const folder = path.join(scratch, 'Work');
      mkdirSync(folder);
      const case_insensitive = existsSync(path.join(scratch, 'WORK'));
      assert.deepEqual(await readComparison(folder), { case_insensitive });
      if (case_insensitive) return;
      mkdirSync(path.join(scratch, 'WORK'));
      assert.deepEqual(await readComparison(folder), { case_insensitive: false });
      assert.deepEqual(await readComparison(path.join(scratch, 'nowhere')), { case_insensitive: false });
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });
});
