import assert from 'node:assert/strict';
import { play } from '../../scenarios/play';

/** Plays a task whose question has these choices and is answered with `choice`: the id of what was journalled. */
function chosen(choices: readonly string[], choice: string, code = 'OK'): string | null | undefined {
  const { mission } = play({
    tasks: [{ task_id: 'T1', worker: 'claude' }],
    world: { 'T1#1': { claim: 'invalid' } },
    script: [
      {
        at: 'idle',
        command: { type: 'ResolvePacket', packet_id: 'last', outcome: 'ask-user', question: '?', choices },
      },
      {
        at: 'idle',
        command: { type: 'AnswerQuestion', task_id: 'T1', packet_id: null, asked: null, choice, text: null },
        answer: code,
      },
    ],
  });
  return mission.packets[0]?.answer?.choice;
}

describe('a choice of a question', () => {
  it('is named by its id, or by the text that the list shows', () => {
    assert.equal(chosen(['Yes', 'No'], '2'), '2');
    assert.equal(chosen(['Yes', 'No'], 'No'), '2');
    assert.equal(chosen(['2', '1'], '2'), '2', 'an id comes first');
  });

  it('of an assertion is its only answer, so a refusal promises no other', () => {
    const { entries } = play({
      milestones: [{ id: 'M1', title: 'First', validate: { mode: 'user-testing', assertions: ['It starts.'] } }],
      tasks: [{ task_id: 'T1', milestone: 'M1' }],
      script: ['passed', null].map((choice) => ({
        at: 'idle' as const,
        command: {
          ...{ type: 'AnswerQuestion' as const, task_id: 'validate-M1', packet_id: null, asked: null },
          ...{ choice, text: choice === null ? 'It starts.' : null },
        },
        answer: 'ANSWER_INVALID',
      })),
    });
    const reasons = entries.flatMap(({ event }) => (event.type === 'CommandRefused' ? [event.reason] : []));
    assert.match(reasons[0] ?? '', /^"passed" is not one of the choices pass .*\(It cannot be decided.*\)\.$/);
    assert.match(reasons[1] ?? '', /^An assertion is answered with one of its choices/);
  });

  it('is not guessed from another spelling', () => {
    assert.equal(chosen(['Yes', 'No'], 'no', 'ANSWER_INVALID'), undefined);
  });
});
