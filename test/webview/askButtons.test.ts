import assert from 'node:assert/strict';
import type { PanelView } from '../../src/contracts/page/panelView';
import { pageMessageOf } from '../../src/contracts/page/pageMessage';
import { openPane, type Pane } from './pane';
import { blockedStates, states } from './states';

/** A button of the page opens a command of the palette with what is shown filled in. Nothing is decided on the page. */
describe('the buttons of the page that ask', () => {
  let pane: Pane;
  before(async () => {
    pane = await openPane();
  });
  beforeEach(() => pane.renew());
  after(() => pane.close());

  const pressed = async (name: string): Promise<unknown> => {
    await pane.page.getByRole('button', { name, exact: true }).first().press('Enter');
    return (await pane.asked()).at(-1);
  };

  it('are there for every way out that is possible now, and for no other', async () => {
    for (const { name, panel } of blockedStates()) {
      await pane.show(panel);
      const block = blockOf(panel);
      const ask = { type: 'ask', entry: panel.shown?.id, command: 'resolveBlocker', task_id: block.task_id };
      const ways = block.ways.filter(({ step }) => step.command !== 'answer');
      const asked: unknown[] = [];
      for (const { label } of ways.filter(({ refused }) => !refused)) asked.push(await pressed(`${label}…`));
      assert.deepEqual(
        asked,
        ways.flatMap(({ label, refused }) => (refused ? [] : [{ ...ask, choice: label }])),
        name,
      );
      for (const message of asked) assert.notEqual(pageMessageOf(message), null);
      assert.deepEqual(await pressed('All Choices…'), ask);
      assert.equal(
        await pane.page.locator('[data-section="decision"]').first().locator('[data-ask="resolveBlocker"]').count(),
        asked.length + 1,
        name,
      );
    }
  });

  it('run an approved plan without findings, and approve another one', async () => {
    const state = states().find(({ name }) => name === 'draft');
    assert.ok(state?.panel.shown?.kind === 'draft');
    const { panel } = state;
    const { draft, ...shown } = state.panel.shown;
    const buttons: unknown[] = [];
    for (const [status, findings] of [
      ['DRAFT', []],
      ['APPROVED', []],
      ['APPROVED', draft.findings],
    ] as const) {
      await pane.show({ ...panel, shown: { ...shown, draft: { ...draft, status, findings } } });
      buttons.push(await pane.page.locator('[data-ask]').allInnerTexts());
      if (status === 'APPROVED' && findings.length === 0)
        assert.deepEqual(await pressed('Run Plan…'), { type: 'ask', entry: shown.id, command: 'runPlan' });
    }
    assert.deepEqual(buttons, [['Approve Plan…'], ['Run Plan…'], []]);
  });
});

function blockOf({ shown }: PanelView) {
  const block = shown?.kind === 'mission' ? shown.mission.view.blocks[0] : undefined;
  assert.ok(block);
  return block;
}
