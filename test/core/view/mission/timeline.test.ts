import assert from 'node:assert/strict';
import type { Mission } from '../../../../src/core/model/state';
import { evolve, fold } from '../../../../src/core/mission/evolve';
import type { MissionEvent } from '../../../../src/core/model/events';
import { isInterrupted } from '../../../../src/core/view/mission/interrupted';
import { missionTimes, taskSpans } from '../../../../src/core/view/mission/timeline';
import { cases } from '../../../scenarios/cases';
import { played } from '../../../scenarios/played';
import { recordedJournal, scenarioJournal, type Entries } from '../../../support/panelOf';

describe('the bars of the tasks', () => {
  it('do not overlap or begin before the mission, even where the clock goes back an hour', () => {
    for (const [, scenarios] of cases())
      for (const scenario of scenarios.slice(0, 3)) {
        const { entries } = played(scenario);
        for (let place = 1; place < entries.length; place += 3) {
          const mission = fold([...entries.slice(0, place), ...hourBack(entries.slice(place))]);
          assert.ok(mission);
          assertOrdered(mission, true, `${scenario.title}, back at ${place}`);
        }
      }
  });

  for (const [file, scenarios] of cases())
    it(`${file}: from any event on they do not overlap, and lie inside the times of the mission`, () => {
      for (const scenario of scenarios) {
        const { entries } = played(scenario);
        let mission: Mission | null = null;
        for (const entry of entries) {
          mission = evolve(mission, entry);
          for (const owned of [true, false]) assertOrdered(mission, owned, `${scenario.title}, event ${entry.seq}`);
        }
      }
    });
});

/** The bars of a task as `kind attempt outcome`, and `...` behind one that goes on. */
function bars(file: string, title: string, taskId = 'T1', { events, owned = true }: Looked = {}): readonly string[] {
  const entries = scenarioJournal(file, title);
  const mission = fold(entries.slice(0, events?.(entries)));
  const row = mission?.rows.find(({ task }) => task.task_id === taskId);
  assert.ok(mission && row);
  return taskSpans(mission, row, isInterrupted(mission, owned)).map(
    ({ kind, attempt, outcome, to }) => `${kind} ${attempt} ${outcome}${to === null ? ' ...' : ''}`,
  );
}

interface Looked {
  readonly events?: (entries: Entries) => number;
  readonly owned?: boolean;
}

/** Up to and with the first event of this type. */
function upTo(type: MissionEvent['type'], nth = 1): (entries: Entries) => number {
  return (entries) => {
    const places = entries.flatMap(({ event }, index) => (event.type === type ? [index] : []));
    const place = places[nth - 1];
    assert.ok(place !== undefined, `no ${type} ${nth}`);
    return place + 1;
  };
}

const well = ['baseline 1 passed', 'worker 1 passed', 'verify 1 passed'];

