import assert from 'node:assert/strict';
import { fold } from '../../../src/core/mission/evolve';
import { currentLaunch } from '../../../src/core/model/attempt';
import type { LeftProcess } from '../../../src/core/view/left';
import { missionView, type LiveFacts } from '../../../src/core/view/missionView';
import { taskWord } from '../../../src/base/text/words';
import { recordedJournal } from '../../support/panelOf';

const entries = recordedJournal('0.1.0/done');
const mission = fold(entries.slice(0, entries.findIndex(({ event }) => event.type === 'WorkerStarted') + 1));

/** The state of the lane, its stage and its process, and the word for its task. */
function said(owned: boolean, left?: LeftProcess): readonly unknown[] {
  assert.ok(mission);
  const [lane] = mission.lanes;
  const launch = lane && currentLaunch(lane);
  assert.ok(launch);
  const told = { last_progress_at: null, last_output_at: null, output_bytes: 0, output_lines: null };
  const live = new Map([[launch.launch_id, { ...told, ...(left && { left }) }]]);
  const view = missionView(mission, [], live, owned);
  const [task] = view.tasks;
  assert.ok(task);
  return [view.lanes[0]?.left?.state, view.lanes[0]?.stage, view.lanes[0]?.pid !== null, taskWord(task)];
}

describe('a lane whose owner has stopped', () => {
  const cases: readonly (readonly [LeftProcess | undefined, string, boolean])[] = [
    [{ state: 'runs', pid: 7 }, 'its worker still runs as process 7', true],
    [{ state: 'ended', exit_code: 3, signal: null }, 'its worker has ended with exit code 3', false],
    [{ state: 'ended', exit_code: null, signal: 'SIGKILL' }, 'its worker has ended by SIGKILL', false],
    [{ state: 'ended', exit_code: null, signal: null }, 'its worker has ended', false],
    [
      { state: 'ended', exit_code: null, signal: null, rest: 'runs' },
      'its worker has ended; processes that it started still run',
      false,
    ],
    [
      { state: 'ended', exit_code: null, signal: null, rest: 'unknown' },
      'its worker has ended; processes that it started may still run',
      false,
    ],
    [
      { state: 'unknown', elsewhere: true },
      'it is not known whether its worker still runs: it ran before this machine started, or on another machine',
      false,
    ],
    [{ state: 'unstarted' }, 'its worker has not started', false],
    [{ state: 'unknown' }, 'it is not known whether its worker still runs', false],
    [undefined, 'it is not known whether its worker still runs', false],
  ];
  for (const [left, text, process] of cases)
    it(`says: ${text}${left ? '' : ', also where nothing was read'}`, () => {
      assert.deepEqual(said(false, left), [left?.state ?? 'unknown', text, process, 'interrupted']);
    });

  it('says of the launch that ended last how it ended, also where the stage has none', () => {
    const next = entries.findIndex(({ event }) => event.type === 'WorkerEnded') + 1;
    const observing = fold(entries.slice(0, next));
    const [lane] = observing?.lanes ?? [];
    assert.ok(observing && lane && currentLaunch(lane) === undefined, lane?.stage.at);
    const [shown] = missionView(observing, [], new Map(), false).lanes;
    const text = 'its worker has ended with exit code 0';
    assert.deepEqual([shown?.left, shown?.stage], [{ state: 'ended', text }, text]);
    const unproven = lane.launches.map((one) => ({ ...one, end: one.end && { ...one.end, tree_gone: false } }));
    const left = { ...observing, lanes: [{ ...lane, launches: unproven }] };
    assert.equal(missionView(left, [], new Map(), false).lanes[0]?.left?.state, 'unknown');
    const unlaunched = { ...observing, lanes: [{ ...lane, launches: [] }] };
    assert.equal(missionView(unlaunched, [], new Map(), false).lanes[0]?.stage, 'nothing of it runs');
  });

  it('neither stops nor waits, and does nothing unless its worker runs', () => {
    const [lane] = mission?.lanes ?? [];
    const launch = lane && currentLaunch(lane);
    assert.ok(mission && lane && launch);
    const lingers = { ...lane, launches: [{ ...launch, lingered: { quiet_seconds: 1 } }] };
    const facts: LiveFacts = {
      ...{ last_progress_at: null, last_output_at: null, output_bytes: 0, output_lines: null },
      waiting: { seconds: null, reason: 'x' },
      actions: [{ tool: 'Edit', detail: 'a' }],
    };
    const shown = (left: LeftProcess, owned: boolean): readonly unknown[] => {
      const live = new Map([[launch.launch_id, { ...facts, left }]]);
      const [view] = missionView({ ...mission, lanes: [lingers] }, [], live, owned).lanes;
      return [view?.stopping, view?.waits !== undefined, view?.actions?.length];
    };
    assert.deepEqual(shown({ state: 'runs', pid: 7 }, true), [true, true, 1]);
    assert.deepEqual(shown({ state: 'runs', pid: 7 }, false), [false, false, 1]);
    assert.deepEqual(shown({ state: 'unknown' }, false), [false, false, undefined]);
  });

  it('is as the journal says while an owner runs it', () => {
    assert.deepEqual(said(true), [undefined, 'running', true, 'running']);
  });
});
