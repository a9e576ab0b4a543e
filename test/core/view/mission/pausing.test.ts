import assert from 'node:assert/strict';
import { fold } from '../../../../src/core/mission/evolve';
import type { MissionEvent } from '../../../../src/core/model/events';
import type { Mission } from '../../../../src/core/model/state';
import { envelopeSteps } from '../../../../src/core/view/events/envelope';
import { missionView } from '../../../../src/core/view/mission/missionView';
import { missionEntry } from '../../../../src/core/view/panelEntry';
import { missionWord } from '../../../../src/base/text/words';
import { scenarioJournal, type Entries } from '../../../support/panelOf';

/** What the page's pill, the trees and the envelope say of a mission: one word each. */
function said(mission: Mission, owned = true): readonly string[] {
  const view = missionView(mission, [], new Map(), owned);
  const note = envelopeSteps(mission, view.interrupted).find(({ standing }) => standing === 'now')?.note ?? '';
  return [missionWord(view), missionEntry(view).word, note];
}

function upTo(entries: Entries, type: MissionEvent['type'], nth = 1): Mission {
  const all = entries.flatMap(({ event }, index) => (event.type === type ? [index] : []));
  const mission = fold(entries.slice(0, (all[nth - 1] ?? Number.NaN) + 1));
  assert.ok(mission, `no ${type} ${nth}`);
  return mission;
}

describe('a blocked mission whose owner died before its packet was on disk', () => {
  const blocked = scenarioJournal(
    'outcomes',
    'a worker that exits with an error blocks the mission with a packet, and nothing is retried',
  );

  it('is interrupted, so that a process writes the packet and a person hears of it', () => {
    const view = missionView(upTo(blocked, 'PacketIssued'), [], new Map(), false);
    assert.deepEqual([view.status, view.blocks[0]?.packet_path, view.interrupted], ['blocked', null, true]);
  });

  it('is blocked and no more than that once the packet is written', () => {
    const view = missionView(fold(blocked) ?? assert.fail(), [], new Map(), false);
    assert.deepEqual([view.status, view.interrupted], ['blocked', false]);
  });
});

describe('a mission for which a pause was asked', () => {
  const three = (word: string): readonly string[] => [word, word, word];
  const lanes = scenarioJournal('lanes', 'a pause lets the running lanes finish and starts nothing');

  it('is pausing for as long as a lane runs, and paused after the last, in pill, trees and envelope alike', () => {
    assert.deepEqual(said(upTo(lanes, 'PauseRequested')), three('pausing'));
    assert.deepEqual(said(upTo(lanes, 'AttemptEnded', 1)), three('pausing'));
    assert.deepEqual(said(upTo(lanes, 'MissionPaused')), three('paused'));
  });

  it('is interrupted where no process runs it', () => {
    assert.deepEqual(said(upTo(lanes, 'PauseRequested'), false), three('interrupted'));
  });

  it('is paused where all that is under way waits for the approved plan, which nothing runs for', () => {
    const away = scenarioJournal(
      'outcomes',
      'the plan changed before a task: the mission is paused with the reason, and nothing is launched',
    );
    const mission = upTo(away, 'MissionPaused');
    assert.equal(mission.lanes.length, 1);
    assert.deepEqual(said(mission), three('paused'));
  });

  it('is canceled and not pausing once a person cancels it', () => {
    const mission = upTo(lanes, 'PauseRequested');
    const cancel = mission.hold.kind === 'pause_requested' ? mission.hold.decision : null;
    assert.ok(cancel);
    assert.equal(missionView({ ...mission, cancel }, [], new Map(), true).pausing, undefined);
  });
});
