import assert from 'node:assert/strict';
import type { MetadataChanges } from '../../../../src/contracts/commands/metadataChanges';
import type { ActorKind } from '../../../../src/contracts/vocabulary/actors';
import { revisableNow, revisionProblem, withRevision } from '../../../../src/core/mission/revision/revisable';
import type { TaskRow } from '../../../../src/core/model/state';
import { play } from '../../../scenarios/play';

describe('who may revise what', () => {
  const { mission } = play({
    tasks: [
      { task_id: 'T1', worker: 'codex', worker_from: 'default', timeout_seconds: 60 },
      { task_id: 'T2', worker: 'gemini' },
    ],
    world: { 'T1#1': { cli_missing: true } },
  });
  const [row] = mission.rows;
  assert.ok(row?.status === 'blocked' && row.attempts[0]?.launches.every(({ process }) => process === null));
  const unstarted: TaskRow = row;
  const code = (after: MetadataChanges, by: ActorKind, of: TaskRow = unstarted): string =>
    revisionProblem(mission, of, after, by)?.code ?? 'OK';

  it('an orchestrator sets a time limit to at most four times what the person approved, however often it is revised', () => {
    assert.equal(code({ timeout_seconds: 240 }, 'orchestrator'), 'OK');
    assert.equal(code({ timeout_seconds: 241 }, 'orchestrator'), 'REVISION_REFUSED');
    assert.equal(code({ max_runtime_seconds: 14_401 }, 'orchestrator'), 'REVISION_REFUSED');
    assert.equal(code({ timeout_seconds: 241 }, 'human'), 'OK');
    const longer = revised(unstarted, { timeout_seconds: 240 }, 'orchestrator');
    assert.equal(code({ timeout_seconds: 900 }, 'orchestrator', longer), 'REVISION_REFUSED');
  });

  it('where two limits cross, the steps name values that are taken, also of what else is given', () => {
    const steps = (after: MetadataChanges): readonly string[] =>
      revisionProblem(mission, unstarted, after, 'human')?.next ?? [];
    const values = (step: string): MetadataChanges => {
      const given: Record<string, number> = {};
      for (const [, field = '', value] of step.matchAll(/--set (\w+)=(\d+)/g)) given[field] = Number(value);
      return given;
    };
    // T1 has timeout_seconds 60, heartbeat_interval_seconds 30 and max_runtime_seconds 3600.
    for (const [after, named] of [
      [{ timeout_seconds: 9999 }, ['timeout_seconds=9999 --set max_runtime_seconds=9999', 'timeout_seconds=3600']],
      [
        { max_runtime_seconds: 40, timeout_seconds: 50 },
        ['max_runtime_seconds=50 --set timeout_seconds=50', 'max_runtime_seconds=40 --set timeout_seconds=40'],
      ],
      [{ timeout_seconds: 30 }, ['timeout_seconds=31', 'timeout_seconds=30 --set heartbeat_interval_seconds=29']],
      [
        { heartbeat_interval_seconds: 60 },
        ['heartbeat_interval_seconds=60 --set timeout_seconds=61', 'heartbeat_interval_seconds=59'],
      ],
      [{ heartbeat_interval_seconds: 3600 }, ['heartbeat_interval_seconds=59']],
    ] as const) {
      const next = steps(after);
      assert.deepEqual(
        next.slice(0, -1),
        named.map((set) => `mission packet revise M --task T1 --set ${set} --by NAME --reason TEXT`),
      );
      assert.equal(next.at(-1), 'mission status M');
      for (const step of next.slice(0, -1)) assert.equal(code(values(step), 'human'), 'OK', step);
    }
    assert.match(steps({ timeout_seconds: 9999, priority: 'high' })[0]!, /--set priority=high /);
  });

  it('what a person revised, no orchestrator replaces; each has a note of its own', () => {
    const byPerson = revised(unstarted, { timeout_seconds: 100, note: 'Mind it.' }, 'human');
    assert.equal(code({ timeout_seconds: 120 }, 'orchestrator', byPerson), 'REVISION_REFUSED');
    assert.equal(code({ max_runtime_seconds: 7200 }, 'orchestrator', byPerson), 'OK');
    assert.equal(code({ note: 'Look at the log.' }, 'orchestrator', byPerson), 'OK');
    const both = revised(byPerson, { note: 'Look at the log.' }, 'orchestrator');
    assert.deepEqual(
      both.notes.map(({ text, by }) => [by.kind, text]),
      [
        ['human', 'Mind it.'],
        ['orchestrator', 'Look at the log.'],
      ],
    );
    assert.deepEqual(
      revised(both, { note: '' }, 'human').notes.map(({ by }) => by.kind),
      ['orchestrator'],
    );
  });

  it('an orchestrator brings in no agent that performs no task of the mission', () => {
    assert.equal(code({ worker: 'gemini' }, 'orchestrator'), 'OK');
    assert.equal(code({ worker: 'opencode' }, 'orchestrator'), 'REVISION_REFUSED');
    assert.equal(code({ worker: 'opencode' }, 'human'), 'OK');
  });

  it('a note is bounded, and says something', () => {
    assert.equal(code({ note: 'x'.repeat(4000) }, 'human'), 'OK');
    assert.equal(code({ note: 'x'.repeat(4001) }, 'human'), 'REVISION_INVALID');
    assert.equal(code({ note: '\u200b' }, 'human'), 'REVISION_INVALID');
  });

  it('the agent of a validation gets no note, because the plan alone says what it judges', () => {
    const milestones = [
      { id: 'M1', title: 'First', validate: { worker: 'claude' as const, assertions: ['It starts.'] } },
    ];
    const validated = play({ milestones, tasks: [{ task_id: 'T1', milestone: 'M1' }] }).mission;
    const unit = validated.rows.find(({ task }) => task.validator)!;
    for (const by of ['human', 'orchestrator'] as const) {
      const problem = revisionProblem(validated, unit, { note: 'Be kind.' }, by);
      assert.equal(problem?.code, 'REVISION_INVALID', by);
      assert.match(problem.reason, /^Task validate-M1 validates a milestone, and its agent reads no note/);
    }
    assert.equal('note' in revisableNow(validated, unit), false);
    assert.equal('note' in revisableNow(mission, unstarted), true);
  });

  function revised(of: TaskRow, after: MetadataChanges, kind: ActorKind): TaskRow {
    const decision = { actor: { kind, name: 'ada' }, reason: 'r', at: '2026-01-01T00:00:00.000Z' } as const;
    return withRevision(of, { before: {}, after, attempt: 1, packet_id: null, decision });
  }
});
