import assert from 'node:assert/strict';
import type { PanelView } from '../../src/contracts/page/panelView';
import { missionStatus } from '../../src/core/mission/status';
import { panelOf, type Entries } from '../support/panelOf';
import { invoices } from './invoices';
import { journalOf } from './journals';
import { openPane, type Pane } from './pane';
import { asking } from './situations';

/** A person who does not see the page hears what changes, one short sentence at a time. */
describe('the news of the page', () => {
  let pane: Pane;
  before(async () => {
    pane = await openPane();
  });
  beforeEach(() => pane.renew());
  after(() => pane.close());

  const done = (count: number): Entries =>
    journalOf(invoices(), 'invoices', ({ rows }) => rows.filter(({ status }) => status === 'done').length === count);
  const doubtful = invoices({
    'ui#1': { confined: false, claim: 'done_claiming_less', changes: ['src/ui/InvoicePage.tsx', 'notes/todo.md'] },
  });
  const shown = (entries: Entries, other: readonly Entries[] = []): PanelView =>
    panelOf({ missions: [entries, ...other], selected: 0 });
  const said = (): Promise<string> => pane.page.locator('[role=status][data-section=news]').innerText();
  /** Each sentence, with the milliseconds since this was called. */
  const listen = async (): Promise<() => Promise<readonly (readonly [text: string, after: number])[]>> => {
    await pane.page.evaluate(`(() => {
      const region = document.querySelector('[data-section=news]');
      const began = performance.now();
      window.heard = [];
      const hear = () => window.heard.push([region.textContent, performance.now() - began]);
      new MutationObserver(hear).observe(region, { childList: true, characterData: true, subtree: true });
    })()`);
    return async () => (await pane.page.evaluate('window.heard')) as readonly (readonly [string, number])[];
  };

  it('are in a region that is there from the first snapshot on, empty, and the only one of the page', async () => {
    await pane.show(shown(journalOf(asking, 'invoices')));
    assert.equal(await said(), '');
    assert.equal(await pane.page.locator('[role=status], [role=alert], [aria-live]').count(), 1);
  });

  for (const [what, before, after, sentence] of [
    ['a task that ends', done(1), done(2), 'Task api: done, 2 of 6 done.'],
    [
      'a mission that completes, not its last task',
      done(5),
      journalOf(invoices(), 'invoices'),
      'Mission invoices: completed.',
    ],
    ['a task that asks', done(1), journalOf(asking, 'invoices'), 'Task api asks you.'],
    [
      'a task that is blocked, with its cause',
      done(1),
      journalOf(doubtful, 'invoices'),
      'Task ui is blocked: unexplained changes.',
    ],
  ] as const)
    it(`say ${what}`, async () => {
      await pane.show(shown(before));
      await pane.show(shown(after));
      assert.equal(await said(), sentence);
      assert.deepEqual(pane.troubles(), []);
    });

  it('say what another mission has come to, and nothing of one that a person only turns to', async () => {
    const orders = journalOf(invoices(), 'orders', (mission) => missionStatus(mission) === 'running');
    await pane.show(shown(done(1), [orders]));
    await pane.show(shown(done(1), [journalOf(asking, 'orders')]));
    assert.equal(await said(), 'Mission orders: asks you.');
    await pane.renew();
    await pane.show(shown(done(1), [journalOf(asking, 'orders')]));
    await pane.show(shown(journalOf(asking, 'orders'), [done(1)]));
    assert.equal(await said(), '');
  });

  it('are no flood: of many changes the newest alone is said after a pause', async () => {
    await pane.show(shown(done(1)));
    const heard = await listen();
    for (const count of [2, 3, 4]) await pane.show(shown(done(count)));
    await pane.page.locator('[data-section=news]', { hasText: '4 of 6' }).waitFor();
    const [first, second, ...more] = await heard();
    assert.deepEqual(
      [first?.[0], second?.[0], more],
      ['Task api: done, 2 of 6 done.', 'Task docs: done, 4 of 6 done.', []],
    );
    assert.ok((second?.[1] ?? 0) - (first?.[1] ?? 0) > 2500);
  });

  it('keep what needs a person where a task ends before it was said', async () => {
    await pane.show(shown(done(0)));
    await pane.show(shown(done(1)));
    const panel = shown(journalOf(asking, 'invoices'));
    await pane.show(panel);
    assert.ok(panel.shown?.kind === 'mission');
    const { view } = panel.shown.mission;
    const tasks = view.tasks.map((task) => (task.task_id === 'docs' ? { ...task, status: 'done' as const } : task));
    await pane.show({
      ...panel,
      shown: { ...panel.shown, mission: { ...panel.shown.mission, view: { ...view, tasks } } },
    });
    await pane.page.locator('[data-section=news]', { hasText: 'Task api asks you.' }).waitFor();
  });
});
