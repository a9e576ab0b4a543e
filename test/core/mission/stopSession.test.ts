import assert from 'node:assert/strict';
import { play } from '../../scenarios/play';
import type { Scenario } from '../../scenarios/scenario';

/** What a stop of T1 at this moment is answered. */
function answerTo(at: NonNullable<Scenario['script']>[number]['at'], more: Partial<Scenario>): string {
  const { entries } = play({
    tasks: [{ task_id: 'T1', worker: 'claude' }],
    script: [{ at, command: { type: 'StopTask', task_id: 'T1' } }],
    ...more,
  });
  return entries.flatMap(({ event }) => (event.type === 'CommandAccepted' ? [event.reason] : [])).join();
}

describe('the answer to a stop', () => {
  it('names the worker where one runs', () => {
    assert.equal(
      answerTo({ effect: 'awaitWorker' }, {}),
      'The worker of T1 is being stopped with its whole process tree.',
    );
  });

  it('names the session of the orchestrator where only that runs', () => {
    assert.equal(
      answerTo(
        { effect: 'awaitOrchestrator' },
        { world: { 'T1#1': { claim: 'invalid' } }, orchestrator: { worker: 'claude', model: null } },
      ),
      'The session of the orchestrator about T1 is being stopped with its whole process tree.',
    );
  });
});
