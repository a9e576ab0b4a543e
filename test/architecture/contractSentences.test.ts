import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { commandLines } from '../../src/cli/commands';

const page = readFileSync('docs/internals/contracts.md', 'utf8');

/** Returns the cells of each row of the table below a heading, without its head. */
function rowsBelow(heading: string, text = page): readonly (readonly string[])[] {
  const part = text.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? text.split(/^## /m)[0] ?? '';
  const rows = part.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(2).map((line) => line.slice(2, -2).split(' | '));
}

/** Returns what a text names in backticks and the product lacks: a command, an option, a code, a file. */
function lacking(text: string, sources: string): readonly string[] {
  const names = [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  return names.filter((name) => {
    const line = /^mission (.*)$/.exec(name)?.[1];
    if (line === undefined || line === '') return line === undefined && !sources.includes(name.replace(/^--/, ''));
    return !commandLines.some((command) => line === command || line.startsWith(`${command} `));
  });
}

/** Returns the rows of the table of tests whose test is not there, or does not have the words. */
function lost(rows: readonly (readonly string[])[]): readonly string[] {
  return rows.flatMap(([number = '', file = '', words = '']) => {
    const name = file.replaceAll('`', '');
    return existsSync(name) && readFileSync(name, 'utf8').includes(words) ? [] : [`${number} ${name}: ${words}`];
  });
}

describe('the sentences of the contracts that differ on purpose', () => {
  const sources = globSync('src/**/*.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const sentences = rowsBelow('Sentences that differ');
  const shown = rowsBelow('What shows each');

  it('have a number each, name a contract of the page, and say why', () => {
    const contracts = new Set(rowsBelow('').map(([name = '']) => name));
    assert.equal(contracts.size, 5);
    assert.deepEqual(
      sentences.map(([number]) => number),
      sentences.map((_, index) => `${index + 1}`),
    );
    for (const [number, contract = '', ...cells] of sentences) {
      assert.ok(contracts.has(contract), `${number}: ${contract}`);
      assert.equal(cells.filter((cell) => cell.trim() !== '').length, 3, number);
    }
  });

  it('have a test each, with the words that the page gives', () => {
    assert.deepEqual(
      shown.map(([number]) => number),
      sentences.map(([number]) => number),
    );
    assert.deepEqual(lost(shown), []);
  });

  it('name commands, options, codes and files that the product has', () => {
    const here = [
      ...sentences.map((cells) => cells[3]),
      ...rowsBelow('Where the scripts went').map((cells) => cells[1]),
    ];
    assert.deepEqual(lacking(here.join('\n'), sources), []);
  });

  it('are judged: what is not there is found', () => {
    assert.deepEqual(lacking('`mission resume M`, `mission fly`, `--gone`, `x_gone`', 'x_here'), [
      'mission fly',
      '--gone',
      'x_gone',
    ]);
    assert.deepEqual(lost([['1', '`test/gone.test.ts`', 'x']]), ['1 test/gone.test.ts: x']);
    assert.deepEqual(lost([['2', '`test/cli/commands.test.ts`', 'no such title']]), [
      '2 test/cli/commands.test.ts: no such title',
    ]);
  });
});
