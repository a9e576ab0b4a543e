import assert from 'node:assert/strict';
import { violations } from './axe';
import { hostileTexts, longLine, withEverywhere, withOnce } from './hostile';
import { unreadable } from './look';
import { openPane, type Pane } from './pane';
import { blockedStates, states } from './states';

/** Where every kind of text is shown. */
const shown = [
  ...['draft', 'three-lanes', 'question-choices', 'memory', 'scope-violation', 'completed', 'unreadable'],
  ...['evidence-only', 'relaunched', 'milestones', 'blocked-verify-changed-files'],
];
const keys = ['title', 'note', 'headline', 'description', 'reason', 'text', 'what', 'decision', 'message', 'value'];

describe('hostile texts on the page', () => {
  let pane: Pane;
  before(async () => {
    pane = await openPane();
  });
  after(() => pane.close());

  const all = [...states(), ...blockedStates()].filter(({ name }) => shown.includes(name));
  it('are tried where every kind of text is shown', () => {
    assert.deepEqual(all.map(({ name }) => name).sort(), [...shown].sort());
  });

  for (const [kind, text] of Object.entries(hostileTexts))
    for (const state of all)
      it(`${kind} is text and nothing else: ${state.name}`, async () => {
        await pane.renew();
        for (const width of kind === 'control' ? [300] : [300, 1200]) {
          await pane.widen(width);
          await pane.show(withEverywhere(state.panel, text));
          await openAll(pane);
          assert.deepEqual(await harm(pane), []);
          assert.deepEqual((await unreadable(pane)).filter(layout), []);
        }
        if (kind === 'markup') assert.deepEqual(await violations(pane), []);
        assert.deepEqual(pane.troubles(), []);
      });

  for (const state of all)
    it(`a line of a megabyte is cut, and the page goes on: ${state.name}`, async () => {
      await pane.renew();
      await pane.widen(300);
      await pane.show(withOnce(state.panel, longLine, keys));
      await openAll(pane);
      assert.deepEqual(await harm(pane), []);
      assert.deepEqual((await unreadable(pane)).filter(layout), []);
      const length = await pane.page.evaluate('document.body.textContent.length');
      assert.ok(Number(length) < 200_000, `${String(length)} characters on the page`);
      assert.deepEqual(pane.troubles(), []);
    });
});

/** A word of 10,000 letters is broken, a text without end is cut, and hostile words are no words. */
function layout(found: string): boolean {
  return !/^(broken word|a column of letters|cut: (bdi|span\.dim) ".*(W{40}|without an end|and"|characters"|\d+"))/.test(
    found,
  );
}

async function openAll({ page }: Pane): Promise<void> {
  await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true;');
}

/** What of a text came to life, or is not shown as the character that it is. */
async function harm({ page }: Pane): Promise<readonly string[]> {
  return (await page.evaluate(lookForHarm)) as readonly string[];
}

const lookForHarm = `(() => {
  const found = [];
  if ('owned' in window) found.push('a script ran');
  const places = 'img, iframe, object, embed, form, base, script:not([src="page.js"]), style:not(#_defaultStyles)';
  for (const one of document.querySelectorAll(places)) found.push('made ' + one.outerHTML.slice(0, 100));
  for (const one of document.querySelectorAll('[href], [src], [action]'))
    if (!['page.js', 'page.css'].includes(one.getAttribute('src') ?? one.getAttribute('href')) && !(one.getAttribute('href') ?? '').startsWith('#')) found.push('leads elsewhere: ' + one.outerHTML.slice(0, 100));
  const hidden = /[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff]/;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (hidden.test(node.textContent)) found.push('a character that cannot be seen: ' + JSON.stringify(node.textContent.slice(0, 120)));
  for (const one of document.body.querySelectorAll('*'))
    for (const { name, value } of one.attributes) {
      if (/^on/.test(name)) found.push('a handler in the page: ' + one.outerHTML.slice(0, 100));
      if (['title', 'aria-label'].includes(name) && hidden.test(value)) found.push(name + ' with a character that cannot be seen: ' + JSON.stringify(value.slice(0, 120)));
    }
  return found.slice(0, 20);
})()`;
