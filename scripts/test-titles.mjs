// The title of a test in its code, for the house rules that judge it: scripts/plain-words.mjs and
// scripts/short-sentences.mjs.

const testFunctions = new Set(['it', 'describe']);
/** What stands for a value in a title; it counts as a word. */
const hole = 'X';

/**
 * @param call a CallExpression
 * @returns the title with its place, if the call declares a test or a group of tests
 */
export function titleOf({ callee, arguments: [title] }) {
  if (title === undefined || !testFunctions.has(callee.object?.name ?? callee.name)) return null;
  return { text: textOf(title), loc: title.loc };
}

function textOf(node) {
  if (node.type === 'Literal') return String(node.value);
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked).join(hole);
  if (node.type === 'BinaryExpression') return textOf(node.left) + textOf(node.right);
  return hole;
}
