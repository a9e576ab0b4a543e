import assert from 'node:assert/strict';
import { notMachineChecked } from '../../../src/contracts/vocabulary/execution';
import type { TaskView } from '../../../src/contracts/page/missionView';
import { fold } from '../../../src/core/mission/evolve';
import { missionView } from '../../../src/core/view/mission/missionView';
import { cases } from '../../scenarios/cases';
import { play } from '../../scenarios/play';
import { played } from '../../scenarios/played';
import type { Situation } from '../../scenarios/scenario';

/** T1 of a mission, as a view shows it. */
function shown(situation: Situation): TaskView {
  const { mission } = play(situation);
  const task = missionView(mission, [], new Map(), true).tasks.find(({ task_id }) => task_id === 'T1');
  assert.ok(task);
  return task;
}

/** The same at each entry from `InterventionRequested` on. */
function later(situation: Situation): readonly { readonly after: string; readonly facts: Record<string, string> }[] {
  const { entries } = play(situation);
  const first = entries.findIndex(({ event }) => event.type === 'InterventionRequested');
  assert.notEqual(first, -1);
  return entries.slice(first).map(({ event }, index) => {
    const mission = fold(entries.slice(0, first + index + 1));
    assert.ok(mission);
    const task = missionView(mission, [], new Map(), true).tasks.find(({ task_id }) => task_id === 'T1');
    assert.ok(task);
    return { after: event.type, facts: { ...labelledFacts(task) } };
  });
}

function labelledFacts({ facts = [] }: TaskView): Readonly<Record<string, string>> {
  return Object.fromEntries(facts.map(({ name, value }) => [name, value]));
}

const agent = { task_id: 'T1', worker: 'claude', intent: 'code_generation', intent_from: 'description' } as const;

