import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** A writer of text for people takes only text that was made safe for its medium: a raw string does not compile. */
const folder = path.join(process.cwd(), 'test/architecture/fixtures/safe-text');

describe('writers of text for people', () => {
  const text = readFileSync(path.join(folder, 'raw.ts'), 'utf8').split('\n');
  let errors: Map<number, string>;
  before(() => {
    const { config } = ts.readConfigFile(path.join(folder, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
      config: unknown;
    };
    const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
    const program = ts.createProgram(fileNames, options);
    const [fixture] = fileNames.map((file) => program.getSourceFile(file));
    assert.ok(fixture);
    errors = new Map(
      ts
        .getPreEmitDiagnostics(program, fixture)
        .map(({ start, messageText }) => [
          fixture.getLineAndCharacterOfPosition(start ?? 0).line,
          ts.flattenDiagnosticMessageText(messageText, '\n'),
        ]),
    );
  });

  for (const [line, words] of text.entries()) {
    const writer = /; \/\/ (\S+)$/.exec(words)?.[1];
    if (writer === undefined) continue;
    it(`${writer} refuses ${words.trim()}`, () => {
      assert.match(errors.get(line) ?? 'compiled', /is not assignable to/);
    });
  }

  it('compiles safe text', () => {
    const safe = text.findIndex((line) => line.startsWith('export function safe'));
    assert.deepEqual(
      [...errors].filter(([line]) => line > safe || line < text.findIndex((words) => words.includes('function raw'))),
      [],
    );
  });
});
