import assert from 'node:assert/strict';
import { hasExactNumbers, parseJsonText } from '../../../src/adapters/documents/json';

describe('numbers of a JSON text', () => {
  for (const text of ['0', '-7', '2.50', '1e2', '1.5E-7', '0.000', '[1, {"a": 9007199254740991}]', '"1e400"', '1e21'])
    it(`${text} reads as it is written`, () => assert.equal(hasExactNumbers(text), true));

  for (const text of [
    '1.00000000000000000001',
    '12345678901234567891',
    '[0, 1e400]',
    '-0',
    '1e-400',
    `1.${'0'.repeat(60)}`,
  ])
    it(`${text} does not`, () => assert.equal(hasExactNumbers(text), false));

  it('decide with keys that stand twice whether two texts are known to have one content', () => {
    const canonical = (text: string): string | null => parseJsonText(Buffer.from(text)).canonical_sha256;
    assert.equal(canonical('{"b": 2.50, "a": [1]}'), canonical('{ "a": [ 1 ], "b": 2.5 }'));
    assert.notEqual(canonical('{"a": 1}'), canonical('{"a": 2}'));
    for (const text of [
      '{"a": 1, "a": 2}',
      '{"a": 1, "\\u0061": 2}',
      '{"a": 1.00000000000000000001}',
      '{"__proto__": 1}',
    ])
      assert.equal(canonical(text), null, text);
  });
});
