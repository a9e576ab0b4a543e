import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { planFiles } from '../../../src/adapters/documents/planFiles';
import { checkPlan } from '../../../src/engine/plans/check';
import type { PlanCheckOptions } from '../../../src/engine/ports/plans';
import { planOf } from '../realMission';

describe('scratch paths of a plan', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(path.join(tmpdir(), 'mission-scratch-'));
    mkdirSync(path.join(dir, 'docs/plans'), { recursive: true });
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const git = (...args: string[]): Buffer => execFileSync('git', args, { cwd: dir });
  const check = async (
    scratch: readonly string[],
    options: PlanCheckOptions = { workspaceDir: dir },
  ): Promise<readonly string[]> => {
    const file = path.join(dir, 'docs/plans/PLAN_P1.json');
    writeFileSync(file, JSON.stringify(planOf('P1', [{ task_id: 'T1', command: ['true'] }], { scratch }), null, 2));
    const { findings } = await checkPlan(planFiles, file, options);
    return findings.map(
      ({ severity, code, pointer, line }) => `${severity} ${code} ${pointer} ${line ? 'placed' : ''}`,
    );
  };

  it('must be ignored by git, whether they exist or not, as files or as folders', async () => {
    git('init', '-q');
    writeFileSync(path.join(dir, '.gitignore'), 'coverage/\n*.cache\n');
    assert.deepEqual(await check(['coverage', 'a.cache', 'src', 'coverage/deep/']), [
      'error SCRATCH_NOT_IGNORED /execution/scratch/2 placed',
    ]);
  });

  it('are asked about in the workspace around docs/plans where the caller names none, as plan validate does', async () => {
    git('init', '-q');
    writeFileSync(path.join(dir, '.gitignore'), 'coverage/\n');
    assert.deepEqual(await check(['coverage', 'src'], {}), ['error SCRATCH_NOT_IGNORED /execution/scratch/1 placed']);
  });

  it('hold nothing that git tracks', async () => {
    git('init', '-q');
    writeFileSync(path.join(dir, '.gitignore'), 'coverage/\n');
    mkdirSync(path.join(dir, 'coverage'));
    writeFileSync(path.join(dir, 'coverage/kept.txt'), 'kept\n');
    git('add', '-f', 'coverage/kept.txt');
    assert.deepEqual(await check(['coverage']), ['error SCRATCH_NOT_IGNORED /execution/scratch/0 placed']);
  });

  it('are warned of where there is no git', async () => {
    assert.deepEqual(await check(['coverage']), ['warning SCRATCH_NOT_CHECKED /execution/scratch/0 placed']);
  });
});
