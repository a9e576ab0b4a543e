import assert from 'node:assert/strict';
import { namedPathsOf } from '../../../src/core/plan/namedFiles';

describe('files that commands of a plan name', () => {
  it('are arguments, and words within the text of a shell', () => {
    const named = (...command: string[]): readonly string[] => namedPathsOf({ tasks: [{ command }] });
    assert.deepEqual(named('sh', 'tools/check.sh'), ['tools/check.sh']);
    for (const text of [
      'bash tools/s.sh',
      'cd x; bash tools/s.sh&&ls',
      'A=1 bash "tools/s.sh" >out',
      '(bash <tools/s.sh)',
    ])
      assert.ok(named('bash', '-c', text).includes('tools/s.sh'), text);
    assert.deepEqual(named('true', 'two words'), []);
  });
});
