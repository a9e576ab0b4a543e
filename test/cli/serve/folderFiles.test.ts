import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FilesOfFolder } from '../../../src/cli/serve/folderFiles';

/** What the served page lists in addition to missions. */
describe('the plans of a served folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'mission-folder-')));
    mkdirSync(path.join(folder, 'docs/plans'), { recursive: true });
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('are judged anew once ai.project.json, which their agents need, has changed', async () => {
    writeFileSync(path.join(folder, 'docs/plans/PLAN_notes.json'), JSON.stringify(planOf('notes')));
    const files = new FilesOfFolder(folder);
    const about = async (): Promise<readonly string[]> => {
      const [plan] = (await files.read(() => false)).plans;
      return (plan?.draft.findings ?? []).map(({ message }) => message).filter((text) => text.includes('ai.project'));
    };
    const missing = await about();
    assert.equal(missing.length, 1);
    writeFileSync(path.join(folder, 'ai.project.json'), 'no JSON');
    const invalid = await about();
    assert.equal(invalid.length, 1);
    assert.notDeepEqual(invalid, missing);
    rmSync(path.join(folder, 'ai.project.json'));
    assert.deepEqual(await about(), missing);
  });
});

function planOf(planId: string): unknown {
  return {
    contract_version: 'S2-B-05.v1',
    plan_id: planId,
    goal_id: 'G1',
    created_at: '2026-01-01T00:00:00Z',
    planner: 'tester',
    status: 'DRAFT',
    risk: { level: 1, notes: '' },
    scope: { allowed: ['file_edit'], forbidden: ['network'] },
    tasks: [
      {
        task_id: 'write',
        description: 'Write the notes.',
        paths: ['docs/out'],
        worker: 'claude',
        prompt: 'Write.',
        intent: 'domain',
      },
    ],
    execution: {
      mode: 'sequential',
      recovery: { allow: [] },
      delegation: { claude_code: true, constraints: [] },
    },
    approval: { required: true },
    success_criteria: ['no_scope_violation'],
  };
}
