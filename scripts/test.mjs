// `npm test`: every gate, and of the tests the quick tier (test/tiers.json). `npm run test:all`: every test. Nothing is
// left out because another part failed. The build comes first, then all jobs side by side, what takes long first. Tests
// of real parts that failed run once more, alone, at the end. The last line is `N passed, N failed[, N skipped]`.
//
//   node scripts/test.mjs [--all] [--unit] [--grep TEXT] [file or folder of test/ ...]
//
// --unit leaves out the gates, what needs a browser (the real VS Code, the page alone) and the real CLIs; names
// (`core/plan`, `test/cli/run.test.ts`) run only those, whole. --grep runs of them what has the text in its title.
import './project-node.mjs';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { runAgain } from './again.mjs';
import { rememberGreen, stateOfCheckout } from './green.mjs';
import { withoutNode } from './no-node.mjs';
import { projectNode } from './project-node.mjs';
import { closingLines, runSideBySide } from './side-by-side.mjs';
import { jobsOf } from './test-jobs.mjs';
import { readTiers } from './tiers.mjs';
import { cpuSeconds, worldLine } from './world.mjs';

const root = path.resolve(import.meta.dirname, '..');
process.chdir(root);
process.env.PATH = `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`;
const { values: flags, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    unit: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    grep: { type: 'string' },
  },
});
const tier = flags.all || wanted.length > 0 ? 'all' : 'quick';
/** Number of flaky tests that are no failure yet. */
const flakyAllowed = { quick: 2, all: 5 };
/** More than there are cores, because most tests wait for processes that they started. */
const atOnce = Number(process.env.MISSION_TESTS_AT_ONCE ?? 3);
/** Two VS Codes, or one real CLI: beside another of them a CLI starts for minutes, which its task takes for silence. */
const heavyAtOnce = 2;

if (!existsSync(projectNode)) {
  console.error(withoutNode(root));
  console.log('0 passed, 1 failed');
  process.exit(1);
}

const before = stateOfCheckout();
const tiers = readTiers();
const began = Date.now();
console.log(worldLine(before));
process.env.MISSION_TESTS_TIER = tier;
const folders = wanted.map((name) => name.replace(/^(dist-)?test\//, '').replace(/\.test\.[tj]s$/, ''));
const { build, jobs, unknown } = await jobsOf({ tiers, tier, folders, unit: flags.unit, grep: flags.grep ?? null });
if (unknown.length > 0) {
  const left = flags.unit ? ' --unit leaves out what needs a browser or a real CLI.' : '';
  console.error(`No test runs of ${unknown.join(', ')}.${left}`);
  console.log('0 passed, 1 failed');
  process.exit(1);
}
const built = await runSideBySide([build], 1);
const { ran } = await runSideBySide(jobs, atOnce, heavyAtOnce);
const judged = await runAgain(ran, flakyAllowed[tier]);
const total = withKnownSkips(sum(built, judged));

await tellFlaky(judged.flaky);
const slowest = ran.toSorted((left, right) => right.seconds - left.seconds).slice(0, 20);
console.log(`\nslowest: ${slowest.map(({ job, seconds, cpu }) => `${job.name} ${seconds} s (${cpu})`).join(', ')}`);
console.log(`tier ${tier}: ${minutes((Date.now() - began) / 1000)}, of CPU ${minutes(cpuSeconds())}`);
console.log(closingLines(total).join('\n'));
process.exitCode = total.failed > 0 ? 1 : 0;
const whole = wanted.length === 0 && !flags.unit && flags.grep === undefined;
if (whole && total.failed === 0) rememberGreen(before, total.passed);

function sum(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: [...one.skipped, ...other.skipped],
    failures: [...one.failures, ...other.failures],
  };
}

/** With CI=true a skipped test is a failure, unless test/tiers.json says that such a machine may lack something. */
function withKnownSkips(results) {
  if (process.env.CI !== 'true') return results;
  const unknown = results.skipped.filter(({ reason }) => !tiers.skips.some((one) => reason.includes(one.reason)));
  return {
    ...results,
    failed: results.failed + unknown.length,
    failures: [...results.failures, ...unknown.map(({ title, reason }) => `${title}: skipped: ${reason}`)],
    skipped: results.skipped.filter((one) => !unknown.includes(one)),
  };
}

async function tellFlaky(flaky) {
  for (const title of flaky) console.log(`flaky: ${title}`);
  await mkdir('.artifacts', { recursive: true });
  await writeFile('.artifacts/flaky.json', `${JSON.stringify({ commit: before.commit, tier, flaky }, null, 2)}\n`);
}

function minutes(seconds) {
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
