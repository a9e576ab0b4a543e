import assert from 'node:assert/strict';
import { LiveLine } from '../../src/adapters/liveLine';
import { fit, widthOf } from '../../src/adapters/terminalText';

const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';
const texts = [
  'running 12 s, last output 1 s ago, 4 lines, 120 bytes',
  '日本語テキスト'.repeat(10),
  `${family}${family} e\u0301e\u0301 ${'\u{1f600}'.repeat(40)}`,
  'ａｂｃ ｆｕｌｌ ｗｉｄｔｈ '.repeat(5),
  'ไทย हिन्दी עברית العربية '.repeat(6),
  '',
];

/** A terminal that wraps what is too long, and wraps anew when its width changes. */
class Rows {
  #lines: string[] = [''];
  /** So many rows above the last one is the cursor. */
  #above = 0;
  constructor(public columns: number) {}
  write(text: string): void {
    // eslint-disable-next-line no-control-regex -- what a terminal is told
    for (const [token] of text.matchAll(/\u001b\[\d*[A-Z]|\r|\n|[^\u001b\r\n]+/g)) {
      // eslint-disable-next-line no-control-regex -- as above
      const [, count, letter] = /^\u001b\[(\d*)([A-Z])$/.exec(token) ?? [];
      if (letter === 'A') this.#above = Number(count);
      else if (letter === 'J') this.#clear();
      else if (token === '\n') this.#lines.push('');
      else if (token !== '\r') this.#lines.push(`${this.#lines.pop() ?? ''}${token}`);
    }
  }
  /** Rows as they are on the screen. */
  get shown(): readonly string[] {
    return this.#lines.flatMap((line) => this.#wrapped(line));
  }
  /** From the row of the cursor on. */
  #clear(): void {
    const rows = this.#wrapped(this.#lines.pop() ?? '');
    assert.ok(this.#above < rows.length, `goes up ${this.#above} rows, out of a line of ${rows.length}`);
    this.#lines.push(...rows.slice(0, rows.length - 1 - this.#above), '');
    this.#above = 0;
  }
  #wrapped(line: string): readonly string[] {
    const rows = [''];
    for (const { segment } of new Intl.Segmenter().segment(line)) {
      const row = rows.pop() ?? '';
      if (widthOf(row + segment) > this.columns) rows.push(row, segment);
      else rows.push(row + segment);
    }
    return rows;
  }
}

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

describe('the line that is drawn over and over', () => {
  it('takes one row, whatever the width becomes, and leaves what is above it', () => {
    for (const [from, to] of [
      [80, 20],
      [20, 80],
      [60, 59],
      [40, 200],
      [200, 7],
    ] as const) {
      for (const text of texts) {
        const rows = new Rows(from);
        const line = new LiveLine(rows);
        rows.write(line.erase() + 'above\n' + line.draw('first'));
        rows.write(line.draw(text));
        rows.columns = to;
        rows.write(line.erase() + line.draw(text));
        assert.deepEqual(
          rows.shown,
          ['above', fit(text, to - 1)].flatMap((row) => row),
          `${from} to ${to}`,
        );
        assert.equal(line.draw(text), '', 'the same again is not written');
        rows.write(line.erase() + 'more\n' + line.draw('last'));
        assert.deepEqual(rows.shown, ['above', 'more', fit('last', to - 1)]);
      }
    }
  });
});
