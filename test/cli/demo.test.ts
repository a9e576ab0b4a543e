import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CliBed } from './cliBed';

describe('npm run demo', () => {
  it('runs the sample mission, says where its evidence is, and leaves the checkout as it was', () => {
    const bed = new CliBed();
    const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'mission-demo-')));
    try {
      const before = trackedFiles();
      const dir = path.join(scratch, 'sample');
      const demo = spawnSync(process.execPath, ['scripts/demo.mjs', '--dir', dir], { encoding: 'utf8', env: bed.env });
      assert.equal(demo.status, 0, demo.stdout + demo.stderr);
      assert.match(demo.stdout, /Mission completed/);
      assert.match(demo.stdout, /The evidence of sample-001 holds\./);
      assert.ok(demo.stdout.includes(path.join(dir, 'docs/ops/executions/sample-001')));
      assert.ok(existsSync(path.join(dir, 'docs/ops/executions/sample-001/EXECUTION_SUMMARY.md')));
      assert.match(demo.stdout, /--extensionDevelopmentPath=/);
      assert.equal(trackedFiles(), before);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
      rmSync(bed.scratch, { recursive: true, force: true });
    }
  });
});

/** What git lists below the folders a demo could write to. */
function trackedFiles(): string {
  return execFileSync(
    'git',
    ['status', '--porcelain', '--', 'examples', 'docs', 'schemas', 'media', 'package-lock.json'],
    { encoding: 'utf8' },
  );
}
