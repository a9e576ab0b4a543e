// Tests of real parts that failed are run once more, alone: a test that passes then is flaky, which the run reports and
// counts. A pure test is never run again, and neither is a job that left no result or has many failures.
import { added, runSideBySide } from './side-by-side.mjs';
import { needsVscode, patternOf } from './tiers.mjs';

/** What depends on other programs: its failed tests run once more. */
const real = ['agents', 'cli', 'habitats', 'kill', 'supervisor'];
/** A job with this many failures is not run again: that is no accident. */
const many = 4;

/**
 * @param {readonly import('./side-by-side.d.mts').Ran[]} ran
 * @param {number} allowed so many flaky tests are no failure yet
 * @returns {Promise<import('./again.d.mts').Judged>}
 */
export async function runAgain(ran, allowed, runJobs = runSideBySide) {
  const flaky = [];
  const judged = [];
  for (const one of ran) {
    const once = onceMore(one);
    if (once === null) {
      judged.push(one);
      continue;
    }
    console.log(`\nonce more, alone: ${one.job.name}`);
    const { ran: again } = await runJobs([once], 1);
    if (again.some(({ failed }) => failed > 0)) {
      judged.push(one);
      continue;
    }
    flaky.push(...one.failures.filter(wasTried).map((title) => `${one.job.name}: ${title}`));
    const before = once.args === one.job.args ? 0 : one.passed;
    judged.push({ ...one, passed: before + added(again).passed, failed: 0, failures: [] });
  }
  const total = added(judged);
  if (flaky.length > allowed) {
    total.failed += 1;
    total.failures.push(`${flaky.length} tests are flaky, and ${allowed} may be: mend them first`);
  }
  return { ...total, flaky };
}

/**
 * A story in VS Code runs whole, wherever its file lies, because its later parts need the earlier ones.
 *
 * @param {string} file below `test/`
 * @returns {'titles' | 'whole' | undefined} undefined: its failures are never run again
 */
export function againOf(file) {
  if (needsVscode(file)) return 'whole';
  return real.includes(file.split('/')[0]) ? 'titles' : undefined;
}

/** A story gives up after its first failed step: what it did not try says nothing. */
function wasTried(failure) {
  return !failure.includes(': not tried, because this step failed: ');
}

/** @returns {import('./side-by-side.d.mts').Job | null} the job that runs what failed; null: nothing is run again */
function onceMore({ job, failed, failures, titles, ended }) {
  if (job.again === undefined || failed === 0 || failed >= many || !/^exit code /.test(ended)) return null;
  // A job that failed as a whole, by its result file or its exit code, says so in a failure without a test.
  if (failures.some((why) => /^(no test ran|every test passed, but) /.test(why))) return null;
  const name = `${job.name}, once more`;
  if (job.again === 'whole' || titles.length < failed) return { ...job, name };
  return { ...job, name, env: {}, args: [...withoutGrep(job.args), '--grep', `^(${patternOf(titles)})$`] };
}

function withoutGrep(args) {
  const at = args.indexOf('--grep');
  return at === -1 ? args : [...args.slice(0, at), ...args.slice(at + 2)];
}
