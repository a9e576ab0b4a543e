import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { terminal } from '../../src/base/text/marked/terminal';
import { createOutput, type Output } from '../../src/cli/shell/output';

/** What counts as the answer of a command, without which it may not end with success. */
describe('an output', () => {
  const outputOf = (json: boolean): Output => {
    const sink = (): Writable => new Writable({ write: (_chunk, _encoding, then) => then() });
    return createOutput(json, { stdin: process.stdin, stdout: sink(), stderr: sink() }, {});
  };
  const ways: readonly (readonly [
    string,
    (out: Output) => void,
    { readonly text: boolean; readonly json: boolean },
  ])[] = [
    ['a note', (out) => out.note(terminal`x`), { text: false, json: false }],
    ['a line', (out) => out.line(terminal`x`), { text: true, json: false }],
    ['an answer beside', (out) => out.beside(terminal`x`), { text: true, json: false }],
    ['a document', (out) => out.document({}), { text: false, json: true }],
    ['lines of JSON', (out) => out.jsonLines(['{}']), { text: true, json: true }],
    ['a refusal', (out) => void out.refuse({ code: 'USAGE', reason: 'x', next: [] }), { text: true, json: true }],
  ];
  for (const [name, print, { text, json }] of ways)
    it(`${name} ${text || json ? 'is an answer where a caller reads it' : 'is no answer'}`, () => {
      for (const [mode, answers] of [
        [false, text],
        [true, json],
      ] as const) {
        const out = outputOf(mode);
        print(out);
        assert.equal(out.said, answers, `${name}, json ${String(mode)}`);
      }
    });
});
