import assert from 'node:assert/strict';
import { parseJsonText, parsePlanText } from '../../../src/adapters/documents/json';

describe('numbers of a JSON text', () => {
  const found = (text: string) => parsePlanText(Buffer.from(text)).findings.map(({ code }) => code);

  for (const text of ['0', '-7', '2.50', '1e2', '1.5E-7', '0.000', '[1, {"a": 9007199254740991}]', '"1e400"', '1e21'])
    it(`${text} reads as it is written`, () => assert.deepEqual(found(text), []));

  for (const text of [
    '1.00000000000000000001',
    '12345678901234567891',
    '[0, 1e400]',
    '-0',
    '[-0]',
    '{"a":1e-400}',
    '[1,0.1234567890123456789012]',
    `1.${'0'.repeat(60)}`,
  ])
    it(`${text} does not, so a plan with it has an error`, () =>
      assert.deepEqual(found(text), ['JSON_NUMBER_INVALID']));

  it('a lost digit has its place and the number to write instead, in a plan alone', () => {
    const bytes = Buffer.from('{\n  "a": [1, 12345678901234567890]\n}');
    const [finding, ...others] = parsePlanText(bytes).findings;
    assert.deepEqual(others, []);
    assert.deepEqual([finding?.pointer, finding?.line, finding?.column, finding?.length], ['/a/1', 2, 12, 20]);
    assert.match(finding?.message ?? '', /read as 12345678901234567000\b/);
    assert.deepEqual(parseJsonText(bytes).findings, []);
  });

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
