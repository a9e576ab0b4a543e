import assert from 'node:assert/strict';
import type { HandoffBundle } from '../../../src/contracts/handoff';
import { handoffSchema } from '../../../src/contracts/handoff';
import { checkShape } from '../../../src/adapters/documents/schemas';
import { taskAssignment } from '../../../src/core/handoff/taskAssignment';
import { validateAssignment } from '../../../src/core/freshContext/assignment';
import { validateHandoff } from '../../../src/core/freshContext/handoff';
import { handoffBundle, observedChanges, type HandoffWorld } from '../../../src/core/handoff/bundle';
import { recordOf, type Left } from '../../../src/base/fileState';
import { compareOutputs } from '../../../src/core/handoff/outputs';
import { ledgerAgainstPlan } from '../../../src/core/handoff/import';
import { rolePrompt } from '../../../src/core/freshContext/roles';
import { pendingEffects } from '../../../src/core/mission/effects';
import { fold } from '../../../src/core/mission/evolve';
import { play, type Played } from '../../scenarios/play';
import { handedOver } from '../../scenarios/takenOver';
import type { Scenario } from '../../scenarios/scenario';

const runId = '0b9f2c9a-6f39-4a6e-8a4c-0d5b1f8e7a11';
const world: HandoffWorld = {
  at: '2026-01-02T00:00:00.000Z',
  role: 'orchestrator',
  base_commit: 'abc',
  heartbeats: {},
  files: [],
  changes: [],
};

const blocked: Scenario = {
  title: 'one done, one blocked, one to do',
  tasks: [
    { task_id: 'T1', paths: ['src', 'src/deep'] },
    { task_id: 'T2', depends_on: ['T1'], acceptance_criteria: ['it works'], verify: [['npm', 'test']] },
    { task_id: 'T3', depends_on: ['T2'] },
  ],
  world: { 'T2#1': { end: { exit_code: 7 } } },
  then: { status: 'blocked', execution: 'EXECUTING', rows: {} },
};

function bundleOf({ mission, entries }: Played): HandoffBundle {
  const [handoff] = mission.handoffs;
  assert.ok(handoff);
  return handoffBundle({ ...mission, run_id: runId }, entries, handoff, world);
}

