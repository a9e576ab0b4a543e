import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CliBed, cliFile } from './cliBed';

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
      // A folder with a space is quoted.
      const printed = [...demo.stdout.matchAll(/^ {2}node (.+)$/gm)].map(([, line = '']) =>
        [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word).slice(1),
      );
      assert.deepEqual(printed.map(([verb = '']) => verb).sort(), [
        ...['evidence', 'journal', 'retry', 'run', 'status', 'stop'],
      ]);
      // Each can be typed where the demo was started, which is not the folder of the sample.
      for (const words of printed) {
        const typed = words.map((word) => ({ NAME: 'Ada', TEXT: 'why' })[word] ?? word);
        const { status, stdout, stderr } = spawnSync(process.execPath, [cliFile, ...typed], {
          encoding: 'utf8',
          env: bed.env,
        });
        const [verb = ''] = words;
        // Nothing of the mission runs or is blocked.
        const refused = { stop: /TASK_NOT_RUNNING|MISSION_CLOSED/, retry: /MISSION_CLOSED/ }[verb];
        if (refused) assert.match(stdout + stderr, refused);
        else assert.equal(status, 0, `${words.join(' ')}\n${stdout}${stderr}`);
      }
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
