import assert from 'node:assert/strict';
import { fold } from '../../src/core/mission/evolve';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import { cases } from './cases';
import type { Played } from './play';
import { played } from './played';
import { handedOver, takenOver } from './takenOver';

/** What another clone says anew of a task that goes on there: who runs it, and what its last attempt here found. */
const anew = ['mission_id', 'commit_sha', 'plan_sha256_observed'] as const;
/** What it says of a task that was in progress as well, because it is blocked there. */
const ofRunning = ['code', 'reason', 'notes', 'end_notes'] as const;

describe('each fact of the evidence comes along with each handoff of each scenario', () => {
  for (const [name, scenarios] of cases())
    it(name, () => {
      for (const scenario of scenarios)
        for (const at of handoffsOf(played(scenario))) {
          const handed = handedOver(at);
          const there = takenOver(handed, at.mission);
          const further = handedOver(there);
          for (const [index, { evidence: here, status }] of handed.rows.entries()) {
            const now = further.rows[index]?.evidence;
            if (!here) continue;
            assert.ok(now);
            const left = [...anew, ...(status === 'in_progress' ? ofRunning : [])];
            assert.deepEqual(without(now, left), without(here, left), `${scenario.title}: ${here.task_id}`);
          }
        }
    });
});

/** The mission at each moment at which it wrote a handoff. */
function handoffsOf({ entries }: Played): readonly Played[] {
  return entries.flatMap(({ event, seq }) => {
    if (event.type !== 'HandoffWritten') return [];
    const before = entries.slice(0, seq);
    const mission = fold(before);
    assert.ok(mission);
    // With a failed task the mission ends, so it goes on nowhere.
    return mission.rows.some(({ status }) => status === 'failed') ? [] : [{ entries: before, mission }];
  });
}

function without(evidence: TaskEvidence, left: readonly (keyof TaskEvidence)[]): object {
  return Object.fromEntries(Object.entries(evidence).filter(([name]) => !(left as readonly string[]).includes(name)));
}
