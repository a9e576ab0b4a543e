import assert from 'node:assert/strict';
import type { Answer } from '../../../src/contracts/taskEvidence';
import type { Note } from '../../../src/core/model/state';
import { intents } from '../../../src/contracts/vocabulary/intents';
import { needsOf, declaredIntent, lockedIntent, tier0Of } from '../../../src/core/context/tier0';
import { snapshotText, tier1Of, type Tier1 } from '../../../src/core/context/tier1';
import { pendingEffects } from '../../../src/core/mission/effects';
import { fold } from '../../../src/core/mission/evolve';
import type { PlannedTask } from '../../../src/core/plan/approvedPlan';
import { play } from '../../scenarios/play';

const situation = {
  tasks: [{ task_id: 'T1', worker: 'claude', intent: 'refactor', intent_from: 'declared' }],
} as const;
const { mission, entries } = play(situation);
const [row] = mission.rows;
const task: PlannedTask = row?.task ?? assert.fail('no task');
const phases = (...numbers: readonly (0 | 1)[]) =>
  numbers.map((phase) => ({ phase, outcome: 'PASS', note: '', at: '' }) as const);

describe('the two tiers of context', () => {
  it('what is known before phase 1 names nothing of the project', () => {
    assert.deepEqual(tier0Of(mission.plan, task), {
      prompt: { description: task.description, prompt: task.prompt },
      declared: { worker: 'claude', intent: 'refactor', tier: null, environment: null },
    });
  });

  it('who asks for the project before phase 1 has passed halts', () => {
    for (const done of [phases(), phases(0)])
      assert.throws(
        () => lockedIntent({ task_id: 'T1', phases: done }, task),
        /^Error: Broken invariant: .+ before the intent/,
      );
    assert.deepEqual(lockedIntent({ task_id: 'T1', phases: phases(0, 1) }, task), {
      intent: 'refactor',
      declared: 'refactor',
    });
  });

  it('no prefix of a journal has the effect that reads the project before its phase 1', () => {
    for (let length = 1; length <= entries.length; length += 1) {
      const before = fold(entries.slice(0, length));
      const reads = before ? pendingEffects(before).some(({ kind }) => kind === 'takeBaseline') : false;
      const resolved = before?.lanes.some((lane) => lane.phases.some(({ phase }) => phase === 1)) ?? false;
      assert.ok(!reads || resolved, `after ${length} events`);
    }
  });

  it('only a declared intent of an agent asks for something', () => {
    const asked = intents.filter((declared) => needsOf({ declared }).project);
    assert.deepEqual(asked, ['refactor', 'architecture', 'domain']);
    assert.deepEqual(
      intents.filter((declared) => needsOf({ declared }).bootstrap),
      ['generate_context'],
    );
    for (const intent_from of ['type', 'description', 'default'] as const)
      assert.equal(declaredIntent({ ...task, intent_from }), null);
    assert.equal(declaredIntent({ ...task, worker: 'command' }), null);
  });

  it('a snapshot is the same bytes for the same context, and other bytes for any other layer', () => {
    const intent = lockedIntent({ task_id: 'T1', phases: phases(0, 1) }, task);
    const loaded = {
      restore: [],
      answers: [] as Answer[],
      notes: [] as Note[],
      instructions: [] as Tier1['instructions'],
      project: { sha256: 'A', document: { b: 1, a: 2 } as unknown },
    };
    const decision = { actor: { kind: 'human', name: 'ada' }, reason: 'r', at: '2026-01-01T00:00:00.000Z' } as const;
    const asked_by = { kind: 'worker', name: 'codex' } as const;
    const answer: Answer = { question: 'Which?', asked_by, choice: null, text: 'This.', decision };
    const text = (one: PlannedTask, more: Partial<typeof loaded> = {}): string =>
      snapshotText(tier1Of(intent, mission.plan, one, { ...loaded, ...more }));
    assert.equal(text(task), text(task, { project: { sha256: 'A', document: { a: 2, b: 1 } } }));
    const note = (kind: 'human' | 'orchestrator'): Note => ({ text: 'Mind it.', by: { kind, name: 'ada' } });
    const others = [
      text({ ...task, description: 'other' }),
      text({ ...task, paths: ['other'] }),
      text(task, { project: { sha256: 'B', document: {} } }),
      text(task, { answers: [answer] }),
      text(task, { notes: [note('human')] }),
      text(task, { notes: [note('orchestrator')] }),
      text(task, { instructions: [{ path: 'AGENTS.md', sha256: 'C', text: 'Use tabs.' }] }),
    ];
    assert.equal(new Set([text(task), ...others]).size, 8);
    // Without an answer or a note nothing of the layer is there, so older snapshots are the same bytes.
    assert.doesNotMatch(text(task), /answer|note|instructions/);
    assert.match(
      text(task, {
        instructions: [{ path: 'AGENTS.md', sha256: 'C', text: 'Use tabs.' }],
        notes: [note('orchestrator')],
      }),
      /"priority":\["restore","project","scope","prompt","instructions","note_of_the_orchestrator"\]/,
    );
    assert.match(
      text(task, { notes: [note('orchestrator'), note('human')] }),
      /"priority":\["restore","project","scope","note_of_a_person","prompt","note_of_the_orchestrator"\]/,
    );
    assert.match(text(task, { answers: [answer] }), /"priority":\["restore","project","scope","answers","prompt"\]/);
  });
});
