import assert from 'node:assert/strict';
import { stepLine } from '../../src/base/text/steps';
import type { WayView } from '../../src/contracts/page/blockView';
import type { Mission } from '../../src/core/model/state';
import { possibleStepsOf, waysOut } from '../../src/core/mission/waysOut';
import { one } from './blocks';
import { play } from './play';
import type { AttemptScript, ScriptedAct, Situation } from './scenario';

const beside = { changes: ['src/a.ts', 'build.log'] };
const breach: ScriptedAct = {
  at: { effect: 'awaitWorker' },
  report: { type: 'OutOfScopeWriteWasSeen', launch_id: '', path: 'build.log', seen: true, stray: true },
};

function waysOf(mission: Mission): readonly WayView[] {
  const [row] = mission.rows;
  const packet = mission.packets.at(-1);
  return row?.status === 'blocked' && packet ? waysOut(mission, row, packet) : [];
}

/** Plays a block, and accepts all of its changes. */
function accepted(world: AttemptScript, more: Partial<Situation> = {}, ...script: readonly ScriptedAct[]) {
  const situation = { tasks: [one], ...more, world: { 'T1#1': world } };
  const first = play({ ...situation, script });
  const step = waysOf(first.mission).find((way) => way.step.command === 'accept')?.step;
  assert.ok(step?.command === 'accept', JSON.stringify(waysOf(first.mission)));
  const accept: ScriptedAct = {
    at: 'idle',
    command: { type: 'AcceptChanges', task_id: 'T1', names: step.args.names },
    answer: 'OK',
  };
  const { mission } = play({ ...situation, script: [...script, accept] });
  const [way] = waysOf(mission);
  assert.ok(way);
  return { blocked: first.mission, way, said: Object.values(mission.answers).at(-1)?.reason };
}

describe('the way out of a block once its changes are accepted', () => {
  it('judges once more what did not fail', () => {
    const { way, said } = accepted(beside);
    assert.equal(way.step.command, 'rerun-validation');
    assert.match(way.does, /^What blocked it is accepted\. The result/);
    assert.ok(said?.endsWith(`Go on with: ${stepLine(way.step)}`), said);
  });

  it('tries a worker again that failed as well, and the block says so before', () => {
    const { blocked, way, said } = accepted({ ...beside, end: { exit_code: 3 } });
    const failure = blocked.rows[0]?.attempts[0]?.failure;
    assert.equal(failure && 'details' in failure && failure.details[0], 'The worker exited with 3.');
    assert.ok(possibleStepsOf(blocked, blocked.rows[0]!).every(({ command }) => command !== 'rerun-validation'));
    assert.equal(way.step.command, 'retry');
    assert.match(way.does, /^Mend what made it fail first\. /);
    assert.ok(said?.endsWith(`Go on with: ${stepLine(way.step)}`), said);
  });

  it('opens the path for which a worker was stopped', () => {
    const { blocked, way, said } = accepted({ ...beside, end: { reason: 'stop_requested' } }, {}, breach);
    const failure = blocked.rows[0]?.attempts[0]?.failure;
    assert.ok(failure?.kind === 'recoverable' && failure.category === 'external_change', JSON.stringify(failure));
    assert.match(stepLine(way.step), / plan revise \S+ --writes T1=build\.log$/);
    assert.ok(said?.endsWith(`Go on with: ${stepLine(way.step)}`), said);
  });

  it('revises the plan where a check changes again what was accepted', () => {
    const readMe = { verify_changes: ['README.md'], known: { 'README.md': 'tracked' } } as const;
    const { mission } = play({
      tasks: [one],
      world: { 'T1#1': readMe, 'T1#2': readMe },
      script: [
        { at: 'idle', command: { type: 'AcceptChanges', task_id: 'T1', names: ['README.md'] } },
        { at: 'idle', command: { type: 'RerunValidation', task_id: 'T1' } },
      ],
    });
    assert.match(waysOf(mission)[0]?.does ?? '', /^A check must change nothing: .* A revision of the plan is written/);
  });

  it('sees that nothing else changes the files, where work that waited could not land', () => {
    const { mission } = play({ tasks: [one], world: { 'T1#1': { confined: true, landing: 'changed' } } });
    assert.match(waysOf(mission)[0]?.does ?? '', /^See that nothing else changes these files first\. /);
  });
});
