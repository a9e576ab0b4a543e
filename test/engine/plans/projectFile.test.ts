import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { planFiles } from '../../../src/adapters/documents/planFiles';
import { checkEditedPlan, checkPlan } from '../../../src/engine/plans/check';

const base = JSON.parse(readFileSync('test/fixtures/plans/base.json', 'utf8')) as {
  plan_id: string;
  tasks: readonly Record<string, unknown>[];
  [field: string]: unknown;
};
const sound = readFileSync('test/fixtures/ai-project/sound.json', 'utf8');

describe('ai.project.json, before a run', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(path.join(tmpdir(), 'mission-project-'));
    mkdirSync(path.join(dir, 'docs/plans'), { recursive: true });
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const text = (task: Record<string, unknown>): string => {
    const { command: _command, ...first } = base.tasks[0] ?? {};
    return JSON.stringify({ ...base, tasks: [{ ...first, worker: 'codex', ...task }] });
  };
  const file = (): string => path.join(dir, `docs/plans/PLAN_${base.plan_id}.json`);
  const found = async (task: Record<string, unknown>, looksAtProject = true): Promise<readonly string[]> => {
    writeFileSync(file(), text(task));
    const check = await checkPlan(planFiles, file(), { looksAtProject });
    const edited = await checkEditedPlan(planFiles, text(task), file(), { looksAtProject });
    const lines = (findings: typeof check.findings): readonly string[] =>
      findings
        .filter(({ code }) => code.startsWith('PROJECT_'))
        .map(({ code, severity, pointer }) => `${severity} ${code} ${pointer}`);
    assert.deepEqual(lines(edited.findings), lines(check.findings), 'an edited text is judged alike');
    assert.equal(check.valid, true, 'the plan itself is valid');
    return lines(check.findings);
  };

  it('is a finding where a declared intent needs it: missing, not valid, and no more when it is', async () => {
    assert.deepEqual(await found({ intent: 'refactor' }), ['warning PROJECT_FILE_MISSING /tasks/0/intent']);
    writeFileSync(path.join(dir, 'ai.project.json'), sound.replace('"Lend books without a queue."', '""'));
    assert.deepEqual(await found({ intent: 'refactor' }), ['warning PROJECT_FILE_INVALID /tasks/0/intent']);
    writeFileSync(path.join(dir, 'ai.project.json'), sound);
    assert.deepEqual(await found({ intent: 'refactor' }), []);
  });

  it('is no business of other plans, of commands, of words, of the task that makes it, nor of a start', async () => {
    assert.deepEqual(await found({}), []);
    assert.deepEqual(await found({ intent: 'code_generation' }), []);
    assert.deepEqual(await found({ description: 'Refactor the parser.' }), []);
    assert.deepEqual(await found({ worker: 'command', command: ['true'], intent: 'refactor' }), []);
    assert.deepEqual(await found({ intent: 'generate_context', paths: ['ai.project.json'] }), []);
    assert.deepEqual(await found({ intent: 'refactor' }, false), []);
  });
});
