import assert from 'node:assert/strict';
import { Terminal } from '@xterm/headless';
import widthOf from 'string-width';
import { LiveLine, fit } from '../../../src/adapters/launches/liveLine';

const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';
const texts = [
  'running 12 s, last output 1 s ago, 4 lines, 120 bytes',
  '日本語テキスト'.repeat(10),
  `${family}${family} e\u0301e\u0301 ${'\u{1f600}'.repeat(40)}`,
  'ａｂｃ ｆｕｌｌ ｗｉｄｔｈ '.repeat(5),
  'ไทย हिन्दी עברית العربية '.repeat(6),
  '',
];

describe('a text on a terminal', () => {
  it('is cut between characters as people see them, and never wider than asked', () => {
    for (const text of texts) {
      for (let columns = 1; columns < 90; columns += 1) {
        const cut = fit(text, columns);
        assert.ok(widthOf(cut) <= columns, JSON.stringify([cut, columns]));
        if (widthOf(text) <= columns) assert.equal(cut, text);
        else assert.ok(cut.endsWith('…') && text.startsWith(cut.slice(0, -1)), JSON.stringify([cut, columns]));
      }
    }
    assert.equal(fit('日本語テキスト', 7), '日本語…');
    assert.equal(fit(`a${family}b${family}`, 4), `a${family}…`);
    assert.equal(fit('e\u0301e\u0301e\u0301', 2), 'e\u0301…');
    assert.equal(fit('short', 10), 'short');
  });
});

/** What a real terminal shows after this was written to it, made another width and written to again. */
async function shown(reflowCursorLine: boolean, from: number, to: number, texts: string[]): Promise<string[]> {
  const terminal = new Terminal({ cols: from, rows: 40, reflowCursorLine, allowProposedApi: true, convertEol: true });
  const live = new LiveLine({
    get columns() {
      return terminal.cols;
    },
  });
  const write = (text: string): Promise<void> => new Promise((done) => terminal.write(text, done));
  await write('above 1\nabove 2\n');
  for (const text of texts) await write(live.draw(text));
  terminal.resize(to, 40);
  await write(live.erase() + live.draw(texts.at(-1) ?? ''));
  await write(live.erase() + 'more\n' + live.draw('last'));
  const { active } = terminal.buffer;
  const rows = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '');
  terminal.dispose();
  return rows.join('\n').trimEnd().split('\n');
}

const widths = [
  [80, 20],
  [20, 80],
  [60, 59],
  [40, 200],
  [200, 9],
] as const;

describe('the line that is drawn over and over', () => {
  it('takes one row in the terminal of VS Code, whatever the width becomes, and leaves the rows above it', async () => {
    for (const [from, to] of widths) {
      for (const text of texts) {
        const rows = await shown(false, from, to, ['first', text]);
        assert.deepEqual(rows, ['above 1', 'above 2', 'more', 'last'], `${from} to ${to}: ${text}`);
      }
    }
  });

  it('leaves what is above it in a terminal that wraps it when it becomes narrower', async () => {
    for (const [from, to] of widths) {
      for (const text of texts) {
        const rows = await shown(true, from, to, ['first', text]);
        assert.deepEqual(rows.slice(0, 2), ['above 1', 'above 2'], `${from} to ${to}: ${text}`);
        assert.deepEqual(rows.slice(-2), ['more', 'last'], `${from} to ${to}: ${text}`);
      }
    }
  });

  it('is cut to the width, and is not written again while it stays the same', () => {
    const line = new LiveLine({ columns: 12 });
    assert.ok(line.draw('running 12 s, last output').includes(fit('running 12 s, last output', 11)));
    assert.equal(line.draw('running 12 s, last output'), '');
  });
});
