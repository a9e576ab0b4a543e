import assert from 'node:assert/strict';
import { decide } from '../../../src/core/mission/decide';
import { fold } from '../../../src/core/mission/evolve';
import type { Mission } from '../../../src/core/model/state';
import { play } from '../../scenarios/play';
import type { Situation } from '../../scenarios/scenario';

const chat = { task_id: 'T1', worker: 'claude', command: [], intent: 'chat', tier: 'D', writes: false } as const;
const situation = (task: Situation['tasks'][number], environment: 'local' | 'ci' = 'local'): Situation => ({
  tasks: [task],
  environment,
});
const attemptOf = ({ mission }: { readonly mission: Mission }) => mission.rows[0]?.attempts[0];

/** When the mode is selected, what is recorded of it, and that nothing changes it. */
describe('telemetry of an attempt', () => {
  it('is selected before phase 0, recorded with its rule, and the same for the whole attempt', () => {
    for (const [task, environment, wanted] of [
      [chat, 'local', 'DEGRADED by rule 2'],
      [chat, 'ci', 'ENFORCED by rule 1'],
      [{ ...chat, tier: 'C' }, 'local', 'ENFORCED by rule 3'],
      [{ ...chat, intent_from: 'default' }, 'local', 'ENFORCED by rule 3'],
    ] as const) {
      const played = play(situation(task, environment));
      const started = played.entries.findIndex(({ event }) => event.type === 'AttemptStarted');
      const first = played.entries.findIndex(({ event }) => event.type === 'PhaseCompleted');
      assert.ok(started !== -1 && started < first, wanted);
      const attempt = attemptOf(played);
      assert.equal(attempt?.phases[0]?.note, `plan hash matches the lock; telemetry ${wanted}`);
      const source = 'intent_from' in task ? 'by default' : 'declared';
      assert.equal(attempt.phases[1]?.note, `intent chat (${source})`);
      for (let until = started + 1; until <= played.entries.length; until += 1) {
        const mission = fold(played.entries.slice(0, until));
        const mode = mission?.lanes[0]?.telemetry_mode ?? mission?.rows[0]?.attempts[0]?.telemetry_mode;
        assert.equal(mode, attempt.telemetry_mode);
      }
    }
  });

  it('halts the owner where a phase resolved what its mode does not allow', () => {
    const played = play(situation(chat));
    const at = played.entries.findIndex(({ event }) => event.type === 'AttemptStarted');
    const begun = fold(played.entries.slice(0, at + 1));
    assert.ok(begun);
    const [row] = begun.rows;
    assert.ok(row);
    const resolved: Mission = { ...begun, rows: [{ ...row, task: { ...row.task, intent: 'refactor' } }] };
    const read = {
      type: 'PlanHashWasRead',
      task_id: 'T1',
      attempt: 1,
      observed: begun.plan_sha256,
      explanation: null,
    } as const;
    const submit = (mission: Mission): unknown =>
      decide(mission, {
        at: begun.last_at,
        actor: { kind: 'runner', name: 'mission-control' },
        fresh: { launch_id: 'l', session_id: 's', nonce: 'n' },
        body: read,
      });
    submit(begun);
    assert.throws(() => submit(resolved), /Broken invariant: task T1: telemetry is DEGRADED, and intent is refactor\./);
  });
});