describe('handoff bundle of a mission', () => {
  it('has the nine fields of the contract and validates', () => {
    const bundle = bundleOf(play(blocked));
    const verdict = validateHandoff({ value: bundle, shape: checkShape('handoff', bundle) });
    assert.deepEqual([verdict.code, verdict.details.findings], ['OK', []]);
    assert.ok(handoffSchema.safeParse(bundle).success);
    assert.deepEqual(
      bundle.ledger.map(({ task_id, status, owner, retry_count }) => [task_id, status, owner, retry_count]),
      [
        ['T1', 'done', bundle.ledger[0]?.owner, 0],
        ['T2', 'blocked', bundle.ledger[1]?.owner, 1],
        ['T3', 'todo', 'unassigned', 0],
      ],
    );
    assert.deepEqual(bundle.ledger[0]?.lock_scope, ['src'], 'the least scope that covers all paths');
    assert.equal(bundle.ledger[2]?.last_heartbeat_at, null);
    assert.notEqual(bundle.ledger[0].last_heartbeat_at, null);
    assert.deepEqual(bundle.dependencies, [
      { task_id: 'T2', depends_on_task_id: 'T1' },
      { task_id: 'T3', depends_on_task_id: 'T2' },
    ]);
    assert.deepEqual(
      bundle.ledger.map(({ dependencies }) => dependencies),
      [[], ['T1'], ['T2']],
    );
    assert.deepEqual(
      bundle.open_blockers.map(({ task_id, code }) => [task_id, code]),
      [['T2', 'ACCEPTANCE_FAILED']],
    );
    assert.deepEqual(bundle.acceptance_targets[1], {
      task_id: 'T2',
      criteria: ['it works', 'verify passes: npm test'],
    });
  });

  it('has a journal beside it that says how every row came to its status, and why it is blocked', () => {
    const played = play({
      ...blocked,
      script: [
        { at: 'idle', command: { type: 'RetryTask', task_id: 'T2' }, reason: 'again' },
        { at: { effect: 'awaitWorker', task: 'T2', attempt: 2 }, command: { type: 'PauseMission' }, reason: 'lunch' },
      ],
    });
    const { transitions } = handedOver(played).facts;
    assert.deepEqual(
      transitions.map(({ task_id, from, to }) => [task_id, from, to]),
      played.entries.flatMap(({ event }) =>
        event.type === 'RowTransitioned' ? [[event.task_id, event.from, event.to]] : [],
      ),
    );
    assert.deepEqual(
      handedOver(play(blocked)).facts.tasks.map(({ category }) => category),
      [null, 'child_exit_nonzero', null],
    );
  });

  it('is refused where rows and plan contradict each other', () => {
    const { mission, entries } = play(blocked);
    const bundle = bundleOf({ mission, entries });
    const history = handedOver({ mission, entries }).facts;
    assert.equal(ledgerAgainstPlan(bundle, history, mission.plan), null);
    const code = (problem: unknown): unknown => (problem as { code?: string } | null)?.code;
    const wider = bundle.ledger.map((row) => ({ ...row, lock_scope: ['.'] }));
    assert.equal(code(ledgerAgainstPlan({ ...bundle, ledger: wider }, history, mission.plan)), 'LEDGER_INCONSISTENT');
    const fewer = bundle.ledger.slice(1);
    assert.equal(code(ledgerAgainstPlan({ ...bundle, ledger: fewer }, history, mission.plan)), 'LEDGER_INCONSISTENT');
    const free = bundle.ledger.map((row) => ({ ...row, dependencies: [] }));
    assert.equal(code(ledgerAgainstPlan({ ...bundle, ledger: free }, history, mission.plan)), 'LEDGER_INCONSISTENT');
  });

  it('gives the locks that an assignment of every other open row is valid with', () => {
    const { mission, entries } = play(blocked);
    const { active_locks: locks, run_id } = bundleOf({ mission, entries });
    for (const { task } of mission.rows.slice(1)) {
      const value = taskAssignment({ ...mission, run_id }, task, { worklog: 'worklog.md', at: mission.last_at, locks });
      const verdict = validateAssignment({ value, shape: checkShape('assignment', value) });
      assert.deepEqual([verdict.code, verdict.details.findings], ['OK', []]);
    }
  });

  it('misses outputs that are not in the tree as they were left', () => {
    const { mission } = play(blocked);
    const [change] = observedChanges(mission.rows);
    assert.ok(change);
    const { sha256 } = change;
    assert.ok(sha256);
    const compared = (left: Left, changes: HandoffWorld['changes'] = []): unknown => {
      const { missing, unrecorded } = compareOutputs([change], { changes }, new Map([['src/a.ts', left]]));
      return [missing.map(({ path }) => path), unrecorded];
    };
    const file: Left = { kind: 'file', sha256, mode: null };
    assert.deepEqual(compared(file), [[], []]);
    assert.deepEqual(compared({ ...file, sha256: 'F'.repeat(64) }), [['src/a.ts'], []]);
    assert.deepEqual(compared({ kind: 'nothing' }), [['src/a.ts'], []]);
    const gone = [{ path: change.path, sha256: null }];
    const folder = compareOutputs(gone, { changes: [] }, new Map([['src/a.ts', { kind: 'folder' }]]));
    assert.deepEqual(folder.missing, [], 'its task made it a folder');
    const later = { task_id: 'T2', path: 'src/a.ts', before_sha256: null, in_diff: true, why: null };
    for (const left of [{ kind: 'nothing' }, { kind: 'link', target: 'b' }, { ...file, mode: '755' }] as const)
      assert.deepEqual(compared(left, [{ ...later, ...recordOf(left) }]), [[], []], left.kind);
  });

  it('says which outputs it did not compare, because what they held was not recorded', () => {
    const outputs = [{ path: 'src/a.ts', sha256: null, unread: true as const }];
    const { missing, unrecorded } = compareOutputs(outputs, { changes: [] }, new Map());
    assert.deepEqual([missing, unrecorded], [[], ['src/a.ts']]);
  });

  it('has a role prompt that holds both lists of the contract', () => {
    const text = rolePrompt('orchestrator');
    for (const item of ['handoff bundle loaded', 'active locks conflict-free', 'Clear prior assumptions'])
      assert.ok(text.includes(item));
  });
});

