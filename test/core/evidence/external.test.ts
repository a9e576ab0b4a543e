import assert from 'node:assert/strict';
import type { TaskEvidence } from '../../../src/contracts/taskEvidence';
import {
  endingOf,
  judgeStep,
  type ExternalExecution,
  type ExternalStep,
  type ExternalTask,
} from '../../../src/core/evidence/external';

type Tasks = Readonly<Record<string, readonly string[]>>;

const plans: readonly (readonly [parallel: number, tasks: Tasks])[] = [
  [1, { A: [], B: ['A'], C: ['B'] }],
  [1, { A: [], B: [], C: [] }],
  [2, { A: [], B: ['A'], C: ['B'], D: [] }],
  [3, { C: ['A', 'B'], A: [], B: [] }],
];

describe('what an executor of its own may record next', () => {
  for (const unchanged of [true, false])
    it(`every step that a refusal offers is taken there and then (the plan ${unchanged ? 'as it was' : 'changed'})`, () => {
      let refusals = 0;
      for (const [parallel, tasks] of plans)
        for (const execution of reached(parallel, tasks, unchanged))
          for (const step of stepsOf(execution)) {
            const verdict = judgeStep(execution, step);
            if (verdict.ok) continue;
            refusals += 1;
            const steps = verdict.refusal.next;
            assert.ok(steps.length > 0);
            for (const next of steps.filter((one) => one.startsWith('{')))
              assert.ok(
                judgeStep(execution, JSON.parse(next) as ExternalStep).ok,
                `${statusLine(execution)}: ${next} after ${JSON.stringify(step)}`,
              );
            assert.ok(!steps.includes('Start the next task.'), statusLine(execution));
          }
      assert.ok(refusals > 50, String(refusals));
    });

  it('names the first task that may start, and says when nothing is left', () => {
    const start = (task_id: string): ExternalStep => ({ task_id, phase: 'START', status: null });
    const fresh = executionOf(2, { A: [], B: ['A'], C: ['B'] }, {}, true);
    assert.deepEqual(nextOf(fresh, start('C')), ['{"task_id":"A","phase":"START","status":null}']);
    assert.deepEqual(nextOf(fresh, { task_id: 'C', phase: 'END', status: 'SUCCESS' }), nextOf(fresh, start('C')));
    const half = executionOf(1, { A: [], B: [] }, { A: 'SUCCESS' }, true);
    assert.deepEqual(nextOf(half, start('A')), ['{"task_id":"B","phase":"START","status":null}']);
    const all = executionOf(1, { A: [] }, { A: 'SUCCESS' }, true);
    assert.deepEqual(nextOf(all, start('A')), ['Nothing is left to record: every task has ended.']);
    const failed = executionOf(1, { A: [], B: [] }, { A: 'FAILED' }, true);
    assert.deepEqual(nextOf(failed, start('A')), ['Plan the repair as a new plan with its own approval.']);
  });

  it('offers no new plan when the plan file changed, but to restore it or to fail the task', () => {
    const again: ExternalStep = { task_id: 'A', phase: 'START', status: null };
    const putBack = 'Put the locked bytes back (PLAN.locked.json beside the header)';
    const open = executionOf(1, { A: [], B: [] }, { A: 'SUCCESS' }, false);
    assert.deepEqual(nextOf(open, again), [`${putBack}.`]);
    assert.deepEqual(nextOf(open, { ...again, task_id: 'B' }), [`${putBack}.`]);
    const runs = executionOf(1, { A: [], B: [] }, { A: 'SUCCESS', B: null }, false);
    assert.deepEqual(nextOf(runs, again), [`${putBack}, or end the running task as FAILED.`]);
    const failed = executionOf(1, { A: [], B: [] }, { A: 'FAILED' }, false);
    assert.deepEqual(nextOf(failed, again), ['Plan the repair as a new plan with its own approval.']);
  });
});

function nextOf(execution: ExternalExecution, step: ExternalStep): readonly string[] {
  const verdict = judgeStep(execution, step);
  return verdict.ok ? [] : verdict.refusal.next;
}

function takes(execution: ExternalExecution, step: ExternalStep): boolean {
  const verdict = judgeStep(execution, step);
  return verdict.ok && verdict.value;
}

/** Every execution that steps which are taken lead to. */
function reached(parallel: number, tasks: Tasks, unchanged: boolean): readonly ExternalExecution[] {
  const all = new Map<string, ExternalExecution>();
  const queue = [executionOf(parallel, tasks, {}, true)];
  for (let execution = queue.shift(); execution; execution = queue.shift()) {
    if (all.has(statusLine(execution))) continue;
    all.set(statusLine(execution), { ...execution, plan_unchanged: unchanged });
    for (const step of stepsOf(execution))
      if (takes(execution, step)) {
        const known = Object.fromEntries(
          execution.tasks.flatMap((task) => (task.evidence ? [[task.task_id, task.evidence.status ?? null]] : [])),
        );
        queue.push(executionOf(parallel, tasks, { ...known, [step.task_id]: step.status }, true));
      }
  }
  return [...all.values()];
}

function stepsOf({ tasks }: ExternalExecution): readonly ExternalStep[] {
  return tasks.flatMap(({ task_id }): readonly ExternalStep[] => [
    { task_id, phase: 'START', status: null },
    { task_id, phase: 'END', status: 'SUCCESS' },
    { task_id, phase: 'END', status: 'FAILED' },
  ]);
}

function executionOf(
  max_parallel: number,
  plan: Tasks,
  known: Readonly<Record<string, TaskEvidence['status'] | null>>,
  plan_unchanged: boolean,
): ExternalExecution {
  const tasks = Object.entries(plan).map(([task_id, depends_on]): ExternalTask => ({
    task_id,
    depends_on,
    evidence: task_id in known ? ({ status: known[task_id] ?? undefined } as TaskEvidence) : null,
    in_header: true,
  }));
  const ending = endingOf(tasks);
  return {
    state: ending?.outcome ?? 'EXECUTING',
    tasks,
    max_parallel,
    plan_unchanged,
    command: (step) => JSON.stringify(step),
  };
}

function statusLine({ tasks, max_parallel }: ExternalExecution): string {
  return `${max_parallel} ${tasks.map(({ task_id, evidence }) => `${task_id}:${evidence ? (evidence.status ?? 'running') : '-'}`).join(' ')}`;
}
