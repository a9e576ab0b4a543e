import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { planFiles } from '../../../src/adapters/documents/planFiles';
import { checkPlan } from '../../../src/engine/plans/check';
import { writePlanDraft } from '../../../src/engine/plans/draft';

/** A verify command often builds, and git ignores the output. */
describe('a new plan in a repository whose output git ignores', () => {
  let root: string;
  const git = (...args: readonly string[]): void => void execFileSync('git', args, { cwd: root, stdio: 'ignore' });
  const draft = async (plan_id: string, template: 'command' | 'sample'): Promise<unknown> => {
    const absolute = (relative: string): string => path.join(root, ...relative.split('/'));
    const clock = { now: () => '2026-01-01T00:00:00.000Z' };
    const request = { plan_id, template, planner: 'Ada', absolute };
    const written = await writePlanDraft(request, { plans: planFiles, clock } as Parameters<typeof writePlanDraft>[1]);
    assert.ok(written.ok);
    return JSON.parse(readFileSync(absolute(written.value.plan_path), 'utf8'));
  };

  before(() => {
    root = mkdtempSync(path.join(tmpdir(), 'mission-scratch-'));
    git('init', '-q');
    mkdirSync(path.join(root, 'build'));
    writeFileSync(path.join(root, 'build', 'kept.txt'), 'Tracked although a rule ignores it.\n');
    git('add', '-f', '.');
    writeFileSync(path.join(root, '.gitignore'), 'dist/\nbuild\ncoverage\nnotes/\n');
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  it('proposes as scratch what git says that it ignores, there or not yet, and nothing that git tracks', async () => {
    const plan = (await draft('first-1', 'command')) as { execution: { scratch: unknown } };
    assert.deepEqual(plan.execution.scratch, ['dist/', 'coverage/']);
    const file = path.join(root, 'docs/plans/PLAN_first-1.json');
    const { findings } = await checkPlan(planFiles, file, { workspaceDir: root });
    assert.deepEqual(
      findings.filter(({ code }) => code.startsWith('SCRATCH')),
      [],
    );
  });

  it('leaves the sample as it is', async () => {
    const plan = (await draft('sample-1', 'sample')) as { execution: object };
    assert.ok(!('scratch' in plan.execution));
  });
});
