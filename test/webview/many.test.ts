import assert from 'node:assert/strict';
import { fold } from '../../src/core/mission/evolve';
import { eventLine } from '../../src/core/view/events/eventLine';
import { panelOf } from '../support/panelOf';
import { unreadable } from './look';
import { manyTasks } from './manyTasks';
import { openPane, type Pane } from './pane';

/** The most nodes of the whole page; 500 rows drawn would be 10,000. */
const nodesAtMost = 2500;

describe('a page of 500 tasks and 10,000 events', () => {
  let pane: Pane;
  const entries = manyTasks(500, 412);
  const mission = fold(entries);
  assert.ok(mission);
  before(async () => {
    pane = await openPane();
  });
  after(() => pane.close());

  it('holds few nodes, wherever it is scrolled to', async () => {
    assert.ok(entries.length > 10_000, `${entries.length} events`);
    await pane.show(panelOf({ missions: [entries] }));
    const height = await numberOf('document.documentElement.scrollHeight');
    assert.ok(height > 500 * 30, `${height} px for 500 rows`);
    const seen = new Set<string>();
    for (let place = 0; place < height; place += Math.round(height / 12)) {
      await scrollTo(place);
      const nodes = await numberOf('document.querySelectorAll("*").length');
      assert.ok(nodes < nodesAtMost, `${nodes} nodes at ${place} px`);
      for (const name of await tasksOnScreen()) seen.add(name);
    }
    assert.ok(seen.size > 150, `${seen.size} tasks came by`);
    assert.deepEqual(await unreadable(pane), []);
    assert.deepEqual(pane.troubles(), []);
  });

  it('stays where it is, with its focus and what is unfolded, when a snapshot comes', async () => {
    await pane.show(panelOf({ missions: [entries] }));
    await scrollTo(3000);
    const name = (await tasksOnScreen())[5] ?? '';
    await pane.page.locator(`tr[data-task="${name}"] button`).press('Enter');
    const details = pane.page.locator(`[data-details="${name}"]`);
    await details.waitFor();
    const before = await whereItIs();
    assert.ok(before.top > 2000);
    assert.equal(before.focus, name);
    for (const more of [1, 200]) {
      await pane.show(panelOf({ missions: [entries.slice(0, -more)] }));
      assert.deepEqual(await whereItIs(), before);
      assert.equal(await details.count(), 1);
    }
    await pane.reload();
    await pane.show(panelOf({ missions: [entries] }));
    assert.equal(await details.count(), 1, 'the page that VS Code restores shows the same task');
    assert.deepEqual(pane.troubles(), []);
  });

  it('moves the bars of its rows as time goes on, and makes none anew', async () => {
    const at = (seconds: number): string => new Date(Date.parse(mission.last_at) + seconds * 1000).toISOString();
    const marks = 'document.querySelectorAll(".tableOfTasks .ticks > *, tbody .bars *")';
    await pane.show(panelOf({ missions: [entries], now: at(5) }));
    const count = await numberOf(`[...${marks}].map((one) => (one.wasThere = true)).length`);
    assert.ok(count > 200, `${count} marks and bars`);
    const first = (): Promise<unknown> =>
      pane.page.evaluate(`document.querySelector('tbody .tick:nth-child(2)').getAttribute('x1')`);
    const before = await first();
    await pane.show(panelOf({ missions: [entries], now: at(60) }));
    assert.notEqual(await first(), before);
    assert.equal(await numberOf(`[...${marks}].filter((one) => !one.wasThere).length`), 0);
  });

  it('asks for all events page by page, and holds one page of them', async () => {
    await pane.renew();
    const panel = panelOf({ missions: [entries] });
    const entry = panel.shown?.id ?? '';
    await pane.show(panel);
    await pane.page.getByRole('button', { name: /^All 10,\d+ events$/ }).press('Enter');
    await pane.painted();
    for (const page of [1, 2, 3]) {
      const asked = (await pane.asked()).at(-1) as { type: string; from: number; count: number };
      assert.equal(asked.type, 'range');
      const events = entries.slice(asked.from - 1, asked.from - 1 + asked.count).map((one) => eventLine(one, mission));
      await pane.send({ type: 'events', entry, from: asked.from, events, total: entries.length });
      const listed = await numberOf('document.querySelectorAll("[data-section=events] li").length');
      assert.equal(listed, asked.count, `page ${page}`);
      assert.equal(asked.from, entries.length - 200 * page + 1);
      assert.ok((await numberOf('document.querySelectorAll("*").length')) < nodesAtMost + 200 * 5);
      await pane.page.getByRole('button', { name: 'Older' }).press('Enter');
      await pane.painted();
    }
    assert.deepEqual(pane.troubles(), []);
  });

  it('shows the events that it asked for last, in whatever order the answers come', async () => {
    await pane.renew();
    const panel = panelOf({ missions: [entries] });
    const entry = panel.shown?.id ?? '';
    await pane.show(panel);
    await pane.page.getByRole('button', { name: /^All 10,\d+ events$/ }).press('Enter');
    await pane.painted();
    await pane.page.getByRole('button', { name: 'Older' }).press('Enter');
    await pane.painted();
    const ranges = (await pane.asked()).filter((one) => (one as { type: string }).type === 'range');
    for (const { from, count } of ranges.toReversed() as { from: number; count: number }[]) {
      const events = entries.slice(from - 1, from - 1 + count).map((one) => eventLine(one, mission));
      await pane.send({ type: 'events', entry, from, events, total: entries.length });
    }
    const newest = await numberOf('Number(document.querySelector("[data-section=events] li").dataset.seq)');
    assert.equal(newest, entries.length - 200);
  });

  it('shows of the events that it read those with a text', async () => {
    await pane.renew();
    const panel = panelOf({ missions: [entries] });
    const entry = panel.shown?.id ?? '';
    await pane.show(panel);
    await pane.page.getByRole('button', { name: /^All 10,\d+ events$/ }).press('Enter');
    await pane.painted();
    const { from = 0 } = (await rangeAsked()) ?? {};
    const events = entries.slice(from - 1, from + 199).map((one) => eventLine(one, mission));
    await pane.send({ type: 'events', entry, from, events, total: entries.length });
    const filter = pane.page.getByRole('searchbox', { name: 'Filter these events' });
    await filter.fill('VERIFICATION ');
    await pane.painted();
    const wanted = events.filter(({ text }) => text.toLowerCase().includes('verification '));
    assert.ok(wanted.length > 0 && wanted.length < events.length, `${wanted.length} of ${events.length}`);
    assert.equal(await numberOf('document.querySelectorAll("[data-section=events] li").length'), wanted.length);
    await filter.fill('no such text');
    await pane.page.locator('[role=status]', { hasText: 'None of them has it.' }).waitFor();
    assert.deepEqual(await unreadable(pane), []);
    assert.deepEqual(pane.troubles(), []);
  });

  it('says that events could not be read, and asks for them again', async () => {
    await pane.renew();
    const panel = panelOf({ missions: [entries] });
    const entry = panel.shown?.id ?? '';
    await pane.show(panel);
    await pane.page.getByRole('button', { name: /^All 10,\d+ events$/ }).press('Enter');
    await pane.painted();
    const asked = await rangeAsked();
    await pane.send({ type: 'unread', entry, from: asked?.from ?? 0 });
    await pane.page.locator('[role=status]', { hasText: 'These events could not be read.' }).waitFor();
    await pane.page.getByRole('button', { name: 'Read them again' }).press('Enter');
    await pane.painted();
    const ranges = (await pane.asked()).filter((one) => (one as { type: string }).type === 'range');
    assert.equal(ranges.length, 2);
    assert.deepEqual(await rangeAsked(), asked);
    const [event] = entries.slice(-1).map((one) => eventLine(one, mission));
    assert.ok(event && asked);
    await pane.send({ type: 'events', entry, from: asked.from, events: [event], total: entries.length });
    assert.equal(await numberOf('document.querySelectorAll("[data-section=events] li").length'), 1);
    assert.deepEqual(pane.troubles(), []);
  });

  it('keeps the events that a person reads where they are, while others happen', async () => {
    await pane.renew();
    await pane.show(panelOf({ missions: [entries.slice(0, -50)] }));
    await pane.page.getByRole('button', { name: /^All 10,\d+ events$/ }).press('Enter');
    await pane.painted();
    await pane.page.getByRole('button', { name: 'Older' }).press('Enter');
    await pane.painted();
    const before = await rangeAsked();
    await pane.show(panelOf({ missions: [entries] }));
    assert.deepEqual(await rangeAsked(), before);
    // The newest ones follow what happens.
    for (let press = 0; press < 2; press += 1) {
      await pane.page.getByRole('button', { name: 'Newer' }).press('Enter');
      await pane.painted();
    }
    assert.deepEqual(await rangeAsked(), { from: entries.length - 199, count: 200 });
  });

  async function rangeAsked(): Promise<{ from: number; count: number } | undefined> {
    const asked = (await pane.asked()) as readonly { type: string; from: number; count: number }[];
    const last = asked.findLast(({ type }) => type === 'range');
    return last && { from: last.from, count: last.count };
  }

  async function numberOf(script: string): Promise<number> {
    return Number(await pane.page.evaluate(script));
  }

  async function scrollTo(place: number): Promise<void> {
    await pane.page.evaluate(`window.scrollTo(0, ${place})`);
    await pane.painted();
  }

  async function tasksOnScreen(): Promise<readonly string[]> {
    const script = `[...document.querySelectorAll('tr[data-task]')]
      .filter((row) => row.getBoundingClientRect().top > 0 && row.getBoundingClientRect().bottom < innerHeight)
      .map((row) => row.dataset.task)`;
    return (await pane.page.evaluate(script)) as readonly string[];
  }

  async function whereItIs(): Promise<{ readonly top: number; readonly focus: string }> {
    const script = `({ top: scrollY, focus: document.activeElement.closest('[data-task]')?.dataset.task ?? '' })`;
    return (await pane.page.evaluate(script)) as { top: number; focus: string };
  }
});
