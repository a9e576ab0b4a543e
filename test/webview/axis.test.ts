import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { PanelView } from '../../src/contracts/page/panelView';
import { panelOf } from '../support/panelOf';
import { invoices } from './invoices';
import { journalOf } from './journals';
import { unreadable } from './look';
import { openPane, type Pane } from './pane';
import { themes } from './themes';

const pictures = path.resolve('.artifacts/webview');

/** Names longer than the room they get, and a task that asks. */
const situation = invoices({ 'api#1': { claim: 'blocked_asking' } });
const described = 'with everything that customers of the shop may look up in it';
const journal = (plan: string): ReturnType<typeof journalOf> =>
  journalOf(
    {
      ...situation,
      tasks: situation.tasks.map((task) => ({ ...task, description: `${task.description} ${described}` })),
    },
    plan,
  );
const asking = journal('invoices');
const later = (minutes: number): string =>
  new Date(Date.parse(asking.at(-1)?.at ?? '') + minutes * 60_000 + 34_000).toISOString();

interface Axis {
  /** The width of what bars can stand in, px. */
  readonly width: number;
  readonly marks: number;
  /** Marks that stand on the one before, or beside the axis. */
  readonly covered: readonly string[];
}

/** Long names take from the time axis, and never so much that its bars and marks cannot be read. */
describe('the time axis beside long names', () => {
  let pane: Pane;
  before(async () => {
    await mkdir(pictures, { recursive: true });
    pane = await openPane();
  });
  beforeEach(() => pane.renew());
  after(() => pane.close());

  for (const minutes of [12, 47, 200, 1800])
    it(`has room for bars, and for its marks side by side, ${minutes} minutes after a question`, async () => {
      const panel = panelOf({ missions: [asking], now: later(minutes) });
      for (const width of [862, 900, 902, 1000, 1100, 1190, 1230, 1400]) {
        const { width: bars, marks, covered } = await axisAt(width, panel);
        // Words such as 3 h 20 min behind bars are longer.
        assert.ok(bars >= (minutes < 60 ? 200 : 150), `${bars} px for bars at ${width}`);
        assert.ok(marks >= 2, `${marks} marks at ${width}`);
        assert.deepEqual(covered, [], `at ${width}`);
      }
      for (const width of [640, 700]) assert.deepEqual((await axisAt(width, panel)).covered, [], `at ${width}`);
    });

  it('keeps its marks apart beside the list of missions', async () => {
    const panel = panelOf({ missions: [asking, journal('orders')], selected: 0, now: later(12) });
    for (const width of [862, 1000, 1092, 1200, 1400])
      assert.deepEqual((await axisAt(width, panel)).covered, [], `at ${width}`);
  });

  it('shows all columns again where there is room for them, and short names leave it sooner', async () => {
    const long = panelOf({ missions: [asking], now: later(12) });
    const short = panelOf({ missions: [journalOf(situation, 'invoices')] });
    const agent = pane.page.getByRole('columnheader', { name: 'agent' });
    for (const [panel, width, shown] of [
      [long, 1400, true],
      [long, 1000, false],
      [short, 1000, true],
      [long, 1000, false],
      [long, 1400, true],
    ] as const) {
      await axisAt(width, panel);
      assert.equal(await agent.isVisible(), shown, `at ${width}`);
    }
  });

  it('shows the columns that it showed before a task asked, because they follow width and names alone', async () => {
    const running = panelOf({
      missions: [journalOf(situation, 'invoices', ({ lanes }) => lanes[0]?.task_id === 'api')],
    });
    const asks = panelOf({ missions: [journalOf(situation, 'invoices')] });
    const agent = pane.page.getByRole('columnheader', { name: 'agent' });
    for (let width = 862; width <= 1100; width += 17) {
      await axisAt(width, running);
      const before = await agent.isVisible();
      await axisAt(width, asks);
      assert.equal(await agent.isVisible(), before, `at ${width}`);
    }
  });

  it('can be read whole at every width', async () => {
    const panel = panelOf({ missions: [asking], now: later(12) });
    await pane.wear(themes[0]);
    for (const width of [300, 862, 902, 1000, 1100, 1400]) {
      await pane.widen(width);
      await pane.show(panel);
      await pane.page.screenshot({ path: path.join(pictures, `axis-${width}.png`), fullPage: true });
      assert.deepEqual(await unreadable(pane), [], `at ${width}`);
    }
    assert.deepEqual(pane.troubles(), []);
  });

  async function axisAt(width: number, panel: PanelView): Promise<Axis> {
    await pane.widen(width);
    await pane.show(panel);
    return (await pane.page.evaluate(axis)) as Axis;
  }
});

const axis = `(() => {
  const ticks = document.querySelector('.ticks');
  const marks = [...ticks.children]
    .map((mark) => ({ text: mark.textContent, left: mark.getBoundingClientRect().left, right: mark.getBoundingClientRect().right }))
    .sort((one, other) => one.left - other.left);
  const edge = ticks.closest('th').getBoundingClientRect().right;
  const covered = marks.flatMap(({ text, left, right }, index) =>
    right > edge + 1 || (index > 0 && left < marks[index - 1].right + 2) ? [text] : []);
  return { width: Math.round(ticks.getBoundingClientRect().width), marks: marks.length, covered };
})()`;
