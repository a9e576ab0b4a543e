import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { missingAttributeLines } from '../../../src/adapters/git/evidence';
import { removeScratch, scratch } from '../scratch';

const [plans, evidence] = ['docs/plans/*.json -text', 'docs/ops/executions/** -text'] as const;

describe('the lines of .gitattributes', () => {
  afterEach(removeScratch);

  const missing = async (files: Readonly<Record<string, string>>, workspace = '.'): Promise<readonly string[]> => {
    const top = await scratch();
    execFileSync('git', ['init', '-q'], { cwd: top });
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.join(top, path.dirname(name)), { recursive: true });
      await writeFile(path.join(top, name), text);
    }
    return missingAttributeLines(path.join(top, workspace));
  };
  const beside = (...lines: readonly string[]): Promise<readonly string[]> =>
    missing({ '.gitattributes': `${lines.join('\n')}\n` });

  it('are missing where no line keeps the bytes', async () => {
    assert.deepEqual(await missing({}), [plans, evidence]);
    assert.deepEqual(await beside('* text=auto'), [plans, evidence]);
    assert.deepEqual(await beside('*.json -text'), [evidence]);
    assert.deepEqual(await beside(plans), [evidence]);
    assert.deepEqual(await beside(plans, '', evidence), []);
  });

  it('are there where another line keeps as much', async () => {
    for (const line of ['* -text', '* -text eol=lf', '* binary', 'docs/** -text', `${plans}\r\n${evidence}\r`])
      assert.deepEqual(await beside(line), [], line);
    assert.deepEqual(await missing({ '.git/info/attributes': '* -text\n' }), []);
    assert.deepEqual(await missing({ '.gitattributes': '* -text\n', 'app/x': '' }, 'app'), []);
  });

  it('are missing where a later line takes them back, because the last one counts', async () => {
    assert.deepEqual(await beside(plans, evidence, '* text=auto'), [plans, evidence]);
    assert.deepEqual(await beside('* -text', '*.json text'), [plans, evidence]);
    assert.deepEqual(await beside('* -text', '*.md text'), [evidence]);
    assert.deepEqual(await beside('* text=auto', plans, evidence), []);
  });

  it('are of no use in a folder without a repository', async () => {
    assert.deepEqual(await missingAttributeLines(await scratch()), []);
  });
});
