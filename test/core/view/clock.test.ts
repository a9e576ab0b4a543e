import assert from 'node:assert/strict';
import { taskEvidence } from '../../../src/core/mission/evidence/taskEvidence';
import { fold } from '../../../src/core/mission/evolve';
import { factLines, attemptView } from '../../../src/core/view/mission/attemptView';
import { play } from '../../scenarios/play';

describe('a file system with a clock of its own', () => {
  /** The lines that status and page show of the clock, and what the evidence holds. */
  const told = (clock_ahead_ms: number): readonly unknown[] => {
    const { entries } = play({ tasks: [{ task_id: 'T1' }] });
    const mission = fold(
      entries.map((entry) =>
        entry.event.type === 'BaselineTaken' ? { ...entry, event: { ...entry.event, clock_ahead_ms } } : entry,
      ),
    );
    const row = mission?.rows[0];
    assert.ok(mission && row);
    const lines = factLines(row, attemptView(mission, row), row.attempts[0], 'none');
    const [attempt] = taskEvidence(mission, row, []).attempts;
    return [lines.find(({ name }) => name === 'Clock')?.value, attempt?.clock_ahead_ms];
  };

  it('is named in status with what to do where it is more than a minute off', () => {
    assert.deepEqual(told(90_000), [
      "The clock of the workspace's file system is 90 s ahead of this machine's. Times of changes are corrected by that. Set both clocks by the same time server.",
      90_000,
    ]);
    assert.match(String(told(-61_000)[0]), /is 61 s behind this machine's\./);
  });

  it('is in the evidence alone where it is a few seconds off', () => {
    assert.deepEqual(told(7_000), [undefined, 7_000]);
  });
});
