// The jobs of scripts/test.mjs: what is fetched, the gates, and the test files. One process runs all quick folders,
// one each folder of `grouped`, one some files of `inBatches`; every other file has a process of its own.
import fs, { readFile } from 'node:fs/promises';
import path from 'node:path';
import { agentMocha } from './agent-tools.mjs';
import { projectNode } from './project-node.mjs';
import { againOf } from './again.mjs';
import { browserFolders, chosen, needsVscode, quickFolders } from './tiers.mjs';

const quickTests = 'quick tests';
/**
 * One process runs all files of a folder inside these, because starting a process costs more than
 * many tests.
 */
const grouped = ['adapters', 'engine'];
/** One process runs so many files of these folders, for the same reason; all of them would take too long. */
const inBatches = { architecture: 10, cli: 8, supervisor: 4, webview: 6 };
/** Run by other commands: the benchmark. */
const otherCommands = ['bench'];
/** What takes long begins early, so that no core waits at the end for one long file; the rest follows by name. */
const long = [
  ...['vscode/hostKilledAtPoints', 'vscode/blocked', 'webview/states', 'vscode/viewers', 'vscode/harness', 'vscode/'],
  ...['webview/', 'agents/', 'habitats/', 'kill/', quickTests, 'adapters/sandbox', 'adapters/workspace'],
  ...['engine/mission', 'cli/', 'architecture/', 'supervisor/', 'engine/'],
];
const fetched = {
  vscode: 'VS Code for tests',
  agents: 'agent CLIs for tests',
  bubblewrap: 'bubblewrap for tests',
  toolchains: 'toolchains for tests',
  fleet: 'PostgreSQL and engines of a fleet for tests',
};

/**
 * @param {{ tiers: import('./tiers.mjs').Tiers, tier: 'quick' | 'all', folders: string[], unit: boolean, grep: string | null }} options
 *   grep: text in the titles of the tests to run; null: all
 * @returns {Promise<{ build: Job, jobs: Job[], unknown: string[] }>} with Job of side-by-side.d.mts; unknown: folders
 *   of which no test runs
 */
