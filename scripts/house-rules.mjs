// The rules of the house that no linter brings: restrictions on syntax, the length that a file aims at, words
// (scripts/plain-words.mjs), sentences and titles (scripts/short-sentences.mjs). A restriction is a selector with the
// sentence that the author of the code reads. Where each holds is in .oxlintrc.json. lint.test.ts and lintWords.test.ts
// of test/architecture show each of them going red.
import { plainWords } from './plain-words.mjs';
import { shortSentences, shortTitles } from './short-sentences.mjs';

/** Restrictions for every TypeScript file. */
const everywhere = [
  { selector: 'TSEnumDeclaration', message: 'No TypeScript enums: an `as const` list and a union.' },
  { selector: 'ExportDefaultDeclaration', message: 'No default exports: one name everywhere.' },
  { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that declares it.' },
  { selector: 'TSModuleDeclaration[kind="namespace"]', message: 'No namespaces: a file is the module.' },
  {
    selector:
      ':matches(ClassDeclaration, TSInterfaceDeclaration, TSTypeAliasDeclaration)[id.name!=/^[A-Z][A-Za-z0-9]*$/], TSTypeParameter[name.name!=/^[A-Z][A-Za-z0-9]*$/]',
    message: 'The name of a type is in PascalCase.',
  },
  { selector: 'TSInterfaceDeclaration[id.name=/^I[A-Z][a-z]/]', message: 'No I before the name of an interface.' },
];

/** Restrictions on text for people: its type makes it safe, so only the writers of a medium may print. */
const pen = [
  {
    selector:
      'CallExpression[callee.object.object.name="process"][callee.object.property.name=/^std(out|err)$/][callee.property.name="write"]:not([arguments.0.value=""])',
    message: 'Text for people goes through Output (cli) or Screen (supervisor), which take TerminalText only.',
  },
  {
    selector: 'CallExpression[callee.object.name="console"]',
    message: 'No console: Output and Screen take text that was made safe.',
  },
  {
    selector: 'NewExpression[callee.name="SafeText"], CallExpression[callee.name="visibleText"]',
    message: 'Safe text is made by the template of its medium (base/text).',
  },
];
/** Restrictions on VS Code's own widgets: one place passes texts to them and takes links and icons apart. */
const editorPen = [
  {
    selector:
      'Identifier[name=/^(show(Information|Warning|Error)Message|show(QuickPick|InputBox)|create(QuickPick|InputBox|StatusBarItem|Terminal|TreeView)|withProgress|setStatusBarMessage|MarkdownString|(InlayHint|TreeItem|Hover|FileDecoration))$/]',
    message:
      'Text that VS Code draws goes through src/extension/window (ui.ts, treeItems.ts), which takes UiText only.',
  },
];
/** Restrictions on the page: every text of a worker stays text, because markup could lead or load anywhere. */
const markup = 'innerHTML|outerHTML|dangerouslySetInnerHTML|insertAdjacentHTML|setHTMLUnsafe|srcdoc|srcDoc';
const leading = 'href|xlinkHref|xlink:href|src|srcSet|action|formAction|data|poster|ping';
const asMarkup = 'No markup from strings: text is a child of its element, shown by <Text of={…} /> (shell/text.tsx).';
const asLink =
  'The page leads nowhere and loads nothing: it asks the host to open what the last snapshot names (OpenLink).';
const pagePen = [
  { selector: `MemberExpression[property.name=/^(${markup})$/]`, message: asMarkup },
  { selector: `MemberExpression[computed=true][property.value=/^(${markup})$/]`, message: asMarkup },
  { selector: `Property[key.name=/^(${markup})$/], Property[key.value=/^(${markup})$/]`, message: asMarkup },
  { selector: `JSXAttribute[name.name=/^(${markup})$/]`, message: asMarkup },
  {
    selector:
      'CallExpression[callee.property.name=/^(createContextualFragment|parseFromString|parseHTMLUnsafe)$/], CallExpression[callee.object.name="document"][callee.property.name=/^write(ln)?$/]',
    message: asMarkup,
  },
  {
    selector: `JSXAttribute[name.name=/^(${leading})$/], JSXAttribute[name.type="JSXNamespacedName"]`,
    message: asLink,
  },
  {
    selector: `AssignmentExpression[left.property.name=/^(href|src|action|location)$/], Property[key.name=/^(href|src|formAction)$/], CallExpression[callee.property.name=/^setAttribute(NS)?$/][arguments.0.value=/^(href|src|srcdoc|action|on.+)$/]`,
    message: asLink,
  },
  {
    selector:
      'JSXOpeningElement[name.name=/^(a|area|base|embed|form|frame|iframe|img|link|meta|object|script|source|style|use|foreignObject|animate|set)$/]',
    message: asLink,
  },
];
/**
 * Restrictions in pure rooms: time, randomness, locale and time zone would make one journal give different next steps.
 */
const inPureRooms = [
  {
    selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
    message: 'No clock in a pure room: time arrives inside the input.',
  },
  {
    selector: 'CallExpression[callee.name="Date"]',
    message: 'No clock in a pure room: time arrives inside the input.',
  },
  {
    selector: 'CallExpression[callee.property.name=/^(localeCompare|toLocale.*)$/]',
    message: 'No locale in a pure room: compare code units with < and >, format by hand.',
  },
  {
    selector:
      'CallExpression[callee.property.name=/^(get|set)(FullYear|Month|Date|Day|Hours|Minutes|Seconds|TimezoneOffset)$/]',
    message: 'No time zone in a pure room: use the UTC variants.',
  },
  { selector: 'ImportExpression', message: 'No dynamic imports in a pure room.' },
];

/** Restrictions in tests: no outcome may depend on how fast the machine is. */
const inTests = [
  {
    selector:
      'CallExpression[callee.object.type="ThisExpression"][callee.property.name="timeout"] > Literal[value>0][value<60000]',
    message: 'A limit of less than a minute is over on a busy machine: leave it out, or at least 60_000.',
  },
  ...['callee.name', 'callee.property.name'].map((callee) => ({
    selector: `AwaitExpression > CallExpression[${callee}=/^(until|waitFor)/] > ObjectExpression > Property[key.name=/^timeout/] > Literal[value<60000]`,
    message: 'A wait of less than a minute is over on a busy machine: leave it out, or at least 60_000.',
  })),
  ...['callee.name="assert"', 'callee.object.name="assert"'].map((callee) => ({
    selector: `CallExpression[${callee}][callee.property.name!=/^(throws|rejects)$/] CallExpression[callee.object.name=/^(Date|performance)$/][callee.property.name="now"]`,
    message: 'A test asserts nothing about how long something took.',
  })),
];

/** Refused names, because each had several meanings and a search by name found none of them. */
const names = [
  {
    selector: 'Identifier[name=/^(told|factsOf|nameOf|namesIn|kindOf|problemOf|refusalOf)$/]',
    message: 'This name says nothing of the thing: name what it holds, or what the function does.',
  },
];

/** @type {Readonly<Record<string, readonly { selector: string, message: string }[]>>} the restrictions of each rule */
export const restrictions = {
  syntax: everywhere,
  names,
  pen,
  'editor-pen': editorPen,
  'page-pen': pagePen,
  pure: inPureRooms,
  tests: inTests,
};

export default {
  meta: { name: 'house' },
  rules: {
    ...Object.fromEntries(Object.entries(restrictions).map(([name, each]) => [name, restricting(each)])),
    'plain-words': plainWords,
    'short-sentences': shortSentences,
    'short-titles': shortTitles,
  },
};

/** A rule that reports what its selectors find; each selector occurs once in it. */
export function restricting(each) {
  return {
    create: (context) =>
      Object.fromEntries(each.map(({ selector, message }) => [selector, (node) => context.report({ node, message })])),
  };
}
