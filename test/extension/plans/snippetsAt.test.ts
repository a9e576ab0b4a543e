import assert from 'node:assert/strict';
import { snippetsAt } from '../../../src/extension/plans/snippetsAt';
import { checkPlanText } from '../../../src/engine/plans/check';
import { basePlan, timelessPlanFiles, withEdits, type Json } from '../../core/plan/cases';

/** The text that a person leaves who only presses Tab. */
const filled = (text: string): string => text.replaceAll(/\$\{\d+:([^}]*)\}/g, '$1');

const place = '/ws/docs/plans/PLAN_base-1.json';
const errors = (text: string): readonly string[] =>
  checkPlanText(timelessPlanFiles, text, place, { workspaceDir: '/ws', defaultWorker: 'codex' })
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ code, message }) => `${code} ${message}`);

/** The plan with `|` where the cursor stands. */
function plan(edits: Parameters<typeof withEdits>[1], at: (text: string) => string): string {
  return at(JSON.stringify(withEdits(basePlan, edits), null, 2));
}

const task = { task_id: 'T1', description: 'First.', paths: ['a'], worker: 'command', command: ['node', '-v'] } as Json;
const milestone = { id: 'M1', title: 'a' };
const places: Readonly<Record<string, readonly [count: number, text: string]>> = {
  'an empty list of tasks': [2, plan([['/tasks', []]], (text) => text.replace('"tasks": []', '"tasks": [|]'))],
  'before a task': [2, plan([['/tasks', [task]]], (text) => text.replace('"tasks": [', '"tasks": [|'))],
  'behind a task': [2, plan([['/tasks', [task]]], (text) => text.replace(/\}(\s*\],\s*"execution")/, '}|$1'))],
  'an empty list of milestones': [
    2,
    plan([['/milestones', []]], (text) => text.replace('"milestones": []', '"milestones": [\n    |\n  ]')),
  ],
  'the checks of a task': [
    1,
    plan([['/tasks/0/verify', [['node', '-v']]]], (text) => text.replace('"verify": [', '"verify": [|')),
  ],
  'the checks of a milestone': [
    1,
    plan(
      [
        ['/milestones', [{ ...milestone, validate: { verify: [] } }]],
        ['/tasks/0/milestone', 'M1'],
      ],
      (text) => text.replace('"verify": []', '"verify": [|]'),
    ),
  ],
};

describe('snippets of a plan', () => {
  for (const [name, [count, marked]] of Object.entries(places))
    it(`make a plan without errors: ${name}`, () => {
      const offset = marked.indexOf('|');
      const text = marked.replace('|', '');
      const offered = snippetsAt(text, offset);
      assert.equal(offered.length, count);
      for (const { label, text: snippet } of offered) {
        const whole = `${text.slice(0, offset)}${filled(snippet)}${text.slice(offset)}`;
        assert.deepEqual(errors(whole), [], `${label}\n${whole}`);
      }
    });

  it('are offered nowhere else', () => {
    const text = JSON.stringify(basePlan, null, 2);
    const inTask = text.indexOf('"task_id"');
    for (const offset of [
      0,
      1,
      inTask,
      inTask + 3,
      text.indexOf('"allowed": [') + 12,
      text.indexOf('"T1"') + 2,
      text.length,
    ])
      assert.deepEqual(snippetsAt(text, offset), [], text.slice(offset, offset + 10));
  });
});
