import assert from 'node:assert/strict';
import { taskEvidenceSchema, type TaskEvidence } from '../../../src/contracts/taskEvidence';
import { documentText } from '../../../src/base/json';
import { handoffBundle } from '../../../src/core/handoff/bundle';
import { importOf } from '../../../src/core/handoff/import';
import { taskEvidence } from '../../../src/core/mission/evidence/taskEvidence';
import { play } from '../../scenarios/play';

type Outputs = NonNullable<TaskEvidence['carried_from']>['outputs'];

describe('a handoff of a revision that carried a task over', () => {
  const carried_from = { plan_id: 'P0', mission_id: 'M0', evidence_sha256: 'E'.repeat(64) };
  const { mission, entries } = play({
    tasks: [{ task_id: 'T1', carried_from }, { task_id: 'T2' }],
    world: { 'T2#1': { end: { exit_code: 3 } } },
  });
  const [handoff] = mission.handoffs;
  assert.ok(handoff);
  const world = { at: mission.last_at, role: 'orchestrator', base_commit: null, heartbeats: {} } as const;
  const bundle = handoffBundle(mission, entries, handoff, { ...world, files: [], changes: [] });
  const given = bundle.x_mission!;

  it('brings along how the task left each path: a link is not taken for a removed file', () => {
    const at = '2025-12-31T00:00:00.000Z';
    const outputs: Outputs = [
      { path: 'src/script', sha256: 'C'.repeat(64), at, mode: '755' },
      { path: 'src/latest', sha256: null, at, link: 'v2' },
      { path: 'src/socket', sha256: null, at, unread: true },
      { path: 'src/gone', sha256: null, at },
    ];
    const rows = mission.rows.map((row) => {
      const document = documentText(taskEvidence(mission, row, []));
      const evidence = row.status === 'done' ? taskEvidenceSchema.parse(JSON.parse(document)) : null;
      const more = evidence?.carried_from && { carried_from: { ...evidence.carried_from, outputs } };
      return { task_id: row.task.task_id, status: row.status, evidence: evidence && { ...evidence, ...more } };
    });
    const resumed = { bundle_sha256: 'A'.repeat(64), kept_in: 'handoff/0', reason: 'go on', at };
    const imported = importOf({ bundle, given, transitions: [], rows }, resumed).rows;
    assert.deepEqual(imported.find(({ task_id }) => task_id === 'T1')?.revised, {
      ...{ task_id: 'T1', from: carried_from },
      outputs,
    });
  });
});
