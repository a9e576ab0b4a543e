import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runFiles } from '../../../src/contracts/launch';
import type { MissionEngine } from '../../../src/engine/mission/engine';
import { ShiftedTime } from '../fakeWorld';
import { startRealMission, until, type RealMission } from '../realMission';

/** Its processes work, as the fake port says, until its gate opens. */
const busy = `setInterval(() => { if (!require('fs').existsSync(process.argv[1])) return; require('fs').mkdirSync('b', { recursive: true }); require('fs').writeFileSync('b/out', 'b'); process.exit(0); }, 20)`;
const silent = `console.log('once'); setInterval(() => {}, 1e9)`;

describe('engine: one lane without a sign of life', () => {
  let mission: RealMission | undefined;
  let gates = '';
  afterEach(async () => {
    await mission?.dispose();
    mission = undefined;
    await rm(gates, { recursive: true, force: true });
  });

  it('is ended and blocked with TASK_TIMEOUT; the one beside it, which works, goes on', async () => {
    const time = new ShiftedTime();
    const asked: Record<string, number> = {};
    const works = (): string | undefined =>
      mission?.engine.mission?.lanes.find(({ task_id }) => task_id === 'B')?.launches[0]?.launch_id;
    gates = await mkdtemp(path.join(tmpdir(), 'mission-gate-'));
    const gate = path.join(gates, 'go');
    mission = await startRealMission(
      [
        { task_id: 'A', paths: ['a/'], command: [process.execPath, '-e', silent], timeout_seconds: 1200 },
        { task_id: 'B', paths: ['b/'], command: [process.execPath, '-e', busy, gate], timeout_seconds: 1200 },
        { task_id: 'C', paths: ['c/'], command: [process.execPath, '-e', ''] },
      ],
      ({ launches }) => ({
        clock: time,
        timers: time,
        launches: {
          ...launches,
          async activity(runDir, known, exceptRoot) {
            const { alive } = await launches.activity(runDir, known, exceptRoot);
            asked[known.launch_id] = (asked[known.launch_id] ?? 0) + 1;
            return { alive, cpu_seconds: known.launch_id === works() ? (asked[known.launch_id] ?? 0) : 0 };
          },
        },
      }),
      { mode: 'parallel', max_parallel: 2 },
    );
    const { engine } = mission;
    const both = (at: string) => (of: MissionEngine) =>
      of.mission?.lanes.filter((lane) => lane.stage.at === at).length === 2;
    await until(engine, both('running'));
    const [first] = engine.mission?.lanes ?? [];
    assert.equal(first?.task_id, 'A');
    const { paths } = mission.ports;
    const activity = path.join(paths.runDir(engine.mission?.mission_id ?? '', first.run_dir), runFiles.activity);
    // What it says is a sign of life as well: it has said it by then.
    while (!existsSync(activity)) await sleep(20);
    time.advance(1202);
    // Both are probed, then comes the grace, in which the one works and the other does not.
    await until(engine, ({ mission: now }) => now?.rows[0]?.status === 'blocked');
    assert.equal(engine.mission?.rows[0]?.code, 'TASK_TIMEOUT');
    assert.deepEqual(
      engine.mission.lanes.map(({ task_id, stage, timed_out }) => [task_id, stage.at, timed_out]),
      [['B', 'running', null]],
    );
    await writeFile(gate, '');
    await engine.settled();
    assert.deepEqual(
      engine.mission.rows.map(({ status }) => status),
      ['blocked', 'done', 'todo'],
    );
    assert.equal(engine.halt, null);
  });
});
