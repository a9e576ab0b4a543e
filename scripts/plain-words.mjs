// The house rule on words (.oxlintrc.json): a comment, a test title or a sentence for people says who does what.
import { titleOf } from './test-titles.mjs';

/** Word -> what to write in its place. */
export const unplainWords = {
  nobody: 'name who does not act, or say that it is unknown, absent or not done',
  somebody: 'name who acts: a person, a program, git',
  someone: 'name who acts: a person, a program, git',
  anybody: 'name who acts: a person, a program, git',
  anyone: 'name who acts: a person, a program, git',
  everybody: 'name all who act: every client, every user',
  everyone: 'name all who act: every client, every user',
  whoever: 'name who acts: the caller, the person who approves',
  told: 'write reported, shown, recorded, named or distinguished, and by whom',
  besides: 'write "in addition to", "apart from" or "also"',
  'all the same': 'write "still" or "although"',
  'any more': 'say what is so now: it is gone, has ended, is no longer needed',
  'is none': 'say what it is instead, or that it does not count',
  'are none': 'say what they are instead, or that they do not count',
};

/** Names of code are skipped, because they are no words: a quoted text, the name of a parameter. */
const code = /`[^`]*`|(?<!\w)'[^'\n]*'|"[^"\n]*"|@param \S+/g;
/** The start of a line in a block comment; its star is not part of the text. */
const lineStart = /\s*\n\s*\*?\s*/g;
const pattern = new RegExp(`\\b(${Object.keys(unplainWords).join('|')})\\b`, 'i');
/** Documents that the repository does not have. */
const absentSource = /\bdecisions\.md\b|\bfacts(?:\/[\w-]+\.md| [A-Z]\.?\d+)/i;
/** A comment that begins with one of these is a clause: it names neither an actor nor what the function does. */
const clauseHeads = ['Whether', 'What', 'Why', 'Who', 'Where', 'How', 'Which'];

/**
 * Finds the words in comments and test titles, and optionally in sentences of the code. Also finds
 * comments that begin with a clause. The comment of a value may be a clause; that of a function in
 * tests may begin with all but *Whether*.
 */
export const plainWords = {
  meta: {
    type: 'suggestion',
    schema: [{ enum: ['sentences'] }],
    messages: {
      word: 'A reader needs subject, verb and object, not "{{word}}": {{instead}}.',
      source: 'A reader cannot open "{{source}}": cite a decision by its number, or a contract by that of its seed.',
      clause: 'A comment that begins with "{{head}}" has no subject: say what the value is, or what the function does.',
    },
  },
  create(context) {
    const { sourceCode } = context;
    const [alsoSentences] = context.options;
    const judge = (loc, text) => {
      const word = pattern.exec(text.replaceAll(lineStart, ' ').replaceAll(code, ' '))?.[1].toLowerCase();
      if (word !== undefined) context.report({ loc, messageId: 'word', data: { word, instead: unplainWords[word] } });
    };
    // A text without a blank is a name of code.
    const judgeSentence = (node, text) => alsoSentences && /\S\s+\S/.test(text) && judge(node.loc, text);
    const judgeHead = (heads, comment) => {
      const [, head] = /^\*[\s*]*(\w+)/.exec(comment?.type === 'Block' ? comment.value : '') ?? [];
      if (heads.includes(head)) context.report({ loc: comment.loc, messageId: 'clause', data: { head } });
    };
    const heads = alsoSentences ? clauseHeads : clauseHeads.slice(0, 1);
    const judgeFunction = (node) => judgeHead(heads, sourceCode.getCommentsBefore(statementOf(node)).at(-1));
    return {
      Program() {
        for (const comment of sourceCode.getAllComments()) {
          judge(comment.loc, comment.value);
          const [source] = absentSource.exec(comment.value) ?? [];
          if (source !== undefined) context.report({ loc: comment.loc, messageId: 'source', data: { source } });
          judgeHead(['As', 'Of'], comment);
        }
      },
      CallExpression(node) {
        const title = alsoSentences ? null : titleOf(node);
        if (title !== null) judge(title.loc, title.text);
      },
      Literal: (node) => typeof node.value === 'string' && judgeSentence(node, node.value),
      TemplateElement: (node) => judgeSentence(node, node.value.cooked),
      JSXText: (node) => judgeSentence(node, node.value),
      FunctionDeclaration: judgeFunction,
      'MethodDefinition[kind="method"]': judgeFunction,
      TSMethodSignature: judgeFunction,
      'VariableDeclarator[init.type="ArrowFunctionExpression"]': ({ parent }) => judgeFunction(parent),
    };
  },
};

/** The statement that has the declaration's comment, because `export` comes first. */
function statementOf(node) {
  return node.parent.type === 'ExportNamedDeclaration' ? node.parent : node;
}
