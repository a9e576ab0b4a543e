import assert from 'node:assert/strict';
import { fold } from '../../../src/core/mission/evolve';
import { cannotPropose } from '../../../src/core/mission/orchestrator/asked';
import { liveSession } from '../../../src/core/model/session';
import type { ScriptedAct } from '../../scenarios/scenario';
import { play } from '../../scenarios/play';

describe('a plan that a session proposes after its last request', () => {
  const asks = Array.from({ length: 40 }, (_, n): ScriptedAct => ({
    at: { effect: 'awaitOrchestrator' },
    report: {
      ...{ type: 'OrchestratorHasAsked', launch_id: '', request_id: `r${n}` },
      ask: { tool: 'choose_outcome', outcome: 'resume', reason: 'go on' },
    },
    answer: 'OUTCOME_UNAVAILABLE',
  }));
  const { entries } = play({
    orchestrator: { worker: 'claude', model: null },
    tasks: [{ task_id: 'T1', worker: 'claude' }],
    world: { 'T1#1': { claim: 'invalid' } },
    script: asks,
  });
  const stopped = entries.findIndex(({ event }) => event.type === 'OrchestratorStopRequested');
  const refusal = (seq: number): string | null | undefined => {
    const mission = fold(entries.slice(0, seq));
    const session = mission && liveSession(mission);
    return session && (cannotPropose(mission, session, 'smaller steps')?.code ?? null);
  };

  it('is not written, because its record would be missing and the DRAFT would accuse the session', () => {
    assert.ok(stopped > 0);
    assert.deepEqual([refusal(stopped), refusal(stopped + 1)], [null, 'ORCHESTRATOR_LIMIT']);
  });
});
