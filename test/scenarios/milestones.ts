import assert from 'node:assert/strict';
import { taskEvidence } from '../../src/core/mission/evidence/taskEvidence';
import type { Mission } from '../../src/core/model/state';
import type { Played } from './play';
import type { Expectation } from './scenario';
import { statesBefore } from './statesBefore';

/** What a scenario says of milestones and of what validated them. */
export function checkMilestones(then: Expectation, mission: Mission, when: string): void {
  if (then.accepted)
    assert.deepEqual(
      Object.fromEntries(
        mission.rows.flatMap(({ task, acceptance }) => (acceptance ? [[task.milestone, acceptance.attempt]] : [])),
      ),
      then.accepted,
      when,
    );
  for (const [task, wanted] of Object.entries(then.assertions ?? {})) {
    const row = mission.rows.find((candidate) => candidate.task.task_id === task);
    const found = row && taskEvidence(mission, row, []).attempts.at(-1)?.validation?.assertions;
    assert.deepEqual(
      found?.map(({ id, status, decision }) => `${id} ${status ?? 'open'} ${decision?.actor.name ?? 'nobody'}`),
      wanted,
      when,
    );
  }
  for (const [task, wanted] of Object.entries(then.because ?? {})) {
    const attempts = mission.rows.find((candidate) => candidate.task.task_id === task)?.attempts ?? [];
    assert.deepEqual(
      attempts.map(({ because }) => because ?? null),
      wanted,
      when,
    );
  }
}

/** Nothing of a later milestone starts, and no mission completes, before the earlier ones are accepted and were looked at. */
export function milestonesAreGates(entries: Played['entries'], when: string): void {
  const stateBefore = statesBefore(entries);
  entries.forEach(({ event }, index) => {
    if (event.type !== 'AttemptStarted' && event.type !== 'MissionCompleted') return;
    const before = stateBefore(index);
    const places = (before?.plan.milestones ?? []).map(({ id }) => id);
    const place =
      event.type === 'MissionCompleted'
        ? places.length
        : places.indexOf(before?.rows.find(({ task }) => task.task_id === event.task_id)?.task.milestone ?? '');
    for (const { task, acceptance, status } of before?.rows ?? []) {
      if (!task.validator || places.indexOf(task.milestone ?? '') >= place) continue;
      // A skipped milestone has no acceptance, so nothing relies on it.
      if (status === 'canceled' && event.type === 'MissionCompleted') continue;
      assert.ok(
        acceptance && status === 'done',
        `${when}: ${event.type} although ${task.milestone ?? ''} is not accepted`,
      );
      const last = before?.rows.find((row) => row.task.task_id === task.task_id)?.attempts.at(-1);
      assert.equal(last?.outcome, 'PASS', `${when}: accepted by an attempt that did not pass`);
    }
  });
}