describe('what a person sees of the driver', () => {
  it('of an agent that is done: phases, intent, model, context, telemetry, sandbox, verification, checks, usage', () => {
    const usage = { input_tokens: 1200, cached_input_tokens: 0, output_tokens: 300, cost_usd: 0.0123 };
    const task = shown({ tasks: [agent], world: { 'T1#1': { claim: 'done', confined: true, end: { usage } } } });
    const { Context = '', ...facts } = labelledFacts(task);
    assert.deepEqual(facts, {
      Phase: '0 to 10 passed',
      Intent: 'code_generation (from its description)',
      Model: 'the model that the CLI chooses: tier A, profile claude_default',
      Telemetry: 'ENFORCED by rule 3',
      Sandbox: 'approved paths, held by a sandbox around the approved paths of its task',
      Verification: '7 of 7 steps passed',
      Checks: `15 passed, ${notMachineChecked.length} not machine-checked`,
      Used: '1200 tokens in, 300 out, $0.0123',
    });
    const { last_attempt } = task;
    assert.ok(last_attempt?.context_sha256 && Context.startsWith(last_attempt.context_sha256.slice(0, 12)));
    assert.deepEqual(
      [last_attempt.phase, last_attempt.telemetry, last_attempt.sandbox, last_attempt.model?.tier],
      [null, { mode: 'ENFORCED', rule: 3 }, 'approved_paths', 'A'],
    );
    assert.deepEqual(task.intent, { intent: 'code_generation', from: 'description' });
  });

  it('of a command: no intent, no model, no context, no usage, and nothing that only concerns models', () => {
    const { Phase, Checks, ...facts } = labelledFacts(shown({ tasks: [{ task_id: 'T1' }] }));
    assert.equal(Phase, '0 to 10 passed');
    assert.doesNotMatch(Checks ?? '', /machine/);
    assert.deepEqual(Object.keys(facts), ['Telemetry', 'Sandbox', 'Verification']);
    assert.equal(facts['Sandbox'], 'none');
  });

  it('of an intent that only reads: a read-only sandbox', () => {
    const task = { ...agent, intent: 'code_review', intent_from: 'declared', writes: false } as const;
    const world = { 'T1#1': { claim: 'done_without_changes', changes: [], confined: true } } as const;
    const facts = labelledFacts(shown({ tasks: [task], world }));
    assert.deepEqual(
      [facts['Intent'], facts['Sandbox']],
      ['code_review (declared)', 'read-only, held by a sandbox around the approved paths of its task'],
    );
  });

  it('that waits in phase 7: the phase by its name, how the others ended, and that it waits', () => {
    const task = shown({ tasks: [agent], world: { 'T1#1': { claim: 'done_without_changes' } } });
    const { Phase, Verification, Used } = labelledFacts(task);
    assert.equal(Phase, '7 intervention; 0 to 5 passed, 6 verification needs a person');
    assert.match(Verification ?? '', /^waits for a person at step \d of 7, /);
    assert.deepEqual(
      [task.awaited, task.status, task.last_attempt?.phase?.phase, Used],
      [true, 'in_progress', 7, undefined],
    );
  });

  it('that a person completed: it requires no person from the decision on', () => {
    const completed = { at: 'idle', command: { type: 'CompleteIntervention', task_id: 'T1' }, reason: 'done' } as const;
    for (const [world, phase, verification] of [
      [
        { claim: 'done_without_changes' },
        '0 to 5 passed, 6 verification asked a person, 7 to 10 passed',
        '7 of 7 steps passed',
      ],
      [
        { claim: 'done_without_changes', completed: 'done_without_changes' },
        '0 to 5 passed, 6 verification asked a person, 7 intervention passed, 6 verification did not pass, 8 to 10 passed',
        'stopped at step 5 of 7, structure',
      ],
      [
        { claim: 'done_without_changes', completed_changes: ['other/x'] },
        '0 to 5 passed, 6 verification asked a person, 7 intervention did not pass, 8 to 10 passed',
        'asked a person at step 5 of 7, structure',
      ],
    ] as const) {
      const seen = later({ tasks: [agent], world: { 'T1#1': world }, script: [completed] });
      const decided = seen.findIndex(({ after }) => after === 'InterventionCompleted');
      assert.notEqual(decided, -1);
      for (const { after, facts } of seen.slice(0, decided)) {
        assert.match(facts['Phase'] ?? '', /needs a person/, after);
        assert.match(facts['Verification'] ?? '', /^waits for a person/, after);
      }
      for (const { after, facts } of seen.slice(decided)) {
        assert.doesNotMatch(facts['Phase'] ?? '', /needs a person/, after);
        assert.doesNotMatch(facts['Verification'] ?? '', /waits for a person/, after);
      }
      assert.deepEqual([seen.at(-1)?.facts['Phase'], seen.at(-1)?.facts['Verification']], [phase, verification]);
    }
  });

  it('that is blocked: the phase that halted, and those that still ended it', () => {
    const task = shown({ tasks: [{ task_id: 'T1', verify: [['a']] }], world: { 'T1#1': { verify: [1] } } });
    assert.equal(labelledFacts(task)['Phase'], '0 to 5 passed, 6 verification did not pass, 8 to 10 passed');
  });

  it('before its first attempt: only what the plan says of it', () => {
    const { mission } = play({ tasks: [{ task_id: 'T0' }, agent], world: { 'T0#1': { end: { exit_code: 1 } } } });
    const [, task] = missionView(mission, [], new Map(), true).tasks;
    assert.ok(task);
    assert.deepEqual([task.last_attempt, Object.keys(labelledFacts(task))], [undefined, ['Intent']]);
  });

  it('is there in every scenario, and never an empty value', () => {
    for (const [, scenarios] of cases())
      for (const scenario of scenarios) {
        const { mission } = played(scenario);
        for (const task of missionView(mission, [], new Map(), true).tasks)
          for (const { name, value } of task.facts ?? []) assert.ok(value !== '', `${scenario.title}: ${name}`);
      }
  });
});
