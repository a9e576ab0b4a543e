import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FolderTimes } from '../../../src/adapters/workspace/manifest/times';
import { fileClockTicks } from '../files/fileClock';

describe('workspace: when a path was added', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'mission-times-'));
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  for (const [when, later] of [
    ['before the baseline', 1],
    ['in the millisecond in which the baseline began', 0],
  ] as const) {
    it(`of a file written ${when}, reports the time at which its folder was moved`, async () => {
      mkdirSync(path.join(root, 'from'));
      writeFileSync(path.join(root, 'from/x.txt'), 'x\n');
      const own = lstatSync(path.join(root, 'from/x.txt')).ctimeMs;
      await fileClockTicks(root);
      renameSync(path.join(root, 'from'), path.join(root, 'to'));
      const told = new FolderTimes(root, Math.floor(own) + later).ofAdded({ path: 'to/x.txt', ctime_ms: own });
      assert.ok(Date.parse(told ?? '') > own, told ?? 'no time');
    });
  }

  it('of a file written after the baseline, reports its own time', () => {
    writeFileSync(path.join(root, 'x.txt'), 'x\n');
    const own = Math.floor(lstatSync(path.join(root, 'x.txt')).ctimeMs);
    assert.equal(new FolderTimes(root, own - 1).ofAdded({ path: 'x.txt', ctime_ms: own }), new Date(own).toISOString());
  });
});
