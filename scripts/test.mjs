// `npm test`: every check of the project that needs no agent account, none skipped because another failed. The build
// comes first, then the gates, which compute all the time; then the test files side by side, which is what keeps both
// cores busy: most tests wait for processes. The last line is `N passed, N failed[, N skipped]`.
//
//   node scripts/test.mjs [--unit] [file or folder of test/ ...]
//
// --unit leaves out the gates and the real VS Code; names (`core/plan`, `test/cli/run.test.ts`) run only those.
import './project-node.mjs';
import { existsSync } from 'node:fs';
import fs, { readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { bubblewrapForTests } from './bubblewrap.mjs';
import { projectNode } from './project-node.mjs';
import { closingLines, runSideBySide } from './side-by-side.mjs';

const root = path.resolve(import.meta.dirname, '..');
process.chdir(root);
const binFolder = path.join(root, 'node_modules/.bin');
process.env.PATH = `${binFolder}${path.delimiter}${process.env.PATH}`;
const { values: flags, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { unit: { type: 'boolean', default: false } },
});

/** Test folders whose files are quick: one process runs them all. The files of every other folder have one each. */
const quickFolders = ['base', 'contracts', 'core', 'extension', 'workers'];
/** Run by other commands: the real CLIs, the benchmark. */
const otherCommands = ['agents', 'bench'];
/** What takes long begins early, so that no core waits at the end for one long file; the rest follows by name. */
const longFolders = ['habitats', 'kill', 'cli', 'architecture', 'engine', 'supervisor'];
const longInVscode = ['hostKilledAtPoints', 'blocked', 'viewers', 'harness', 'attention', 'continuity'];
/** More than there are cores, because most tests wait for the processes that they started. */
const atOnce = Number(process.env.MISSION_TESTS_AT_ONCE ?? 4);

if (!existsSync(projectNode)) {
  console.error('node_modules holds no Node: run `npm ci` first.');
  console.log('0 passed, 1 failed');
  process.exit(1);
}

// Here, not in the first test that needs it: where no list of packages is, that takes longer than a test may.
bubblewrapForTests(root);
const everything = wanted.length === 0 && !flags.unit;
const folders = wanted.map((name) => name.replace(/^(dist-)?test\//, '').replace(/\.test\.[tj]s$/, ''));
const build = await runSideBySide([gate('build', ['scripts/build.mjs', '--tests', ...folders], 5)], 1);
const judged = await runSideBySide(everything ? await gates() : [], 2);
const rest = await runSideBySide(await jobs(), atOnce);

const slowest = rest.times.sort((left, right) => right.seconds - left.seconds).slice(0, 20);
console.log(`\nslowest: ${slowest.map(({ name, seconds }) => `${name} ${seconds} s`).join(', ')}`);
const total = {
  passed: (everything ? build.passed : 0) + judged.passed + rest.passed,
  failed: build.failed + judged.failed + rest.failed,
  skipped: rest.skipped,
  failures: [...build.failures, ...judged.failures, ...rest.failures],
};
console.log(closingLines(total).join('\n'));
process.exitCode = total.failed > 0 ? 1 : 0;

/** What takes long first: VS Code, which takes its turns, the quick files in one process, the long folders. */
async function jobs() {
  const files = (await Array.fromAsync(fs.glob('test/**/*.test.ts')))
    .map((file) => file.replaceAll('\\', '/').replace(/^test\//, ''))
    .filter((file) => !/(^|\/)(node_modules|fixtures)\//.test(file) && !otherCommands.includes(folderOf(file)))
    .filter((file) => folders.length === 0 || folders.some((name) => file.startsWith(name)))
    .sort();
  const inVscode = early(
    flags.unit ? [] : files.filter((file) => folderOf(file) === 'vscode'),
    longInVscode.map((name) => `vscode/${name}.`),
  );
  const quick = files.filter((file) => quickFolders.includes(folderOf(file)));
  const others = early(
    files.filter((file) => folderOf(file) !== 'vscode' && !quick.includes(file)),
    longFolders.map((name) => `${name}/`),
  );
  return [
    ...inVscode.map((file) => suite(file, ['scripts/test-vscode.mjs', '--only', 'driver', built(file)], true)),
    ...(everything ? [suite('in the extension host', ['scripts/test-vscode.mjs', '--only', 'suite'], true)] : []),
    ...(quick.length > 0 ? [suite('quick tests', ['node_modules/mocha/bin/mocha.js', ...quick.map(built)])] : []),
    ...others.map((file) => suite(file, ['node_modules/mocha/bin/mocha.js', '--exit', built(file)])),
  ];
}

/** Those that begin with one of `long` come first, in its order. */
function early(files, long) {
  const place = (file) => [...long, ''].findIndex((name) => file.startsWith(name));
  return files.toSorted((left, right) => place(left) - place(right));
}

async function gates() {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
  const named = {
    lint: 'lint:eslint',
    'types of every room': 'typecheck',
    'import table': 'lint:imports',
    format: 'lint:format',
    'generated files': 'generate:check',
  };
  return Object.entries(named).map(([name, script]) => {
    // The command of a gate has one place, package.json.
    const [program, ...args] = scripts[script].split(' ');
    if (program === 'node') return gate(name, args, 10);
    return { ...gate(name, args, 10), program: path.join(binFolder, program) };
  });
}

function gate(name, args, minutes) {
  return { name, kind: 'gate', program: projectNode, args, minutes };
}

function suite(name, args, heavy = false) {
  return { name, kind: 'suite', program: projectNode, args, minutes: 15, heavy };
}

function folderOf(file) {
  return file.split('/')[0];
}

function built(file) {
  return `dist-test/${file.replace(/\.ts$/, '.js')}`;
}
