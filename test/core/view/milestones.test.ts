import assert from 'node:assert/strict';
import type { MilestoneView } from '../../../src/contracts/page/milestoneView';
import { fold } from '../../../src/core/mission/evolve';
import { missionView } from '../../../src/core/view/mission/missionView';
import { play } from '../../scenarios/play';
import type { Situation } from '../../scenarios/scenario';

const plan: Situation = {
  milestones: [
    { id: 'M1', title: 'First', validate: { worker: 'claude', assertions: ['It starts.', 'It stops.'] } },
    { id: 'M2', title: 'Second', validate: { mode: 'user-testing', assertions: ['It reads well.'], failure_limit: 2 } },
    { id: 'M3', title: 'Third' },
  ],
  tasks: [
    { task_id: 'T1', milestone: 'M1' },
    { task_id: 'T2', milestone: 'M2' },
    { task_id: 'T3', milestone: 'M3' },
  ],
};

describe('the milestones of a mission, as a person sees them', () => {
  const seen = (situation: Partial<Situation> = {}): readonly MilestoneView[] => {
    const { mission, entries } = play({ ...plan, ...situation });
    return missionView(mission, entries, new Map(), true).milestones ?? [];
  };
  const states = (views: readonly MilestoneView[]): readonly string[] => views.map(({ id, state }) => `${id} ${state}`);
  const answer = (choice: string): NonNullable<Situation['script']>[number] => ({
    at: 'idle',
    command: { type: 'AnswerQuestion', task_id: 'validate-M2', packet_id: null, choice, text: null, asked: null },
    reason: 'I looked.',
  });

  it('are in their order, with who judges them, their tasks, and what waits for a person', () => {
    const views = seen();
    assert.deepEqual(states(views), ['M1 accepted', 'M2 waiting', 'M3 pending']);
    const [first, second, third] = views;
    assert.deepEqual(
      [
        first?.validator,
        first?.mode,
        first?.tasks,
        first?.ended,
        first?.failures,
        first?.limit,
        first?.accepted?.attempt,
      ],
      ['validate-M1', 'scrutiny', ['T1'], 1, 0, 5, 1],
    );
    assert.deepEqual(
      first?.assertions.map(({ id, status }) => [id, status]),
      [
        ['A1', 'pass'],
        ['A2', 'pass'],
      ],
    );
    assert.deepEqual([second?.mode, second?.limit, second?.accepted], ['user-testing', 2, null]);
    assert.deepEqual(second?.assertions, [
      { id: 'A1', text: 'It reads well.', status: null, evidence: '', answered_by: null },
    ]);
    assert.match(second.sentence, /^validate-M2 is blocked: Its assertions wait for a person\.$/);
    assert.deepEqual([third?.validator, third?.mode, third?.limit], [null, null, null]);
  });

  it('whose validation runs says so only while a process runs the mission', () => {
    const { entries } = play(plan);
    const begun = entries.findIndex(({ event }) => event.type === 'AttemptStarted' && event.task_id === 'validate-M1');
    const mission = fold(entries.slice(0, begun + 1));
    assert.ok(mission);
    const said = (owned: boolean): string | undefined =>
      missionView(mission, [], new Map(), owned).milestones?.[0]?.sentence;
    assert.deepEqual(
      [said(true), said(false)],
      ['It is being validated, attempt 1.', 'Its validation was interrupted, attempt 1.'],
    );
  });

  it('with what a person answered, and that a milestone without validation is reached only', () => {
    const views = seen({ script: [answer('pass')] });
    assert.deepEqual(states(views), ['M1 accepted', 'M2 accepted', 'M3 reached']);
    assert.deepEqual(views[1]?.assertions, [
      { id: 'A1', text: 'It reads well.', status: 'pass', evidence: 'I looked.', answered_by: 'ada' },
    ]);
  });

  it('count what failed, and keep what was found', () => {
    const second = seen({ script: [answer('fail')] })[1];
    assert.deepEqual(
      [second?.state, second?.failures, second?.accepted, second?.assertions[0]?.status],
      ['waiting', 1, null, 'fail'],
    );
  });

  it('are not accepted by a skipped validation', () => {
    const command = { type: 'SkipTask', task_id: 'validate-M2', dependants: ['T3'] } as const;
    const views = seen({
      tasks: [...plan.tasks, { task_id: 'T4' }],
      script: [{ at: 'idle', command, reason: 'no time' }],
    });
    assert.deepEqual(states(views), ['M1 accepted', 'M2 skipped', 'M3 reached']);
    assert.equal(views[1]?.accepted, null);
    assert.match(views[1].sentence, /^Not validated, so it is not accepted: Skipped by ada: no time\.$/);
  });

  it('are reopened when the content is another one, and answers about the old one do not count', () => {
    const { mission, entries } = play({
      ...plan,
      world: { 'validate-M1#1': { tree: 'A', tree_later: ['unreadable'] } },
    });
    const at = entries.findIndex(({ event }) => event.type === 'AcceptanceChecked' && !event.holds);
    assert.ok(at > 0);
    const then = fold(entries.slice(0, at + 1));
    assert.ok(then && mission);
    const [first] = missionView(then, [], new Map(), true).milestones ?? [];
    assert.deepEqual([first?.state, first?.accepted, first?.assertions[0]?.status], ['reopened', null, null]);
  });
});
