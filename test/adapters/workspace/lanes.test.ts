import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createWorkspace } from '../../../src/adapters/workspace/workspace';
import { createWorkspaceThread } from '../../../src/adapters/workspace/client';
import type { DifferenceRequest, ManifestRequest, Workspace } from '../../../src/engine/ports/workspace';
import { Bed, summary } from './bed';

const thread = path.resolve('dist-test/adapters/programs/workspaceThread.program.js');
const churn = path.resolve('dist-test/adapters/programs/churn.program.js');

/** Several lanes are looked at at the same time, through one object, while their workers write. */
function lanes(place: string, open: (bed: Bed) => Workspace & { close?(): Promise<void> }): void {
  describe(`workspace of several lanes, ${place}`, () => {
    let bed: Bed;
    let workspace: ReturnType<typeof open>;
    let workers: { readonly stop: () => Promise<void> }[] = [];
    beforeEach(() => {
      bed = Bed.repository();
      workspace = open(bed);
    });
    afterEach(async () => {
      await Promise.all(workers.map(({ stop }) => stop()));
      workers = [];
      await workspace.close?.();
      bed.remove();
    });

    const request = (run: string): ManifestRequest => ({
      mission_id: 'm',
      forbidden_paths: [],
      paths: [`lanes/${run}`],
    });
    const baseline = async (run: string): Promise<DifferenceRequest> => {
      const taken = await workspace.baseline(request(run));
      if (!taken.ok) assert.fail(taken.refusal.reason);
      const run_dir = bed.at(`.mission-control/missions/m/runs/${run}`);
      return { ...request(run), run_dir, baseline_sha256: taken.value.manifest_sha256 };
    };
    const changes = async (of: DifferenceRequest): Promise<readonly string[]> => {
      const found = await workspace.difference(of);
      if (!found.ok) assert.fail(found.refusal.reason);
      return summary(found.value.changes);
    };
    const still = (found: readonly string[]): readonly string[] => found.filter((line) => !/ lanes\//.test(line));
    const work = (name: string): void => {
      const stopFile = path.join(bed.scratch, `stop-${name}`);
      const child = spawn(process.execPath, [churn, bed.at(`lanes/${name}`), stopFile], { stdio: 'inherit' });
      const over = once(child, 'exit');
      workers.push({
        stop: async () => {
          writeFileSync(stopFile, '');
          const [code] = (await over) as [number | null];
          assert.equal(code, 0);
        },
      });
    };

    it('no change is missed, and none is invented', async () => {
      const names = ['a', 'b', 'c'];
      for (const name of names) work(name);
      const first = await baseline('first');
      let runs = await Promise.all(names.map((name) => baseline(`${name}-0`)));
      for (let round = 1; round <= 4; round += 1) {
        const [found, next] = await Promise.all([
          Promise.all(runs.map(changes)),
          Promise.all(names.map((name) => baseline(`${name}-${round}`))),
        ]);
        assert.deepEqual(found.flatMap(still), [], `round ${round}`);
        // The index is written anew, with the same flags, so what was kept of it has become invalid.
        bed.write(`src/new-${round}.txt`, 'new');
        bed.git('add', `src/new-${round}.txt`);
        const seen = await Promise.all([...next.map(changes), changes(first)]);
        assert.deepEqual(
          seen.slice(0, -1).map(still),
          names.map(() => [`added src/new-${round}.txt`]),
          `round ${round}`,
        );
        assert.equal(still(seen.at(-1) ?? []).length, round);
        runs = await Promise.all(names.map((name) => baseline(`${name}-${round}-again`)));
      }
      await Promise.all(workers.map(({ stop }) => stop()));
      workers = [];
      const [own, others] = await Promise.all([changes(runs[0] ?? first), changes(runs[1] ?? first)]);
      assert.deepEqual(still([...own, ...others]), []);
      for (const name of names) {
        assert.ok(own.includes(`added lanes/${name}/end`), own.join('\n'));
        assert.equal(existsSync(bed.at(`lanes/${name}/same`)), false);
      }
      const quiet = await Promise.all(names.map((name) => baseline(`${name}-quiet`)));
      assert.deepEqual((await Promise.all(quiet.map(changes))).flat(), []);
    });
  });
}

lanes('in this thread', (bed) => createWorkspace(bed.root, bed.kept));
lanes('in a worker thread', (bed) => createWorkspaceThread(thread, bed.root, bed.kept));
