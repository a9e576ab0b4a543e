import assert from 'node:assert/strict';
import { decide } from '../../../src/core/mission/decide';
import { fold } from '../../../src/core/mission/evolve';
import type { LaneReport } from '../../../src/core/model/inputs';
import type { Stage } from '../../../src/core/model/attempt';
import type { Mission } from '../../../src/core/model/state';
import { planSha256 } from '../../scenarios/world';
import { play } from '../../scenarios/play';

/** The second attempt of a task that a person has tried again. */
const { entries } = play({
  tasks: [{ task_id: 'T1' }],
  world: { 'T1#1': { end: { exit_code: 3 } } },
  script: [{ at: 'idle', command: { type: 'RetryTask', task_id: 'T1' } }],
});

describe('an answer to what an earlier attempt asked', () => {
  const task_id = 'T1';
  const none = { observed_sha256: '', head: null, not_observed: [], comparison: { case_insensitive: false } };
  const answers: readonly [Stage['at'], (attempt: number) => LaneReport][] = [
    [
      'plan_hash',
      (attempt) => ({ type: 'PlanHashWasRead', task_id, attempt, observed: planSha256, explanation: null }),
    ],
    [
      'baseline',
      (attempt) => ({ type: 'BaselineWasTaken', task_id, attempt, manifest_sha256: '', files: 1, head: null }),
    ],
    [
      'baseline',
      (attempt) => ({ type: 'BaselineFailed', task_id, attempt, code: 'STATE_STORE_UNWRITABLE', reason: '' }),
    ],
    [
      'observing',
      (attempt) => ({ type: 'ChangesWereRead', task_id, attempt, changes: [], plan_sha256_observed: null, ...none }),
    ],
    ['observing', (attempt) => ({ type: 'ChangesCouldNotBeRead', task_id, attempt, reason: '' })],
  ];
  for (const [stage, answer] of answers) {
    it(`means nothing to the one that asks the same now: ${answer(1).type}`, () => {
      const mission = waitingAt(stage);
      assert.deepEqual(take(mission, answer(1)), []);
      assert.notDeepEqual(take(mission, answer(2)), []);
    });
  }
});

function waitingAt(stage: Stage['at']): Mission {
  const states = entries.map((_entry, index) => fold(entries.slice(0, index + 1)));
  // The last one: what is decided at once is also appended at once.
  const found = states.findLast((state) => state?.lanes[0]?.attempt === 2 && state.lanes[0].stage.at === stage);
  assert.ok(found);
  return found;
}

function take(mission: Mission, body: LaneReport): ReturnType<typeof decide> {
  const fresh = { launch_id: 'l', session_id: 's', nonce: 'n' };
  return decide(mission, {
    at: '2026-01-02T00:00:00.000Z',
    actor: { kind: 'runner', name: 'mission-control' },
    fresh,
    body,
  });
}
