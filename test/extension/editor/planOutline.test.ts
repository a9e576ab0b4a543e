import assert from 'node:assert/strict';
import { planPlaces } from '../../../src/adapters/documents/planPlaces';
import { planOutline, type OutlineEntry } from '../../../src/extension/editor/planLines';

function outline(text: string, id = 'p-1'): OutlineEntry | null {
  return planOutline(planPlaces(text), id);
}

const lines = (entry: OutlineEntry | null): readonly string[] =>
  (entry?.inside ?? []).map(({ kind, name, detail }) => `${kind} ${name.toString()}: ${detail.toString()}`);

describe('the outline of a plan', () => {
  const plan = {
    plan_id: 'p-1',
    milestones: [{ id: 'M1', title: 'First' }],
    tasks: [
      { task_id: 'api', description: 'Build it.', worker: 'codex', milestone: 'M1' },
      { task_id: 'ui', description: 'Show it.', depends_on: ['api'] },
    ],
  };

  it('has tasks and milestones in the order of the text, each inside the plan and its name inside it', () => {
    const text = JSON.stringify(plan, null, 2);
    const entry = outline(text);
    assert.equal(entry?.detail.toString(), '2 tasks');
    assert.deepEqual(lines(entry), [
      'milestone M1: First, 1 task',
      'task api: codex · Build it.',
      'task ui: after api · Show it.',
    ]);
    const inside = (outer: OutlineEntry['at'], inner: OutlineEntry['at']): boolean =>
      outer.offset <= inner.offset && inner.offset + inner.length <= outer.offset + outer.length;
    for (const each of [entry, ...entry.inside]) {
      assert.ok(inside(each.whole, each.at));
      assert.ok(inside(entry.whole, each.whole));
    }
    const api = entry.inside[1];
    assert.ok(text.slice(api?.whole.offset, (api?.whole.offset ?? 0) + (api?.whole.length ?? 0)).startsWith('{'));
  });

  it('is there for a text that is being written, and for texts that are no names', () => {
    assert.equal(outline(''), null);
    assert.equal(outline('{"plan_id": "x"'), null);
    assert.deepEqual(lines(outline('{"tasks": [{"task_id": "a"}, {"task_id": ')), ['task a: ']);
    assert.deepEqual(lines(outline('{"tasks": [{"task_id": ""}], "milestones": [{}, "x"]}', '')), ['task Task: ']);
    const [hostile] = lines(outline(JSON.stringify({ tasks: [{ task_id: 'a\n\u202eb' }] })));
    assert.doesNotMatch(hostile ?? '', /[\n\u202e]/);
  });
});
