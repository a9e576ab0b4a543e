// The house style as rules. test/architecture/lint.test.ts shows each of our own restrictions going red.
// The rules that need types are in scripts/typed-rules.json, because another linter is ten times as fast at them.
import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import { builtinRules } from 'eslint/use-at-your-own-risk';
import tseslint from 'typescript-eslint';
import { plainWords, unplainWords } from './scripts/plain-words.mjs';

const pureRooms = ['src/base/**/*.ts', 'src/core/**/*.ts', 'src/workers/**/*.ts', 'src/engine/**/*.ts'];
const lineLimit = { skipBlankLines: true, skipComments: true };
/** Rules of the house that are no selectors. */
const house = { rules: { 'max-lines-aim': builtinRules.get('max-lines'), 'plain-words': plainWords } };

/** Restrictions for every TypeScript file. */
const everywhere = [
  { selector: 'TSEnumDeclaration', message: 'No TypeScript enums: an `as const` list and a union.' },
  { selector: 'ExportDefaultDeclaration', message: 'No default exports: one name everywhere.' },
  { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that declares it.' },
  { selector: 'TSModuleDeclaration[kind="namespace"]', message: 'No namespaces: a file is the module.' },
  {
    // The rule `naming-convention` would say the same, and takes a third of the time of all rules.
    selector:
      ':matches(ClassDeclaration, TSInterfaceDeclaration, TSTypeAliasDeclaration)[id.name!=/^[A-Z][A-Za-z0-9]*$/], TSTypeParameter[name.name!=/^[A-Z][A-Za-z0-9]*$/]',
    message: 'The name of a type is in PascalCase.',
  },
  { selector: 'TSInterfaceDeclaration[id.name=/^I[A-Z][a-z]/]', message: 'No I before the name of an interface.' },
];

/** What people read is made safe by its type, so only the writers of a medium hold the pen. */
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
/** What VS Code draws itself is handed over in one place, which takes links and icons apart. */
const editorPen = [
  {
    selector:
      'Identifier[name=/^(show(Information|Warning|Error)Message|show(QuickPick|InputBox)|create(QuickPick|InputBox|StatusBarItem|Terminal|TreeView)|withProgress|setStatusBarMessage|MarkdownString|(InlayHint|TreeItem|Hover|FileDecoration))$/]',
    message:
      'Text that VS Code draws goes through src/extension/window (ui.ts, treeItems.ts), which takes UiText only.',
  },
];
/** On the page every text of a worker is text: nothing is read as markup, and nothing leads or loads anywhere. */
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
const writers = ['src/cli/shell/output.ts', 'src/supervisor/screen.ts', 'src/base/text/*.ts'];

/** Time, randomness, locale and time zone would make the same journal give another next step. */
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

/** No outcome of a test depends on how fast the machine is. */
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

const worldGlobals = [
  ...['process', 'Buffer', 'global', 'globalThis', 'require', 'module', '__dirname', '__filename'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate', 'queueMicrotask'],
  ...['fetch', 'console', 'crypto', 'performance', 'navigator', 'window', 'document', 'Intl', 'WeakRef', 'eval'],
].map((name) => ({ name, message: 'A pure room does not reach the world: take it from the input or a port.' }));

const unpredictable = [
  { object: 'Date', property: 'now', message: 'No clock in a pure room: time arrives inside the input.' },
  { object: 'Math', property: 'random', message: 'No randomness in a pure room: ids arrive inside the input.' },
];

export default defineConfig(
  {
    ignores: [
      '**/node_modules/',
      'dist/',
      'dist-test/',
      '.tsbuild/',
      '.artifacts/',
      'examples/',
      'test/tools/',
      'test/**/fixtures/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    // Comments and test titles say who does what (scripts/plain-words.mjs).
    files: ['**/*.ts', '**/*.tsx', '**/*.mjs', '**/*.cjs', '**/*.js'],
    plugins: { house },
    rules: { 'house/plain-words': ['error', unplainWords] },
  },
  {
    // What the product says to people does, too.
    files: ['src/**/*.ts', 'webview-ui/src/**/*.ts', 'webview-ui/src/**/*.tsx'],
    rules: { 'house/plain-words': ['error', unplainWords, 'sentences'] },
  },

  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [js.configs.recommended, tseslint.configs.strict],
    rules: {
      eqeqeq: 'error',
      'no-restricted-syntax': ['error', ...everywhere],
      'max-lines': ['error', { max: 400, ...lineLimit }],
      'house/max-lines-aim': ['warn', { max: 250, ...lineLimit }],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
    },
  },

  {
    files: ['src/**/*.ts', 'webview-ui/**/*.ts', 'webview-ui/**/*.tsx'],
    ignores: writers,
    rules: { 'no-restricted-syntax': ['error', ...everywhere, ...pen] },
  },
  {
    files: ['webview-ui/**/*.ts', 'webview-ui/**/*.tsx'],
    rules: { 'no-restricted-syntax': ['error', ...everywhere, ...pen, ...pagePen] },
  },
  {
    // What needs more than that is one object with names.
    files: ['src/**/*.ts', 'webview-ui/**/*.ts', 'webview-ui/**/*.tsx'],
    rules: { 'max-params': ['error', { max: 5 }] },
  },
  {
    files: ['src/extension/**/*.ts'],
    ignores: ['src/extension/window/ui.ts', 'src/extension/window/treeItems.ts'],
    rules: { 'no-restricted-syntax': ['error', ...everywhere, ...pen, ...editorPen] },
  },
  {
    files: pureRooms,
    rules: {
      'no-restricted-syntax': ['error', ...everywhere, ...pen, ...inPureRooms],
      'no-restricted-globals': ['error', ...worldGlobals],
      'no-restricted-properties': ['error', ...unpredictable],
    },
  },
  {
    files: ['src/base/text/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...everywhere, ...inPureRooms] },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // An index into a fixture that is not there should fail the test, which `!` does.
      '@typescript-eslint/no-non-null-assertion': 'off',
      'house/max-lines-aim': 'off',
    },
  },

  {
    files: ['test/**/*.test.ts'],
    rules: { 'no-restricted-syntax': ['error', ...everywhere, ...inTests] },
  },
  {
    // Scripts and settings are plain JavaScript for Node; they have no types to check.
    files: ['**/*.mjs', '**/*.cjs', '**/*.js'],
    extends: [js.configs.recommended, tseslint.configs.strict],
    languageOptions: {
      globals: Object.fromEntries(
        [
          ...['console', 'Buffer', 'URL', 'URLSearchParams', 'TextDecoder', 'TextEncoder', 'fetch', 'performance'],
          ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'queueMicrotask'],
          ...[
            'AbortController',
            'AbortSignal',
            'structuredClone',
            'process',
            'crypto',
            'WebSocket',
            'Response',
            'Request',
          ],
        ].map((name) => [name, 'readonly']),
      ),
    },
    rules: { eqeqeq: 'error' },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: { globals: { module: 'writable', require: 'readonly', __dirname: 'readonly' } },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
);
