import assert from 'node:assert/strict';
import { menuSections, offeredWords } from '../../../src/contracts/page/menuKeys';
import { fold } from '../../../src/core/mission/evolve';
import { shownEvidence } from '../../../src/core/view/evidence/shownEvidence';
import { missionView as journalled } from '../../../src/core/view/mission/missionView';
import { panelItems, type PanelItem } from '../../../src/engine/views/panelView';
import { menuTargetOf, ownTexts, type MenuTarget } from '../../../src/extension/views/menuTarget';
import { recordedJournal } from '../../support/panelOf';
import { blockView, missionView } from '../sampleViews';

const folded = fold(recordedJournal('0.1.0/blocked'));
assert.ok(folded);
const mission = folded;
const draft = { plan_id: 'd', path: 'docs/plans/PLAN_d.json', status: 'DRAFT', goal: '', tasks: [], findings: [] };
const items = panelItems([
  {
    ...{ key: 'file:///w', workspace: 'w', owner: 'none', unreadable: [{ mission_id: 'torn', reason: 'It is torn.' }] },
    evidence: [shownEvidence({ plan_id: 'elsewhere', at: '', header: null, tasks: [], packets: [], handoff: null })],
    missions: [{ mission, entries: [] }],
    views: [journalled(mission, [], new Map(), false)],
    drafts: [{ ...draft, at: null }],
  },
]);
const idOf = (kind: PanelItem['of']['kind']): string => items.find(({ of }) => of.kind === kind)?.entry.id ?? '';
const task_id = mission.rows[0]?.task.task_id ?? '';

/** Looks an argument up as a command does; null: it is refused before, by its shape. */
function targetOf(argument: unknown): MenuTarget | null {
  const given = ownTexts(argument, ['webviewSection', 'entry', 'task_id']);
  return given && menuTargetOf(given, items);
}

describe('what a menu was called on', () => {
  it('is looked up in what is shown: a mission, one of its tasks, a draft', () => {
    const entry = idOf('mission');
    const onMission = targetOf({ webviewSection: menuSections.mission, entry });
    assert.deepEqual(onMission?.ok && [onMission.item.entry.id, onMission.task_id], [entry, null]);
    const onTask = targetOf({ webviewSection: menuSections.task, entry, task_id, preventDefault: true });
    assert.deepEqual(onTask?.ok && [onTask.item.entry.id, onTask.task_id], [entry, task_id]);
    const onDraft = targetOf({ webviewSection: menuSections.draft, entry: idOf('draft') });
    assert.equal(onDraft?.ok && onDraft.item.of.kind, 'draft');
    const onEvidence = targetOf({ webviewSection: menuSections.evidence, entry: idOf('evidence_only') });
    assert.equal(onEvidence?.ok && onEvidence.item.of.kind, 'evidence_only');
  });

  const section = menuSections.task;
  const title = items.find(({ of }) => of.kind === 'mission')?.entry.title ?? '';
  const wrong = {
    shape: null,
    mission: 'its menu names no mission that is shown',
    task: `its menu names no task of mission ${title}`,
    kind: `its menu is not one of ${title}`,
  };
  for (const [forged, why] of [
    [null, wrong.shape],
    ['a text', wrong.shape],
    [{}, wrong.mission],
    [{ entry: idOf('mission'), task_id }, wrong.kind],
    [{ webviewSection: 'another.section', entry: idOf('mission') }, wrong.kind],
    [{ webviewSection: section, entry: 'mission x' }, wrong.mission],
    [{ webviewSection: section, entry: '__proto__' }, wrong.mission],
    [{ webviewSection: section, entry: idOf('mission'), task_id: 'no-such-task' }, wrong.task],
    [{ webviewSection: section, entry: idOf('mission'), task_id: '__proto__' }, wrong.task],
    [{ webviewSection: section, entry: idOf('mission'), task_id: { toString: () => task_id } }, wrong.shape],
    [{ webviewSection: section, entry: idOf('mission'), task_id: null }, wrong.shape],
    [{ webviewSection: section, entry: ['mission'], task_id }, wrong.shape],
    [{ webviewSection: { toString: () => section }, entry: idOf('mission') }, wrong.shape],
    [{ webviewSection: section, entry: idOf('mission') }, wrong.task],
    [{ webviewSection: menuSections.mission, entry: idOf('mission'), task_id }, wrong.kind],
    [{ webviewSection: menuSections.draft, entry: idOf('mission') }, wrong.kind],
    [{ webviewSection: menuSections.evidence, entry: idOf('mission') }, wrong.kind],
    [{ webviewSection: menuSections.draft, entry: idOf('mission'), task_id }, wrong.kind],
    [{ webviewSection: section, mission_id: mission.mission_id, missionId: mission.mission_id }, wrong.mission],
  ] as const)
    it(`is refused by what is wrong where ${JSON.stringify(forged)} names nothing that is shown`, () => {
      const target = targetOf(forged);
      assert.equal(target && !target.ok ? target.why.toString() : target, why);
    });

  for (const forged of [
    { webviewSection: section, entry: idOf('draft'), task_id },
    { webviewSection: menuSections.mission, entry: idOf('draft') },
    { webviewSection: menuSections.mission, entry: idOf('evidence_only') },
    { webviewSection: menuSections.mission, entry: idOf('unreadable') },
    { webviewSection: menuSections.unreadable, entry: idOf('unreadable') },
  ])
    it(`is nothing where ${JSON.stringify(forged)} is of another kind`, () => {
      assert.equal(targetOf(forged)?.ok, false);
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
