import assert from 'node:assert/strict';
import { recoveryEventSchema } from '../../../src/contracts/record/recoveryEvent';
import { fold } from '../../../src/core/mission/evolve';
import type { TaskEvidence } from '../../../src/contracts/taskEvidence';
import { documentText } from '../../../src/base/json';
import { taskEvidence } from '../../../src/core/mission/evidence/taskEvidence';
import { recoveryEvents } from '../../../src/core/mission/evidence/recoveryDocuments';
import { eventLine } from '../../../src/core/view/events/eventLine';
import { missionView } from '../../../src/core/view/mission/missionView';
import { waitsText } from '../../../src/core/view/mission/signalLine';
import { linesOf } from '../../scenarios/steps';
import { taskSentence } from '../../../src/base/text/words';
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

  it('the journal shows what was changed, and the block what can be granted', () => {
    const prepared = entries
      .filter(({ event }) => event.type === 'LaunchPrepared')
      .map((entry) => eventLine(entry, mission));
    assert.equal(prepared.length, 2);
    assert.equal(prepared[0]?.text.includes('Arguments'), false);
    assert.ok(prepared[1]?.text.endsWith('Arguments removed: nothing; added: --add-dir /d1.'), prepared[1]?.text);
    const view = missionView(mission, entries, new Map(), true);
    assert.deepEqual(view.blocks[0]?.denied, { permission: 'add_directory', path: '/d1/a' });
    assert.ok(linesOf(view.blocks[0]).some((step) => step.startsWith('mission grant M /d1/a --task T1 ')));
  });

  it('the page says in plain words what was denied, without the code and the sentence of the contract', () => {
    const { tasks, blocks, headline } = missionView(mission, entries, new Map(), true);
    const words = 'Claude was denied /d1/a. You may grant that for one attempt.';
    assert.deepEqual([tasks[0]?.reason, blocks[0]?.reason], [words, words]);
    assert.equal(taskSentence({ ...tasks[0]! }), `Task T1 is blocked: ${words}`);
    assert.doesNotMatch(headline, /Manual|NON_COMPLIANT/);
    assert.match(mission.rows[0]?.reason ?? '', /^Persistent permission error/);
  });

  it('the task names both reactions in words, and what confines it', () => {
    const [task] = missionView(mission, entries, new Map(), true).tasks;
    assert.deepEqual(
      task?.recoveries?.map(({ status, change }) => [status, change]),
      [
        [
          'success',
          [
            'Launch line changed: RELAUNCH_WITH_ADD_DIR after SANDBOX_ERROR on /d1/a, allowed by execution.recovery.allow: add_directory.',
            'Arguments removed: nothing; added: --add-dir /d1.',
            'Before: worker',
            'After: worker --add-dir /d1',
          ],
        ],
        ['escalated', []],
      ],
    );
    assert.equal(task.recoveries[0]?.what, 'SANDBOX_ERROR on /d1/a: workingDir');
    assert.match(task.recoveries[1]?.outcome ?? '', /^Nothing was launched\. It is for a person: ./);
    assert.equal(typeof task.confined, 'string');
  });
});

describe('what a person sees of a directory whose permissions keep a worker from running', () => {
  const modes = [{ path: '/run', before: '0500', after: '0700' }];
  const refused = (chmod_tried: boolean) =>
    play({
      ...situation,
      world: {
        'T1#1': {
          changes: [],
          launches: [{ impossible: 'PERMISSIONS_NOT_FIXED', unusable: { directory: '/ws', chmod_tried }, modes }],
        },
      },
    });

  it('the blocker names the directory and the issue, and a chmod only where one was tried', () => {
    for (const [tried, details] of [
      [true, 'Chmod failed. Please check directory ownership.'],
      [false, 'it cannot be'],
    ] as const) {
      const { mission } = refused(tried);
      const [blocker, ...others] = recoveryEvents(mission);
      assert.ok(blocker?.type === 'blocker' && others.length === 0);
      const { text, issue_type, path } = blocker.payload;
      assert.equal(text, 'Persistent permission error for Claude on /ws. Manual intervention required.');
      assert.deepEqual([blocker.payload.details, issue_type, path], [details, 'FS_PERM_ERROR', '/ws']);
      const told = mission.rows[0]?.attempts[0]?.failure?.details.some((line) => line.startsWith('Chmod failed.'));
      assert.equal(told, tried);
    }
  });

  it('the block says what can be granted', () => {
    const { entries, mission } = refused(false);
    const { blocks } = missionView(mission, entries, new Map(), true);
    assert.deepEqual(blocks[0]?.denied, { permission: 'fix_permissions', path: '/ws' });
    assert.ok(
      linesOf(blocks[0]).some((step) => step.startsWith('mission grant M /ws --task T1 ')),
      linesOf(blocks[0]).join(),
    );
  });

  it('evidence and journal tell the modes that were changed, whether a worker was launched or not', () => {
    for (const launch of [{ modes }, { impossible: 'PERMISSIONS_NOT_FIXED' as const, modes }]) {
      const { entries, mission } = play({
        ...situation,
        world: { 'T1#1': { launches: [launch] } },
      });
      const [row] = mission.rows;
      assert.ok(row);
      const told = JSON.parse(documentText(taskEvidence(mission, row, []))) as TaskEvidence;
      assert.deepEqual(told.attempts?.[0]?.launches[0]?.modes, modes);
      const lines = entries.map((entry) => eventLine(entry, mission).text);
      assert.equal(lines.filter((line) => line.includes('Mode of /run changed from 0500 to 0700.')).length, 1);
    }
  });
});

describe('what a person sees of a worker whose CLI waits for its provider', () => {
  it('is how long and why, until it goes on', () => {
    assert.equal(waitsText({ seconds: 39.2, reason: 'overloaded' }), 'waits for the provider, 40 s: overloaded');
    assert.equal(waitsText({ seconds: null, reason: 'overloaded' }), 'waits for the provider: overloaded');
    const facts = {
      last_progress_at: '2026-01-01T00:00:02.000Z',
      last_output_at: '2026-01-01T00:00:02.000Z',
      output_bytes: 10,
      output_lines: 1,
    };
    const { entries } = play({ ...situation, world: { 'T1#1': { changes: [] } } });
    const mission = fold(entries.slice(0, entries.findIndex(({ event }) => event.type === 'WorkerStarted') + 1));
    assert.ok(mission);
    const launch = mission.lanes[0]?.launches[0]?.launch_id ?? '';
    const seen = (more: object): string | undefined =>
      missionView(mission, entries, new Map([[launch, { ...facts, ...more }]]), true).lanes[0]?.waits;
    assert.equal(seen({ waiting: { seconds: 40, reason: 'overloaded' } }), 'waits for the provider, 40 s: overloaded');
    assert.equal(seen({}), undefined);
  });
});
