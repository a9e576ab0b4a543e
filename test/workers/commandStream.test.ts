import assert from 'node:assert/strict';
import { createCommandParser } from '../../src/workers/command/stream';

describe('the output of a plain program', () => {
  it('counts as progress line by line, in chunks of any size', () => {
    const text = 'one\r\ntwo\n\n   \nthree';
    for (const size of [1, 3, 100]) {
      const parser = createCommandParser();
      const signals = [];
      for (let at = 0; at < text.length; at += size) signals.push(...parser.push('stdout', text.slice(at, at + size)));
      signals.push(...parser.end());
      assert.deepEqual(signals, [
        { kind: 'progress', text: 'one' },
        { kind: 'progress', text: 'two' },
        { kind: 'progress', text: 'three' },
      ]);
      const { lastMessage, finalSeen, counts } = parser.summary();
      assert.deepEqual([lastMessage, finalSeen, counts.events], [text, true, 5]);
    }
  });

  it('keeps the channels apart, and only stdout as its message', () => {
    const parser = createCommandParser();
    assert.deepEqual(parser.push('stdout', 'half'), []);
    assert.deepEqual(parser.push('stderr', 'other\n'), [{ kind: 'progress', text: 'other' }]);
    assert.deepEqual(parser.push('stdout', ' done\n'), [{ kind: 'progress', text: 'half done' }]);
    assert.equal(parser.summary().lastMessage, 'half done\n');
    assert.equal(parser.summary().finalSeen, false);
  });

  it('reports no denial, whatever it says', () => {
    const parser = createCommandParser();
    parser.push('stderr', "Error: EROFS: read-only file system, open 'src/a'\n");
    assert.deepEqual(parser.summary().denials, []);
  });

  it('is kept only in part: the end of a flood, the beginning of a line, the end of the output', () => {
    const parser = createCommandParser();
    const flood = parser.push('stdout', Array.from({ length: 1000 }, (_, n) => `line ${n}\n`).join(''));
    assert.equal(flood.length, 50);
    assert.deepEqual(flood.at(-1), { kind: 'progress', text: 'line 999' });
    for (let n = 0; n < 100; n++) assert.deepEqual(parser.push('stdout', 'x'.repeat(10_000)), []);
    const [line] = parser.push('stdout', '\n');
    assert.deepEqual(line, { kind: 'progress', text: 'x'.repeat(400) });
    assert.equal(parser.summary().lastMessage?.length, 64 * 1024);
  });
});
