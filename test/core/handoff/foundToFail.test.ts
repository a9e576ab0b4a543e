import assert from 'node:assert/strict';
import { pendingEffects } from '../../../src/core/mission/effects';
import { cannotChoose } from '../../../src/core/mission/orchestrator/choice';
import { cannotRetry } from '../../../src/core/mission/resolve/packetCommands';
import { liveSession } from '../../../src/core/model/session';
import type { Mission } from '../../../src/core/model/state';
import { play } from '../../scenarios/play';
import type { AttemptScript, Situation } from '../../scenarios/scenario';
import { handedOver, submitted, takenAt, takenOver } from '../../scenarios/takenOver';
import { answer } from '../../scenarios/world';

const unit = 'validate-M1';
const situation: Situation = {
  milestones: [
    { id: 'M1', title: 'First', validate: { worker: 'claude', verify: [['check']], assertions: ['It starts.'] } },
  ],
  tasks: [{ task_id: 'T1', milestone: 'M1' }],
};

describe('a milestone that was not accepted before a handoff', () => {
  const cases: readonly [string, AttemptScript, rerun: string | null, asAgent: string | null][] = [
    ['by a report that says fail', { claim: 'report_fail' }, 'OUTCOME_UNAVAILABLE', 'OUTCOME_UNAVAILABLE'],
    // A person may know that the command fails now and then.
    ['by a verify command', { verify: [1] }, null, 'OUTCOME_UNAVAILABLE'],
    ['for want of a report', { claim: 'missing' }, null, null],
    ['by an inconclusive report', { claim: 'report_inconclusive' }, null, null],
  ];
  for (const [how, script, rerun, asAgent] of cases)
    it(`is judged there as here: refused ${how}`, () => {
      const { mission: here } = play({ ...situation, world: { [`${unit}#1`]: script } });
      const there = resumed(script);
      for (const mission of [here, there])
        assert.equal(cannotRetry(mission, unit, 'rerun-validation')?.code ?? null, rerun);
      const session = liveSession(there);
      assert.ok(session);
      for (const outcome of ['retry-repair', 'rerun-validation'] as const)
        assert.equal(cannotChoose(there, session, { outcome, reason: 'again' })?.code ?? null, asAgent, outcome);
    });
});

/** The mission that another clone goes on with, once it has asked its orchestrator. */
function resumed(script: AttemptScript): Mission {
  const at = play({ ...situation, world: { [`${unit}#1`]: script } });
  let there = takenOver(handedOver(at), at.mission, { orchestrator: { worker: 'claude', model: null } });
  for (;;) {
    const [effect] = pendingEffects(there.mission);
    const report = effect && answer(effect, there.mission, undefined, {}, () => takenAt);
    if (!report) return there.mission;
    there = submitted(there, report);
  }
}
