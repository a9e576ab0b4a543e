import assert from 'node:assert/strict';
import { packetFacts } from '../../src/core/mission/documents';
import { taskEvidence } from '../../src/core/mission/evidence/taskEvidence';
import type { Mission } from '../../src/core/model/state';
import { recoveryPacket } from '../../src/core/packets/packet';
import type { Expectation } from './scenario';

/** Checks that packets say when tasks go on by themselves, and evidence who ordered each attempt, as the scenario does. */
export function checkAfterLimit(then: Expectation, mission: Mission, when: string): void {
  for (const [task, at] of Object.entries(then.goes_on ?? {})) {
    const packet = mission.packets.findLast(({ task_id }) => task_id === task) ?? assert.fail();
    assert.equal(recoveryPacket(packetFacts(mission, packet, 'm', [])).block.goesOnAt ?? null, at, when);
  }
  for (const [task, wanted] of Object.entries(then.ordered_by ?? {})) {
    const row = mission.rows.find((candidate) => candidate.task.task_id === task);
    const found = row && taskEvidence(mission, row, []).attempts.map(({ decided_by }) => decided_by);
    assert.deepEqual(
      found?.map((by) => (by ? `${by.actor.kind} ${by.actor.name}` : 'nobody')),
      wanted,
      when,
    );
  }
}

/** The second of a played mission at which it is as late as that. */
export function tickOf(time: string): number {
  return Math.ceil((Date.parse(time) - Date.UTC(2026, 0, 1)) / 1000);
}
