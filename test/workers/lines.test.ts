import assert from 'node:assert/strict';
import { createLineSplitter, maxLineLength } from '../../src/workers/shared/stream';

describe('line splitter', () => {
  const split = (chunks: readonly string[], limit?: number): { lines: string[]; oversized: number } => {
    const lines: string[] = [];
    const splitter = createLineSplitter((line) => lines.push(line), limit);
    for (const chunk of chunks) splitter.push(chunk);
    splitter.end();
    return { lines, oversized: splitter.oversized() };
  };

  const table: readonly {
    title: string;
    chunks: readonly string[];
    limit?: number;
    lines: readonly string[];
    oversized?: number;
  }[] = [
    { title: 'nothing', chunks: [], lines: [] },
    { title: 'whole lines', chunks: ['a\nb\n'], lines: ['a', 'b'] },
    { title: 'CRLF', chunks: ['a\r\nb\r\n'], lines: ['a', 'b'] },
    { title: 'CRLF cut in the middle', chunks: ['a\r', '\nb'], lines: ['a', 'b'] },
    { title: 'empty lines', chunks: ['\n\r\n\n', 'a', '\n\n'], lines: ['a'] },
    { title: 'a line in many pieces', chunks: ['a', '', 'b', 'c\nd'], lines: ['abc', 'd'] },
    { title: 'no line end at the end', chunks: ['a\nb'], lines: ['a', 'b'] },
    { title: 'exactly the limit', chunks: ['abcd\n', 'ab', 'cd\n'], limit: 4, lines: ['abcd', 'abcd'] },
    { title: 'one over the limit in one chunk', chunks: ['abcde\nok\n'], limit: 4, lines: ['ok'], oversized: 1 },
    {
      title: 'one over the limit in pieces',
      chunks: ['abc', 'de', 'fgh', 'i\nok\n'],
      limit: 4,
      lines: ['ok'],
      oversized: 1,
    },
    { title: 'oversized and never ended', chunks: ['abc', 'def', 'ghi'], limit: 4, lines: [], oversized: 1 },
    {
      title: 'over the limit only with its last piece',
      chunks: ['abc', 'de\nok\n'],
      limit: 4,
      lines: ['ok'],
      oversized: 1,
    },
    {
      title: 'two oversized lines in a row',
      chunks: ['abcdef', '\nabcdef\n', 'ok\n'],
      limit: 4,
      lines: ['ok'],
      oversized: 2,
    },
  ];
  for (const { title, chunks, limit, lines, oversized = 0 } of table) {
    it(title, () => {
      assert.deepEqual(split(chunks, limit), { lines, oversized });
    });
  }

  it('passes a line of 10 MB and drops one that is longer, keeping nothing of it', () => {
    const piece = 'x'.repeat(64 * 1024);
    const line = Array.from({ length: maxLineLength / piece.length }, () => piece);
    const exact = split([...line, '\n']);
    assert.deepEqual([exact.lines.map((text) => text.length), exact.oversized], [[maxLineLength], 0]);
    const longer = split([...line, 'x', ...line, '\n', 'ok\n']);
    assert.deepEqual([longer.lines, longer.oversized], [['ok'], 1]);
  });
});
