import assert from 'node:assert/strict';
import { makeAnyCase } from '../support/anyCase';
import { skipWithReason } from '../support/skip';
import { CliBed } from './cliBed';

/** What a plan calls `Src` is `src` on disk, where the file system says that this is one folder, and only there. */
describe('mission: letter case', function () {
  const script = "import fs from 'node:fs'; fs.writeFileSync('src/a.txt', 'a');";

  it('matters: a folder whose name differs in case is out of scope', async () => {
    const bed = new CliBed();
    try {
      bed.write('src/b.txt', 'b');
      if (bed.exists('SRC')) return;
      const run = await bed.mission('run', bed.plan('case', [{ paths: ['Src'], script }]));
      assert.equal(run.json.code, 'CONCURRENCY_CONFLICT', run.stderr);
    } finally {
      await bed.dispose();
    }
  });

  it('does not matter: one folder has two spellings', async function () {
    const place = makeAnyCase();
    if ('reasons' in place) return skipWithReason(this, `no file system here ignores case: ${place.reasons}`);
    const bed = new CliBed(place.folder);
    try {
      bed.write('src/b.txt', 'b');
      const run = await bed.mission('run', bed.plan('case', [{ paths: ['Src'], script }]));
      assert.equal(run.json.status, 'completed', run.stderr);
    } finally {
      await bed.dispose();
      place.dispose();
    }
  });
});
