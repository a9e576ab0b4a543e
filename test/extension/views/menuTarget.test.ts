import assert from 'node:assert/strict';
import { menuSections, offeredWords } from '../../../src/contracts/menuKeys';
import { fold } from '../../../src/core/mission/evolve';
import { shownEvidence } from '../../../src/core/view/shownEvidence';
import { panelItems, type PanelItem } from '../../../src/engine/views/panelView';
import { menuTargetOf } from '../../../src/extension/views/menuTarget';
import { recordedJournal } from '../../support/panelOf';
import { blockView, missionView } from '../sampleViews';

const folded = fold(recordedJournal('0.1.0/blocked'));
assert.ok(folded);
const mission = folded;
const draft = { plan_id: 'd', path: 'docs/plans/PLAN_d.json', status: 'DRAFT', goal: '', tasks: [], findings: [] };
const items = panelItems([
  {
    ...{ key: 'file:///w', workspace: 'w', owner: 'none', unreadable: [{ mission_id: 'torn', reason: 'It is torn.' }] },
    evidence: [{ ...shownEvidence('elsewhere', null), at: null }],
    missions: [{ mission, entries: [] }],
    drafts: [{ ...draft, at: null }],
  },
]);
const idOf = (kind: PanelItem['of']['kind']): string => items.find(({ of }) => of.kind === kind)?.entry.id ?? '';
const task_id = mission.rows[0]?.task.task_id ?? '';

describe('what a menu was called on', () => {
  it('is looked up in what is shown: a mission, one of its tasks, a draft', () => {
    const entry = idOf('mission');
    const onMission = menuTargetOf({ webviewSection: menuSections.mission, entry }, items);
    assert.deepEqual([onMission?.item.entry.id, onMission?.task_id], [entry, null]);
    const onTask = menuTargetOf({ webviewSection: menuSections.task, entry, task_id, preventDefault: true }, items);
    assert.deepEqual([onTask?.item.entry.id, onTask?.task_id], [entry, task_id]);
    const onDraft = menuTargetOf({ webviewSection: menuSections.draft, entry: idOf('draft') }, items);
    assert.equal(onDraft?.item.of.kind, 'draft');
    const onEvidence = menuTargetOf({ webviewSection: menuSections.evidence, entry: idOf('evidence_only') }, items);
    assert.equal(onEvidence?.item.of.kind, 'evidence_only');
  });

  const section = menuSections.task;
  for (const forged of [
    null,
    'a text',
    {},
    { entry: idOf('mission'), task_id },
    { webviewSection: 'another.section', entry: idOf('mission') },
    { webviewSection: section, entry: 'mission x' },
    { webviewSection: section, entry: idOf('mission'), task_id: 'no-such-task' },
    { webviewSection: section, entry: idOf('mission'), task_id: { toString: () => task_id } },
    { webviewSection: section, entry: idOf('mission'), task_id: null },
    { webviewSection: section, entry: idOf('draft'), task_id },
    { webviewSection: section, entry: ['mission'], task_id },
    { webviewSection: { toString: () => section }, entry: idOf('mission') },
    { webviewSection: section, entry: idOf('mission') },
    { webviewSection: menuSections.mission, entry: idOf('mission'), task_id },
    { webviewSection: menuSections.mission, entry: idOf('draft') },
    { webviewSection: menuSections.draft, entry: idOf('mission') },
    { webviewSection: menuSections.mission, entry: idOf('evidence_only') },
    { webviewSection: menuSections.mission, entry: idOf('unreadable') },
    { webviewSection: menuSections.evidence, entry: idOf('mission') },
    { webviewSection: menuSections.unreadable, entry: idOf('unreadable') },
    { webviewSection: menuSections.draft, entry: idOf('mission'), task_id },
    { webviewSection: section, mission_id: mission.mission_id, missionId: mission.mission_id },
  ])
    it(`is nothing where ${JSON.stringify(forged)} names nothing that is shown`, () => {
      assert.equal(menuTargetOf(forged, items), null);
    });
});

describe('the words that menus go by', () => {
  const { offers } = missionView();
  const view = missionView({
    blocks: [blockView({ task_id: 'T1' })],
    offers: { ...offers, PauseMission: true, RetryTask: ['T1'] },
    lanes: [],
  });

  it('are the commands that a mission takes, those of any of its tasks, and how it stands', () => {
    assert.equal(offeredWords(view, null), ';PauseMission;RetryTask;blocked;resolve;begun;');
  });

  it('of a task are those that it takes itself', () => {
    assert.equal(offeredWords(view, 'T1'), ';RetryTask;blocked;resolve;begun;');
    assert.equal(offeredWords(view, 'T2'), ';begun;');
  });

  it('say that a task began, and that Resolve Blocker helps, only where that is so', () => {
    const tasks = view.tasks.map((task) => ({ ...task, attempts: 0 }));
    assert.equal(offeredWords({ ...view, tasks }, 'T2'), ';;');
    const acceptable = [{ name: 'README.md', why: 'is tracked by git' }];
    const question = { text: 'Which?', choices: [], asked_by: { kind: 'human', name: 'Ada' } as const, asked: 1 };
    for (const about of [{ acceptable }, { question }]) {
      const blocks = [blockView({ task_id: 'T1', ...about })];
      assert.equal(offeredWords({ ...view, blocks }, 'T1'), ';RetryTask;blocked;begun;');
    }
  });
});
