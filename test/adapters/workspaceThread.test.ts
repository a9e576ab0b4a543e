import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { createWorkspace } from '../../src/adapters/workspace';
import { createWorkspaceThread } from '../../src/adapters/workspaceClient';
import type { Workspace } from '../../src/engine/ports';
import { Bed, summary } from './workspaceBed';

const script = path.resolve('dist-test/adapters/programs/workspaceThread.program.js');

/** What the port promises, wherever the workspace is read; the other suites show what is seen in it. */
function contract(place: string, open: (folder: string) => Workspace & { close?(): Promise<void> }): void {
  describe(`workspace port, ${place}`, function () {
    this.timeout(30_000);
    let bed: Bed;
    let workspace: ReturnType<typeof open>;
    const request = (run: string) => ({
      run_dir: bed.at(`.mission-control/missions/m/runs/${run}`),
      forbidden_paths: ['src/b.txt'],
      paths: ['src'],
    });
    beforeEach(() => {
      bed = Bed.repository();
      workspace = open(bed.root);
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
      const difference = { ...request('1'), baseline_sha256: before.value.manifest_sha256 };
      const after = await workspace.difference(difference);
      assert(after.ok);
      assert.deepEqual(summary(after.value.changes), ['added other/new.txt', 'modified src/a.txt']);
      assert.match(after.value.observed_sha256, /^[0-9A-F]{64}$/);
      assert.equal(await workspace.head(), bed.headCommit().trim());
    });

    it('refuses with codes and goes on', async () => {
      const none = await workspace.difference(request('none'));
      assert.equal(none.ok ? null : none.refusal.code, 'STATE_STORE_CORRUPT');
      const unwritable = await workspace.baseline({ ...request('1'), run_dir: bed.at('README.md/run') });
      assert.equal(unwritable.ok ? null : unwritable.refusal.code, 'STATE_STORE_UNWRITABLE');
      const [left, right] = await Promise.all([workspace.baseline(request('1')), workspace.baseline(request('2'))]);
      assert(left.ok && right.ok);
    });

    it('says that there is no folder', async () => {
      rmSync(bed.root, { recursive: true });
      const gone = await workspace.baseline(request('1'));
      // Without the folder even the run directory is made anew: then the workspace is empty, not broken.
      if (gone.ok) assert.equal(gone.value.files, 0);
      rmSync(bed.root, { recursive: true, force: true });
      await assert.rejects(workspace.head(), /ENOENT/);
    });
  });
}

contract('in this thread', (folder) => createWorkspace(folder));
contract('in a worker thread', (folder) => createWorkspaceThread(script, folder));

describe('workspace in a worker thread', () => {
  it('refuses when its program is gone', async () => {
    const bed = Bed.repository();
    const workspace = createWorkspaceThread(`${script}.none`, bed.root);
    const found = await workspace.baseline({ run_dir: bed.at('.mission-control/run'), forbidden_paths: [] });
    assert.equal(found.ok ? null : found.refusal.code, 'STATE_STORE_UNWRITABLE');
    await workspace.close();
    bed.remove();
  });
});
