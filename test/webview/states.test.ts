import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { violations } from './axe';
import { notAtFirst, unreadable } from './look';
import { openPane, type Pane } from './pane';
import { blockedStates, states, type State } from './states';
import { themes, type Theme } from './themes';

const widths = [
  { name: '300', width: 300 },
  { name: 'wide', width: 1200 },
];
/** Widths of a page beside an editor or another page, around what the style sheet turns at. */
const between = [420, 640, 780, 861];
const pictures = path.resolve('.artifacts/webview');

/** Every state of the page from the journal of a played mission: looked at by rules here, by people in the pictures. */
describe('the page', () => {
  let pane: Pane;
  before(async () => {
    await mkdir(pictures, { recursive: true });
    pane = await openPane();
  });
  after(() => pane.close());

  for (const state of [...states(), ...blockedStates()])
    describe(state.name, () => {
      before(() => pane.renew());
      for (const { name, width } of widths)
        it(`can be read and used at ${name}`, async () => {
          await pane.widen(width);
          await pane.show(state.panel);
          const found: string[] = [];
          for (const theme of themes) {
            await pane.wear(theme);
            const rules = theme === themes[0] ? undefined : ['color-contrast'];
            const seen = [...(await unreadable(pane)), ...(await violations(pane, rules)), ...pane.troubles()];
            found.push(...seen.map((one) => `${theme}: ${one}`));
            await picture(pane, state, theme, name);
          }
          found.push(...(await notAtFirst(pane, state.first)));
          assert.deepEqual(found, []);
        });
      it('can be read beside other editors', async () => {
        const found: string[] = [];
        await pane.wear(themes[0]);
        for (const width of between) {
          await pane.widen(width);
          await pane.show(state.panel);
          found.push(...(await unreadable(pane)).map((one) => `${width}: ${one}`));
        }
        found.push(...(await notAtFirst(pane, state.first)));
        await picture(pane, state, themes[0], 'beside');
        assert.deepEqual(found, []);
      });
    });
});

async function picture({ page }: Pane, { name }: State, theme: Theme, width: string): Promise<void> {
  await page.screenshot({ path: path.join(pictures, `${name}-${theme}-${width}.png`), fullPage: true });
}