describe('the bars of a task', () => {
  const pass = ['outcomes', 'PASS of every task completes the mission through EVIDENCED'] as const;

  it('while it goes on: baseline, worker, verification, each until the next begins', () => {
    const seen = (type: MissionEvent['type'], nth?: number): readonly string[] =>
      bars(...pass, 'T1', { events: upTo(type, nth) });
    assert.deepEqual(seen('AttemptStarted'), ['baseline 1 running ...']);
    assert.deepEqual(seen('WorkerStarted'), ['baseline 1 passed', 'worker 1 running ...']);
    assert.deepEqual(seen('WorkerEnded'), ['baseline 1 passed', 'worker 1 passed', 'verify 1 running ...']);
    assert.deepEqual(bars(...pass), well);
    assert.deepEqual(bars(...pass, 'T2', { events: upTo('AttemptStarted') }), []);
  });

  it('that no owner runs now: the last one ends where it was last seen, as unknown', () => {
    const entries = scenarioJournal(...pass);
    const mission = fold(entries.slice(0, upTo('WorkerStarted')(entries)));
    const [row] = mission?.rows ?? [];
    assert.ok(mission && row);
    const sign = new Date(Date.parse(mission.last_at) + 60_000).toISOString();
    assert.equal(taskSpans(mission, row, true).at(-1)?.to, mission.last_at);
    assert.equal(taskSpans(mission, row, true, sign).at(-1)?.to, sign, 'its worker was seen alive later');
    const interrupted = { owned: false, events: upTo('WorkerStarted') };
    assert.deepEqual(bars(...pass, 'T1', interrupted), ['baseline 1 passed', 'worker 1 unknown']);
  });

  it('that blocked: until a person decides, and the next attempt behind it', () => {
    const retried =
      'a blocked task retried by a human runs once more and completes, and the decision stands in the journal';
    const failed = ['baseline 1 passed', 'worker 1 failed', 'verify 1 failed'];
    assert.deepEqual(bars('people', retried, 'T1', { events: upTo('PacketIssued') }), [
      ...failed,
      'block 1 running ...',
    ]);
    const open = { events: upTo('PacketIssued'), owned: false };
    assert.deepEqual(bars('people', retried, 'T1', open), [...failed, 'block 1 running ...']);
    assert.deepEqual(bars('people', retried), [
      ...failed,
      'block 1 passed',
      ...['baseline 2 passed', 'worker 2 passed', 'verify 2 passed'],
    ]);
    const left = 'leave-blocked keeps the mission blocked; a later retry is possible';
    assert.equal(bars('people', left)[3], 'block 1 passed');
  });

  it('of which nothing was launched: the baseline failed, and it is blocked', () => {
    const refused = "a refused assignment launches nothing and blocks its task with the contract's code";
    assert.deepEqual(bars('packets', refused), ['baseline 1 failed', 'block 1 running ...']);
  });

  it('that a person stopped, that the watchdog ended, and that another task took along', () => {
    const stop = 'stop ends the tree, blocks the task and pauses the mission until a person acts';
    const stopped = ['baseline 1 passed', 'worker 1 stopped', 'verify 1 stopped'];
    assert.deepEqual(bars('people', stop), [...stopped, 'block 1 running ...']);
    assert.deepEqual(bars('checks', 'after execution: no sign of life'), [...stopped, 'block 1 running ...']);
    assert.deepEqual(bars('checks', 'after execution: another lane failed the mission', 'T2'), stopped);
  });

  it('that wrote out of scope: its worker failed, although it ended well', () => {
    const scope = 'a write outside the approved paths fails the mission, skips the rest and reverts nothing';
    assert.deepEqual(bars('outcomes', scope), ['baseline 1 passed', 'worker 1 failed', 'verify 1 failed']);
    assert.deepEqual(bars('outcomes', scope, 'T2'), []);
  });

  it('whose worker was launched once more: the relaunch stands between the two', () => {
    const again = 'a folder that Gemini does not trust is trusted in a second launch, and the task completes';
    const first = ['baseline 1 passed', 'worker 1 failed'];
    assert.deepEqual(bars('recovery', again), [...first, 'relaunch 1 passed', 'worker 1 passed', 'verify 1 passed']);
    const between = { events: upTo('RecoveryRequested') };
    assert.deepEqual(bars('recovery', again, 'T1', between), [...first, 'relaunch 1 running ...']);
  });

  it('whose result a person completes: a wait between two verifications', () => {
    const completes =
      'the person completes the result: phase 7 passes, the task is verified once more, and the mission goes on';
    const before = ['baseline 1 passed', 'worker 1 passed', 'verify 1 failed'];
    const asked = { events: upTo('InterventionRequested'), owned: false };
    assert.deepEqual(bars('intervention', completes, 'T1', asked).slice(0, 3), before);
    assert.deepEqual(bars('intervention', completes), [...before, 'wait 1 passed', 'verify 1 passed']);
    const waits = 'a result that names no change waits for a person: its task stays in progress and keeps its lock';
    assert.deepEqual(bars('intervention', waits), [...before, 'wait 1 running ...']);
  });

  it('of which a person decides what is remembered: a wait behind the verification', () => {
    const waits = 'what a verified task proposes waits for a person after its seal; the task keeps its lock';
    assert.deepEqual(bars('memory', waits), [...well, 'wait 1 running ...']);
    const kept = 'kept: it is saved once as version 1, and the task is done without its worker being launched again';
    assert.deepEqual(bars('memory', kept), [...well, 'wait 1 passed']);
    const known = 'what is remembered already, word for word, is asked of nobody';
    assert.deepEqual(bars('memory', known), well);
  });

  it('that was skipped: until the decision; never begun: none', () => {
    const blocked = 'a blocked task is skipped: its packet is superseded, and what does not depend on it goes on';
    assert.equal(bars('skip', blocked).at(-1), 'block 1 stopped');
    const never = 'an unstarted task is skipped with all that waits for it, and the mission completes with the others';
    assert.ok(bars('skip', never, 'T2').length === 0 || bars('skip', never, 'T3').length === 0);
  });

  it('that was carried over from an earlier mission: none', () => {
    const carried =
      'tasks that are carried over are done without an attempt, have their evidence, and those that wait for them run';
    assert.deepEqual(bars('revision', carried), []);
  });

  it('of recorded journals', () => {
    for (const name of ['again', 'blocked', 'cancelled', 'done', 'scope']) {
      const mission = fold(recordedJournal(`0.1.0/${name}`));
      assert.ok(mission);
      const [row] = mission.rows;
      assert.ok(row && taskSpans(mission, row, false).some(({ kind }) => kind === 'worker'), name);
    }
  });
});

function assertOrdered(mission: Mission, owned: boolean, where: string): void {
  const interrupted = isInterrupted(mission, owned);
  const rows = mission.rows.map((row) => ({ spans: taskSpans(mission, row, interrupted) }));
  const times = missionTimes(mission, rows, interrupted);
  for (const { spans } of rows) {
    let edge = times.from;
    for (const [index, span] of spans.entries()) {
      const told = `${where}: ${JSON.stringify(spans)}`;
      assert.ok(span.from >= edge, told);
      if (span.to === null)
        assert.ok(index === spans.length - 1 && span.outcome === 'running' && !mission.ending, told);
      else assert.ok(span.to >= span.from && span.outcome !== 'running', told);
      edge = span.to ?? span.from;
    }
    assert.ok(times.until === null || edge <= times.until, where);
  }
}

function hourBack(entries: Entries): Entries {
  const back = (at: string): string => new Date(Date.parse(at) - 3_600_000).toISOString();
  return JSON.parse(JSON.stringify(entries).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, back)) as Entries;
}
