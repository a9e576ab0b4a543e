import assert from 'node:assert/strict';
import { mkdirSync, renameSync } from 'node:fs';
import { KeptIndex } from '../../src/adapters/gitIndexKept';
import { locateRepository, type Repository } from '../../src/adapters/gitLocate';
import { Bed } from './workspaceBed';

/** Nothing in the scratch folder is fresh then. */
const later = BigInt(Date.now() + 3_600_000) * 1_000_000n;

describe('index of git, kept', () => {
  let bed: Bed;
  let repository: Repository;
  beforeEach(async () => {
    bed = Bed.repository();
    const found = await locateRepository(bed.root);
    assert(found !== null);
    repository = found;
  });
  afterEach(() => bed.remove());

  it('is asked once while nothing changes', async () => {
    const kept = new KeptIndex();
    const first = await kept.read(repository, bed.root, later);
    assert(first.ok);
    assert.equal(first.tracked.length, 5);
    assert.equal(await kept.read(repository, bed.root, later), first);
    assert.notEqual(await kept.read(repository, bed.scratch, later), first);
  });

  it('is asked again when the index or the configuration is another file or has another change time', async () => {
    const kept = new KeptIndex();
    let before = await kept.read(repository, bed.root, later);
    const isNew = async (): Promise<boolean> => {
      const now = await kept.read(repository, bed.root, later);
      const differs = now !== before;
      before = now;
      return differs;
    };
    bed.git('update-index', '--assume-unchanged', 'src/a.txt');
    assert(await isNew());
    assert(before.ok);
    assert.deepEqual([...before.flags], [['src/a.txt', 'assume-unchanged']]);
    bed.git('config', 'core.ignorecase', 'true');
    assert(await isNew());
    assert(!(await isNew()));
    renameSync(bed.at('.git/index'), bed.at('.git/index.old'));
    assert(await isNew());
    assert(before.ok);
    assert.equal(before.tracked.length, 0);
  });

  it('is not kept when it is fresh, split, or cannot be read', async () => {
    const kept = new KeptIndex();
    const fresh = await kept.read(repository, bed.root);
    assert.notEqual(await kept.read(repository, bed.root), fresh);
    bed.git('update-index', '--split-index');
    const split = await kept.read(repository, bed.root, later);
    assert(split.ok);
    assert.notEqual(await kept.read(repository, bed.root, later), split);
    renameSync(bed.at('.git/index'), bed.at('.git/index.old'));
    mkdirSync(bed.at('.git/index'));
    assert(!(await kept.read(repository, bed.root, later)).ok);
  });
});
