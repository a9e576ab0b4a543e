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

  it('is not guessed from another spelling', () => {
    assert.equal(chosen(['Yes', 'No'], 'no', 'ANSWER_INVALID'), undefined);
  });
});