describe('when a handoff is written', () => {
  it('once per block and once per pause, after packet and evidence', () => {
    const { entries, mission } = play({
      ...blocked,
      script: [
        { at: 'idle', command: { type: 'RetryTask', task_id: 'T2' } },
        { at: { effect: 'awaitWorker', task: 'T2', attempt: 2 }, command: { type: 'PauseMission' } },
      ],
    });
    assert.deepEqual(
      mission.handoffs.map(({ n, why, state }) => [n, why, state.kind]),
      [
        [1, 'blocked', 'written'],
        [2, 'paused', 'written'],
      ],
    );
    const types = entries.map(({ event }) => event.type);
    assert.ok(types.indexOf('PacketWritten') < types.indexOf('HandoffRequested'));
  });

  it('once for a stop, which blocks and pauses', () => {
    const { mission } = play({
      ...blocked,
      world: {},
      script: [{ at: { effect: 'awaitWorker', task: 'T1' }, command: { type: 'StopTask', task_id: 'T1' } }],
    });
    assert.deepEqual(
      mission.handoffs.map(({ why }) => why),
      ['blocked'],
    );
  });

  it('is pending until it is written, whatever crashes between', () => {
    const { entries } = play(blocked);
    const requested = entries.findIndex(({ event }) => event.type === 'HandoffRequested');
    const mission = fold(entries.slice(0, requested + 1));
    assert.ok(mission);
    assert.deepEqual(
      pendingEffects(mission).map(({ key }) => key),
      ['writeHandoff:1'],
    );
    const written = fold(entries.slice(0, requested + 2));
    assert.ok(written);
    assert.deepEqual(pendingEffects(written), []);
  });

  it('with a move the mission ends, and says where the run went', () => {
    const { mission, entries } = play({
      ...blocked,
      script: [
        { at: 'idle', command: { type: 'ExportHandoff', move: true }, reason: 'to the other machine' },
        { at: 'idle', command: { type: 'RetryTask', task_id: 'T2' }, answer: 'MISSION_CLOSED' },
      ],
    });
    assert.deepEqual([mission.ending?.code, mission.ending?.cancelled, mission.execution], ['MOVED', true, 'REPORTED']);
    assert.match(mission.ending?.reason ?? '', /to the other machine/);
    const types = entries.map(({ event }) => event.type);
    assert.ok(types.indexOf('HandoffWritten') < types.indexOf('MissionMoved'));
    assert.deepEqual(
      mission.rows.map(({ status, evidence }) => [status, evidence?.status]),
      [
        ['done', 'SUCCESS'],
        ['canceled', 'SKIPPED'],
        ['canceled', 'SKIPPED'],
      ],
    );
  });

  it('a run is not given away while a task of it runs', () => {
    const { mission } = play({
      ...blocked,
      world: {},
      script: [
        {
          at: { effect: 'awaitWorker', task: 'T1' },
          command: { type: 'ExportHandoff', move: true },
          answer: 'MISSION_ACTIVE',
        },
      ],
    });
    assert.equal(mission.moved, null);
    assert.equal(mission.ending?.outcome, 'COMPLETED');
  });
});
