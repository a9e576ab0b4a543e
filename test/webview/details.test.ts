import assert from 'node:assert/strict';
import { panelOf } from '../support/panelOf';
import { violations } from './axe';
import { invoices } from './invoices';
import { journalOf } from './journals';
import { unreadable } from './look';
import { openPane, type Pane } from './pane';

/** What unfolds below a row leaves the columns above and below it where they are. */
describe('the details of a task', () => {
  let pane: Pane;
  before(async () => {
    pane = await openPane();
  });
  beforeEach(() => pane.renew());
  after(() => pane.close());

  const blocked = invoices({ 'api#1': { end: { exit_code: 1, stderr_tail: 'no space left' } } });
  for (const width of [300, 1200])
    it(`unfold at ${width} without moving a column, and can be read`, async () => {
      await pane.widen(width);
      await pane.show(panelOf({ missions: [journalOf(blocked, 'invoices')] }));
      const before = await columns();
      await pane.page.locator('tr[data-task=api] [data-stop]').press('Enter');
      await pane.page.locator('[data-details=api]').waitFor();
      assert.deepEqual(await columns(), before);
      assert.deepEqual(await unreadable(pane), []);
      assert.deepEqual(await violations(pane), []);
      assert.deepEqual(pane.troubles(), []);
    });

  it('of a block about changed files lead to these; those of another block do not', async () => {
    const wrote = invoices({ 'api#1': { changes: ['README.md'], changed_at: '2027-01-01T00:00:00.000Z' } });
    const links: number[] = [];
    for (const scenario of [wrote, blocked]) {
      await pane.show(panelOf({ missions: [journalOf(scenario, 'invoices')] }));
      links.push(await pane.page.getByRole('button', { name: 'Review Changes' }).count());
    }
    assert.deepEqual(links, [1, 0]);
    await pane.show(panelOf({ missions: [journalOf(wrote, 'invoices')] }));
    await pane.page.getByRole('button', { name: 'Review Changes' }).press('Enter');
    assert.deepEqual((await pane.asked()).at(-1), {
      type: 'open',
      entry: panelOf({ missions: [journalOf(wrote, 'invoices')] }).shown?.id,
      target: { kind: 'diff', task_id: 'api' },
    });
    assert.deepEqual(pane.troubles(), []);
  });

  it('are those of the mission in which they were unfolded, even when another one is chosen', async () => {
    const missions = [journalOf(blocked, 'invoices'), journalOf(blocked, 'orders')];
    const details = async (): Promise<number> => pane.page.locator('[data-details=api]').count();
    const [first, second] = missions.map((_, selected) => panelOf({ missions, selected }));
    assert.ok(first?.shown && second?.shown);
    await pane.show(first);
    await pane.page.locator('tr[data-task=api] [data-stop]').press('Enter');
    await pane.page.locator('[data-details=api]').waitFor();
    // In a tree beside the page.
    await pane.send({ type: 'snapshot', sequence: 100, panel: second });
    assert.equal(await details(), 0);
    await pane.send({ type: 'snapshot', sequence: 101, panel: first });
    assert.equal(await details(), 1);
    // By the host, because something else needs a person.
    await pane.send({ type: 'snapshot', sequence: 102, panel: second });
    assert.equal(await details(), 0);
    assert.deepEqual(pane.troubles(), []);
  });

  it('stay unfolded while something else is turned or unfolded in another mission, and through a reload', async () => {
    const missions = [journalOf(blocked, 'invoices'), journalOf(blocked, 'orders')];
    const [first, second] = missions.map((_, selected) => panelOf({ missions, selected }));
    assert.ok(first && second);
    const unfolded = async (): Promise<unknown> =>
      pane.page.evaluate('[...document.querySelectorAll("[data-details]")].map((one) => one.dataset.details)');
    await pane.show(first);
    await pane.page.locator('tr[data-task=api] [data-stop]').press('Enter');
    await pane.show(second);
    await pane.page.locator('[data-fold=facts] button').press('Enter');
    await pane.page.getByRole('button', { name: 'Graph' }).press('Enter');
    await pane.page.getByRole('button', { name: 'Timeline' }).press('Enter');
    await pane.show(first);
    assert.deepEqual(await unfolded(), ['api']);
    await pane.show(second);
    await pane.page.locator('tr[data-task=schema] [data-stop]').press('Enter');
    await pane.painted();
    assert.deepEqual(await unfolded(), ['schema']);
    await pane.show(first);
    assert.deepEqual(await unfolded(), ['api']);
    await pane.reload();
    await pane.show(second);
    assert.deepEqual(await unfolded(), ['schema']);
    await pane.page.locator('tr[data-task=schema] [data-stop]').press('Enter');
    await pane.show(first);
    assert.deepEqual(await unfolded(), ['api']);
    await pane.show(second);
    assert.deepEqual(await unfolded(), []);
    assert.deepEqual(pane.troubles(), []);
  });

  /** Left edge and width of each head. */
  async function columns(): Promise<unknown> {
    return pane.page.evaluate(`[...document.querySelectorAll('table.tasks th')]
      .map((head) => head.getBoundingClientRect())
      .map(({ left, width }) => [Math.round(left), Math.round(width)])`);
  }
});
