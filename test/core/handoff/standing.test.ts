import assert from 'node:assert/strict';
import type { MissionCommand } from '../../../src/contracts/commands/missionCommand';
import { importOf } from '../../../src/core/handoff/import';
import { measured } from '../../../src/core/mission/parts/budget';
import { commandOffers } from '../../../src/core/mission/commandTable';
import type { Mission } from '../../../src/core/model/state';
import { play } from '../../scenarios/play';
import type { ScriptedAct, Situation } from '../../scenarios/scenario';
import { handedOver, takenAt, takenOver } from '../../scenarios/takenOver';

const tasks = [{ task_id: 'T1' }, { task_id: 'T2' }];
const pause: MissionCommand = { type: 'PauseMission' };
const running = { effect: 'awaitWorker', task: 'T1' } as const;
const runner = { by: 'runner', name: 'mission-control' } as const;

describe('what a person decided about a run that a host of a fleet goes on with', () => {
  const there = (act: ScriptedAct | null, by_host: boolean, more: Partial<Situation> = {}): Mission => {
    const at = play({ tasks, script: act ? [act] : [], ...more });
    const handed = handedOver(at);
    const resumed = { bundle_sha256: 'A'.repeat(64), kept_in: 'handoff/0', reason: 'go on', at: takenAt, by_host };
    return takenOver(handed, at.mission, { handoff: importOf(handed, resumed) }).mission;
  };

  it('stands, and not for a person who resumes it', () => {
    const { hold } = there({ at: running, command: pause }, true);
    assert.equal(hold.kind === 'pause_requested' && hold.decision.actor.name, 'ada');
    assert.equal(there({ at: running, command: pause }, false).hold.kind, 'none');
  });

  it('is still to be decided, where the mission paused itself', () => {
    const usage = { input_tokens: 900, cached_input_tokens: 0, output_tokens: 100, cost_usd: null };
    const spent = { budget: { tokens: 1000 }, world: { 'T1#1': { end: { usage } } } };
    for (const by_host of [true, false]) {
      const { hold } = there(null, by_host, spent);
      assert.equal(hold.kind === 'paused' ? hold.code : hold.kind, by_host ? 'NON_COMPLIANT' : 'none');
    }
  });

  it('counts against the budget what was used there, and keeps what a person has granted since', () => {
    const usage = { input_tokens: 900, cached_input_tokens: 0, output_tokens: 100, cost_usd: null };
    const more = { budget: { tokens: 1000 }, world: { 'T1#1': { end: { usage } } } };
    for (const by_host of [true, false]) {
      const mission = there(null, by_host, more);
      assert.deepEqual([measured(mission)[0]?.used, mission.budgets_asked], by_host ? [1000, 1] : [0, 0]);
    }
    // The host after the next one has both, too.
    const at = play({ tasks, ...more, script: [] });
    const resumed = { bundle_sha256: 'A'.repeat(64), kept_in: 'handoff/0', reason: 'r', at: takenAt, by_host: true };
    const next = takenOver(handedOver(at), at.mission, { handoff: importOf(handedOver(at), resumed) });
    assert.deepEqual(handedOver(next).facts.used, { tokens: 1000, usd: 0, budgets_asked: 1 });
  });

  it('is that a block was seen, until something else blocks', () => {
    const fails = { world: { 'T1#1': { end: { exit_code: 1 } } }, tasks: tasks.slice(0, 1) };
    const seen = { at: 'idle', command: { type: 'Acknowledge' } } as const;
    for (const by_host of [true, false])
      assert.equal(there(seen, by_host, fails).acknowledged?.actor.name, by_host ? 'ada' : undefined);
  });

  it('is no pause of a host that lets it go, and the runner decides nothing else', () => {
    assert.equal(there({ at: running, command: pause, ...runner }, true).hold.kind, 'none');
    for (const command of [{ type: 'CancelMission' }, { type: 'ExportHandoff', move: true }] as const)
      play({ tasks, script: [{ at: running, command, ...runner, answer: 'HUMAN_ONLY' }] });
  });
});

describe('work that waits for a person, in a run that goes on elsewhere', () => {
  it('is not offered to be accepted, because a layer of the first machine holds it', () => {
    const world = { 'T1#1': { confined: true, landing: 'lands' } } as const;
    const at = play({ tasks: tasks.slice(0, 1), landing: 'accepted', world });
    assert.deepEqual(commandOffers(at.mission, false).AnswerQuestion, ['T1']);
    const { mission } = takenOver(handedOver(at), at.mission);
    assert.deepEqual(commandOffers(mission, false).AnswerQuestion, []);
    assert.deepEqual(commandOffers(mission, false).RetryTask, ['T1']);
  });
});
