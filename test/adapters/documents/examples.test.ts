import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { planFiles } from '../../../src/adapters/documents/planFiles';
import { checkPlan } from '../../../src/engine/plans/check';

describe('the sample workspace', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'sample-'));
    cpSync('examples', folder, { recursive: true });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const files = (): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
      .sort();

  it('has an approved plan without findings, whose tasks write what they may and verify', async () => {
    const check = await checkPlan(planFiles, path.join(folder, 'docs/plans/PLAN_sample-001.json'), {
      workspaceDir: folder,
    });
    assert.deepEqual(check.findings, []);
    assert.ok(check.plan);
    const approved: string[] = [];
    const before = files();
    for (const { command, verify, paths } of check.plan.tasks) {
      approved.push(...paths);
      for (const argv of [command ?? [], ...(verify ?? [])]) {
        assert.equal(argv[0], 'node');
        const run = spawnSync(process.execPath, argv.slice(1), { cwd: folder, encoding: 'utf8' });
        assert.equal(run.status, 0, run.stderr);
      }
    }
    assert.deepEqual(files(), [...before, ...approved].sort());
  });
});
