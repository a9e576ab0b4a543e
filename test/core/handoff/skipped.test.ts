import assert from 'node:assert/strict';
import type { Skipped } from '../../../src/contracts/taskEvidence';
import type { Actor } from '../../../src/contracts/vocabulary/actors';
import { evidenceProblem } from '../../../src/core/handoff/import';
import { play } from '../../scenarios/play';
import { handedOver, type HandedOver } from '../../scenarios/takenOver';

/** A paused mission with one task done and one skipped, as it is handed over. */
function paused(): HandedOver {
  return handedOver(
    play({
      tasks: [{ task_id: 'T1' }, { task_id: 'T2' }, { task_id: 'T3' }],
      script: [
        { at: { effect: 'awaitWorker', task: 'T1' }, command: { type: 'PauseMission' } },
        { at: 'idle', command: { type: 'SkipTask', task_id: 'T2', dependants: [] }, reason: 'not needed' },
      ],
    }),
  );
}

/** What is wrong when the evidence in the handoff records another skip of T2; null: it records none. */
function problemWith(by: Skipped | null): string | null {
  const { bundle, given, rows } = paused();
  const found = rows.map((row) => {
    if (row.task_id !== 'T2' || !row.evidence) return row;
    const { skipped: _before, ...rest } = row.evidence;
    return { ...row, evidence: by === null ? rest : { ...rest, skipped: by } };
  });
  return evidenceProblem(bundle, given, found)?.reason ?? null;
}

describe('a handoff of a run with a skipped task', () => {
  const actor: Actor = { kind: 'human', name: 'ada' };
  const decision = { actor, reason: 'not needed', at: '2026-01-01T00:00:00.000Z' };
  const byOther = (other: Partial<Actor>): Skipped => ({
    ...{ decision: { ...decision, actor: { ...actor, ...other } }, chosen: 'T2' },
  });

  const nobodys = 'Task T2 is canceled, and no decision of a person to skip it came with the handoff.';
  const cases: readonly [string, Skipped | null][] = [
    ['nobody skipped it', null],
    ['an agent skipped it', byOther({ kind: 'worker' })],
    ['no person is named', byOther({ name: 'auto' })],
  ];
  for (const [name, changed] of cases)
    it(`is not taken over with a canceled task: ${name}`, () => assert.equal(problemWith(changed), nobodys));
});
