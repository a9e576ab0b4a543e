import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runSideBySide, type Job } from '../../scripts/side-by-side.mjs';

/** The numbers under `npm test` and `.ci/run`: what cannot go red here would be green everywhere. */
const root = process.cwd();
let scratch: string;

interface Results {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: readonly { readonly title: string; readonly reason: string }[];
  readonly failures: readonly string[];
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

/** Runs mocha as `npm test` does on one fixture. */
function runMocha(fixture: string): { code: number | null; results: Results } {
  const file = path.join(scratch, `${fixture}.json`);
  const { status } = spawnSync(
    process.execPath,
    [
      'node_modules/mocha/bin/mocha.js',
      ...[
        '--no-config',
        '--reporter',
        'scripts/mocha-reporter.mjs',
        `test/architecture/fixtures/counting/${fixture}.cjs`,
      ],
    ],
    { cwd: root, env: { ...process.env, MISSION_TEST_RESULTS: file } },
  );
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
      const { code, results } = runMocha('mixed');
      assert.deepEqual(results, {
        passed: 1,
        failed: 3,
        skipped: [{ title: 'mixed says why', reason: 'no second machine' }],
        failures: [
          'mixed fails: red',
          'mixed does not say why (skipped without a reason)',
          'suite that cannot start "before all" hook for "never runs": no start',
        ],
      });
      assert.notEqual(code, 0);
    });

    it('ends with an error when a test is left out silently', () => {
      const { code, results } = runMocha('silentSkip');
      assert.equal(results.failed, 1);
      assert.notEqual(code, 0);
    });

    it('ends well when every test passes', () => {
      assert.deepEqual(runMocha('green'), { code: 0, results: { passed: 1, failed: 0, skipped: [], failures: [] } });
    });
  });

  describe('jobs side by side', () => {
    const mocha = (fixture: string): readonly string[] => [
      'node_modules/mocha/bin/mocha.js',
      ...['--no-config', '--reporter', 'scripts/mocha-reporter.mjs'],
      `test/architecture/fixtures/counting/${fixture}.cjs`,
    ];
    const job = (name: string, kind: Job['kind'], args: readonly string[], minutes = 1): Job => {
      return { name, kind, program: process.execPath, args, minutes };
    };
    const run = async (...jobs: readonly Job[]): Promise<Omit<Counted, 'times'>> => {
      const { times, ...counted } = await runSideBySide(jobs, 2);
      assert.equal(times.length, jobs.length);
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

    it('runs no more than half of them as heavy ones, also when no other is left', async () => {
      const folder = JSON.stringify(path.join(scratch, 'heavy'));
      const alone = `fs.mkdirSync(${folder}); setTimeout(() => fs.rmdirSync(${folder}), 200);`;
      const heavy = ['a', 'b', 'c'].map((name) => ({ ...job(name, 'gate', ['-e', alone]), heavy: true }));
      const { passed, failed } = await run(...heavy, job('light', 'gate', ['-e', '']));
      assert.deepEqual([passed, failed], [4, 0]);
    });

    it('takes for a failure: a gate that says no, a suite without a result, an exit code that no test explains', async () => {
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

  describe('.ci/run', () => {
    /** Runs .ci/run with an `npm` that prints `lines` and ends with `codes` for ci, test and test:agents. */
    function runCi(name: string, lines: readonly [string, string, string], codes: readonly [number, number, number]) {
      const folder = path.join(scratch, name);
      cpSync(path.join(root, '.ci'), path.join(folder, '.ci'), { recursive: true });
      const cases = ['ci', 'test', 'run test:agents'].map(
        (args, index) => `'${args}') echo '${lines[index]}'; exit ${codes[index]};;`,
      );
      const npm = path.join(folder, 'npm');
      writeFileSync(npm, `#!/bin/sh\ncase "$*" in\n${cases.join('\n')}\nesac\nexit 99\n`);
      chmodSync(npm, 0o755);
      const { status, stdout } = spawnSync(path.join(folder, '.ci/run'), {
        env: { ...process.env, PATH: `${folder}${path.delimiter}${process.env['PATH']}` },
        encoding: 'utf8',
      });
      const printed = stdout.trimEnd().split('\n');
      return { code: status, last: printed.at(-1), printed };
    }
    const endOf = (...given: Parameters<typeof runCi>): { code: number | null; last: string | undefined } => {
      const { code, last } = runCi(...given);
      return { code, last };
    };

    it('adds up the two closing lines', () => {
      const lines = ['installed', '10 passed, 0 failed, 2 skipped', '5 passed, 0 failed, 1 skipped'] as const;
      assert.deepEqual(endOf('sum', lines, [0, 0, 0]), { code: 0, last: '15 passed, 0 failed, 3 skipped' });
    });

    it('leaves out the skipped ones when there are none', () => {
      assert.deepEqual(endOf('green', ['', '10 passed, 0 failed', '5 passed, 0 failed'], [0, 0, 0]), {
        code: 0,
        last: '15 passed, 0 failed',
      });
    });

    it('fails when a test failed', () => {
      assert.deepEqual(endOf('red', ['', '10 passed, 1 failed', '5 passed, 0 failed'], [0, 1, 0]), {
        code: 1,
        last: '15 passed, 1 failed',
      });
    });

    it('says once more at the end which tests failed in either run', () => {
      const lines = [
        '',
        'failed: inside the output of a test\nmore\nfailed: a: one\nfailed: b: two\n10 passed, 2 failed',
        'failed: c: three\n5 passed, 1 failed',
      ] as const;
      const end = ['failed: a: one', 'failed: b: two', 'failed: c: three', '15 passed, 3 failed'];
      assert.deepEqual(runCi('names', lines, [0, 1, 1]).printed.slice(-4), end);
    });

    it('fails when a run ends without its closing line or with an error that its numbers do not explain', () => {
      assert.deepEqual(endOf('crash', ['', 'Segmentation fault', '5 passed, 0 failed'], [0, 139, 3]), {
        code: 1,
        last: '5 passed, 2 failed',
      });
    });

    it('fails when the installation fails', () => {
      assert.deepEqual(endOf('install', ['no network', '', ''], [1, 0, 0]), { code: 1, last: '0 passed, 1 failed' });
    });
  });
});
