import assert from 'node:assert/strict';
import { missionView } from '../../../src/core/view/missionView';
import { play } from '../../scenarios/play';
import type { Scenario } from '../../scenarios/scenario';

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
});
