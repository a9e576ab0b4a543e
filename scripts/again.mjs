// Tests of real parts that failed run once more, alone. A test that passes then is flaky; the run reports and counts
// it. A pure test never runs again, nor does a job that left no result or has many failures.
import { added, runSideBySide } from './side-by-side.mjs';
import { needsVscode, patternOf } from './tiers.mjs';

/** Folders whose tests depend on other programs; their failed tests run once more. */
const real = ['agents', 'cli', 'habitats', 'kill', 'supervisor'];
/** So many failures of one file are no accident, so the script repeats no file of that process. */
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
    const { ran: again } = await runJobs([once.job], 1);
    if (again.some(({ failed }) => failed > 0)) {
      judged.push(one);
      continue;
    }
    flaky.push(...one.failures.filter(wasTried).map((title) => `${one.job.name}: ${title}`));
    const before = one.passed - once.passedThen;
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

/** A story gives up after its first failed step, so later steps were not tried. */
function wasTried(failure) {
  return !failure.includes(': not tried, because this step failed: ');
}

/**
 * @returns {{ job: import('./side-by-side.d.mts').Job, passedThen: number } | null} the job that runs what failed, and
 *   how many of its tests passed before; null: nothing is run again
 */
function onceMore({ job, passed, failed, failures, titles, ended, files = {} }) {
  if (job.again === undefined || failed === 0 || !/^exit code /.test(ended)) return null;
  const counts = Object.values(files);
  if (Math.max(...(counts.length > 0 ? counts.map((one) => one.failed) : [failed])) >= many) return null;
  // Runs nothing again if the job failed as a whole (by its result file or its exit code): such a failure names no
  // test.
  if (failures.some((why) => /^(no test ran|every test passed, but) /.test(why))) return null;
  const name = `${job.name}, once more`;
  const red = Object.keys(files).filter((file) => files[file].failed > 0);
  // Any file may cause a failure outside of every file, such as that of a hook around them all.
  const alone = red.length > 0 && red.every((file) => job.args.includes(file));
  const args = alone ? job.args.filter((arg) => files[arg] === undefined || red.includes(arg)) : job.args;
  if (job.again === 'whole' || titles.length < failed)
    return {
      job: { ...job, name, args },
      passedThen: alone ? red.reduce((sum, file) => sum + files[file].passed, 0) : passed,
    };
  return { job: { ...job, name, env: {}, args: [...args, '--grep', `^(${patternOf(titles)})$`] }, passedThen: 0 };
}
