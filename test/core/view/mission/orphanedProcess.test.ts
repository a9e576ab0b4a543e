import assert from 'node:assert/strict';
import { fold } from '../../../../src/core/mission/evolve';
import { currentLaunch } from '../../../../src/core/model/attempt';
import type { LeftProcess } from '../../../../src/core/view/mission/orphanedProcess';
import { missionView, type LiveFacts } from '../../../../src/core/view/mission/missionView';
import { liveFactsOf } from '../../../../src/engine/views/snapshot';
import { underWay } from '../../../../src/extension/views/missionFacts';
import { liveSession } from '../../../../src/core/model/session';
import type { Mission } from '../../../../src/core/model/state';
import { taskWord } from '../../../../src/base/text/words';
import { play } from '../../../scenarios/play';
import { recordedJournal } from '../../../support/panelOf';

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

describe('a session of the orchestrator whose owner has stopped', () => {
  const { entries: all } = play({
    tasks: [{ task_id: 'T1', worker: 'claude' }],
    orchestrator: { worker: 'claude', model: null },
    world: { 'T1#1': { claim: 'invalid' } },
  });
  const until = (type: string): Mission => {
    const found = fold(all.slice(0, all.findIndex(({ event }) => event.type === type) + 1));
    assert.ok(found && liveSession(found));
    return found;
  };
  const shown = (owned: boolean, left?: LeftProcess, at = 'OrchestratorStarted'): readonly unknown[] => {
    const asked = until(at);
    const told = { last_progress_at: null, last_output_at: null, output_bytes: 0, output_lines: null };
    const live = new Map([[liveSession(asked)!.launch.launch_id, { ...told, ...(left && { left }) }]]);
    const view = missionView(asked, [], live, owned);
    const { session } = view.orchestrator ?? {};
    const words = view.blocks[0]?.orchestrator ?? '';
    return [session?.left?.state, session?.pid !== null, words, underWay(view).at(-1)?.stage];
  };
  const meanwhile = 'What you decide meanwhile counts.';
  const cases: readonly (readonly [LeftProcess | undefined, string, boolean])[] = [
    [{ state: 'runs', pid: 7 }, 'the orchestrator still runs as process 7', true],
    [{ state: 'ended', exit_code: 0, signal: null }, 'the orchestrator has ended with exit code 0', false],
    [{ state: 'unstarted' }, 'the orchestrator has not started', false],
    [undefined, 'it is not known whether the orchestrator still runs', false],
  ];
  for (const [left, text, process] of cases)
    it(`says: ${text}`, () => {
      const words = `The orchestrator claude was asked: ${text}. ${meanwhile}`;
      assert.deepEqual(shown(false, left), [left?.state ?? 'unknown', process, words, text]);
    });

  it('is as the journal says while an owner watches it', () => {
    const words = `The orchestrator claude is asked. ${meanwhile}`;
    assert.deepEqual(shown(true), [undefined, true, words, 'orchestrator, looks at its block']);
  });

  it('is looked for where no owner watches it, by the run directory of its launch', async () => {
    const asked = until('OrchestratorStarted');
    const read = async (owned: boolean): Promise<readonly (string | null)[]> => {
      const looked: (string | null)[] = [];
      await liveFactsOf(asked, owned, (_runDir, left) => {
        looked.push(left?.launch_id ?? null);
        return Promise.resolve(null);
      });
      return looked;
    };
    assert.deepEqual([await read(true), await read(false)], [[], [liveSession(asked)!.launch.launch_id]]);
  });
});
