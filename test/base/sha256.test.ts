import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { sha256 } from '../../src/base/sha256';

describe('the digest of the deciders', () => {
  it('is the SHA-256 of Node, at every length around a block and for every kind of character', () => {
    const texts = [
      ...Array.from({ length: 200 }, (_, length) => 'x'.repeat(length)),
      'abc',
      'ä€😀\u0000\u{10FFFF}',
      '\ud800 alone, \udc00 too',
      'é'.repeat(5000),
      '\u007f\u0080\u07ff\u0800\uffff\u{10000}',
    ];
    for (const text of texts) assert.equal(sha256(text), hash('sha256', text, 'hex').toUpperCase(), text.slice(0, 80));
  });
});
