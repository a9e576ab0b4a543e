import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { unplainWords } from '../../scripts/plain-words.mjs';
import { withoutCode, withoutFences } from '../support/markdownText';

const most = {
  linesOfReadme: 150,
  linesOfArchitecture: 250,
  linesOfContributing: 110,
  linesOfFirstMission: 120,
  linesOfGuide: 120,
  linesOfRecipe: 60,
  linesOfDecision: 60,
  charactersOfParagraph: 400,
} as const;
/** A shorter page of the guide lacks something that a reader looks for there. */
const leastLinesOfGuide = 60;
/** Each page of the guide has these sections, in this order. */
const shapeOfGuide = ['What it is', 'Do it', 'What you see', 'Limits'];
/** Returns the cells of tables that are too long to be read in a column. */
function longCells(text: string): readonly string[] {
  const rows = withoutFences(text)
    .split('\n')
    .filter((line) => line.startsWith('|'));
  return rows.flatMap((row) => row.split(/(?<!\\)\|/)).filter((cell) => cell.length > most.charactersOfParagraph);
}

/** The paragraphs and list entries of a Markdown document that are too long; table rows, headings and code are left out. */
function longParagraphs(text: string): readonly string[] {
  const shown = withoutFences(text);
  return shown
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
    .map((paragraph) =>
      paragraph
        .split('\n')
        .filter((line) => !/^(\||#)/.test(line))
        .join(' ')
        .trim(),
    )
    .filter((paragraph) => paragraph.length > most.charactersOfParagraph);
}

describe('the shape of the documents', () => {
  const written = globSync(['*.md', 'docs/**/*.md', 'examples/*.md']).map((file) => file.split(path.sep).join('/'));
  const below = (folders: RegExp): readonly string[] => written.filter((file) => folders.test(file));
  const guide = below(/^docs\/guide\/(?!README)/);
  const decisions = below(/^docs\/internals\/decisions\/\d{4}-/);

  it('README.md has a picture for each step and feature, eight settings and ten answers', () => {
    const sections = new Map(
      readFileSync('README.md', 'utf8')
        .split(/^## /m)
        .map((section) => [/^.*/.exec(section)?.[0] ?? '', section.split('\n')] as const),
    );
    const linesOf = (title: string, begins: RegExp): readonly string[] =>
      (sections.get(title) ?? []).filter((line) => begins.test(line));
    const features = linesOf('Features', /^\| \[/);
    assert.equal(features.length, 10);
    for (const row of features) {
      assert.match(row, /\]\(docs\/guide\/[\w-]+\.md\)/);
      assert.match(
        row,
        /<details><summary>picture<\/summary><img src="media\/[\w-]+\.(?:png|svg)" alt="[^"]+"><\/details> \|$/,
      );
    }
    const steps = linesOf('First mission', /^\d\. /);
    assert.equal(steps.length, 3);
    assert.equal(linesOf('First mission', /^ +!\[[^\]]+\]\(media\//).length, steps.length);
    assert.equal(linesOf('Settings', /^\| `/).length - 1, 8, 'the first row names the columns');
    assert.equal(linesOf('FAQ', /^- \*\*[^*]+\?\*\* /).length, 10);
  });

  it('docs/reference/codes.md says of each code what it means, in a sentence', () => {
    const rows = [...readFileSync('docs/reference/codes.md', 'utf8').matchAll(/^\| `(\w+)` \| (.*?) \| /gm)];
    assert.ok(rows.length > 200, String(rows.length));
    const silent = rows.filter(([, , meaning = '']) => meaning.split(' ').length < 3).map(([, name]) => name);
    assert.deepEqual(silent, []);
  });

  it('each document is as long as its reader can use', () => {
    const lengths: readonly (readonly [files: readonly string[], most: number, least?: number])[] = [
      [['README.md'], most.linesOfReadme],
      [['ARCHITECTURE.md'], most.linesOfArchitecture],
      [['CONTRIBUTING.md'], most.linesOfContributing],
      [['docs/getting-started.md'], most.linesOfFirstMission],
      [guide, most.linesOfGuide, leastLinesOfGuide],
      [below(/^docs\/(internals\/)?recipes\//), most.linesOfRecipe],
      [decisions, most.linesOfDecision],
    ];
    const wrong = lengths.flatMap(([documents, limit, least = 1]) => {
      assert.ok(documents.length > 0);
      return documents.flatMap((document) => {
        const { length } = readFileSync(document, 'utf8').trimEnd().split('\n');
        return length < least || length > limit ? [`${document} has ${length} lines`] : [];
      });
    });
    assert.deepEqual(wrong, []);
  });

  it('each page of the guide has the same sections', () => {
    for (const page of guide) {
      const headings = [...withoutCode(readFileSync(page, 'utf8')).matchAll(/^## (.*)$/gm)].map(([, title]) => title);
      assert.deepEqual(headings, shapeOfGuide, page);
    }
  });

  it('each decision has its context, what was decided, what follows, its limits and its tests', () => {
    for (const decision of decisions) {
      const headings = [...readFileSync(decision, 'utf8').matchAll(/^## (.*)$/gm)].map(([, title]) => title);
      assert.deepEqual(headings, ['Context', 'Decision', 'Consequences', 'Limits', 'Tests'], decision);
    }
  });

  it('the words of a document say who acts', () => {
    const hidden = new RegExp(`\\b(?:${Object.keys(unplainWords).join('|')})\\b`, 'gi');
    // A word in italics is spoken about.
    const wordsIn = (text: string): readonly string[] =>
      withoutCode(text)
        .replaceAll(/\*[^*\n]*\*/g, '')
        .match(hidden) ?? [];
    const found = written
      .filter((document) => !/^docs\/(reference|reports)\//.test(document))
      .flatMap((document) => wordsIn(readFileSync(document, 'utf8')).map((word) => `${document}: ${word}`));
    assert.deepEqual(found, []);
    assert.deepEqual(wordsIn('Nobody was told of `nobody`, *somebody* or bothers.'), ['Nobody', 'told']);
  });

  it('no paragraph is long, and no cell of a table that a person wrote', () => {
    const long = written.flatMap((document) => {
      const text = readFileSync(document, 'utf8');
      const cells = /^docs\/(reference|reports)\//.test(document) ? [] : longCells(text);
      return [...longParagraphs(text), ...cells].map((part) => `${document}: ${part.trim().slice(0, 60)}`);
    });
    assert.deepEqual(long, []);
    const [one, two] = ['x'.repeat(300), 'y'.repeat(200)];
    const text = `# ${one}${two}\n\n${one}\n${two}\n\n- ${one}\n- ${two}\n\n| ${one} | ${two} |\n\n\`\`\`\n${one}${two}\n\`\`\`\n`;
    assert.deepEqual(longParagraphs(text), [`${one} ${two}`]);
    assert.deepEqual(longCells(`${text}\n| a | ${one}${two} |\n`), [` ${one}${two} `]);
  });
});
