// mocha's spec output, plus a summary file for the scripts that add up numbers (scripts/test.mjs, .ci/run).
//
// With MISSION_TEST_RESULTS set to a path, it writes there at the end:
//   { "passed": n, "failed": n, "skipped": [{ "title", "reason" }], "failures": ["title: what it said", ...],
//     "titles": ["title of a failed test", ...] }
//
// A hook that fails stands in failures and has no title: no single test can be run again for it.
//
// MISSION_TEST_TEXTS is a JSON list of texts: each must stand in the title of a test that ran, else a filter left it
// out. A skipped test must say why (test/support/skip.ts); one that does not is a failure.
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import Mocha from 'mocha';

const { EVENT_RUN_END, EVENT_TEST_BEGIN, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } =
  Mocha.Runner.constants;

export default class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const results = { passed: 0, failed: 0, skipped: [], failures: [], titles: [] };
    const ran = [];
    runner.on(EVENT_TEST_BEGIN, (test) => ran.push(test.fullTitle()));
    runner.on(EVENT_TEST_PASS, () => {
      results.passed += 1;
    });
    runner.on(EVENT_TEST_FAIL, (test, error) => {
      results.failed += 1;
      results.failures.push(`${test.fullTitle()}: ${inOneLine(error)}`);
      if (test.type === 'test') results.titles.push(test.fullTitle());
    });
    runner.on(EVENT_TEST_PENDING, (test) => {
      ran.push(test.fullTitle());
      const reason = skipReason(test);
      if (reason !== undefined) {
        results.skipped.push({ title: test.fullTitle(), reason });
        return;
      }
      results.failed += 1;
      results.failures.push(`${test.fullTitle()} (skipped without a reason)`);
      runner.failures += 1;
    });
    runner.once(EVENT_RUN_END, () => {
      const texts = JSON.parse(process.env.MISSION_TEST_TEXTS || '[]');
      // After a hook that failed, tests did not begin.
      for (const text of results.failed > 0 ? [] : texts.filter((one) => !ran.some((title) => title.includes(one)))) {
        results.failed += 1;
        results.failures.push(`no test has "${text}" in its title`);
        runner.failures += 1;
      }
      for (const { title, reason } of results.skipped) console.log(`  skipped: ${title}: ${reason}`);
      const file = process.env.MISSION_TEST_RESULTS;
      if (file !== undefined && file !== '') writeFileSync(file, JSON.stringify(results, null, 2));
    });
  }
}

/** What it said, for the closing lines: on one line and not at length; the whole stands further up. */
function inOneLine(error) {
  return String(error?.message ?? error)
    .replace(/\s+/g, ' ')
    .slice(0, 300);
}

function skipReason(runnable) {
  for (let at = runnable; at !== undefined && at !== null; at = at.parent) {
    if (at.skipReason !== undefined) return at.skipReason;
  }
  return undefined;
}
