import assert from 'node:assert/strict';
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { CliBed, cliFile, olderNode, start } from './cliBed';
import { skipWithReason } from '../support/skip';

/** What a command prints goes to a place that takes nothing, or to a reader that goes away. */
describe('an output that cannot be written', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const intoFull = (args: readonly string[], node: string = process.execPath): SpawnSyncReturns<string> => {
    const full = openSync('/dev/full', 'w');
    try {
      const stdio = ['ignore', full, 'pipe'] as const;
      return spawnSync(node, [cliFile, ...args], {
        cwd: bed.root,
        env: bed.env,
        stdio: [...stdio],
        encoding: 'utf8',
      });
    } finally {
      closeSync(full);
    }
  };

  it('is no success of any command, which says so and keeps what it did', function () {
    if (!existsSync('/dev/full')) skipWithReason(this, 'this system has no /dev/full');
    const plan = bed.plan('full', [{ script: `${start}fs.writeFileSync('docs/out/a', 'a');` }]);
    for (const args of [
      ['--help'],
      ['--version'],
      ['plan', 'validate', plan],
      ['plan', 'validate', plan, '--json'],
      ['run', plan, '--json'],
      ['status'],
      ['evidence', 'verify', 'full'],
    ]) {
      const { status, stderr } = intoFull(args);
      assert.equal(status, 4, `${args.join(' ')}: ${stderr}`);
      assert.match(stderr, /The output could not be written: the disk is full/, args.join(' '));
    }
    assert.equal(bed.exists('docs/ops/executions/full/EXECUTION_SUMMARY.md'), true);
  });

  it('is no success where only its beginning fits into a file', () => {
    const line = 'ulimit -f 4 && exec "$0" "$1" --help >"$2"';
    const file = bed.at('half');
    const { status, stderr } = spawnSync('bash', ['-c', line, process.execPath, cliFile, file], {
      cwd: bed.root,
      env: bed.env,
      encoding: 'utf8',
    });
    assert.equal(statSync(file).size, 4096);
    assert.equal(status, 4, stderr);
    assert.match(stderr, /The output could not be written/);
  });

  it('is reported once where an older Node hands the command over', function () {
    const old = olderNode();
    if (!existsSync('/dev/full') || old === null) skipWithReason(this, 'this system has no /dev/full or no older Node');
    const { status, stderr } = intoFull(['status'], old);
    assert.equal(status, 4, stderr);
    assert.equal(stderr.match(/could not be written/g)?.length, 1, stderr);
  });

  it('keeps the exit code of a command that failed', function () {
    if (!existsSync('/dev/full')) skipWithReason(this, 'this system has no /dev/full');
    assert.equal(intoFull(['plan', 'validate', 'docs/plans/PLAN_none.json']).status, 2);
  });

  it('is fine where its reader goes away', () => {
    const line = '"$0" "$1" --help | head -n 1; echo "${PIPESTATUS[0]}"';
    const { stdout } = spawnSync('bash', ['-c', line, process.execPath, cliFile], {
      cwd: bed.root,
      env: bed.env,
      encoding: 'utf8',
    });
    assert.match(stdout, /\n0\n$/);
  });
});
