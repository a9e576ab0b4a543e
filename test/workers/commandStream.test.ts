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

  it('reports in a sandbox the writes that were refused, by standard error alone, each line once', () => {
    const lines: readonly (readonly [line: string, path: string | null])[] = [
      ["touch: cannot touch 'src/a b': Read-only file system", 'src/a b'],
      ['sh: 1: cannot create src/a: Read-only file system', 'src/a'],
      ["OSError: [Errno 30] Read-only file system: 'src/a'", 'src/a'],
      ["Error: EROFS: read-only file system, open '/ws/src/a'", '/ws/src/a'],
      ['open src/a: read-only file system', 'src/a'],
      ['Error: Read-only file system (os error 30)', null],
    ];
    const text = lines.map(([line]) => `${line}\n`).join('');
    const parser = createCommandParser('bubblewrap');
    const signals = [
      ...parser.push('stderr', text + text),
      ...parser.push('stderr', 'no newline: EROFS: x'),
      ...parser.end(),
    ];
    const { denials } = parser.summary();
    assert.deepEqual(
      denials.map(({ path, reason }) => [reason, path]),
      [...lines, ['no newline: EROFS: x', null]],
    );
    assert.deepEqual(
      signals.filter(({ kind }) => kind === 'denial'),
      denials,
    );
    parser.push('stdout', text);
    assert.equal(parser.summary().denials.length, 7);

    const free = createCommandParser();
    free.push('stderr', text);
    assert.deepEqual(free.summary().denials, []);
    const mac = createCommandParser('seatbelt');
    mac.push('stderr', `${text}touch: src/a: Operation not permitted\n`);
    assert.equal(mac.summary().denials.length, 1);
    const flood = createCommandParser('bubblewrap');
    for (let n = 0; n < 100; n++) flood.push('stderr', `touch: cannot touch 'f${n}': Read-only file system\n`);
    assert.equal(flood.summary().denials.length, 20);
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
