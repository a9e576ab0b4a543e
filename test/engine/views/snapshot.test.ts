import assert from 'node:assert/strict';
import { utcText } from '../../../src/base/text/amounts';
import type { MissionControlView, MissionView } from '../../../src/contracts/page/missionView';
import type { MissionEvent } from '../../../src/core/model/events';
import type { LastStop } from '../../../src/core/view/mission/interrupted';
import { MissionReader } from '../../../src/engine/views/reader';
import { missionControlSnapshot } from '../../../src/engine/views/snapshot';
import { createMemoryJournal } from '../../support/memoryJournal';
import { recordedJournal } from '../../support/panelOf';

const here = '/here';

type Owner = MissionControlView['owner'];

/** What a viewer in the workspace at `place` shows. */
async function seen(
  reader: MissionReader,
  owner: Owner,
  now: string,
  lastStop: LastStop | null,
  place = here,
): Promise<MissionControlView> {
  const node = {
    approvals: {
      look: () => Promise.resolve({ here: { workspace_dir: place, machine_id: 'm' }, seals: [] }),
    },
    isOwned: () => Promise.resolve(owner === 'another'),
    lastStop: () => Promise.resolve(lastStop),
    claimed: () => Promise.resolve(null),
    live: () => Promise.resolve(null),
  };
  const header = { workspace: 'w', sequence: 1, now };
  return (await missionControlSnapshot({ node, reader }, header, owner === 'this')).view;
}

/** The same mission, approved in the workspace at `workspace_dir`. */
function approvedIn(workspace_dir: string, entries: ReturnType<typeof recordedJournal>): typeof entries {
  return entries.map((entry) => {
    const { event, at } = entry;
    const approved_here = { by: 'Ann', at, nonce: 'n', workspace_dir };
    return event.type === 'MissionReceived' ? { ...entry, event: { ...event, approved_here } } : entry;
  });
}

describe('a snapshot of all missions', () => {
  it('makes a view once for each state of a mission without a worker, and each time with one', async () => {
    const journal = createMemoryJournal<MissionEvent>();
    const entries = approvedIn(here, recordedJournal('0.1.0/done'));
    const [first] = entries;
    assert.ok(first);
    const { stream } = first;
    const raised = await journal.raiseFence(first.actor);
    assert.ok(raised.ok);
    const { fence } = raised.value;
    const reader = new MissionReader(journal);
    let place = here;
    const view = async (owner: 'this' | 'none' = 'this'): Promise<MissionView> => {
      const [mission] = (await seen(reader, owner, '2026-01-01T00:00:00.000Z', null, place)).missions;
      assert.ok(mission);
      return mission;
    };
    const running = entries.findIndex(({ event }) => event.type === 'WorkerStarted') + 1;
    assert.ok((await journal.append(stream, 0, fence, entries.slice(0, running))).ok);
    assert.notEqual(await view(), await view());
    assert.ok((await journal.append(stream, running, fence, entries.slice(running, -1))).ok);
    const ended = await view();
    assert.equal(await view(), ended);
    const left = await view('none');
    assert.deepEqual([ended.interrupted, left.interrupted], [false, true]);
    assert.ok((await journal.append(stream, entries.length - 1, fence, entries.slice(-1))).ok);
    const reported = await view();
    assert.deepEqual([reported.last_seq, reported.events.at(-1)?.type], [entries.length, 'MissionReported']);
    assert.equal(reported.approval.elsewhere, undefined);
    place = '/elsewhere';
    assert.equal((await view()).approval.elsewhere, true);
  });

  it('says of a mission that its process has not answered a stop of everything, until more of it is recorded', async () => {
    const journal = createMemoryJournal<MissionEvent>();
    const entries = recordedJournal('0.1.0/done');
    const running = entries.slice(0, entries.findIndex(({ event }) => event.type === 'WorkerStarted') + 1);
    const [first, last] = [running[0], running.at(-1)];
    assert.ok(first && last);
    const raised = await journal.raiseFence(first.actor);
    assert.ok(raised.ok);
    const { fence } = raised.value;
    assert.ok((await journal.append(first.stream, 0, fence, running)).ok);
    const said = async (owner: Owner, at: string): Promise<string | undefined> => {
      const view = await seen(new MissionReader(journal), owner, at, { by: 'Grace', at });
      return view.missions[0]?.missed_stop;
    };
    const later = new Date(Date.parse(last.at) + 1000).toISOString();
    assert.equal(
      await said('another', later),
      `Grace stopped everything at ${utcText(later)}, and the process that runs this mission has not answered: it pauses when it goes on.`,
    );
    assert.deepEqual(
      [await said('another', last.at), await said('this', later), await said('none', later)],
      [undefined, undefined, undefined],
    );
    const rest = entries.slice(running.length);
    assert.ok((await journal.append(first.stream, running.length, fence, rest)).ok);
    assert.equal(await said('another', new Date(Date.parse(rest.at(-1)?.at ?? '') + 1000).toISOString()), undefined);
  });
});
