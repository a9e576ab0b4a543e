import assert from 'node:assert/strict';
import type { HostMessage } from '../../src/contracts/page/panelMessages';
import type { PanelView } from '../../src/contracts/page/panelView';
import { panelOf } from '../support/panelOf';
import { invoices } from './invoices';
import { journalOf } from './journals';
import { openPane, type Pane } from './pane';

/** The host of another version, or a host with a defect, never leaves an empty page behind. */
describe('a page that is sent what it does not know', () => {
  const panel = panelOf({ missions: [journalOf(invoices(), 'invoices')] });
  let pane: Pane;
  before(async () => {
    pane = await openPane();
  });
  beforeEach(() => pane.renew());
  after(() => pane.close());

  it('stays as it is', async () => {
    await pane.send({ type: 'snapshot', sequence: 7, panel });
    const before = await text();
    assert.match(before, /Completed/);
    for (const message of [
      null,
      'reload',
      7,
      [],
      {},
      { type: 'unknown' },
      { type: 'snapshot' },
      { type: 'snapshot', sequence: 8 },
      { type: 'snapshot', sequence: 8, panel: null },
      { type: 'snapshot', sequence: 8, panel: {} },
      { type: 'snapshot', sequence: '8', panel },
      { type: 'events' },
      { type: 'events', from: 1, events: 'none' },
    ])
      await pane.send(message as unknown as HostMessage);
    assert.equal(await text(), before);
    assert.deepEqual(pane.troubles(), []);
  });

  it('drops a snapshot that is older than the one it shows', async () => {
    await pane.send({ type: 'snapshot', sequence: 7, panel });
    for (const sequence of [6, 7]) await pane.send({ type: 'snapshot', sequence, panel: panelOf({}) });
    assert.match(await text(), /Completed/);
    await pane.send({ type: 'snapshot', sequence: 8, panel: panelOf({}) });
    assert.match(await text(), /No missions yet/);
  });

  const shown = panel.shown?.kind === 'mission' ? panel.shown.mission : null;
  assert.ok(shown);
  for (const field of Object.keys(shown))
    it(`says what it cannot draw where ${field} is missing, and draws the rest`, async () => {
      const { [field as keyof typeof shown]: _, ...rest } = shown;
      await showMission(rest);
      await stands(field);
    });
  for (const field of Object.keys(shown.view))
    it(`says what it cannot draw where view.${field} is missing, and draws the rest`, async () => {
      const { [field as keyof typeof shown.view]: _, ...view } = shown.view;
      await showMission({ ...shown, view });
      await stands(`view.${field}`);
    });

  it('draws the next snapshot whole', async () => {
    const { trust: _, ...rest } = shown;
    await showMission(rest);
    assert.match(await text(), /could not draw what can be trusted/);
    await pane.send({ type: 'snapshot', sequence: 2, panel });
    assert.doesNotMatch(await text(), /could not draw/);
  });

  async function showMission(mission: unknown): Promise<void> {
    const hurt = { ...panel, shown: { kind: 'mission', id: panel.shown?.id ?? '', mission } } as PanelView;
    await pane.send({ type: 'snapshot', sequence: 1, panel: hurt });
  }

  async function stands(field: string): Promise<void> {
    const seen = await text();
    // All is drawn without it, or the page says that something is not.
    if (!/could not draw/.test(seen))
      assert.match(seen, /Completed[^]*What happened last/i, `without ${field}: ${seen}`);
    else assert.match(seen, /`mission status` in a terminal shows it/);
    assert.ok(seen.length > 150, `without ${field}: ${seen}`);
    assert.deepEqual(pane.troubles(), []);
  }

  async function text(): Promise<string> {
    return String(await pane.page.evaluate('document.body.innerText'));
  }
});
