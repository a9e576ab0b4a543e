import assert from 'node:assert/strict';
import { askingPacket, leadsTo } from '../../../src/core/mission/questions/questions';
import { play } from '../../scenarios/play';
import type { Situation } from '../../scenarios/scenario';

describe('what every answer to a question leads to', () => {
  function ofT1(situation: Situation): ReturnType<typeof leadsTo> {
    const { mission } = play(situation);
    const packet = askingPacket(mission, 'T1');
    assert.ok(packet);
    return leadsTo(mission, packet);
  }

  const ask = {
    at: 'idle',
    command: { type: 'ResolvePacket', packet_id: 'last', outcome: 'ask-user', question: 'Again?', choices: ['No'] },
  } as const;

  it('is another attempt of an agent, which reads the answer', () => {
    const world = { 'T1#1': { claim: 'invalid' } } as const;
    assert.equal(ofT1({ tasks: [{ task_id: 'T1', worker: 'claude' }], world, script: [ask] }), 'attempt');
  });

  it('is a record where a command works on the task', () => {
    const world = { 'T1#1': { end: { exit_code: 3 } } } as const;
    assert.equal(ofT1({ tasks: [{ task_id: 'T1', worker: 'command' }], world, script: [ask] }), 'record');
  });

  it('is said by the choices, where one judges once more what is there', () => {
    const world = { 'T1#1': { project: 'gone_during' } } as const;
    const T1 = { task_id: 'T1', worker: 'claude', intent: 'architecture', intent_from: 'declared' } as const;
    assert.equal(ofT1({ tasks: [T1], world }), null);
  });
});
