import { writeFileSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';

/*
 * The suite that runs inside the extension host, as `@vscode/test-electron` and the development payload of the
 * VS Code server both start it: extensionTestsPath is this module. It sees VS Code through the API only; what
 * a person sees is tested from outside (test/vscode/*.test.ts).
 *
 * Add a suite: a file `<subject>.suite.ts` beside this one, and a line below.
 */
const suites: readonly (() => Promise<unknown>)[] = [
  () => import('./environment.suite'),
  () => import('./extension.suite'),
];

/** Where the outcome goes: `{ passed, failed, skipped, failures }`, as every stage of `npm test` reports. */
const resultsFile = process.env['MISSION_SUITE_RESULTS'] ?? path.join(__dirname, 'results.json');

export async function run(): Promise<void> {
  const results = { passed: 0, failed: 0, skipped: [] as object[], failures: [] as string[], log: [] as string[] };
  try {
    const mocha = new Mocha({ ui: 'bdd', timeout: 300_000, forbidOnly: true });
    // What mocha does for a file it loads itself; these are in one bundle.
    mocha.suite.emit('pre-require', globalThis, 'suite', mocha);
    for (const load of suites) await load();
    await new Promise<void>((resolve) => {
      const runner = mocha.run(() => {
        resolve();
      });
      runner.on('pass', (test) => {
        results.passed += 1;
        results.log.push(`passed ${test.fullTitle()}`);
      });
      runner.on('fail', (test, error: unknown) => {
        results.failed += 1;
        const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
        results.failures.push(`${test.fullTitle()}: ${detail.split('\n')[0] ?? ''}`);
        results.log.push(`FAILED ${test.fullTitle()}\n${detail}`);
      });
      runner.on('pending', (test) => {
        results.failed += 1;
        results.failures.push(`${test.fullTitle()}: skipped without a reason`);
      });
    });
  } catch (error) {
    results.failed += 1;
    results.failures.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  writeFileSync(resultsFile, JSON.stringify(results, null, 2));
  if (results.failed > 0) throw new Error(`${results.failed} failed:\n${results.failures.join('\n')}`);
}
