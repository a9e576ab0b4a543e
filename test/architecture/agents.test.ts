import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { agentNames } from '../../src/contracts/vocabulary/workers';

/** What an agent is stands in its folder and derives from there. So these files alone name one, each for its reason. */
const named = {
  'src/base/text/words.ts':
    'two permissions of the contract belong to one agent each, and base stands below the agents',
  'src/contracts/plan.ts': 'the contract has a field by which a plan delegates to one agent',
  'src/contracts/vocabulary/codes/findings.ts': 'the meaning of a finding about that field',
  'src/contracts/vocabulary/workers.ts': 'the names and the default',
};
const folders = 'src/workers/';
const fixture = path.join(process.cwd(), 'test/architecture/fixtures/agents');
/** The files of every agent's folder, and what each exports for the others. */
const files = { agent: 'agent', launch: 'launch', provider: 'provider', stream: 'createParser', words: 'words' };

function naming(root: string): readonly string[] {
  const name = new RegExp(String.raw`\b(?:${agentNames.join('|')})\b`, 'i');
  return globSync('{src,webview-ui}/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.startsWith(folders) && name.test(readFileSync(path.join(root, file), 'utf8')))
    .toSorted();
}

describe('the agents', () => {
  it('are named in their folders and in the listed files alone', () => {
    assert.deepEqual(naming(process.cwd()), Object.keys(named));
  });

  it('are found in code, in a sentence and in a comment, but not in a field of the contract', () => {
    assert.deepEqual(naming(fixture), ['src/core/code.ts', 'src/core/comment.ts', 'src/engine/sentence.ts']);
  });

  for (const agent of agentNames)
    it(`have the same files with the same exports: ${agent}`, () => {
      const found = globSync(`${folders}${agent}/*`).map((file) => path.basename(file, '.ts'));
      assert.deepEqual(found.toSorted(), Object.keys(files));
      for (const [file, name] of Object.entries(files)) {
        const text = readFileSync(`${folders}${agent}/${file}.ts`, 'utf8');
        assert.match(text, new RegExp(String.raw`^export (?:const|function) ${name}\b`, 'm'), file);
      }
    });

  it('stand in the registry with an import and a name each', () => {
    const text = readFileSync(`${folders}registry.ts`, 'utf8');
    for (const agent of agentNames)
      assert.equal(text.match(new RegExp(String.raw`\b${agent}\b`, 'g'))?.length, 3, agent);
  });
});
