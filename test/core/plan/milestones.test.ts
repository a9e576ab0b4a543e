import assert from 'node:assert/strict';
import type { Plan } from '../../../src/contracts/plan';
import { validatorIds } from '../../../src/core/plan/milestones';
import { approvedPlanOf } from '../../../src/core/plan/normalize';
import { basePlan, withEdits, type Json } from './cases';

const task = (task_id: string, more: Record<string, Json> = {}): Json => ({
  task_id,
  description: task_id,
  paths: [task_id.toLowerCase()],
  worker: 'command',
  command: ['node', '-v'],
  ...more,
});
const milestone = (id: string, validate?: Record<string, Json>): Json => ({
  id,
  title: `Milestone ${id}`,
  ...(validate && { validate }),
});

function compiled(milestones: Json[], tasks: Json[]): ReturnType<typeof approvedPlanOf> {
  const plan = withEdits(basePlan, [
    ['/milestones', milestones],
    ['/tasks', tasks],
  ]);
  return approvedPlanOf(plan as unknown as Plan, { defaultWorker: 'claude' });
}

/** `T3 needs validate-M1 after T1`. */
function order({ tasks }: ReturnType<typeof approvedPlanOf>): readonly string[] {
  return tasks.map(({ task_id, depends_on, after = [] }) =>
    [
      task_id,
      ...['needs', ...depends_on].slice(depends_on.length === 0 ? 1 : 0),
      ...(after.length === 0 ? [] : ['after', ...after]),
    ].join(' '),
  );
}

const verify = { verify: [['node', '-v']] };

describe('the milestones of an approved plan', () => {
  it('leave a plan without them as it was', () => {
    const plan = compiled([], [task('T1'), task('T2', { depends_on: ['T1'] })]);
    assert.deepEqual(order(plan), ['T1', 'T2 needs T1']);
    assert.equal(plan.milestones, undefined);
    assert.ok(plan.tasks.every((one) => !('milestone' in one || 'after' in one || 'validator' in one)));
  });

  it('run in the listed order: each behind what validates the one before it, or behind its tasks', () => {
    const plan = compiled(
      [milestone('M1', verify), milestone('M2'), milestone('M3', verify)],
      [
        task('T1', { milestone: 'M1' }),
        task('T2', { milestone: 'M1' }),
        task('T3', { milestone: 'M2' }),
        task('T4', { milestone: 'M3', depends_on: ['T1'] }),
        task('T5'),
      ],
    );
    assert.deepEqual(order(plan), [
      'T1',
      'T2',
      'validate-M1 after T1 T2',
      'T3 needs validate-M1',
      'T4 needs T1 validate-M1 after T3',
      'validate-M3 needs validate-M1 after T4',
      'T5',
    ]);
    assert.deepEqual(
      plan.milestones?.map(({ id }) => id),
      ['M1', 'M2', 'M3'],
    );
  });

  it('pass on what they wait for where no task belongs to one', () => {
    const plan = compiled(
      [milestone('M1', verify), milestone('M2'), milestone('M3', verify), milestone('M4')],
      [task('T1', { milestone: 'M1' }), task('T4', { milestone: 'M4' })],
    );
    assert.deepEqual(order(plan), [
      'T1',
      'validate-M1 after T1',
      'validate-M3 needs validate-M1',
      'T4 needs validate-M3',
    ]);
  });

  it('are validated by a unit that only reads, with the assertions by number, 5 failures by default', () => {
    const { tasks } = compiled(
      [milestone('M1', { worker: 'codex', model: 'm', mode: 'user-testing', assertions: ['It starts.', 'It stops.'] })],
      [task('T1', { milestone: 'M1', paths: ['src/a', 'src/b'] })],
    );
    const unit = tasks.find(({ validator }) => validator);
    assert.ok(unit);
    assert.equal(unit.writes, false);
    assert.equal(unit.worker, 'codex');
    assert.equal(unit.model, 'm');
    assert.equal(unit.intent, 'code_review');
    assert.deepEqual(unit.paths, ['src/a', 'src/b']);
    assert.deepEqual(unit.validator, {
      title: 'Milestone M1',
      mode: 'user-testing',
      assertions: [
        { id: 'A1', text: 'It starts.' },
        { id: 'A2', text: 'It stops.' },
      ],
      failure_limit: 5,
    });
  });

  it('never give a unit the id of a task, in any case, nor one that is longer than an id', () => {
    const ids = (milestones: string[], tasks: string[]): readonly string[] => [
      ...validatorIds({
        milestones: milestones.map((id) => ({ id, validate: {} })),
        tasks: tasks.map((task_id) => ({ task_id })),
      }).values(),
    ];
    assert.deepEqual(ids(['M1'], ['Validate-m1', 'validate-M1-2']), ['validate-M1-3']);
    const long = 'm'.repeat(80);
    const [first = '', second = ''] = ids([long, `${long.slice(1)}n`], []);
    assert.ok(first.length <= 80 && second.length <= 80 && first !== second);
    assert.equal(validatorIds(null).size, 0);
    assert.equal(validatorIds({ milestones: [{ id: 'M1' }, { id: 1, validate: {} }, null] }).size, 0);
  });
});
