import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readComparison } from '../../../src/adapters/state/missionPaths';
import { makeAnyCase } from '../../support/anyCase';
import { skipWithReason } from '../../support/skip';

const counts = { case_insensitive: false };
const countsNot = { case_insensitive: true };

describe('workspace: letter case', () => {
  it('matters where the file system keeps two files whose names differ in case', function () {
    const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'mission-case-')));
    try {
      writeFileSync(path.join(scratch, 'Probe'), '1');
      writeFileSync(path.join(scratch, 'pROBE'), '2');
    } catch (error) {
      skipWithReason(this, String(error));
    }
    return both(scratch).finally(() => rmSync(scratch, { recursive: true, force: true }));

    async function both(folder: string): Promise<void> {
      const work = path.join(folder, 'Work');
      mkdirSync(work);
      assert.deepEqual(await readComparison(work), counts, 'empty: its own name is asked about');
      mkdirSync(path.join(folder, 'WORK'));
      assert.deepEqual(await readComparison(work), counts, 'a second folder of the other name');
      for (const name of ['Readme', 'README', '1', 'é']) writeFileSync(path.join(work, name), '');
      assert.deepEqual(await readComparison(work), counts);
      assert.deepEqual(await readComparison(path.join(folder, 'nowhere')), counts);
      // One file under two names is a link, not a file system.
      symlinkSync('Readme', path.join(work, 'rEADME'));
      assert.deepEqual(await readComparison(work), counts);
    }
  });

  it('does not matter where the file system keeps one, whatever its mount point is called', async function () {
    const place = makeAnyCase();
    if ('reasons' in place) return skipWithReason(this, `no file system here ignores case: ${place.reasons}`);
    try {
      assert.deepEqual(await readComparison(place.folder), countsNot, 'empty: its own name is asked about');
      writeFileSync(path.join(place.folder, 'a.txt'), '');
      assert.deepEqual(await readComparison(place.folder), countsNot);
      assert.deepEqual(await readComparison(path.dirname(place.folder)), countsNot);
    } finally {
      place.dispose();
    }
  });
});
