import assert from 'node:assert/strict';
import { ReviewTexts } from '../../../src/extension/editor/reviewTexts';

describe('the documents of reviews', () => {
  it('show the text that they were given, and of a review that is forgotten or never was what to do', () => {
    const texts = new ReviewTexts();
    texts.begin('first');
    const ids = ['before', 'now'].map((text) => texts.put('first', text));
    assert.deepEqual(
      ids.map((id) => texts.shown(id)),
      ['before', 'now'],
    );
    const unknown = /^REVIEW_UNKNOWN: .* Run Review Changes again\.\n$/;
    for (const forged of ['', 'first', 'first.2', 'first.0.0', 'other.0', '__proto__.0', 'constructor', '../first.0'])
      assert.match(texts.shown(forged), unknown, forged);
    // Of one that has not begun, nothing is kept.
    assert.match(texts.shown(texts.put('other', 'kept by nobody')), unknown);
    for (let number = 1; number < 12; number += 1) texts.begin(`later ${number}`);
    assert.equal(texts.shown(ids[0] ?? ''), 'before');
    texts.begin('one more');
    assert.match(texts.shown(ids[0] ?? ''), unknown);
  });
});
