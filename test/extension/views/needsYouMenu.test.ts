import assert from 'node:assert/strict';
import { needsYouMenu } from '../../../src/extension/views/attentionItems';
import { blockView, completed, failed, here, liveWorker, missionView } from '../sampleViews';

const offers = missionView().offers;
const folder = 'file:///w';

describe('the menu behind the status bar', () => {
  it('has what needs a person, then what is open with its controls, then the panel', () => {
    const running = missionView({
      ...{ mission_id: 'm1', plan_id: 'one', live: liveWorker() },
      offers: { ...offers, PauseMission: true, CancelMission: true, StopTask: ['T2'] },
    });
    const blocked = missionView({
      ...{ mission_id: 'm2', plan_id: 'two', status: 'blocked', blocks: [blockView()] },
      offers: { ...offers, CancelMission: true },
    });
    const menu = needsYouMenu(
      [running, completed(), blocked, failed({ mission_id: 'm3', plan_id: 'three' })].map((one) => here(one)),
    );
    assert.deepEqual(
      menu.map(({ title, items }) => [title, items.map(({ label, command, on }) => [String(label), command, on])]),
      [
        [
          'needs you',
          [
            ['T2: blocked', 'resolveBlocker', { folder, missionId: 'm2', taskId: 'T2' }],
            ['three: failed: changes outside its paths', 'showMissionControl', { folder, missionId: 'm3' }],
          ],
        ],
        [
          'one, running, 1 of 2 done',
          [
            ['Pause', 'pause', { folder, missionId: 'm1' }],
            ['Show Worker Terminal', 'showWorkerTerminal', { folder, missionId: 'm1' }],
            ['Stop Worker', 'stopWorker', { folder, missionId: 'm1' }],
            ['Cancel Mission', 'cancelMission', { folder, missionId: 'm1' }],
          ],
        ],
        ['two, blocked, 1 of 2 done', [['Cancel Mission', 'cancelMission', { folder, missionId: 'm2' }]]],
        ['Mission Control', [['Show Mission Control', 'showMissionControl', null]]],
      ],
    );
  });

  it('distinguishes the missions of a folder and its copy, and acts on the one that was chosen', () => {
    const blocked = missionView({
      ...{ mission_id: 'm', plan_id: 'p', status: 'blocked', blocks: [blockView()] },
      offers: { ...offers, CancelMission: true },
    });
    const menu = needsYouMenu(
      ['one', 'copy'].map((workspace) => here(blocked, { folder: `file:///${workspace}`, workspace })),
    );
    const items = menu.flatMap(({ title, items }) =>
      items.map(({ description, on }) => [title, description, on?.folder]),
    );
    assert.deepEqual(items.slice(0, -1), [
      ['needs you', 'Resolve Blocker · p · one', 'file:///one'],
      ['needs you', 'Resolve Blocker · p · copy', 'file:///copy'],
      ['p · one, blocked, 1 of 2 done', 'p · one', 'file:///one'],
      ['p · copy, blocked, 1 of 2 done', 'p · copy', 'file:///copy'],
    ]);
  });

  it('leads to the panel where there is nothing else', () => {
    const [needs, panel] = needsYouMenu([]);
    assert.deepEqual([needs?.items, panel?.items.length], [[], 1]);
  });
});
