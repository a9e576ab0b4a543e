import assert from 'node:assert/strict';
import { panelOf, recordedJournal, scenarioJournal, type Entries } from '../../../support/panelOf';

/** The same mission is one line of a list and a page in full: both say the same of what it needs. */
describe('what a mission needs a person for', () => {
  const shownOf = (entries: Entries) => {
    const { entries: lines, shown } = panelOf({ missions: [entries] });
    assert.ok(shown?.kind === 'mission');
    const [line] = lines;
    const { view, envelope } = shown.mission;
    const now = envelope.find(({ standing }) => standing === 'now' || standing === 'broken')?.standing;
    return { needs: view.needs, group: line?.group, word: line?.word, tasks: view.tasks, now };
  };

  for (const [what, entries] of [
    [
      'a question of a worker',
      scenarioJournal('questions', "until it is answered nothing starts, and the block stands as the contract's code"),
    ],
    [
      'a memory to confirm',
      scenarioJournal(
        'memory',
        'what a verified task proposes waits for a person after its seal; the task keeps its lock',
      ),
    ],
    ['an incomplete result', scenarioJournal('intervention', 'a criterion that is not reported waits for a person')],
  ] as const)
    it(`is an answer to ${what}, which is no failure and has no code`, () => {
      const { needs, group, word, tasks, now } = shownOf(entries);
      assert.deepEqual([needs, group, word, now], ['answer', 'needs_you', 'asks you', 'now']);
      assert.ok(tasks.some((task) => task.asks === true || task.awaited === true));
    });

  it('is a decision where a task is blocked, and a look where a failure was not seen', () => {
    const blocked = shownOf(recordedJournal('0.1.0/blocked'));
    assert.deepEqual([blocked.needs, blocked.group, blocked.word], ['decision', 'needs_you', 'blocked']);
    const failed = shownOf(recordedJournal('0.1.0/scope'));
    assert.deepEqual([failed.needs, failed.group, failed.word], ['look', 'needs_you', 'failed']);
    const done = shownOf(recordedJournal('0.1.0/done'));
    assert.deepEqual([done.needs, done.group], [null, 'finished']);
  });
});
