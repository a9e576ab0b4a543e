// mocha's spec output, plus a summary file for the scripts that add up numbers (scripts/test.mjs, .ci/run).
//
// With MISSION_TEST_RESULTS set to a path, it writes there at the end:
//   { "passed": n, "failed": n, "skipped": [{ "title", "reason" }], "failures": ["title: what it said", ...],
//     "titles": ["title of a failed test", ...], "files": { "file": { "passed": n, "failed": n }, ... } }
//
// A hook that fails stands in failures and has no title: no single test can be run again for it.
//
// MISSION_TEST_TEXTS is JSON, texts by file: of such a file only the tests run whose title holds
// one of its texts. Each text must be in a title. A skipped test must say why
// (test/support/skip.ts); one that does not is a failure.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import Mocha from 'mocha';

const { EVENT_RUN_END, EVENT_TEST_BEGIN, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } =
  Mocha.Runner.constants;

export default class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    const texts = JSON.parse(process.env.MISSION_TEST_TEXTS || '{}');
    leaveOut(runner.suite, texts);
    runner.total = runner.suite.total();
    super(runner, options);
    const results = { passed: 0, failed: 0, skipped: [], failures: [], titles: [], files: {} };
    const ran = [];
    const count = (file, how) => {
      results[how] += 1;
      results.files[file] ??= { passed: 0, failed: 0 };
      results.files[file][how] += 1;
    };
    const begun = (test) => ran.push({ file: fileOf(test), title: test.fullTitle() });
    runner.on(EVENT_TEST_BEGIN, begun);
    runner.on(EVENT_TEST_PASS, (test) => count(fileOf(test), 'passed'));
    runner.on(EVENT_TEST_FAIL, (test, error) => {
      count(fileOf(test), 'failed');
      results.failures.push(`${test.fullTitle()}: ${inOneLine(error)}`);
      if (test.type === 'test') results.titles.push(test.fullTitle());
    });
    runner.on(EVENT_TEST_PENDING, (test) => {
      begun(test);
      const reason = skipReason(test);
      if (reason !== undefined) {
        results.skipped.push({ title: test.fullTitle(), reason });
        return;
      }
      count(fileOf(test), 'failed');
      results.failures.push(`${test.fullTitle()} (skipped without a reason)`);
      runner.failures += 1;
    });
    runner.once(EVENT_RUN_END, () => {
      // Looks only without failures, because tests do not begin after a hook that failed.
      for (const [file, text] of results.failed > 0 ? [] : withoutTest(texts, ran)) {
        count(file, 'failed');
        results.failures.push(`no test has "${text}" in its title`);
        runner.failures += 1;
      }
      for (const { title, reason } of results.skipped) console.log(`  skipped: ${title}: ${reason}`);
      const file = process.env.MISSION_TEST_RESULTS;
      if (file !== undefined && file !== '') writeFileSync(file, JSON.stringify(results, null, 2));
    });
  }
}

/** Removes from a suite the tests of a file whose title holds none of its texts. */
function leaveOut(suite, texts) {
  suite.tests = suite.tests.filter((test) => {
    const wanted = texts[fileOf(test)];
    return wanted === undefined || wanted.some((text) => test.fullTitle().includes(text));
  });
  for (const inner of suite.suites) leaveOut(inner, texts);
}

/** @returns {string[][]} file and text of each text that no title holds */
function withoutTest(texts, ran) {
  return Object.entries(texts).flatMap(([file, wanted]) => {
    const titles = ran.flatMap((one) => (one.file === file ? [one.title] : []));
    return wanted.filter((text) => !titles.some((title) => title.includes(text))).map((text) => [file, text]);
  });
}

/** The name by which mocha got the file. */
function fileOf({ file = '' }) {
  return path.relative('', file).replaceAll('\\', '/');
}

/** The first words of an error for the closing lines, on one line; the whole error is further up. */
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
