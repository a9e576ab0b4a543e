import assert from 'node:assert/strict';
import { createStateJournal } from '../../../src/adapters/journal/journal';
import { pageRows, type EntryRow } from '../../../src/adapters/journal/store';
import type { JournalCall, JournalReply } from '../../../src/adapters/journal/service';
import { done } from '../../../src/base/outcome';
import { eventsAtOnce } from '../../../src/contracts/page/panelMessages';
import { fold } from '../../../src/core/mission/evolve';
import type { MissionEvent } from '../../../src/core/model/events';
import type { Mission } from '../../../src/core/model/state';
import { readEventRange } from '../../../src/engine/views/reader';
import { createMemoryJournal, type MemoryJournal } from '../../support/memoryJournal';
import { recordedJournal, type Entries } from '../../support/panelOf';

/** A journal with so many events that nothing was done between the ends of the recorded one. */
async function long(
  events: number,
): Promise<{ readonly journal: MemoryJournal<MissionEvent>; readonly mission: Mission }> {
  const recorded: Entries = recordedJournal('0.1.0/done');
  const [received, ...rest] = recorded;
  assert.ok(received?.event.type === 'MissionReceived');
  const stream = received.event.mission_id;
  const journal = createMemoryJournal<MissionEvent>();
  const raised = await journal.raiseFence(received.actor);
  assert.ok(raised.ok);
  const filler: MissionEvent = {
    type: 'CommandRefused',
    command_id: 'c',
    command: 'x',
    code: 'PLAN_INVALID',
    reason: 'no',
    next: [],
  };
  const between = Array.from({ length: events - recorded.length }, () => ({ ...received, event: filler }));
  const entries = [received, ...between, ...rest];
  const appended = await journal.append(stream, 0, raised.value.fence, entries);
  assert.ok(appended.ok);
  const mission = fold(appended.entries);
  assert.ok(mission);
  return { journal, mission };
}

function row(seq: number): EntryRow {
  return [seq, 'run', '2026-01-01T00:00:00.000Z', 'runner', 'mission-control', 1, '', '', '{}'];
}

describe('events by range', () => {
  it('are read from a place on, oldest first, and no page more than they need', async () => {
    const { journal, mission } = await long(2_000);
    const counted: (number | undefined)[] = [];
    const counting = {
      read: (stream: string, after?: number, most?: number) => {
        counted.push(most);
        return journal.read(stream, after, most);
      },
    };
    const range = await readEventRange(counting, mission, 701, 150);
    assert.deepEqual([range.from, range.total, range.events.length], [701, 2_000, 150]);
    assert.deepEqual([range.events[0]?.seq, range.events.at(-1)?.seq], [701, 850]);
    assert.deepEqual(counted, [150]);
    assert.equal((await journal.read(mission.mission_id, 1_200, 600)).length, 600);
    assert.equal((await journal.read(mission.mission_id, 0, 500)).at(-1)?.seq, 500);
    assert.equal((await journal.read(mission.mission_id)).length, 2_000);
  });

  it('ask the store for no page behind the last one that they need', async () => {
    const asked: number[] = [];
    const call = (one: JournalCall): Promise<JournalReply> => {
      assert.ok(one[0] === 'page');
      const [, , afterSeq] = one;
      asked.push(afterSeq);
      return Promise.resolve(done(Array.from({ length: pageRows }, (_, index) => row(afterSeq + 1 + index))));
    };
    const journal = createStateJournal<unknown>({ call, close: () => Promise.resolve() }, 1);
    assert.equal((await journal.read('M', 9_000, pageRows)).length, pageRows);
    assert.deepEqual(asked, [9_000]);
    const two = await journal.read('M', 1, pageRows + 1);
    assert.deepEqual([two.length, two.at(-1)?.seq, asked], [pageRows + 1, pageRows + 2, [9_000, 1, 1 + pageRows]]);
  });

  it('stay within what there is and within what one answer carries, whatever is asked', async () => {
    const { journal, mission } = await long(600);
    const asked = async (from: number, count: number): Promise<readonly number[]> => {
      const { events, from: first } = await readEventRange(journal, mission, from, count);
      return [first, events.length, events[0]?.seq ?? 0];
    };
    assert.deepEqual(await asked(0, 1e9), [1, eventsAtOnce, 1]);
    assert.deepEqual(await asked(-5, 10), [1, 10, 1]);
    assert.deepEqual(await asked(590, 50), [590, 11, 590]);
    assert.deepEqual(await asked(601, 50), [601, 0, 0]);
    assert.deepEqual(await asked(1e9, 50), [601, 0, 0]);
    assert.deepEqual(await asked(5, 0), [5, 0, 0]);
  });

  it('do not hold what was appended after the mission that they come with', async () => {
    const { journal, mission } = await long(300);
    const earlier = { ...mission, last_seq: 100 };
    const { events, total } = await readEventRange(journal, earlier, 90, 50);
    assert.deepEqual([events.at(-1)?.seq, total], [100, 100]);
  });
});
