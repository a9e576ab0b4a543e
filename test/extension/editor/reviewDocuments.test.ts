import assert from 'node:assert/strict';
import type { Uri } from 'vscode';
import { fakeVscode } from '../fakeVscode';

describe('the documents of reviews', () => {
  it('show the text that they were given, and of a review that is forgotten or never was what to do', async () => {
    fakeVscode({ Uri: { from: (parts: unknown) => parts } });
    const { ReviewDocuments } = await import('../../../src/extension/editor/reviewDocuments');
    const documents = new ReviewDocuments();
    const shown = (query: string): string => documents.provideTextDocumentContent({ query });
    const put = (review: string, text: string): string =>
      documents.put(review, 'now', { path: '/a' } as Uri, text).query;
    documents.begin('first');
    const ids = ['before', 'now'].map((text) => put('first', text));
    assert.deepEqual(ids.map(shown), ['before', 'now']);
    const unknown = /^REVIEW_UNKNOWN: .* Run Review Changes again\.\n$/;
    for (const forged of ['', 'first', 'first.2', 'first.0.0', 'other.0', '__proto__.0', 'constructor', '../first.0'])
      assert.match(shown(forged), unknown, forged);
    // Of one that has not begun, nothing is kept.
    assert.match(shown(put('other', 'not kept')), unknown);
    for (let number = 1; number < 12; number += 1) documents.begin(`later ${number}`);
    assert.equal(shown(ids[0] ?? ''), 'before');
    documents.begin('one more');
    assert.match(shown(ids[0] ?? ''), unknown);
  });
});
