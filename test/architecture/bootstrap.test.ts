import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const folder = path.join(process.cwd(), 'test/architecture/fixtures/bootstrap');

/** The lines of the fixture that do not compile, one-based. */
function refusedLines(): readonly number[] {
  const { config } = ts.readConfigFile(path.join(folder, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
    config: unknown;
  };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const program = ts.createProgram(fileNames, options);
  // What the fixture imports is compiled by `tsc -b`.
  const found = fileNames.flatMap((name) => ts.getPreEmitDiagnostics(program, program.getSourceFile(name)));
  const lines = found.map(({ file, start, messageText }) => {
    if (file === undefined || start === undefined || path.dirname(path.resolve(file.fileName)) !== folder)
      throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
    return file.getLineAndCharacterOfPosition(start).line + 1;
  });
  return [...new Set(lines)].sort((a, b) => a - b);
}

describe('the bootstrap invariant', () => {
  it('is a matter of types: what belongs to the project cannot be asked for without a resolved intent', () => {
    const text = readFileSync(path.join(folder, 'before.ts'), 'utf8').split('\n');
    const expected = text.flatMap((line, index) => (line.endsWith('; // refused') ? [index + 1] : []));
    assert.ok(expected.length >= 8);
    assert.deepEqual(refusedLines(), expected);
  });
});
