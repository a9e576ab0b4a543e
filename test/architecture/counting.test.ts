import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { againOf, runAgain } from '../../scripts/again.mjs';
import { runSideBySide, type Job, type Ran } from '../../scripts/side-by-side.mjs';

/** The numbers under `npm test` and `.ci/run`: what cannot go red here would be green everywhere. */
const root = process.cwd();
let scratch: string;

interface Results {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: readonly { readonly title: string; readonly reason: string }[];
  readonly failures: readonly string[];
  readonly titles?: readonly string[];
  readonly files: Ran['files'];
}

type Counted = Awaited<ReturnType<typeof runSideBySide>>;

/** False for one that has ended and only waits to be collected. */
function isAlive(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return status.slice(status.lastIndexOf(')') + 2, status.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
}

function fixtureFile(fixture: string): string {
  return `test/architecture/fixtures/counting/${fixture}.cjs`;
}

/** Runs mocha as `npm test` does on fixtures, with the texts of some of them. */
function runMocha(
  fixtures: readonly string[],
  texts: Readonly<Record<string, readonly string[]>> = {},
): { code: number | null; results: Results } {
  const file = path.join(scratch, 'results.json');
  const named = Object.fromEntries(Object.entries(texts).map(([fixture, wanted]) => [fixtureFile(fixture), wanted]));
  const args = ['--no-config', '--reporter', 'scripts/mocha-reporter.mjs', ...fixtures.map(fixtureFile)];
  const env = { ...process.env, MISSION_TEST_RESULTS: file, MISSION_TEST_TEXTS: JSON.stringify(named) };
  const { status } = spawnSync(process.execPath, ['scripts/mocha.mjs', ...args], { cwd: root, env });
  return { code: status, results: JSON.parse(readFileSync(file, 'utf8')) as Results };
}

describe('counting tests', () => {
  before(() => {
    scratch = mkdtempSync(path.join(os.tmpdir(), 'mission-counting-'));
  });

  after(() => {
    rmSync(scratch, { recursive: true, force: true });
  });

  describe('mocha reporter', () => {
    it('counts passed, failed and skipped, and takes a skip without a reason for a failure', () => {
      const { code, results } = runMocha(['mixed']);
      assert.deepEqual(results, {
        passed: 1,
        failed: 3,
        skipped: [{ title: 'mixed says why', reason: 'no second machine' }],
        failures: [
          'mixed fails: red',
          'mixed does not say why (skipped without a reason)',
          'suite that cannot start "before all" hook for "never runs": no start',
        ],
        titles: ['mixed fails'],
        files: { [fixtureFile('mixed')]: { passed: 1, failed: 3 } },
      });
      assert.notEqual(code, 0);
    });

    it('ends with an error when a test is left out silently', () => {
      const { code, results } = runMocha(['silentSkip']);
      assert.equal(results.failed, 1);
      assert.notEqual(code, 0);
    });

    it('runs of a file with texts the tests whose titles hold one, and all of the files beside it', () => {
      const { code, results } = runMocha(['green', 'mixed'], { mixed: ['mixed passes', 'mixed says why'] });
      assert.deepEqual([results.passed, results.failed, results.skipped.length], [2, 0, 1]);
      assert.deepEqual(results.files, {
        [fixtureFile('green')]: { passed: 1, failed: 0 },
        [fixtureFile('mixed')]: { passed: 1, failed: 0 },
      });
      assert.equal(code, 0);
    });

    it('takes a text of test/tiers.json that fits no title of its file for a failure', () => {
      const { code, results } = runMocha(['green', 'mixed'], { green: ['passes', 'mixed'], mixed: ['mixed passes'] });
      assert.deepEqual(results.failures, ['no test has "mixed" in its title']);
      assert.deepEqual(results.files?.[fixtureFile('green')], { passed: 1, failed: 1 });
      assert.notEqual(code, 0);
    });

    it('names the source of what failed, not the built file', () => {
      const map = { version: 3, sources: ['written.ts'], names: [], mappings: 'AAAA' };
      const lines = `it('fails', () => { throw new Error('red'); });
//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
      const file = path.join(scratch, 'built.cjs');
      writeFileSync(file, lines);
      const { stdout } = spawnSync(process.execPath, ['scripts/mocha.mjs', '--no-config', file], {
        cwd: root,
        encoding: 'utf8',
      });
      assert.match(stdout, /written\.ts:1/);
    });

    it('ends well when every test passes', () => {
      const files = { [fixtureFile('green')]: { passed: 1, failed: 0 } };
      assert.deepEqual(runMocha(['green']), {
        code: 0,
        results: { passed: 1, failed: 0, skipped: [], failures: [], titles: [], files },
      });
    });
  });

  describe('jobs side by side', () => {
    const mocha = (fixture: string): readonly string[] => [
      'scripts/mocha.mjs',
      ...['--no-config', '--reporter', 'scripts/mocha-reporter.mjs'],
      `test/architecture/fixtures/counting/${fixture}.cjs`,
    ];
    const job = (name: string, kind: Job['kind'], args: readonly string[], minutes = 1): Job => {
      return { name, kind, program: process.execPath, args, minutes };
    };
    const run = async (...jobs: readonly Job[]): Promise<Omit<Counted, 'ran'>> => {
      const { ran, ...counted } = await runSideBySide(jobs, 2, 1, () => undefined);
      assert.equal(ran.length, jobs.length);
      return counted;
    };

    it('adds up gates and suites, whichever ends first', async () => {
      assert.deepEqual(
        await run(
          job('slow', 'gate', ['-e', 'setTimeout(() => {}, 300)']),
          job('green', 'suite', mocha('green')),
          job('mixed', 'suite', mocha('mixed')),
        ),
        {
          passed: 3,
          failed: 3,
          skipped: [{ title: 'mixed says why', reason: 'no second machine' }],
          failures: [
            'mixed: mixed fails: red',
            'mixed: mixed does not say why (skipped without a reason)',
            'mixed: suite that cannot start "before all" hook for "never runs": no start',
          ],
        },
      );
    });

    it('begins a job when those that it waits for have ended', async () => {
      const file = JSON.stringify(path.join(scratch, 'fetched'));
      const waits = { ...job('waits', 'gate', ['-e', `fs.readFileSync(${file})`]), after: ['fetches'] };
      const fetches = job('fetches', 'gate', ['-e', `setTimeout(() => fs.writeFileSync(${file}, ''), 300)`]);
      assert.deepEqual(await run(waits, fetches), { passed: 2, failed: 0, skipped: [], failures: [] });
    });

    it('runs no more than half of them as heavy ones, also when no other is left', async () => {
      const folder = JSON.stringify(path.join(scratch, 'heavy'));
      const alone = `fs.mkdirSync(${folder}); setTimeout(() => fs.rmdirSync(${folder}), 200);`;
      const heavy = ['a', 'b', 'c'].map((name) => ({ ...job(name, 'gate', ['-e', alone]), heavy: 1 }));
      const { passed, failed } = await run(...heavy, job('light', 'gate', ['-e', '']));
      assert.deepEqual([passed, failed], [4, 0]);
    });

    it('runs one that weighs more than all of them beside light ones alone', async () => {
      const folder = JSON.stringify(path.join(scratch, 'heavier'));
      const alone = `fs.mkdirSync(${folder}); setTimeout(() => fs.rmdirSync(${folder}), 200);`;
      const both = [1, 2].map((heavy) => ({ ...job(`weighs ${heavy}`, 'gate', ['-e', alone]), heavy }));
      const { passed, failed } = await run(...both, job('light', 'gate', ['-e', '']));
      assert.deepEqual([passed, failed], [3, 0]);
    });

    it('fail where a gate says no, a suite reports no result or no failed test explains the exit code', async () => {
      const nothing = { passed: 0, failed: 1, skipped: [] };
      const fails = async (given: Job, why: string): Promise<void> => {
        assert.deepEqual(await run(given), { ...nothing, failures: [`it: ${why}`] });
      };
      await fails(job('it', 'gate', ['-e', 'process.exit(3)']), 'exit code 3');
      await fails(job('it', 'suite', ['-e', '']), 'no test ran (exit code 0)');
      await fails(job('it', 'suite', ['-e', 'process.kill(process.pid, "SIGKILL")']), 'no test ran (ended by SIGKILL)');
      const lying = `require('fs').writeFileSync(process.env.MISSION_TEST_RESULTS, JSON.stringify({passed: 1, failed: 0, skipped: [], failures: []})); process.exit(7)`;
      assert.deepEqual(await run(job('it', 'suite', ['-e', lying])), {
        ...nothing,
        passed: 1,
        failures: ['it: every test passed, but exit code 7'],
      });
    });

    it('ends a job that is over its limit with everything it started', async () => {
      const pidFile = path.join(scratch, 'overdue.pid');
      const script = `sleep 1000 & echo $! > '${pidFile}'; wait`;
      const { failures } = await run({ ...job('it', 'gate', ['-c', script], 0.05), program: '/bin/sh' });
      assert.deepEqual(failures, ['it: stopped after 0.05 minutes']);
      const pid = Number(readFileSync(pidFile, 'utf8'));
      while (isAlive(pid)) await delay(20);
    });
  });

  describe('a second run of what failed', () => {
    const failed = (job: Partial<Job>, more: Partial<Ran> = {}): Ran => ({
      job: {
        name: 'cli/run.test.ts',
        kind: 'suite',
        program: 'node',
        args: ['--exit', 'f', 'g'],
        minutes: 1,
        ...job,
      },
      seconds: 1,
      cpu: 1,
      ended: 'exit code 1',
      ...{ passed: 3, failed: 1, skipped: [], failures: ['a (b): 1 !== 2'], titles: ['a (b)'] },
      ...more,
    });
    const green: Omit<Ran, 'job'> = {
      ...{ passed: 1, failed: 0, skipped: [], failures: [], titles: [] },
      ...{ ended: 'exit code 0', seconds: 1, cpu: 1 },
    };
    const red = { ...green, passed: 0, failed: 1, failures: ['a (b): 1 !== 2'], titles: ['a (b)'] };

    async function judge(ran: readonly Ran[], second: Omit<Ran, 'job'>, allowed = 2) {
      const jobs: Job[] = [];
      const judged = await runAgain(ran, allowed, (again) => {
        jobs.push(...again);
        return Promise.resolve({ ...second, ran: again.map((job) => ({ job, ...second })) });
      });
      return { jobs, judged };
    }

    it('runs the failed titles alone; what passes then is flaky, which is reported and counted as passed', async () => {
      const { jobs, judged } = await judge([failed({ again: 'titles' })], green);
      assert.deepEqual(
        jobs.map(({ args }) => args),
        [['--exit', 'f', 'g', '--grep', String.raw`^(a \(b\))$`]],
      );
      assert.deepEqual(judged, {
        ...{ passed: 4, failed: 0, skipped: [], failures: [] },
        flaky: ['cli/run.test.ts: a (b): 1 !== 2'],
      });
    });

    it('runs a story whole, and so a file of which a hook failed', async () => {
      const whole = await judge([failed({ again: 'whole' })], { ...green, passed: 4 });
      assert.deepEqual([whole.jobs[0]?.args, whole.judged.passed], [['--exit', 'f', 'g'], 4]);
      const hook = await judge([failed({ again: 'titles' }, { titles: [] })], { ...green, passed: 4 });
      assert.deepEqual([hook.jobs[0]?.args, hook.judged.passed], [['--exit', 'f', 'g'], 4]);
    });

    it('runs of several files those with a failure, and counts what the others passed once', async () => {
      const files = { f: { passed: 2, failed: 0 }, g: { passed: 1, failed: 1 } };
      const titles = await judge([failed({ again: 'titles' }, { files })], green);
      assert.deepEqual(titles.jobs[0]?.args, ['--exit', 'g', '--grep', String.raw`^(a \(b\))$`]);
      assert.equal(titles.judged.passed, 4);
      const whole = await judge([failed({ again: 'whole' }, { files })], { ...green, passed: 2 });
      assert.deepEqual([whole.jobs[0]?.args, whole.judged.passed], [['--exit', 'g'], 4]);
      const outside = { ...files, '': { passed: 0, failed: 1 }, g: { passed: 1, failed: 0 } };
      const all = await judge([failed({ again: 'whole' }, { files: outside })], { ...green, passed: 4 });
      assert.deepEqual([all.jobs[0]?.args, all.judged.passed], [['--exit', 'f', 'g'], 4]);
    });

    it('counts a story that gave up once: what it did not try is not flaky', async () => {
      const step = 'a story says it: 1 !== 2';
      const untried = 'a story "before each" hook for "goes on": not tried, because this step failed: says it';
      const ran = failed({ again: 'whole' }, { failed: 2, failures: [step, untried] });
      assert.deepEqual((await judge([ran], green)).judged.flaky, [`cli/run.test.ts: ${step}`]);
    });

    it('is red where it fails again', async () => {
      const { judged } = await judge([failed({ again: 'titles' })], red);
      assert.deepEqual([judged.failed, judged.failures, judged.flaky], [1, ['cli/run.test.ts: a (b): 1 !== 2'], []]);
    });

    it('runs a story in VS Code whole, wherever its file lies, because its later parts need the earlier ones', () => {
      const files = ['agents/vscodeDraft', 'agents/hang', 'vscode/run', 'webview/states', 'cli/run', 'core/plan/plan'];
      assert.deepEqual(
        files.map((file) => againOf(`${file}.test.ts`)),
        ['whole', 'titles', 'whole', 'whole', 'titles', undefined],
      );
    });

    it('never runs again: a pure test, many failures, a job without a result or over its limit', async () => {
      const four = { failed: 4, failures: ['a', 'b', 'c', 'd'], titles: ['a', 'b', 'c', 'd'] };
      const inOneFile = { ...four, files: { f: { passed: 1, failed: 0 }, g: { passed: 0, failed: 4 } } };
      const none = { passed: 0, failed: 1, failures: ['no test ran (exit code 1)'], titles: [] };
      const { jobs, judged } = await judge(
        [
          failed({}),
          failed({ again: 'titles' }, four),
          failed({ again: 'titles' }, inOneFile),
          failed({ again: 'titles' }, none),
          failed({ again: 'titles' }, { ended: 'stopped after 15 minutes' }),
        ],
        green,
      );
      assert.deepEqual([jobs, judged.failed, judged.flaky], [[], 11, []]);
    });

    it('runs again what failed in several files, each with few failures', async () => {
      const files = { f: { passed: 1, failed: 2 }, g: { passed: 2, failed: 2 } };
      const titles = ['a', 'b', 'c', 'd'];
      const ran = failed({ again: 'titles' }, { failed: 4, failures: titles, titles, files });
      const { judged } = await judge([ran], { ...green, passed: 4 }, 4);
      assert.deepEqual([judged.passed, judged.failed, judged.flaky.length], [7, 0, 4]);
    });

    it('is red when more tests are flaky than may be', async () => {
      const { judged } = await judge([failed({ again: 'titles' }), failed({ again: 'titles' })], green, 1);
      assert.deepEqual([judged.failed, judged.failures], [1, ['2 tests are flaky, and 1 may be: mend them first']]);
      assert.equal(judged.flaky.length, 2);
    });
  });

  describe('.ci/run', () => {
    /** Runs .ci/run with an `npm` whose `ci` ends with the next of `codes` each time. */
    function runCi(name: string, codes: readonly number[], test: { readonly prints: string; readonly code: number }) {
      const folder = path.join(scratch, name);
      cpSync(path.join(root, '.ci'), path.join(folder, '.ci'), { recursive: true });
      const answers = path.join(folder, 'answers');
      writeFileSync(answers, codes.join('\n'));
      const commands = {
        npm: `case "$*" in
ci) code=$(head -n 1 '${answers}'); sed -i 1d '${answers}'; exit $code;;
test) echo '${test.prints}'; exit ${test.code};;
esac
exit 99`,
        sleep: '',
      };
      for (const [command, script] of Object.entries(commands)) {
        writeFileSync(path.join(folder, command), `#!/bin/sh\n${script}\n`);
        chmodSync(path.join(folder, command), 0o755);
      }
      const { status, stdout } = spawnSync(path.join(folder, '.ci/run'), {
        env: { ...process.env, PATH: `${folder}${path.delimiter}${process.env['PATH']}` },
        encoding: 'utf8',
      });
      return { code: status, last: stdout.trimEnd().split('\n').at(-1) };
    }

    it('ends as `npm test` does', () => {
      const green = { prints: '10 passed, 0 failed, 2 skipped', code: 0 };
      assert.deepEqual(runCi('green', [0], green), { code: 0, last: green.prints });
      const red = { prints: '10 passed, 1 failed', code: 1 };
      assert.deepEqual(runCi('red', [0], red), { code: 1, last: red.prints });
    });

    it('installs up to three times, and fails when the installation fails', () => {
      const green = { prints: '10 passed, 0 failed', code: 0 };
      assert.deepEqual(runCi('again', [1, 1, 0], green), { code: 0, last: green.prints });
      assert.deepEqual(runCi('never', [1, 1, 1, 0], green), { code: 1, last: '0 passed, 1 failed' });
    });
  });
});
