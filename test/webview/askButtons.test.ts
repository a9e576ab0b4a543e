import assert from 'node:assert/strict';
import type { PanelView } from '../../src/contracts/page/panelView';
import { pageMessageOf } from '../../src/contracts/page/pageMessage';
import { openPane, type Pane } from './pane';
import { blockedStates } from './states';

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
});

function blockOf({ shown }: PanelView) {
  const block = shown?.kind === 'mission' ? shown.mission.view.blocks[0] : undefined;
  assert.ok(block);
  return block;
}
