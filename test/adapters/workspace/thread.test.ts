import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { manifestsOf } from '../../../src/adapters/workspace/manifest/place';
import { createWorkspace } from '../../../src/adapters/workspace/workspace';
import { createWorkspaceThread } from '../../../src/adapters/workspace/client';
import type { Workspace } from '../../../src/engine/ports/workspace';
import { Bed, summary } from './bed';

const script = path.resolve('dist-test/adapters/programs/workspaceThread.program.js');

/** What the port promises, wherever the workspace is read; the other suites show what is seen in it. */
function contract(place: string, open: (bed: Bed) => Workspace & { close?(): Promise<void> }): void {
  describe(`workspace port, ${place}`, () => {
    let bed: Bed;
    let workspace: ReturnType<typeof open>;
    const request = (mission_id: string) => ({
      mission_id,
      forbidden_paths: ['src/b.txt'],
      paths: ['src'],
    });
    let run_dir = '';
    beforeEach(() => {
      bed = Bed.repository();
      run_dir = bed.at('.mission-control/missions/1/runs/1');
      workspace = open(bed);
    });
    afterEach(async () => {
      await workspace.close?.();
      bed.remove();
    });

    it('answers with baseline, difference and head', async () => {
      const before = await workspace.baseline(request('1'));
      assert(before.ok);
      assert.equal(before.value.head, bed.headCommit().trim());
      assert.equal(before.value.git, true);
      bed.write('src/a.txt', 'changed\n');
      bed.write('other/new.txt', 'new\n');
      const difference = { ...request('1'), run_dir, baseline_sha256: before.value.manifest_sha256 };
      const after = await workspace.difference(difference);
      assert(after.ok);
      assert.deepEqual(summary(after.value.changes), ['added other/new.txt', 'modified src/a.txt']);
      assert.match(after.value.observed_sha256, /^[0-9A-F]{64}$/);
      assert.equal(await workspace.head(), bed.headCommit().trim());
    });

    it('refuses with codes and goes on', async () => {
      const none = await workspace.difference({ ...request('none'), run_dir, baseline_sha256: 'A'.repeat(64) });
      assert.equal(none.ok ? null : none.refusal.code, 'STATE_STORE_CORRUPT');
      const place = path.dirname(manifestsOf(bed.kept.user_state, bed.root, 'taken'));
      mkdirSync(path.dirname(place), { recursive: true });
      writeFileSync(place, 'in the way');
      const unwritable = await workspace.baseline(request('taken'));
      assert.equal(unwritable.ok ? null : unwritable.refusal.code, 'STATE_STORE_UNWRITABLE');
      const [left, right] = await Promise.all([workspace.baseline(request('1')), workspace.baseline(request('1'))]);
      assert(left.ok && right.ok);
    });

    it('says that there is no folder', async () => {
      rmSync(bed.root, { recursive: true });
      const gone = await workspace.baseline(request('1'));
      assert.equal(gone.ok ? null : gone.refusal.code, 'STATE_STORE_UNWRITABLE');
      await assert.rejects(workspace.head(), /no such file or/);
    });
  });
}

contract('in this thread', (bed) => createWorkspace(bed.root, bed.kept));
contract('in a worker thread', (bed) => createWorkspaceThread(script, bed.root, bed.kept));

describe('workspace in a worker thread', () => {
  it('refuses when its program is gone', async () => {
    const bed = Bed.repository();
    const workspace = createWorkspaceThread(`${script}.none`, bed.root, bed.kept);
    const found = await workspace.baseline({ mission_id: 'm', forbidden_paths: [] });
    assert.equal(found.ok ? null : found.refusal.code, 'STATE_STORE_UNWRITABLE');
    await workspace.close();
    bed.remove();
  });
});
