// The house rules on the length of a comment's sentences and of a test's title (.oxlintrc.json): a colleague reads
// each of them once.
import { titleOf } from './test-titles.mjs';

export const longest = 20;

/** Finds sentences of comments that have more words than a reader takes in at once. */
export const shortSentences = {
  meta: {
    type: 'suggestion',
    messages: { long: 'A sentence of {{words}} words, of at most {{longest}}: make two of it, "{{begin}} ...".' },
  },
  create(context) {
    return {
      Program() {
        for (const { loc, lines } of blocksOf(context.sourceCode.getAllComments()))
          for (const paragraph of paragraphsOf(lines))
            for (const sentence of paragraph.split(/(?<=[.!?:;])\s+/)) {
              const words = wordsOf(sentence);
              const begin = words.slice(0, 5).join(' ');
              if (words.length > longest)
                context.report({ loc, messageId: 'long', data: { words: words.length, longest, begin } });
            }
      },
    };
  },
};

/** Finds titles of tests that have more words than a reader takes in at once. */
export const shortTitles = {
  meta: {
    type: 'suggestion',
    messages: {
      long: 'A title of {{words}} words, of at most {{longest}}: leave out what the body of the test shows.',
    },
  },
  create(context) {
    return {
      CallExpression(node) {
        const words = wordsOf(titleOf(node)?.text ?? '').length;
        if (words > longest) context.report({ node: node.arguments[0], messageId: 'long', data: { words, longest } });
      },
    };
  },
};

export function wordsOf(text) {
  return text.split(/\s+/).filter((word) => /\w/.test(word));
}

/** Each comment with its lines; comments of one line that follow each other are one. */
function blocksOf(comments) {
  const blocks = [];
  for (const { type, value, loc } of comments) {
    const last = blocks.at(-1);
    if (type === 'Block') blocks.push({ loc, lines: value.replace(/^\*/, '').split('\n').map(unstarred), end: null });
    else if (last?.end === loc.start.line - 1 && last.column === loc.start.column) {
      last.lines.push(value.replace(/^ /, ''));
      last.end = loc.end.line;
    } else blocks.push({ loc, lines: [value.replace(/^ /, '')], end: loc.end.line, column: loc.start.column });
  }
  return blocks;
}

function unstarred(line) {
  return line.replace(/^\s*\*? ?/, '').trimEnd();
}

/** Joins lines. An empty line and the beginning of an entry end a paragraph; the rows of a table are no text. */
function paragraphsOf(lines) {
  const paragraphs = [];
  let open = false;
  for (const line of lines) {
    const isRow = /\S {2,}\S/.test(line) || /^ {2,}\S/.test(line);
    const text = line.trim();
    if (text === '' || isRow) open = false;
    else if (open && !/^[-*@|]/.test(text)) paragraphs.push(`${paragraphs.pop()} ${text}`);
    else {
      paragraphs.push(text);
      open = true;
    }
  }
  return paragraphs;
}
