import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { attribute, type AttributionInput } from '../../../src/core/observation/attribute';
import { createWorkspace } from '../../../src/adapters/workspace/workspace';
import type { BaselineFacts, Workspace } from '../../../src/engine/ports/workspace';
import type { Clock } from '../../../src/engine/ports/time';
import { systemClock } from '../../../src/adapters/system/clock';
import { Bed } from './bed';

/** A machine of which the clock differs from that of its file system, as where a folder is mounted from another one. */
const aheadBy = (seconds: number, seen: () => void = () => undefined): Clock => ({
  now() {
    seen();
    return systemClock.after(systemClock.now(), seconds);
  },
  after: (time, seconds) => systemClock.after(time, seconds),
});

/** Sources: a skew of seven seconds either way on mounted folders, seen in the field. */
describe('workspace: a file system with a clock of its own', () => {
  let bed: Bed;
  beforeEach(() => (bed = Bed.repository()));
  afterEach(() => bed.remove());

  const baseline = async (workspace: Workspace): Promise<BaselineFacts> => {
    const taken = await workspace.baseline({ mission_id: 'm', forbidden_paths: [], paths: ['src'] });
    assert.ok(taken.ok);
    return taken.value;
  };
  /** What changed since, as attribution sees it of a worker that ran between two times. */
  const judged = async (
    workspace: Workspace,
    { manifest_sha256 }: BaselineFacts,
    times: Pick<AttributionInput, 'worker_started_at' | 'worker_ended_at'>,
  ): Promise<readonly string[]> => {
    const run_dir = bed.at('.mission-control/missions/m/runs/1-t');
    mkdirSync(run_dir, { recursive: true });
    const request = { mission_id: 'm', forbidden_paths: [], paths: ['src'] };
    const found = await workspace.difference({ ...request, baseline_sha256: manifest_sha256, run_dir });
    assert.ok(found.ok);
    const input = { paths: ['src'], forbidden_paths: [], external_saves: [], ...times };
    return attribute({ ...input, changes: found.value.changes }).map(
      ({ path: name, attribution }) => `${name} ${attribution}`,
    );
  };

  for (const [where, seconds] of [
    ['seven seconds ahead of ours', -7],
    ['seven seconds behind ours', 7],
    ['two minutes ahead of ours', -120],
    ['two minutes behind ours', 120],
  ] as const)
    it(`gives the worker what it wrote by a clock ${where}`, async () => {
      const clock = aheadBy(seconds);
      const workspace = createWorkspace(bed.root, bed.kept, clock);
      const taken = await baseline(workspace);
      const off = Math.abs((taken.clock_ahead_ms ?? 0) + seconds * 1000);
      assert.ok(off < 3_000, `told as ${taken.clock_ahead_ms ?? 'nothing'}`);
      const worker_started_at = clock.now();
      bed.write('src/a.txt', 'changed\n');
      bed.write('src/new.txt', 'new\n');
      rmSync(bed.at('src/b.txt'));
      const worker_ended_at = clock.now();
      assert.deepEqual(await judged(workspace, taken, { worker_started_at, worker_ended_at }), [
        'src/a.txt worker',
        'src/b.txt worker',
        'src/new.txt worker',
      ]);
      // A change long before the worker, or long after its end, still has no known maker.
      const earlier = {
        worker_started_at: clock.after(worker_started_at, 30),
        worker_ended_at: clock.after(worker_ended_at, 60),
      };
      const later = {
        worker_started_at: clock.after(worker_started_at, -60),
        worker_ended_at: clock.after(worker_ended_at, -30),
      };
      for (const times of [earlier, later])
        assert.deepEqual(await judged(workspace, taken, times), [
          'src/a.txt unattributed',
          'src/b.txt unattributed',
          'src/new.txt unattributed',
        ]);
    });

  it('is reported by the next owner as well, which reads the baseline from the disk', async () => {
    const clock = aheadBy(-7);
    const taken = await baseline(createWorkspace(bed.root, bed.kept, clock));
    const worker_started_at = clock.now();
    bed.write('src/a.txt', 'changed\n');
    const times = { worker_started_at, worker_ended_at: clock.now() };
    assert.deepEqual(await judged(createWorkspace(bed.root, bed.kept, clock), taken, times), ['src/a.txt worker']);
  });

  it('is not reported where both clocks agree', async () => {
    assert.equal('clock_ahead_ms' in (await baseline(bed.workspace)), false);
  });

  it('is read through a probe file outside the workspace, which does not stay and is no change', async () => {
    const found = new Set<string>();
    const probes = (): readonly string[] =>
      [bed.root, bed.kept.user_state]
        .filter(existsSync)
        .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => path.join(folder, String(name))))
        .filter((name) => path.basename(name) === 'clock-probe');
    const clock = aheadBy(-7, () => {
      for (const name of probes()) found.add(name);
    });
    const workspace = createWorkspace(bed.root, bed.kept, clock);
    const taken = await baseline(workspace);
    assert.equal(found.size, 1);
    assert.ok(
      [...found].every((name) => name.startsWith(bed.kept.user_state)),
      [...found].join(),
    );
    assert.deepEqual(probes(), []);
    assert.deepEqual(await judged(workspace, taken, { worker_started_at: null, worker_ended_at: null }), []);
  });

  it('is read inside .mission-control where our own folder lies on another file system', async function () {
    const shm = '/dev/shm';
    if (!existsSync(shm) || lstatSync(shm).dev === lstatSync(bed.root).dev) this.skip();
    const user_state = mkdtempSync(path.join(shm, 'mission-clock-'));
    const found = new Set<string>();
    const place = bed.at('.mission-control/clock-probe');
    try {
      const clock = aheadBy(-7, () => {
        if (existsSync(place)) found.add(place);
      });
      const workspace = createWorkspace(bed.root, { user_state }, clock);
      const taken = await baseline(workspace);
      assert.deepEqual([...found], [place]);
      assert.equal(existsSync(place), false);
      assert.deepEqual(await judged(workspace, taken, { worker_started_at: null, worker_ended_at: null }), []);
    } finally {
      rmSync(user_state, { recursive: true, force: true });
    }
  });

  it('follows no link that lies in the place of its file', async () => {
    const folder = path.join(bed.scratch, 'elsewhere');
    const user_state = path.join(bed.scratch, 'other');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'kept'), 'kept');
    const first = await baseline(createWorkspace(bed.root, { user_state }, aheadBy(-7)));
    const [manifests = ''] = readdirSync(user_state, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('manifests'));
    symlinkSync(path.join(folder, 'kept'), path.join(user_state, manifests, 'clock-probe'));
    const second = await baseline(createWorkspace(bed.root, { user_state }, aheadBy(-7)));
    assert.ok(first.clock_ahead_ms !== undefined && second.clock_ahead_ms !== undefined);
    assert.deepEqual(readdirSync(folder), ['kept']);
    assert.equal(lstatSync(path.join(folder, 'kept')).size, 4);
  });
});
