import assert from 'node:assert/strict';
import { launchChangeById } from '../../../../src/core/mission/parts/launchChange';
import { taskEvidence } from '../../../../src/core/mission/evidence/taskEvidence';
import { rowOf } from '../../../../src/core/model/state';
import { eventLine, launchChangeLines } from '../../../../src/core/view/events/eventLine';
import { missionView } from '../../../../src/core/view/mission/missionView';
import { play } from '../../../scenarios/play';

const denied = { path: '/d1/a', reason: 'workingDir: Path is outside allowed working directories' };
const untrusted = {
  source: 'stderr' as const,
  reason: 'Gemini CLI is not running in a trusted directory. To proceed, either use `--skip-trust`, set the env',
};

/** Every kind of change: a relaunch, one that resumes its session, what an earlier task carries over, and a grant. */
const plays = {
  relaunch: play({
    tasks: [{ task_id: 'T1', worker: 'claude' }],
    recovery_allow: ['add_directory'],
    recovery_directories: ['/d1'],
    world: { 'T1#1': { changes: [], launches: [{ denied: [denied] }] } },
  }),
  'a session that goes on': play({
    tasks: [{ task_id: 'T1', worker: 'claude' }],
    recovery_allow: ['add_directory'],
    recovery_directories: ['/d1'],
    world: { 'T1#1': { changes: [], launches: [{ denied: [denied], end: { session_id: 's-1' } }] } },
  }),
  'a grant': play({
    tasks: [{ task_id: 'T1', worker: 'claude' }],
    world: { 'T1#1': { changes: [], launches: [{ denied: [denied] }] } },
    script: [{ at: 'idle', command: { type: 'GrantDirectory', task_id: null, directory: '/d1' } }],
  }),
  'carried over': play({
    tasks: [
      { task_id: 'T1', worker: 'gemini', paths: ['a'] },
      { task_id: 'T2', worker: 'gemini', paths: ['b'] },
    ],
    recovery_allow: ['trust_workspace'],
    world: {
      'T1#1': { changes: ['a/x'], launches: [{ denied: [untrusted], end: { exit_code: 55, final_seen: false } }] },
      'T2#1': { changes: ['b/x'] },
    },
  }),
};

describe('the change of a launch line', () => {
  for (const [name, { entries, mission }] of Object.entries(plays))
    it(`reads alike in the journal's event, the evidence and the panel: ${name}`, () => {
      const prepared = entries.flatMap((entry) => (entry.event.type === 'LaunchPrepared' ? [entry] : []));
      const view = missionView(mission, entries, new Map(), true);
      let changes = 0;
      for (const entry of prepared) {
        assert.ok(entry.event.type === 'LaunchPrepared');
        const { launch_id } = entry.event;
        const change = launchChangeById(mission, launch_id);
        const { text } = eventLine(entry, mission);
        const told = mission.rows
          .flatMap((row) => taskEvidence(mission, row, []).attempts)
          .flatMap(({ launches }) => launches)
          .find((launch) => launch.launch_id === launch_id);
        assert.deepEqual(told?.change ?? null, change);
        if (change === null) {
          assert.doesNotMatch(text, /rguments/);
          continue;
        }
        changes += 1;
        const [why, difference, before, after] = launchChangeLines(change);
        assert.ok(why && difference && before && after);
        assert.ok(text.endsWith(`${why} ${difference}`), text);
        const shown = view.tasks.flatMap(({ recoveries = [] }) => recoveries.map((one) => one.change));
        assert.ok(
          shown.some((lines) => JSON.stringify(lines) === JSON.stringify([why, difference, before, after])),
          JSON.stringify(shown),
        );
      }
      assert.ok(changes > 0);
    });

  it('of a relaunch is that to the denied launch', () => {
    const { mission } = plays.relaunch;
    const [first, second] = rowOf(mission, 'T1').attempts[0]?.launches ?? [];
    assert.equal(launchChangeById(mission, first?.launch_id ?? ''), null);
    const change = launchChangeById(mission, second?.launch_id ?? '');
    assert.deepEqual(change?.arguments, {
      before: first?.prepared?.argv,
      after: second?.prepared?.argv,
      removed: [],
      added: ['--add-dir', '/d1'],
    });
    assert.equal(
      change.reasons[0],
      'RELAUNCH_WITH_ADD_DIR after SANDBOX_ERROR on /d1/a, allowed by execution.recovery.allow: add_directory',
    );
  });

  it('of a launch that goes on with a session names it', () => {
    const { mission } = plays['a session that goes on'];
    const launch = rowOf(mission, 'T1').attempts[0]?.launches[1];
    const change = launchChangeById(mission, launch?.launch_id ?? '');
    assert.equal(change?.reasons[1], 'session s-1 goes on');
    assert.deepEqual(change.arguments?.added, ['--resume', 's-1', '--add-dir', '/d1']);
  });

  it('of a grant names who gave it, and is that to the least-privileged line', () => {
    const { mission } = plays['a grant'];
    const launch = rowOf(mission, 'T1').attempts[1]?.launches[0];
    const change = launchChangeById(mission, launch?.launch_id ?? '');
    assert.match(change?.reasons[0] ?? '', /^reading and writing of \/d1 granted by .+ for this attempt$/);
    assert.deepEqual(change?.arguments?.added, ['--add-dir', '/d1']);
  });

  it('of a carried-over correction is that to the least-privileged line', () => {
    const { mission } = plays['carried over'];
    const launch = rowOf(mission, 'T2').attempts[0]?.launches[0];
    assert.deepEqual(launchChangeById(mission, launch?.launch_id ?? ''), {
      reasons: ['trust_workspace carried over from T1, where it helped'],
      arguments: { before: ['worker'], after: ['worker', '--skip-trust'], removed: [], added: ['--skip-trust'] },
    });
  });
});
