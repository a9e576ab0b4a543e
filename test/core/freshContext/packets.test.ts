import assert from 'node:assert/strict';
import { checkShape } from '../../../src/adapters/documents/schemas';
import type { SubagentResult } from '../../../src/contracts/result';
import { validateAssignment } from '../../../src/core/freshContext/assignment';
import { judgeIntegration } from '../../../src/core/freshContext/result';
import { heldLocks } from '../../../src/core/handoff/bundle';
import { assignmentContext, taskAssignment } from '../../../src/core/handoff/taskAssignment';
import type { Verdict } from '../../../src/core/documents/verdict';
import { fold } from '../../../src/core/mission/evolve';
import type { Mission } from '../../../src/core/model/state';
import type { Scenario } from '../../scenarios/scenario';
import { play } from '../../scenarios/play';

const run_id = '6f1c1f3a-58a5-4c53-9a54-0f1f0a6f3b11';
const at = '2026-01-01T00:00:00.000Z';

/** A mission at the moment its first task is about to be launched. */
function dispatching(tasks: Scenario['tasks']): Mission {
  const { entries } = play({ tasks });
  const requested = entries.findIndex(({ event }) => event.type === 'LaunchRequested');
  return { ...(fold(entries.slice(0, requested + 1)) as Mission), run_id };
}

function assigned(mission: Mission): { packet: ReturnType<typeof taskAssignment>; verdict: Verdict } {
  const task = mission.rows[0]?.task;
  assert.ok(task);
  const packet = taskAssignment(mission, task, {
    worklog: '.mission-control/missions/M/runs/1-T1/worklog.md',
    ...{ at, locks: heldLocks(mission) },
  });
  const verdict = validateAssignment(
    { value: packet, shape: checkShape('assignment', packet) },
    assignmentContext(mission),
  );
  return { packet, verdict };
}

describe('the assignment packet of a task', () => {
  it('is valid for an ordinary task, also without criteria of its own', () => {
    const { packet, verdict } = assigned(dispatching([{ task_id: 'T1' }, { task_id: 'T2' }]));
    assert.deepEqual([verdict.code, verdict.details.findings], ['OK', []]);
    assert.deepEqual(packet.task.lock_scope, ['src']);
    assert.equal(packet.task.acceptance_criteria.length, 1);
    assert.deepEqual(packet.active_locks, []);
  });

  it('what is forbidden inside the paths goes over as a constraint, the rest as forbidden scope', () => {
    const { packet, verdict } = assigned(
      dispatching([
        { task_id: 'T1', paths: ['src', 'src/lib', 'docs'], forbidden_paths: ['src/secret', 'other', 'other/x'] },
      ]),
    );
    assert.equal(verdict.code, 'OK', verdict.reason);
    assert.deepEqual(packet.task.lock_scope, ['src', 'docs'], 'overlapping paths are one');
    assert.deepEqual(packet.task.forbidden_scope, ['other']);
    assert.ok(packet.context_package.some(({ kind, value }) => kind === 'constraint' && value.includes('src/secret')));
  });

  it('stays small in a plan of thousands of tasks, and says of how many it is one', () => {
    const tasks = Array.from({ length: 2000 }, (_, index) => ({ task_id: `T${index + 1}` }));
    const { packet, verdict } = assigned(dispatching(tasks.slice(0, 2)));
    assert(!packet.global_objective.includes('in all'));
    const { plan, ...mission } = dispatching([{ task_id: 'T1' }]);
    const [task] = plan.tasks;
    assert.ok(task);
    const many = { ...mission, plan: { ...plan, tasks: tasks.map(({ task_id }) => ({ ...task, task_id })) } };
    const small = assigned(many);
    assert.deepEqual([verdict.code, small.verdict.code], ['OK', 'OK']);
    assert.match(small.packet.global_objective, /T1: .*\(2000 tasks in all\)$/s);
    assert(JSON.stringify(small.packet, null, 2).length < 4096);
  });

  it('is refused while another task holds an overlapping lock', () => {
    const mission = dispatching([{ task_id: 'T1' }, { task_id: 'T2', paths: ['src/a'] }]);
    const rows = mission.rows.map((row) => (row.task.task_id === 'T2' ? { ...row, lock: 'held' as const } : row));
    assert.equal(assigned({ ...mission, rows }).verdict.code, 'LOCK_CONFLICT');
  });

  it('is refused while a dependency is not done', () => {
    const mission = dispatching([{ task_id: 'T1' }, { task_id: 'T2' }]);
    const rows = mission.rows.map((row) => ({ ...row, task: { ...row.task, depends_on: ['T2'] } }));
    assert.equal(assigned({ ...mission, rows }).verdict.code, 'DEPENDENCY_NOT_MET');
  });

  it('is refused with a secret in the prompt', () => {
    const mission = dispatching([{ task_id: 'T1', worker: 'claude', prompt: `use ghp_${'a1'.repeat(18)}` }]);
    assert.equal(assigned(mission).verdict.code, 'UNTRUSTED_CONTEXT_BLOCK');
  });
});

