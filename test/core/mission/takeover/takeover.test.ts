import assert from 'node:assert/strict';
import type { Actor } from '../../../../src/contracts/vocabulary/actors';
import { decide } from '../../../../src/core/mission/decide';
import { evolve, fold } from '../../../../src/core/mission/evolve';
import type { MissionEvent } from '../../../../src/core/model/events';
import type { Input, InputBody } from '../../../../src/core/model/inputs';
import type { JournalEntry } from '../../../../src/core/model/journalEntry';
import { judgeLedger } from '../../../../src/core/mission/evidence/ledgerDocument';
import type { RecoveryFacts } from '../../../../src/core/model/facts';
import { currentLaunch } from '../../../../src/core/model/attempt';
import type { Mission } from '../../../../src/core/model/state';
import { missionStatus } from '../../../../src/core/mission/status';
import { play, type Played } from '../../../scenarios/play';

const runner: Actor = { kind: 'runner', name: 'mission-control' };
const human: Actor = { kind: 'human', name: 'ada' };
const at = '2026-01-02T00:00:00.000Z';
const tasks = [{ task_id: 'T1' }, { task_id: 'T2', paths: ['lib'] }];

/** A mission whose worker of T1 runs. */
function running(): Played & { readonly mission: Mission } {
  const { entries } = play({ tasks });
  const started = entries.findIndex(({ event }) => event.type === 'WorkerStarted');
  const until = entries.slice(0, started + 1);
  return { entries: until, mission: fold(until) as Mission };
}

function without(entries: Played['entries'], leftOut: (event: MissionEvent) => boolean): Mission {
  return fold(entries.filter(({ event }) => !leftOut(event))) as Mission;
}

function take(mission: Mission, body: InputBody, actor = runner): readonly MissionEvent[] {
  const fresh: Input['fresh'] = { launch_id: 'L', session_id: 'S', nonce: 'f'.repeat(32) };
  return decide(mission, { at, actor, fresh, body });
}

function after(mission: Mission, events: readonly MissionEvent[]): Mission {
  return events.reduce<Mission>((state, event, index) => {
    const seq = mission.last_seq + index + 1;
    const entry: JournalEntry<MissionEvent> = {
      stream: 'M',
      seq,
      run_id: 'run',
      at,
      actor: runner,
      fence: 1,
      event,
      prev_hash: '',
      hash: '',
    };
    return evolve(state, entry);
  }, mission);
}

function found(mission: Mission, verdict: 'alive' | 'timed_out'): RecoveryFacts {
  const launch = mission.lanes[0] && currentLaunch(mission.lanes[0]);
  const launch_id = launch?.launch_id ?? '';
  const silence = { last_heartbeat_at: at, age_seconds: verdict === 'alive' ? 7 : 1201, timeout_seconds: 1200 };
  return {
    tasks: [{ task_id: 'T1', launch_id, standing: 'supervised', ...silence, verdict }],
    silent:
      verdict === 'alive'
        ? []
        : [{ launch_id, ...silence, found: 'its processes are alive, use no processor time and print nothing' }],
    file_system: { comparison: { case_insensitive: false }, links: {} },
  };
}

const command = (type: 'ResumeMission' | 'CancelMission', recovery: RecoveryFacts | null = null): InputBody => ({
  type: 'Command',
  command_id: `${type}-1`,
  command: { type },
  reason: 'because',
  expected_seq: null,
  from_worker: false,
  identified: true,
  owner_was_absent: true,
  active_elsewhere: null,
  recovery,
});

describe('recovery by a new owner', () => {
  it('says in one event which run goes on and what was found', () => {
    const { mission } = running();
    const [event, ...more] = take(mission, { type: 'OwnerStarted', recovery: found(mission, 'alive') });
    assert.deepEqual(more, []);
    assert.ok(event?.type === 'OwnerResumed');
    assert.equal(event.resumed_run_id, mission.run_id);
    assert.deepEqual(event.ledger, { code: 'OK', issues: [] });
    assert.equal(event.tasks[0]?.verdict, 'alive');
    assert.match(event.found, /T1: its supervisor is alive, last heartbeat .* \(7 s ago, timeout 1200 s\)/);
  });

  it('gives up a worker whose heartbeat is older than its timeout, after the recovery event', () => {
    const { mission } = running();
    const events = take(mission, { type: 'OwnerStarted', recovery: found(mission, 'timed_out') });
    assert.deepEqual(
      events.map(({ type }) => type),
      ['OwnerResumed', 'WorkerTimedOut'],
    );
    assert.equal(after(mission, events).lanes[0]?.timed_out?.age_seconds, 1201);
  });

  it('is not done by a command that only exports a handoff, which takes no ownership', () => {
    const { mission } = running();
    const asked = command('ResumeMission', found(mission, 'timed_out'));
    assert.ok(asked.type === 'Command');
    const exported = (move: boolean): readonly string[] =>
      take(mission, { ...asked, command: { type: 'ExportHandoff', move } }, human).map(({ type }) => type);
    assert.deepEqual(exported(false), ['CommandAccepted', 'HandoffRequested']);
    assert.ok(!exported(true).includes('HandoffRequested'), 'nothing is given away while it runs');
  });

  it('comes before everything that a command of the new owner starts', () => {
    const { entries } = play({
      tasks,
      script: [{ at: { effect: 'awaitWorker', task: 'T1' }, command: { type: 'PauseMission' } }],
    });
    const paused = fold(entries) as Mission;
    const recovery: RecoveryFacts = {
      tasks: [],
      silent: [],
      file_system: { comparison: { case_insensitive: false }, links: {} },
    };
    const types = take(paused, command('ResumeMission', recovery), human).map(({ type }) => type);
    assert.deepEqual(types.slice(0, 3), ['CommandAccepted', 'OwnerResumed', 'MissionResumed']);
    assert.ok(types.indexOf('AttemptStarted') > types.indexOf('OwnerResumed'));
    const refused = take(paused, { ...command('ResumeMission', recovery), reason: '' } as InputBody, human);
    assert.deepEqual(
      refused.map(({ type }) => type),
      ['CommandRefused'],
      'a refused command takes nothing over',
    );
  });
});

