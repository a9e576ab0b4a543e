import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { shellWord } from '../../../src/base/text/steps';

describe('a word for a shell', () => {
  it('comes back from a shell as it is, whatever a shell would read in it', () => {
    for (const word of ['/tmp/a', '/tmp/a b', '/tmp/$HOME', '`id`', '"x"', "it's", 'a\\b', '', '*', '~'])
      assert.equal(execFileSync('sh', ['-c', `printf %s ${shellWord(word)}`], { encoding: 'utf8' }), word);
    assert.equal(shellWord('/tmp/a.b-c'), '/tmp/a.b-c');
  });
});
