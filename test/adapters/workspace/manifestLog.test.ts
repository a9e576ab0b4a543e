import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { manifestsOf } from '../../../src/adapters/workspace/manifest/place';
import { createWorkspace } from '../../../src/adapters/workspace/workspace';
import type { Workspace } from '../../../src/engine/ports/workspace';
import { skipWithReason } from '../../support/skip';
import { Bed, summary } from './bed';

/** Baselines on disk: one whole, then what is different; every one is found again by its digest. */
describe('baselines of a mission, on disk', () => {
  let bed: Bed;
  let folder: string;
  beforeEach(() => {
    bed = Bed.repository();
    folder = manifestsOf(bed.kept.user_state, bed.root, 'm');
  });
  afterEach(() => bed.remove());

  const request = { mission_id: 'm', forbidden_paths: [], paths: ['src'] };
  const owner = (): Workspace => createWorkspace(bed.root, bed.kept);
  const baseline = async (of: Workspace, mission_id = 'm'): Promise<string> => {
    const taken = await of.baseline({ ...request, mission_id });
    if (!taken.ok) assert.fail(taken.refusal.reason);
    return taken.value.manifest_sha256;
  };
  const changes = async (of: Workspace, baseline_sha256: string): Promise<readonly string[] | string> => {
    const run_dir = path.join(bed.scratch, 'run');
    const found = await of.difference({ ...request, run_dir, baseline_sha256 });
    return found.ok ? summary(found.value.changes) : found.refusal.code;
  };
  const bytes = (): number =>
    readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);

  it('are found by the next owner, each as it was', async () => {
    const first = owner();
    const digests: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      digests.push(await baseline(first));
      bed.write(`src/new-${round}.txt`, 'new\n');
      if (round === 2) bed.git('rm', '-q', '-f', 'src/a.txt');
      if (round === 3) bed.git('tag', 'a-tag');
    }
    assert.equal(readdirSync(folder).length, 1);
    const next = owner();
    for (const [round, digest] of digests.entries()) {
      const added = [0, 1, 2, 3, 4, 5].slice(round).map((number) => `added src/new-${number}.txt`);
      const expected = [
        ...(round <= 3 ? ['git .git/refs/tags/a-tag'] : []),
        ...(round <= 2 ? ['deleted src/a.txt'] : []),
        ...added,
      ];
      assert.deepEqual(await changes(next, digest), expected, `baseline ${round}`);
      assert.deepEqual(await changes(first, digest), expected, `baseline ${round}, by its owner`);
    }
  });

  it('grow by what changed, not by what is there', async () => {
    for (let file = 0; file < 1_000; file += 1) bed.write(`src/many/${file % 20}/${file}.txt`, `${file}`);
    const of = owner();
    await baseline(of);
    const whole = bytes();
    for (let round = 0; round < 20; round += 1) {
      bed.write(`src/many/1/${round}.txt`, `round ${round}`);
      await baseline(of);
    }
    assert.ok((bytes() - whole) / 20 < whole / 100, `${whole} bytes, then ${bytes() - whole} for 20 more`);
  });

  it('of the next owner begin a new file, and touch no file of the one before', async () => {
    const before = await baseline(owner());
    const [name = ''] = readdirSync(folder);
    const text = readFileSync(path.join(folder, name), 'utf8');
    const of = owner();
    const after = await baseline(of);
    assert.equal(readFileSync(path.join(folder, name), 'utf8'), text);
    bed.write('src/a.txt', 'changed\n');
    for (const digest of [before, after]) assert.deepEqual(await changes(owner(), digest), ['modified src/a.txt']);
    const other = await baseline(of, 'other');
    assert.equal(await changes(owner(), other), 'STATE_STORE_CORRUPT', 'of another mission');
  });

  it('are found up to the one that an owner was writing when it died', async () => {
    const of = owner();
    const first = await baseline(of);
    bed.write('src/a.txt', 'changed\n');
    const second = await baseline(of);
    const [name = ''] = readdirSync(folder);
    const file = path.join(folder, name);
    truncateSync(file, statSync(file).size - 10);
    assert.deepEqual(await changes(owner(), first), ['modified src/a.txt']);
    assert.equal(await changes(owner(), second), 'STATE_STORE_CORRUPT');
    // The next one does not rest on a file that is not as it was left.
    const third = await baseline(of);
    bed.write('src/b.txt', 'changed\n');
    assert.deepEqual(await changes(owner(), third), ['modified src/b.txt']);
    assert.equal(readdirSync(folder).length, 2);
  });

  it('are refused once an earlier one was changed; a foreign file in the folder stops nothing', async () => {
    const of = owner();
    const first = await baseline(of);
    bed.write('src/a.txt', 'changed\n');
    const second = await baseline(of);
    writeFileSync(path.join(folder, '999999.jsonl'), 'null\nnot json\n');
    writeFileSync(path.join(folder, '000002.jsonl'), '');
    assert.deepEqual(await changes(owner(), second), []);
    const file = path.join(folder, '000001.jsonl');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"src/b.txt"', '"src/c.txt"'));
    for (const digest of [first, second]) assert.equal(await changes(owner(), digest), 'STATE_STORE_CORRUPT');
    writeFileSync(file, text);
    appendFileSync(file, '{"end":true}\n');
    assert.deepEqual(await changes(owner(), second), []);
  });

  it('are what their owner wrote, whatever happens to the file while the owner lives', async () => {
    const of = owner();
    const first = await baseline(of);
    bed.write('README.md', 'out of scope\n');
    for (const name of readdirSync(folder)) writeFileSync(path.join(folder, name), '');
    assert.deepEqual(await changes(of, first), ['modified README.md']);
  });

  it('wait for no pipe that stands in place of their file', async function () {
    if (process.platform === 'win32') skipWithReason(this, 'pipes of this kind are POSIX');
    const of = owner();
    const first = await baseline(of);
    const [name = ''] = readdirSync(folder);
    rmSync(path.join(folder, name));
    execFileSync('mkfifo', [path.join(folder, name)]);
    assert.equal(await changes(owner(), first), 'STATE_STORE_CORRUPT');
    bed.write('src/a.txt', 'changed\n');
    const second = await baseline(of);
    bed.write('src/b.txt', 'changed\n');
    assert.deepEqual(await changes(owner(), second), ['modified src/b.txt']);
  });
});
