import assert from 'node:assert/strict';
import { planChoicesAt } from '../../../src/extension/plans/planChoices';

/** What is offered where the first string `here` of a plan stands: values, or the folder whose entries are. */
function offered(plan: unknown, typed = ''): readonly string[] | string | null {
  const text = JSON.stringify(plan, null, 2).replace('"here"', JSON.stringify(typed));
  const choices = planChoicesAt(text, text.indexOf(JSON.stringify(typed)) + 1 + typed.length);
  if (choices === null) return null;
  return choices.kind === 'paths' ? choices.folder : choices.values.map(({ value }) => value);
}

describe('completion in a plan', () => {
  it('offers the tasks that a task can wait for: not itself, not what waits for it, none twice', () => {
    const tasks = [
      { task_id: 'api' },
      { task_id: 'ui', depends_on: ['api', 'here'] },
      { task_id: 'docs', depends_on: ['ui'] },
      { task_id: 'release', depends_on: ['docs'] },
      { task_id: 'lint' },
    ];
    assert.deepEqual(offered({ tasks }), ['lint']);
  });

  it('offers milestones, and the capabilities that the scope allows', () => {
    const plan = { scope: { allowed: ['fs.write', 'shell'] }, milestones: [{ id: 'm1', title: 'First' }] };
    assert.deepEqual(offered({ ...plan, tasks: [{ task_id: 'a', milestone: 'here' }] }), ['m1']);
    assert.deepEqual(offered({ ...plan, tasks: [{ task_id: 'a', requires: ['here'] }] }), ['fs.write', 'shell']);
  });

  it('offers no id that is not written yet', () => {
    const plan = { scope: { allowed: [''] }, milestones: [{ id: '' }, { title: 'No id' }] };
    assert.deepEqual(offered({ ...plan, tasks: [{ task_id: 'a', milestone: 'here' }] }, 'm'), []);
    assert.deepEqual(offered({ ...plan, tasks: [{ task_id: 'a', requires: ['here'] }] }, 'r'), []);
    assert.deepEqual(offered({ tasks: [{ task_id: 'a', depends_on: ['here'] }, { task_id: '' }, {}] }, 't'), []);
  });

  for (const field of ['paths', 'forbidden_paths'])
    it(`offers what lies in the folder that was typed in ${field}, never outside the workspace`, () => {
      const plan = { tasks: [{ task_id: 'a', [field]: ['here'] }] };
      assert.equal(offered(plan, 'src/pa'), 'src/');
      for (const typed of ['', 'READ', '../x', 'src/../../x', '/etc/x', 'C:\\x/y'])
        assert.equal(offered(plan, typed), '');
    });

  it('offers nothing where the schema knows the values, at keys, and in what is no plan', () => {
    assert.equal(offered({ tasks: [{ task_id: 'here' }] }), null);
    assert.equal(offered({ goal: 'here' }), null);
    assert.equal(offered({ tasks: { depends_on: ['here'] } }), null);
    assert.equal(planChoicesAt('', 0), null);
    assert.equal(planChoicesAt('{"tasks": [{"depends_on"', 23), null);
  });
});
