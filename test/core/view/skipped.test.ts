import assert from 'node:assert/strict';
import { taskSentence, taskWord } from '../../../src/base/text/words';
import { eventLine } from '../../../src/core/view/events/eventLine';
import { missionView } from '../../../src/core/view/mission/missionView';
import { taskOutcome } from '../../../src/core/view/mission/taskOutcome';
import { linesOf } from '../../scenarios/steps';
import { play, type Played } from '../../scenarios/play';
import type { Scenario } from '../../scenarios/scenario';

const blocked = (tasks: Scenario['tasks'], script: Scenario['script'] = []): Played =>
  play({ tasks, world: { 'T1#1': { end: { exit_code: 1 } } }, script });
const three = [{ task_id: 'T1' }, { task_id: 'T2', depends_on: ['T1'] }, { task_id: 'T3' }];

describe('what a person sees of a skip', () => {
  const skipSteps = ({ mission }: Played): readonly string[] =>
    missionView(mission, [], new Map(), true)
      .blocks.flatMap(linesOf)
      .filter((step) => step.startsWith('mission skip'));

  it('the step, where it would be taken', () => {
    assert.deepEqual(skipSteps(blocked(three)), ['mission skip M T1 --by NAME --reason TEXT']);
    assert.deepEqual(skipSteps(blocked(three.slice(0, 2))), [], 'nothing would be left to do');
  });

  it('tasks that are skipped, not canceled, and by whom: in the list, the story and the terminal of the worker', () => {
    const command = { type: 'SkipTask', task_id: 'T1', dependants: ['T2'] } as const;
    const { mission, entries } = blocked(three, [{ at: 'idle', command, reason: 'not needed' }]);
    const { tasks } = missionView(mission, entries, new Map(), true);
    assert.deepEqual(tasks.map(taskWord), ['skipped', 'skipped', 'done']);
    const told = entries.map((entry) => eventLine(entry, mission).text);
    for (const line of [
      'T1, T2 skipped by ada: not needed',
      'Task T1 was skipped by ada: not needed',
      'Task T2 was skipped by ada with T1: not needed',
    ])
      assert.ok(told.includes(line), `${line}\n${told.join('\n')}`);
    const [row] = mission.rows;
    assert.ok(row);
    const outcome = taskOutcome(mission, row)?.outcome;
    assert.ok(outcome);
    assert.equal(taskSentence(outcome), 'Task T1 was skipped by ada: not needed');
  });

  it('a canceled task as canceled, whatever its reason begins with', () => {
    const task = { task_id: 'T1', status: 'canceled', code: null, reason: 'Skipped by a worker: so it says' } as const;
    assert.equal(taskWord(task), 'canceled');
    assert.equal(taskSentence(task), 'Task T1 is canceled: Skipped by a worker: so it says');
  });
});
