import assert from 'node:assert/strict';
import { fixJson } from '../../../src/adapters/documents/fixes';
import { cursorPlace, planPlaces } from '../../../src/adapters/documents/planPlaces';

/** `|` is the cursor. */
function cursor(text: string): ReturnType<typeof cursorPlace> {
  return cursorPlace(text.replace('|', ''), text.indexOf('|'));
}

describe('the places of a plan', () => {
  it('are the ids of its tasks, with what they wait for, and its milestones and capabilities', () => {
    const text = JSON.stringify({
      plan_id: 'p',
      scope: { allowed: ['fs.write'] },
      milestones: [{ id: 'm1', title: 'First' }],
      tasks: [{ task_id: 'a', description: 'One.' }, { description: 'no id' }, { task_id: 'b', depends_on: ['a'] }],
    });
    const { plan, tasks, milestones, capabilities } = planPlaces(text);
    assert.equal(text.slice(plan?.offset, (plan?.offset ?? 0) + (plan?.length ?? 0)), '"p"');
    assert.deepEqual(
      tasks.map(({ index, task_id, description, depends_on, at }) => [
        ...[index, task_id, description, depends_on],
        text.slice(at.offset, at.offset + at.length),
      ]),
      [
        [0, 'a', 'One.', [], '"a"'],
        [2, 'b', '', ['a'], '"b"'],
      ],
    );
    assert.deepEqual(
      milestones.map(({ id, title, at }) => [id, title, text.slice(at.offset, at.offset + at.length)]),
      [['m1', 'First', '"m1"']],
    );
    assert.deepEqual(capabilities, ['fs.write']);
  });

  for (const text of [
    '',
    '{',
    '[1]',
    '{"tasks": 5}',
    '{"tasks": [null, {"task_id": 7}]}',
    '{"tasks": [{"task_id": "a',
    '\0',
  ])
    it(`of ${JSON.stringify(text)} are those that can be read`, () => {
      assert.ok(planPlaces(text).tasks.length <= 1);
    });
});

describe('the place of the cursor', () => {
  it('is the string that it is in, with its quotes', () => {
    assert.deepEqual(cursor('{"a": ["on|e"]}'), { path: ['a', 0], at: { offset: 7, length: 5 }, typed: 'on' });
  });

  it('is the cursor where no string is', () => {
    assert.deepEqual(cursor('{"a": [|]}'), { path: ['a', 0], at: { offset: 7, length: 0 }, typed: null });
  });

  it('does not reach over what follows a string that is not closed', () => {
    assert.deepEqual(cursor('{"a": ["on|\n], "b": 1}'), { path: ['a', 0], at: { offset: 7, length: 3 }, typed: 'on' });
  });

  it('does not exist at a key, or behind a closed string', () => {
    assert.equal(cursor('{"a|": 1}'), null);
    assert.equal(cursor('{"a": "b"|}'), null);
  });
});

describe('a text that is nested deeper than the parser can follow', () => {
  const levels = 100_000;
  const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const text = `{"plan_id": "p", "notes": ${deep}, "tasks": [{"task_id": "a", "milestone": ""}]}`;

  it('has no places, and nothing is offered in it', () => {
    assert.deepEqual(planPlaces(text), { plan: null, whole: null, tasks: [], milestones: [], capabilities: [] });
    assert.equal(cursorPlace(text, text.length - 4), null);
  });

  it('is left as it is by a quick fix', () => {
    assert.equal(fixJson(text, [{ kind: 'set', path: ['plan_id'], value: 'q' }]), text);
  });
});
