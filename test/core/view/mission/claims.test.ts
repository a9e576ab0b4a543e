import assert from 'node:assert/strict';
import type { ShownMission, TaskRowView } from '../../../../src/contracts/page/panelView';
import { panelOf, type Entries } from '../../../support/panelOf';
import { play } from '../../../scenarios/play';
import type { Situation } from '../../../scenarios/scenario';

function shownOf(entries: Entries): ShownMission {
  const { shown } = panelOf({ missions: [entries] });
  assert.ok(shown?.kind === 'mission');
  return shown.mission;
}

function rowOf(situation: Omit<Situation, 'tasks'>, task: Partial<Situation['tasks'][number]> = {}): TaskRowView {
  const agent = { task_id: 'T1', worker: 'codex', ...task } as const;
  const [row] = shownOf(play({ tasks: [agent], ...situation }).entries).rows;
  assert.ok(row);
  return row;
}

describe('what was found against what was claimed', () => {
  it('is the same, more, less or something else, with the reason', () => {
    const text = (claim: 'done' | 'done_claiming_more' | 'done_claiming_less'): readonly unknown[] => {
      const { claim: found } = rowOf({ world: { 'T1#1': { claim, changes: ['src/a', 'src/b'] } } });
      return [found?.same, found?.text];
    };
    assert.deepEqual(text('done'), [true, 'same']);
    const [more, moreText] = text('done_claiming_more');
    assert.equal(more, false);
    assert.match(String(moreText), /^also says \S+, not found$/);
    const [less, lessText] = text('done_claiming_less');
    assert.equal(less, false);
    assert.match(String(lessText), /^does not say src\/[ab]$/);
  });

  it('is nothing to compare for a command, and before anything was found', () => {
    assert.equal(rowOf({}, { worker: 'command' }).claim, null);
    assert.deepEqual(rowOf({ world: { 'T1#1': { claim: 'missing' } } }).claim, null);
  });

  it('counts what lies outside of the scope', () => {
    assert.deepEqual(rowOf({ world: { 'T1#1': { claim: 'done', changes: ['elsewhere/x', 'src/a'] } } }).in_scope, {
      ok: false,
      outside: 1,
    });
    assert.deepEqual(rowOf({ world: { 'T1#1': { claim: 'done', changes: ['src/a'] } } }).in_scope, {
      ok: true,
      outside: 0,
    });
  });
});

describe('a mission in full', () => {
  const tasks = [{ task_id: 'T1' }, { task_id: 'T2', depends_on: ['T1'] }, { task_id: 'T3', depends_on: ['T1', 'T2'] }];

  it('says which predecessors a task waits for, who holds which lock since when, and the last sign of life', () => {
    const { entries } = play({ tasks });
    const started = entries.findIndex(({ event }) => event.type === 'WorkerStarted');
    const mission = shownOf(entries.slice(0, started + 1));
    assert.deepEqual(
      mission.rows.map(({ waits_for }) => waits_for),
      [[], ['T1'], ['T1', 'T2']],
    );
    const second = entries.findIndex(({ event }) => event.type === 'AttemptStarted' && event.task_id === 'T2');
    assert.deepEqual(
      shownOf(entries.slice(0, second + 1)).rows.map(({ waits_for }) => waits_for),
      [[], [], ['T2']],
    );
    const taken = entries.find(({ event }) => event.type === 'LockTaken')?.at;
    const [lock] = mission.locks;
    assert.deepEqual([mission.locks.length, lock?.what, lock?.holder, lock?.since], [1, 'src', 'T1', taken]);
    assert.ok(lock?.heartbeat_at);
    const after = shownOf(entries);
    assert.deepEqual(after.locks, []);
    assert.ok(after.rows.every(({ waits_for }) => waits_for.length === 0));
  });

  it('says what of its budget is used, the limit of which the most is used', () => {
    const usage = { input_tokens: 60, cached_input_tokens: 0, output_tokens: 40, cost_usd: 1.5 };
    const world = { 'T1#1': { end: { usage } } };
    const budget = (tokens?: number, usd?: number): unknown => {
      const limits = { ...(tokens !== undefined && { tokens }), ...(usd !== undefined && { usd }) };
      return shownOf(play({ tasks: [{ task_id: 'T1' }], world, budget: limits }).entries).times.budget;
    };
    assert.deepEqual(budget(1000), { used: '100 tokens', limit: '1 k tokens', reached: false });
    assert.deepEqual(budget(100, 3), { used: '100 tokens', limit: '100 tokens', reached: true });
    assert.deepEqual(budget(1000, 2), { used: '$1.50', limit: '$2.00', reached: false });
    assert.equal(budget(), null);
  });

  it('counts all events and names the last that a person looks for, newest last', () => {
    const { entries } = play({ tasks });
    const { last_events, event_count } = shownOf(entries);
    assert.equal(event_count, entries.length);
    assert.ok(last_events.length <= 12);
    assert.equal(last_events.at(-1)?.type, 'MissionReported');
    assert.ok(last_events.every(({ type }) => type !== 'LockTaken' && type !== 'PhaseCompleted'));
  });

  it('leaves out of its tasks what their facts say in words, and keeps what an attempt used', () => {
    const usage = { input_tokens: 60, cached_input_tokens: 0, output_tokens: 40, cost_usd: 1.5 };
    const { entries } = play({ tasks: [{ task_id: 'T1' }, { task_id: 'T2' }], world: { 'T1#1': { end: { usage } } } });
    const shown = shownOf(entries).view.tasks;
    assert.deepEqual(shown[0]?.usage, usage);
    assert.ok(shown.every(({ facts = [] }) => facts.length > 0));
    const keys = shown.flatMap((task) => Object.keys(task));
    assert.deepEqual(
      ['last_attempt', 'metadata', 'intent'].filter((key) => keys.includes(key)),
      [],
    );
  });

  it('puts the text of a question on the card of its block alone', () => {
    const world = { 'T1#1': { claim: 'blocked_asking' } } as const;
    const { view } = shownOf(play({ tasks: [{ task_id: 'T1', worker: 'codex' }], world }).entries);
    const asked = view.blocks[0]?.question?.text;
    assert.ok(asked);
    assert.equal(view.headline, 'Task T1 waits for an answer.');
  });
});
