import assert from 'node:assert/strict';
import { plainlyReceived } from '../../support/receivedPlan';
import { taskEvidenceSchema } from '../../../src/contracts/taskEvidence';
import { documentText } from '../../../src/base/json';
import { handoffBundle } from '../../../src/core/handoff/bundle';
import { importOf, transitionsOf } from '../../../src/core/handoff/import';
import { decide } from '../../../src/core/mission/decide';
import { taskEvidence } from '../../../src/core/mission/evidence/taskEvidence';
import { pendingEffects } from '../../../src/core/mission/effects';
import { evolve } from '../../../src/core/mission/evolve';
import { cannotChoose } from '../../../src/core/mission/orchestrator/choice';
import { cannotRetry } from '../../../src/core/mission/resolve/packetCommands';
import type { InputBody } from '../../../src/core/model/inputs';
import { liveSession } from '../../../src/core/model/session';
import type { Mission } from '../../../src/core/model/state';
import { play } from '../../scenarios/play';
import type { AttemptScript, Situation } from '../../scenarios/scenario';
import { answer, planSha256 } from '../../scenarios/world';

const at = '2026-01-02T00:00:00.000Z';
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
  const { mission, entries } = play({ ...situation, world: { [`${unit}#1`]: script } });
  const [handoff] = mission.handoffs;
  assert.ok(handoff);
  const world = { at, role: 'orchestrator', base_commit: null, heartbeats: {} } as const;
  const bundle = handoffBundle(mission, entries, handoff, { ...world, files: [], changes: [] });
  assert.ok(bundle.x_mission);
  const transitions = transitionsOf(bundle, bundle.x_mission, mission.plan);
  assert.ok(!('code' in transitions));
  const rows = mission.rows.map((row) => ({
    task_id: row.task.task_id,
    status: row.status,
    evidence: taskEvidenceSchema.parse(JSON.parse(documentText(taskEvidence(mission, row, [])))),
  }));
  const given = { bundle, given: bundle.x_mission, transitions, rows };
  let there = after(null, {
    ...{ type: 'PlanReceived', mission_id: 'M2', plan: mission.plan, plan_path: mission.plan_path },
    ...plainlyReceived,
    ...{ plan_sha256: planSha256, tool_version: '0' },
    orchestrator: { worker: 'claude', model: null },
    handoff: importOf(given, { bundle_sha256: 'A'.repeat(64), kept_in: 'handoff/0', reason: 'go on', at }),
  });
  for (;;) {
    const [effect] = pendingEffects(there);
    const report = effect && answer(effect, there, undefined, {}, () => at);
    if (!report) return there;
    there = after(there, report);
  }
}

function after(mission: Mission | null, body: InputBody): Mission {
  const fresh = { launch_id: 'l', session_id: 's', nonce: 'n' };
  const events = decide(mission, { at, actor: { kind: 'runner', name: 'mission-control' }, fresh, body });
  const seq = mission?.last_seq ?? 0;
  const state = events.reduce<Mission | null>(
    (before, event, index) => evolve(before, { seq: seq + index + 1, run_id: 'run', at, event }),
    mission,
  );
  assert.ok(state);
  return state;
}
