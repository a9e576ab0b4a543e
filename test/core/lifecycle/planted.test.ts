import assert from 'node:assert/strict';
import { play } from '../../scenarios/play';
import type { Situation } from '../../scenarios/scenario';

describe('a planted hook', () => {
  function failureOf(worker: 'command' | 'codex', changes: readonly string[]): string {
    const situation: Situation = { tasks: [{ task_id: 'T1', worker }], world: { 'T1#1': { changes: [...changes] } } };
    const row = play(situation).mission.rows[0];
    assert.deepEqual([row?.status, row?.code], ['failed', 'SCOPE_VIOLATION']);
    return row?.attempts.at(-1)?.failure?.reason ?? '';
  }
  const hook = '.git/hooks/pre-commit';

  it('fails the mission and accuses no worker that did not announce it', () => {
    const reason = failureOf('command', [hook]);
    assert.match(reason, /^\.git\/hooks\/pre-commit changed while task T1 ran\. Nothing shows who changed it\./);
    assert.match(reason, /because git would use what was planted/);
    assert.doesNotMatch(reason, /worker/);
  });

  it('is the worker’s where its result announces it', () => {
    assert.match(failureOf('codex', [hook]), /^The worker changed \.git\/hooks\/pre-commit outside the approved paths/);
  });
});
