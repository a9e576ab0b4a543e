import assert from 'node:assert/strict';
import type { LiveWorkerView } from '../../../src/contracts/page/liveView';
import { fold } from '../../../src/core/mission/evolve';
import { currentLaunch } from '../../../src/core/model/attempt';
import { doingText } from '../../../src/core/view/mission/signalLine';
import { missionView, type LiveFacts } from '../../../src/core/view/mission/missionView';
import { play } from '../../scenarios/play';

describe('what a worker did last', () => {
  const { entries } = play({ tasks: [{ task_id: 'T1', worker: 'claude' }] });
  const started = entries.findIndex(({ event }) => event.type === 'WorkerStarted');
  const mission = fold(entries.slice(0, started + 1));
  assert.ok(mission);
  const launch = mission.lanes[0] && currentLaunch(mission.lanes[0]);
  const lane = (actions?: LiveFacts['actions']): LiveWorkerView | undefined => {
    const facts = { last_progress_at: '', last_output_at: null, output_bytes: 0, output_lines: null, actions };
    return missionView(mission, [], new Map([[launch?.launch_id ?? '', facts]]), true).lanes[0];
  };
  const seen = (actions?: LiveFacts['actions']): unknown => lane(actions)?.actions;

  it('has the same words for each CLI, and those of an unknown tool', () => {
    const told = ['Read', 'read_file', 'MultiEdit', 'replace', 'apply_patch', 'Bash', 'run_shell_command', 'deploy'];
    assert.deepEqual(seen(told.map((tool) => ({ tool, detail: 'a' }))), [
      ...['read', 'read', 'edit', 'edit', 'edit', 'run', 'run', 'deploy'].map((what) => ({ what, on: 'a' })),
    ]);
  });

  it('says what its worker does now, in words of no contract', () => {
    const doing = (...tools: string[]): unknown => lane(tools.map((tool) => ({ tool, detail: 'a' })))?.doing;
    assert.deepEqual(
      [doing('Bash', 'Edit'), doing('Edit', 'Grep'), doing('Bash'), doing('deploy'), doing()],
      ['edits files', 'reads files', 'runs a command', 'works', 'works'],
    );
    assert.equal(doingText('worker', 'command'), 'runs the command of the task');
    assert.equal(doingText('verify', 'claude'), 'runs the verify commands');
  });

  it('is absent where its CLI has reported nothing', () => {
    assert.equal(seen(), undefined);
  });
});
