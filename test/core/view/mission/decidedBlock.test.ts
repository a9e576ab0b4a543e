import assert from 'node:assert/strict';
import type { BlockView } from '../../../../src/contracts/page/blockView';
import { missionView } from '../../../../src/core/view/mission/missionView';
import { play } from '../../../scenarios/play';
import type { Scenario } from '../../../scenarios/scenario';

const world: NonNullable<Scenario['world']> = {
  'T1#1': { verify_changes: ['README.md'], known: { 'README.md': 'tracked' } },
};

function block(script: NonNullable<Scenario['script']>): string {
  const { mission } = play({ tasks: [{ task_id: 'T1', verify: [['a']] }], world, script });
  const [shown] = missionView(mission, [], new Map(), true).blocks;
  return `${shown?.state}: ${shown?.decided ?? 'undecided'}, ${shown?.details.length === 0 ? 'no' : 'some'} details`;
}

describe('what was decided about a block', () => {
  it('is shown with the person and the reason, while the task is still blocked', () => {
    const left = { type: 'ResolvePacket', packet_id: 'last', outcome: 'leave-blocked' } as const;
    const accepted = { type: 'AcceptChanges', task_id: 'T1', names: ['README.md'] } as const;
    assert.equal(block([]), 'open: undecided, some details');
    assert.match(block([{ at: 'idle', command: left }]), /^left_blocked: Left blocked by \w+: .+, some details$/);
    assert.match(block([{ at: 'idle', command: accepted }]), /^open: \w+ accepted README\.md: .+, no details$/);
  });

  it('names what was accepted of a list by whom, and asks for what is left alone', () => {
    const { mission } = play({
      tasks: [{ task_id: 'T1', verify: [['a']] }],
      world: { 'T1#1': { verify_changes: ['README.md', 'a.cache'], known: { 'README.md': 'tracked' } } },
      script: [
        { at: 'idle', command: { type: 'AcceptChanges', task_id: 'T1', names: ['README.md'] }, reason: 'generated' },
      ],
    });
    const [shown] = missionView(mission, [], new Map(), true).blocks;
    assert.equal(shown?.decided, undefined);
    assert.deepEqual(
      shown?.details.filter((line) => line.includes('README.md')),
      ['ada accepted README.md: generated'],
    );
    assert.equal(
      shown.details.at(-1),
      'Put back what is listed as the worker of attempt 1 left it, or accept it by name: mission accept M T1 a.cache --by NAME --reason TEXT',
    );
  });

  it('leaves what else blocked, and its details, as they are', () => {
    const shown = (attempt: NonNullable<Scenario['world']>[string]): BlockView => {
      const { mission } = play({
        tasks: [{ task_id: 'T1', verify: [['a']] }],
        world: { 'T1#1': { ...attempt, known: { 'README.md': 'tracked' } } },
        script: [{ at: 'idle', command: { type: 'AcceptChanges', task_id: 'T1', names: ['README.md'] }, answer: 'OK' }],
      });
      const [one] = missionView(mission, [], new Map(), true).blocks;
      assert.ok(one);
      assert.deepEqual([one.acceptable, one.details.filter((line) => line.includes('README.md'))], [[], []]);
      return one;
    };
    const failed = shown({ verify_changes: ['README.md'], verify: [1] });
    assert.match(failed.decided ?? '', /accepted README\.md/);
    assert.deepEqual(failed.details, ['Verification failed: verify exited with 1.', 'output']);
    const left = shown({
      changes: ['README.md'],
      changed_at: '2020-01-01T00:00:00.000Z',
      end: { tree_gone: false, survivors: [77] },
    });
    assert.equal(left.decided, undefined);
    assert.deepEqual(left.details, ['still alive: process 77']);
  });
});