describe('a result before it is integrated', () => {
  const result: SubagentResult = {
    schema_version: '1.0.0',
    run_id,
    task_id: 'T1',
    status: 'done',
    changes: [{ resource: 'src/a.ts', action: 'modified', evidence: 'see the file' }],
    acceptance_check: [{ criterion: 'it works', status: 'pass', evidence: 'the tests pass' }],
    worklog_path: 'src/notes.md',
    notes_for_orchestrator: ['nothing to say'],
  };
  const task = {
    task_id: 'T1',
    lock_scope: ['src'],
    forbidden_scope: ['src/secret'],
    acceptance_criteria: ['it works'],
    worklog_path: 'src/notes.md',
  };
  const judge = (more: Partial<SubagentResult>, worklog?: string): string =>
    judgeIntegration(
      { ...result, ...more },
      { assignment: { run_id, task }, ...(worklog === undefined ? {} : { worklog }) },
    )?.code ?? 'OK';
  const key = `sk-ant-${'x1'.repeat(20)}`;

  it('is taken over when nothing speaks against it', () => assert.equal(judge({}, 'I edited a file.'), 'OK'));

  it('is not with a secret in notes, evidence or worklog', () => {
    assert.equal(judge({ notes_for_orchestrator: [`the key is ${key}`] }), 'UNTRUSTED_CONTEXT_BLOCK');
    assert.equal(
      judge({ changes: [{ resource: 'src/a.ts', action: 'modified', evidence: key }] }),
      'UNTRUSTED_CONTEXT_BLOCK',
    );
    assert.equal(
      judge({ acceptance_check: [{ criterion: 'it works', status: 'pass', evidence: key }] }),
      'UNTRUSTED_CONTEXT_BLOCK',
    );
    assert.equal(judge({}, `export KEY=${key}`), 'UNTRUSTED_CONTEXT_BLOCK');
  });

  it('is not where a secret was replaced on its way to the disk', () => {
    assert.equal(judge({ notes_for_orchestrator: ['the key is [redacted:anthropic]'] }), 'UNTRUSTED_CONTEXT_BLOCK');
    assert.equal(judge({}, 'password=[redacted:environment]'), 'UNTRUSTED_CONTEXT_BLOCK');
  });

  it('is not with a change outside its scope or in what is forbidden', () => {
    assert.equal(judge({ changes: [{ resource: 'other/a.ts', action: 'modified' }] }), 'SCOPE_VIOLATION');
    assert.equal(judge({ changes: [{ resource: 'src/secret/a', action: 'modified' }] }), 'SCOPE_VIOLATION');
  });

  it('says what was found, and never the secret', () => {
    const refused = judgeIntegration({ ...result, notes_for_orchestrator: [key] }, {});
    assert.ok(refused && refused.findings.length > 0);
    assert.equal(JSON.stringify(refused).includes(key), false);
  });
});