describe('recovery of a ledger that contradicts itself', () => {
  const cases: readonly (readonly [string, (played: Played) => Mission, RegExp])[] = [
    [
      'in progress without a lock',
      ({ entries }) => without(entries, (event) => event.type === 'LockTaken'),
      /without an active lock/,
    ],
    [
      'in progress without an attempt',
      ({ mission }) => ({ ...mission, lanes: [] }),
      /in progress without a live attempt/,
    ],
    [
      'two tasks in progress',
      ({ mission }) => ({
        ...mission,
        rows: mission.rows.map((row) => ({ ...row, status: 'in_progress', lock: 'held' })),
      }),
      /T2/,
    ],
    [
      'a lock of a task that is done',
      ({ mission }) => ({
        ...mission,
        lanes: [],
        rows: mission.rows.map((row) => (row.task.task_id === 'T1' ? { ...row, status: 'done', evidence: null } : row)),
      }),
      /its lock must be released/,
    ],
    [
      'locks that overlap',
      ({ mission }) => ({
        ...mission,
        rows: mission.rows.map((row) => ({ ...row, lock: 'held', task: { ...row.task, paths: ['src'] } })),
      }),
      /overlaps/,
    ],
    [
      'done before what it depends on',
      ({ mission }) => ({
        ...mission,
        rows: mission.rows.map((row) =>
          row.task.task_id === 'T2' ? { ...row, status: 'done', task: { ...row.task, depends_on: ['T1'] } } : row,
        ),
      }),
      /T1/,
    ],
  ];
  for (const [what, broken, words] of cases) {
    it(`${what}: the mission is paused with LEDGER_INCONSISTENT, and says why`, () => {
      const mission = broken(running());
      const events = take(mission, { type: 'OwnerStarted' });
      const [resumed, paused] = events;
      assert.ok(resumed?.type === 'OwnerResumed' && paused?.type === 'MissionPaused');
      assert.notEqual(resumed.ledger.code, 'OK');
      assert.match(resumed.ledger.issues.join('\n'), words);
      assert.equal(paused.code, 'LEDGER_INCONSISTENT');
      assert.equal(
        events.some(({ type }) => type === 'AttemptStarted' || type === 'LaunchRequested'),
        false,
      );
      const later = after(mission, events);
      assert.ok(later.hold.kind === 'paused' && later.hold.code === 'LEDGER_INCONSISTENT');
      const [refused] = take(later, command('ResumeMission'), human);
      assert.ok(refused?.type === 'CommandRefused' && refused.code === 'LEDGER_INCONSISTENT');
      const [cancelled] = take(later, command('CancelMission'), human);
      assert.equal(cancelled?.type, 'CommandAccepted', 'it can be cancelled');
    });
  }

  it('is not reported for a sound ledger, at any point of a mission', () => {
    const { entries } = play({
      tasks: [...tasks, { task_id: 'T3', depends_on: ['T1'], paths: ['src/a', 'src'] }],
      world: { 'T2#1': { changes: ['lib/a'], end: { exit_code: 1 } }, 'T2#2': { changes: ['lib/a'] } },
      script: [{ at: 'idle', command: { type: 'RetryTask', task_id: 'T2' } }],
    });
    const ends = entries.flatMap((entry, index) => (entries[index + 1]?.at === entry.at ? [] : [index + 1]));
    for (const end of ends) {
      const mission = fold(entries.slice(0, end)) as Mission;
      assert.equal(judgeLedger(mission).code, 'OK', `${end}: ${missionStatus(mission)} ${judgeLedger(mission).reason}`);
    }
  });
});
