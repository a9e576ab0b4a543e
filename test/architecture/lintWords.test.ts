import assert from 'node:assert/strict';
import { unplainWords } from '../../scripts/plain-words.mjs';
import { type Finding, messagesOf, Snippets } from './lintRun';

/* The rules of the house on words: of comments, titles of tests and sentences for people. */

/** Folder and ending of every kind of file with words. */
const kindsOfFiles = [
  ...['src/cli/*.ts', 'webview-ui/src/*.tsx', 'test/architecture/*.test.ts'],
  ...['scripts/*.mjs', 'scripts/*.cjs', '*.mjs'],
];
/** The places where a word can hide from a reader who acts. */
const wordHolders: readonly ((word: string) => string)[] = [
  (word) => `// It is so, ${word}.`,
  (word) => `/**\n * It is so,\n * ${word.replace(' ', '\n * ')}.\n */`,
  (word) => `it('is so, ${word}', () => {});`,
  (word) => `describe.only(\`is so, ${word}: \${name}\`, () => {});`,
];
/** Comments that begin with a clause and have no subject. */
const clauses: readonly string[] = [
  `/** Whether it runs. */\nexport function runs() {}`,
  `/**\n * Whether it runs.\n */\nconst runs = () => {};`,
  `class Worker {\n  /** Whether it runs. */\n  async runs() {}\n}`,
  `/** Why it does not run. */\nexport function obstacle() {}`,
  `/**\n * What it holds, and where\n * that lies.\n */\nexport const read = (): string => '';`,
  `interface Port {\n  /** Who runs. */\n  worker(): string;\n}`,
  `/** Of its file. */\nexport const sha256 = '';`,
  `const worker = {\n  /**\n   * As the CLI reported it.\n   */\n  session: null,\n};`,
];
/** Comments that send a reader to a paper that the repository does not have. */
const absentSources: readonly string[] = [
  `/** Returns it. Source: decisions.md section 3. */\nexport function runs() {}`,
  `// The contract's matrix (facts B7).\nexport const matrix = [];`,
];
const saying = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
/** Comments with one sentence that is too long. */
const longComments: readonly string[] = [
  `// ${saying(21)}.\nexport const a = 1;`,
  `// ${saying(11)}\n// ${saying(10)}.\nexport const a = 1;`,
  `/**\n * Short. ${saying(12)}\n * ${saying(9)}.\n *\n * Short.\n */\nexport const a = 1;`,
  `/** @param x ${saying(20)} */\nexport const a = 1;`,
];
/** Comments whose sentences are short: after a full stop or a colon, an entry or an empty line, another one begins. */
const shortComments = `
// ${saying(20)}.
// ${saying(20)}: ${saying(20)}; ${saying(20)}? ${saying(5)}
export const a = 1;
/**
 * ${saying(15)}
 *
 * - ${saying(15)}
 * - ${saying(15)}
 * a.ts   ${saying(30)}
 *        ${saying(30)}
 */
export const b = 1;
// ${saying(15)}
const c = 1; // ${saying(15)}
  // ${saying(15)}
`;
/** Titles of a test that are too long; the value in a template counts as a word. */
const longTitles: readonly string[] = [
  `it('${saying(21)}', () => {});`,
  `describe.skip(\`${saying(20)} \${name}\`, () => {});`,
  `it('${saying(11)} ' + '${saying(10)}', () => {});`,
];
const shortTitles = `
it('${saying(20)}', () => {});
describe(\`${saying(19)} \${name} - \`, () => {});
`;
/** Sentences of the product that hide who acts. */
const sentences: readonly string[] = [
  `export const reason = 'Nobody approved it.';`,
  'export const reason = `Task ${id} was changed by somebody else.`;',
  `export const shown = <p>The worker was told to stop.</p>;`,
];
/** Names of code are no words, and the comment of a value may be a clause. */
const plainText = `
/** @param told \`nobody\`, 'somebody' or "whoever": the person's own word */
export function runs(told) { return told === 'nobody'; }
/** Returns whether it runs. */
export const isRunning = () => true;
/** Whether it runs. */
export const running = runs('told');
interface Run {
  /** Why it failed; null: it did not. */
  readonly reason: string | null;
}
it('is reported', () => {});
`;

const snippets = new Snippets();
const lint = (place: string, code: string): (() => readonly Finding[]) => snippets.add(place, code);

describe('words', () => {
  before(() => snippets.run());

  const words = Object.keys(unplainWords);
  for (const place of kindsOfFiles) {
    const each = words.map((word) => ({
      word,
      findings: lint(place, wordHolders.map((hold) => hold(word)).join('\n')),
    }));
    it(`of comments and titles say who does what: ${place}`, () => {
      assert.ok(words.length > 10);
      for (const { word, findings } of each) {
        const said = messagesOf(findings(), 'house/plain-words').filter((message) => message.includes(`"${word}"`));
        assert.equal(said.length, wordHolders.length, word);
      }
    });
  }
  for (const code of clauses) {
    const findings = lint('src/cli/*.ts', code);
    it(`begin with a subject or a verb in: ${code.replaceAll('\n', ' ')}`, () => {
      assert.equal(messagesOf(findings(), 'house/plain-words').length, 1);
    });
  }
  for (const code of absentSources) {
    const findings = lint('src/cli/*.ts', code);
    it(`cite what a reader can open: ${code.replaceAll('\n', ' ')}`, () => {
      const [message, ...more] = messagesOf(findings(), 'house/plain-words');
      assert.match(message ?? '', /^A reader cannot open "(decisions\.md|facts B7)"/);
      assert.deepEqual(more, []);
    });
  }
  for (const code of longComments) {
    const [inSource, inScript, inTest] = ['src/cli/*.ts', 'scripts/*.mjs', 'test/cli/*.ts'].map((at) => lint(at, code));
    it(`of a comment's sentence are 20 at most: ${code.slice(0, 30).replaceAll('\n', ' ')}`, () => {
      for (const findings of [inSource, inScript])
        assert.match(messagesOf(findings?.() ?? [], 'house/short-sentences').join(), /^A sentence of 2\d words/);
      assert.deepEqual(messagesOf(inTest?.() ?? [], 'house/short-sentences'), []);
    });
  }
  const inTime = lint('src/cli/*.ts', shortComments);
  it('of short sentences, entries and tables are not counted together', () => {
    assert.deepEqual(messagesOf(inTime(), 'house/short-sentences'), []);
  });
  for (const code of longTitles) {
    const findings = lint('test/cli/*.test.ts', code);
    it(`of a title are 20 at most: ${code.slice(0, 30)}`, () => {
      assert.match(messagesOf(findings(), 'house/short-titles').join(), /^A title of 21 words/);
    });
  }
  const titled = lint('test/cli/*.test.ts', shortTitles);
  it('of a title may be 20', () => {
    assert.deepEqual(messagesOf(titled(), 'house/short-titles'), []);
  });
  for (const code of sentences) {
    const [inPageText, inTest] = [lint('webview-ui/src/*.tsx', code), lint('test/architecture/*.test.ts', code)];
    it(`of sentences for people say who acts: ${code}`, () => {
      assert.equal(messagesOf(inPageText(), 'house/plain-words').length, 1);
      assert.deepEqual(messagesOf(inTest(), 'house/plain-words'), []);
    });
  }
  const names = lint('src/cli/*.ts', plainText);
  it('may be names of code', () => {
    assert.deepEqual(messagesOf(names(), 'house/plain-words'), []);
  });
});