export async function jobsOf({ tiers, tier, folders, unit, grep }) {
  const everything = folders.length === 0 && !unit;
  const left = unit ? [...otherCommands, ...browserFolders, 'agents'] : otherCommands;
  const files = (await Array.fromAsync(fs.glob('test/**/*.test.ts')))
    .map((file) => file.replaceAll('\\', '/').replace(/^test\//, ''))
    .filter((file) => !/(^|\/)(node_modules|fixtures)\//.test(file) && !left.includes(folderOf(file)))
    .filter((file) => folders.length === 0 || folders.some((name) => file.startsWith(name)))
    .sort();
  const chosenOnes = chosen(files, tiers, tier);
  const inBrowser = everything || chosenOnes.some(({ file }) => needsVscode(file));
  const suites = [...(everything ? [extensionHost()] : []), ...early(together(chosenOnes))];
  const tools = [
    ...(inBrowser ? [tool('vscode')] : []),
    ...(chosenOnes.some(({ file }) => folderOf(file) === 'agents') ? [tool('agents')] : []),
    tool('bubblewrap'),
    ...(chosenOnes.some(({ file }) => needsToolchains(file)) ? [tool('toolchains')] : []),
    ...(chosenOnes.some(({ file }) => needsPostgres(file)) ? [tool('fleet')] : []),
  ];
  return {
    unknown: folders.filter((name) => !files.some((file) => file.startsWith(name))),
    build: gate('build', ['scripts/build.mjs', '--tests', ...folders], 5),
    jobs: [...tools, ...(everything ? await gates() : []), ...suites.map((one) => titled(one, grep))].map(knownAfter),
  };
}

/** The job with those of its tests alone whose title has the text. */
function titled(job, grep) {
  return grep === null ? job : { ...job, args: [...job.args, '--grep', grep] };
}

/** Keeps of a job's prerequisites only those that exist. */
function knownAfter(job, _index, jobs) {
  const names = jobs.map(({ name }) => name);
  return { ...job, after: (job.after ?? []).filter((name) => names.includes(name)) };
}

function early(suites) {
  const place = ({ name }) => [...long, ''].findIndex((one) => name.startsWith(one));
  return suites.toSorted((left, right) => place(left) - place(right));
}

async function gates() {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
  const named = {
    lint: 'lint:rules',
    'types of every room': 'typecheck',
    'import table': 'lint:imports',
    format: 'lint:format',
    'generated files': 'generate:check',
  };
  return Object.entries(named).map(([name, script]) => {
    // The command of a gate has one place, package.json.
    const [program, ...args] = scripts[script].split(' ');
    if (program === 'node') return gate(name, args, 15);
    return { ...gate(name, args, 15), program: path.resolve('node_modules/.bin', program) };
  });
}

function tool(what) {
  return gate(fetched[what], ['scripts/tools.mjs', what], 20);
}

function gate(name, args, minutes) {
  return { name, kind: 'gate', program: projectNode, args, minutes };
}

function suite(name, args, more = {}) {
  return { name, kind: 'suite', program: projectNode, args, minutes: 20, after: [fetched.bubblewrap], ...more };
}

function extensionHost() {
  const args = ['scripts/test-vscode.mjs', '--only', 'suite'];
  return suite('in the extension host', args, { heavy: 1, again: 'whole', after: [fetched.vscode] });
}

/** A job for each process. */
function together(ones) {
  const groups = Map.groupBy(ones, ({ file }) => groupOf(file));
  return [...groups].flatMap(([name, group]) => {
    const most = inBatches[name];
    if (most === undefined) return [suiteOf(name, group)];
    const size = Math.ceil(group.length / Math.ceil(group.length / most));
    return Array.from({ length: Math.ceil(group.length / size) }, (_, index) => {
      const batch = group.slice(index * size, (index + 1) * size);
      return suiteOf([...new Set([batch[0].file, batch.at(-1).file])].join(' to '), batch);
    });
  });
}

/** The name of what runs together: a process, or a folder of `inBatches`. */
function groupOf(file) {
  const folder = folderOf(file);
  if (quickFolders.includes(folder)) return quickTests;
  if (folder in inBatches) return folder;
  return grouped.includes(folder) ? path.posix.dirname(file) : file;
}

/** The job of files of one kind. */
function suiteOf(name, ones) {
  const [{ file }] = ones;
  const folder = folderOf(file);
  const files = ones.map((one) => built(one.file));
  const again = againOf(file);
  const texts = ones.flatMap((one) => (one.texts === null ? [] : [[built(one.file), one.texts]]));
  const env = { MISSION_TEST_TEXTS: JSON.stringify(Object.fromEntries(texts)) };
  if (browserFolders.includes(folder)) {
    const args = ['scripts/test-vscode.mjs', '--only', 'driver', ...files];
    const database = ones.some((one) => needsPostgres(one.file)) ? [fetched.fleet] : [];
    return suite(name, args, { heavy: 1, again, after: [fetched.vscode, fetched.bubblewrap, ...database], env });
  }
  if (folder === 'agents') {
    const after = [fetched.agents, fetched.bubblewrap, ...(needsVscode(file) ? [fetched.vscode] : [])];
    return suite(name, [...agentMocha, ...files], { heavy: 2, again, minutes: 30, after, env });
  }
  const leave = name === quickTests ? [] : ['--exit'];
  const after = [
    fetched.bubblewrap,
    ...(needsToolchains(file) ? [fetched.toolchains] : []),
    ...(ones.some((one) => needsPostgres(one.file)) ? [fetched.fleet] : []),
  ];
  const minutes = 15 + 5 * files.length;
  return suite(name, ['scripts/mocha.mjs', ...leave, ...files], { ...(again && { again }), minutes, after, env });
}

function needsToolchains(file) {
  return file.startsWith('habitats/toolchains');
}

function needsPostgres(file) {
  const ofFleet = [
    'adapters/fleet/pgBossFleet',
    'cli/fleet',
    'cli/fleetPeople',
    'cli/fleetWatch',
    'kill/fleet/fleet',
    'vscode/fleetMission',
  ];
  return ofFleet.some((name) => file === `${name}.test.ts`);
}

function folderOf(file) {
  return file.split('/')[0];
}

function built(file) {
  return `dist-test/${file.replace(/\.ts$/, '.js')}`;
}
