import assert from 'node:assert/strict';
import { recoveryEventSchema } from '../../../src/contracts/recoveryEvent';
import { recoveryEvents } from '../../../src/core/mission/recoveryDocuments';
import { eventLine } from '../../../src/core/view/eventLine';
import { missionView } from '../../../src/core/view/missionView';
import { play } from '../../scenarios/play';

const denied = { path: '/d1/a', reason: 'workingDir: Path is outside allowed working directories' };
const situation = {
  tasks: [{ task_id: 'T1', worker: 'claude' as const }],
  recovery_allow: ['add_directory' as const],
  recovery_directories: ['/d1'],
};

describe('what a person sees of permission recovery', () => {
  const { entries, mission } = play({
    ...situation,
    world: { 'T1#1': { changes: [], launches: [{ denied: [denied] }, { denied: [denied] }] } },
  });

  it('each reaction is an event of the contract, and what only a person can mend is its blocker', () => {
    const [first, second, blocker, ...others] = recoveryEvents(mission);
    assert.deepEqual(others, []);
    assert.ok(first?.type === 'recovery' && second?.type === 'recovery' && blocker?.type === 'blocker');
    for (const event of [first, second]) recoveryEventSchema.parse(event);
    assert.match(first.id, /^rec_\d{9}$/);
    assert.notEqual(first.id, second.id);
    const { worker, action_taken, status, retry_count, allowed_by } = first.payload;
    assert.deepEqual(
      [worker, action_taken, status, retry_count, allowed_by],
      ['claude', 'RELAUNCH_WITH_ADD_DIR', 'success', 1, 'execution.recovery.allow: add_directory'],
    );
    assert.deepEqual(first.payload.arguments, {
      before: ['worker'],
      after: ['worker', '--add-dir', '/d1'],
      removed: [],
      added: ['--add-dir', '/d1'],
    });
    assert.deepEqual([second.payload.status, second.payload.launch_id], ['escalated', null]);
    assert.equal(
      blocker.payload.text,
      'Persistent permission error for Claude on /d1/a. Manual intervention required.',
    );
  });

  it('the journal tells what was changed, and the block what can be granted', () => {
    const prepared = entries
      .filter(({ event }) => event.type === 'LaunchPrepared')
      .map((entry) => eventLine(entry, mission));
    assert.equal(prepared.length, 2);
    assert.equal(prepared[0]?.text.includes('Arguments'), false);
    assert.ok(prepared[1]?.text.endsWith('Arguments removed: nothing; added: --add-dir /d1.'), prepared[1]?.text);
    const view = missionView(mission, entries, new Map(), true);
    assert.deepEqual(view.blocks[0]?.denied, { permission: 'add_directory', path: '/d1/a' });
    assert.ok(view.blocks[0].next.some((step) => step.startsWith('mission grant M /d1/a --task T1 ')));
  });
});
