import assert from 'node:assert/strict';
import { ui } from '../../../src/base/text/marked/ui';
import { commandButton } from '../../../src/extension/pages/document';

describe('the button of a page without scripts', () => {
  const button = commandButton(ui`Approve <b>`, { command: 'a.b', argument: '1', look: 'first' }).toString();

  it('is a link with the argument of its command, and its label is text', () => {
    assert.match(button, /^<a [^>]*href="command:a\.b\?%5B%221%22%5D">Approve &lt;b&gt;<\/a>$/);
  });

  it('is announced as a link, because Enter presses it and the Space bar does not', () => {
    assert.doesNotMatch(button, /role=/);
  });

  it('has its label as its title, because VS Code gives a link without one the address of its command', () => {
    assert.match(button, / title="Approve &lt;b&gt;"/);
  });
});
