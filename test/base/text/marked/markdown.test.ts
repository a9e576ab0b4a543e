import assert from 'node:assert/strict';
import { lexer, type Token } from 'marked';
import { block, cell, code, commandCell, inMarkdown, list, table } from '../../../../src/base/text/marked/markdown';

/** Where a token holds others: lists in their items, tables in their cells. */
interface Inside {
  readonly tokens?: readonly Token[];
  readonly items?: readonly Token[];
  readonly header?: readonly { readonly tokens: readonly Token[] }[];
  readonly rows?: readonly (readonly { readonly tokens: readonly Token[] }[])[];
}

/** Types of every token a reader's program makes of it. */
function kinds(text: { toString(): string }): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      found.add(token.type);
      const { tokens: inside, items, header, rows } = token as Inside;
      walk(inside ?? []);
      walk(items ?? []);
      for (const row of [header ?? [], ...(rows ?? [])]) for (const one of row) walk(one.tokens);
    }
  };
  walk(lexer(text.toString()));
  return found;
}

const attacks = [
  '# heading',
  '> quote',
  '- item',
  '+ item',
  '1. item',
  '1) item',
  '    indented code',
  '    - item',
  ' 1. item',
  '      1) item',
  '   ---',
  '  # heading',
  '---',
  '===',
  '```\nfence',
  '~~~\nfence',
  '~~gone~~',
  '**bold** __bold__ *em* _em_',
  '[link](javascript:1)',
  '![image](http://evil.test/x.png)',
  '[ref]: http://evil.test',
  '<script>alert(1)</script>',
  '<!-- comment',
  '<http://evil.test>',
  'http://evil.test/x https://evil.test',
  'www.evil.test WWW.evil.test',
  'ann@evil.test',
  '&lt;b&gt; &#60;',
  '| a | b |\n|---|---|\n| c | d |',
  'line\n\n# heading\n\n- item',
  '`code` ``more``',
  '$formula$',
  'a\\',
];

describe('Markdown that holds foreign text', () => {
  for (const attack of attacks) {
    it(`has no markup of ${JSON.stringify(attack)}`, () => {
      for (const text of [inMarkdown`${attack}`, inMarkdown`before ${attack} after`])
        for (const kind of kinds(text))
          assert.ok(['paragraph', 'text', 'escape'].includes(kind), `${kind}: ${text.toString()}`);
      const inList = kinds(list([attack, inMarkdown`x ${attack}`], ''));
      for (const kind of inList) assert.ok(['list', 'list_item', 'paragraph', 'text', 'escape'].includes(kind), kind);
      const rows = [[attack, cell(attack), commandCell([attack, 'a|b']), code('end')]];
      const [only, ...more] = lexer(table(['a', 'b', 'c', 'd'], rows).toString());
      assert.ok(only?.type === 'table' && more.length === 0);
      assert.equal((only.rows as { text: string }[][])[0]?.[3]?.text, '`end`');
      const span = lexer(`${code(attack).toString()} and code`)[0];
      assert.ok(span?.type === 'paragraph');
      assert.deepEqual(
        span.tokens?.map(({ type }) => type),
        ['codespan', 'text'],
      );
      const fenced = lexer(`${block(`${attack}\n\`\`\`\`\n~~~\n${attack}`).toString()}\n\nafter`).filter(
        ({ type }) => type !== 'space',
      );
      assert.deepEqual(
        fenced.map(({ type }) => type),
        ['code', 'paragraph'],
      );
    });
  }

  it('says what stands there, hidden characters included', () => {
    assert.equal(code('a\nb\u202e').toString(), String.raw`${'`'}a\nb\u202e${'`'}`);
    assert.equal(block('one\u001b[8m\r\ntwo\n').toString(), '```text\none\\x1b[8m\ntwo\n```');
    const indented = '    at f (x.js:1)';
    assert.equal(inMarkdown`${indented}`.toString(), `\u00a0\u00a0\u00a0\u00a0at f (x.js:1)`);
    assert.equal(inMarkdown`${'\u00a0x'}`.toString(), String.raw`\\xa0x`);
    assert.equal(inMarkdown`x ${'a\nb_c'}`.toString(), String.raw`x a\\nb\_c`);
  });
});
