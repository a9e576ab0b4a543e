import assert from 'node:assert/strict';
import { panelOf } from '../support/panelOf';
import { invoices } from './invoices';
import { journalOf } from './journals';
import { manyTasks } from './manyTasks';
import { openPane, type Pane } from './pane';

/** The tasks are one stop of the Tab key, in the table and in the graph. */
describe('the keyboard among the tasks', () => {
  let pane: Pane;
  before(async () => {
    pane = await openPane();
  });
  beforeEach(() => pane.renew());
  after(() => pane.close());

  for (const [view, moves] of [
    ['Timeline', ['ArrowDown', 'ArrowUp']],
    ['Graph', ['ArrowRight', 'ArrowLeft']],
  ] as const)
    it(`walks through the ${view} by arrows, opens by Enter and closes by Escape`, async () => {
      await pane.show(panelOf({ missions: [journalOf(invoices(), 'invoices')] }));
      await pane.page.getByRole('button', { name: view }).press('Enter');
      assert.equal(await stops(), 1);
      await press('Tab');
      if (view === 'Timeline') await press('Tab');
      assert.equal(await here(), 'schema');
      await press(moves[0]);
      assert.equal(await here(), 'api');
      assert.equal(await stops(), 1);
      await press('End');
      assert.equal(await here(), 'release');
      await press(moves[0]);
      assert.equal(await here(), 'release');
      await press('Home');
      await press(moves[1]);
      assert.equal(await here(), 'schema');
      await press('Enter');
      const details = pane.page.locator('[data-details="schema"]');
      await details.waitFor();
      await details.getByRole('button', { name: 'Open in the plan' }).focus();
      await press('Escape');
      assert.equal(await details.count(), 0);
      assert.equal(await here(), 'schema', 'the keyboard is where it was before');
      assert.deepEqual(pane.troubles(), []);
    });

  it('reaches the last of 500 tasks and the first again, though few are drawn', async () => {
    await pane.show(panelOf({ missions: [manyTasks(500, 412)] }));
    const first = await taskAt(0);
    await pane.page.locator('[data-stop="0"]').focus();
    await press('End');
    assert.equal(await place(), 499);
    assert.ok(await isSeen());
    await press('PageUp');
    assert.equal(await place(), 489);
    await press('ArrowUp');
    assert.equal(await place(), 488);
    await press('Home');
    assert.equal(await here(), first);
    assert.ok(await isSeen());
    assert.equal(await stops(), 1);
  });

  async function press(key: string): Promise<void> {
    await pane.page.keyboard.press(key);
    await pane.painted();
  }

  async function here(): Promise<unknown> {
    return pane.page.evaluate(`document.activeElement.dataset.node
      ?? document.activeElement.closest('[data-task]')?.dataset.task`);
  }

  async function place(): Promise<unknown> {
    return pane.page.evaluate('Number(document.activeElement.dataset.stop)');
  }

  async function taskAt(at: number): Promise<unknown> {
    return pane.page.evaluate(`document.querySelector('[data-stop="${at}"]').closest('[data-task]').dataset.task`);
  }

  async function isSeen(): Promise<unknown> {
    return pane.page.evaluate(
      '(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.activeElement.getBoundingClientRect())',
    );
  }

  /** The stops of the Tab key among the tasks. */
  async function stops(): Promise<unknown> {
    return pane.page.evaluate('document.querySelectorAll("[data-stop]:not([tabindex=\\\'-1\\\'])").length');
  }
});
