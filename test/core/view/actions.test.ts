import assert from 'node:assert/strict';
import { fold } from '../../../src/core/mission/evolve';
import { currentLaunch } from '../../../src/core/model/attempt';
import { missionView, type LiveFacts } from '../../../src/core/view/missionView';
import { play } from '../../scenarios/play';

describe('what a worker did last', () => {
  const { entries } = play({ tasks: [{ task_id: 'T1', worker: 'claude' }] });
  const started = entries.findIndex(({ event }) => event.type === 'WorkerStarted');
  const mission = fold(entries.slice(0, started + 1));
  assert.ok(mission);
  const launch = mission.lanes[0] && currentLaunch(mission.lanes[0]);
  const seen = (actions?: LiveFacts['actions']): unknown => {
    const facts = { last_progress_at: '', last_output_at: null, output_bytes: 0, output_lines: null, actions };
    return missionView(mission, [], new Map([[launch?.launch_id ?? '', facts]]), true).lanes[0]?.actions;
  };

  it('is told in the same words for each CLI, and in those of a tool that nobody here knows', () => {
    const told = ['Read', 'read_file', 'MultiEdit', 'replace', 'apply_patch', 'Bash', 'run_shell_command', 'deploy'];
    assert.deepEqual(seen(told.map((tool) => ({ tool, detail: 'a' }))), [
      ...['read', 'read', 'edit', 'edit', 'edit', 'run', 'run', 'deploy'].map((what) => ({ what, on: 'a' })),
    ]);
  });

  it('is absent where its CLI has told nothing', () => {
    assert.equal(seen(), undefined);
  });
});
