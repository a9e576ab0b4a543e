import assert from 'node:assert/strict';
import { mkdirSync, renameSync } from 'node:fs';
import { CachedIndex } from '../../../src/adapters/git/index';
import { locateRepository, type Repository } from '../../../src/adapters/git/locate';
import { Bed } from '../workspace/bed';

/** Nothing in the scratch folder is fresh then. */
const later = Date.now() + 3_600_000;

describe('index of git, kept', () => {
  let bed: Bed;
  let repository: Repository;
  let head: string;
  beforeEach(async () => {
    bed = Bed.repository();
    const found = await locateRepository(bed.root);
    assert(found !== null);
    repository = found;
    head = bed.headCommit().trim();
  });
  afterEach(() => bed.remove());

  it('is read from git once while nothing changes', async () => {
    const kept = new CachedIndex();
    const first = await kept.read(repository, bed.root, head, later);
    assert(first.ok);
    assert(first.isTracked('src/a.txt') && !first.isTracked('a.txt') && !first.isTracked('src/a'));
    assert.deepEqual([...first.staged], []);
    assert.equal(await kept.read(repository, bed.root, head, later), first);
    assert.notEqual(await kept.read(repository, bed.scratch, head, later), first);
    assert.notEqual(await kept.read(repository, bed.root, null, later), first);
  });

  it('is read again when the index or the configuration is another file or has another change time', async () => {
    const kept = new CachedIndex();
    let before = await kept.read(repository, bed.root, head, later);
    const isNew = async (): Promise<boolean> => {
      const now = await kept.read(repository, bed.root, head, later);
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
    assert(!before.isTracked('src/a.txt'));
    assert.equal(before.staged.get('src/a.txt'), 'none');
  });

  it('is not kept when its file is fresh, split, or unreadable', async () => {
    const kept = new CachedIndex();
    const fresh = await kept.read(repository, bed.root, head);
    assert.notEqual(await kept.read(repository, bed.root, head), fresh);
    bed.git('update-index', '--split-index');
    const split = await kept.read(repository, bed.root, head, later);
    assert(split.ok);
    assert.notEqual(await kept.read(repository, bed.root, head, later), split);
    renameSync(bed.at('.git/index'), bed.at('.git/index.old'));
    mkdirSync(bed.at('.git/index'));
    assert(!(await kept.read(repository, bed.root, head, later)).ok);
  });
});
