import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { planFiles } from '../../../src/adapters/documents/planFiles';
import { sha256Of } from '../../../src/adapters/files/bytes/sha256';
import type { ApprovalVerdict } from '../../../src/core/plan/approvalRecord';
import type { ApprovedPlan } from '../../../src/core/plan/approvedPlan';
import { instructionLimits } from '../../../src/contracts/vocabulary/plan';
import { approvedPlanOf } from '../../../src/core/plan/normalize';
import { checkPlan } from '../../../src/engine/plans/check';
import { approvedInstructions, instructionsNow, shownInstructions } from '../../../src/engine/plans/instructions';
import type { EnginePorts } from '../../../src/engine/ports/engine';
import { planOf } from '../realMission';

describe('the files of instructions that a plan names', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(path.join(tmpdir(), 'mission-instructions-'));
    mkdirSync(path.join(dir, 'docs/plans'), { recursive: true });
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const put = (name: string, content: string | Uint8Array): void => writeFileSync(path.join(dir, name), content);
  const check = (named: unknown) => {
    const file = path.join(dir, 'docs/plans/PLAN_P1.json');
    const tasks = [{ task_id: 'T1', command: ['true'] }];
    writeFileSync(file, JSON.stringify(planOf('P1', tasks, { project_instructions: named }), null, 2));
    return checkPlan(planFiles, file, { workspaceDir: dir });
  };
  const found = async (...named: readonly string[]): Promise<readonly string[]> =>
    (await check(named)).findings.map(
      ({ severity, code, pointer, line }) => `${severity} ${code} ${pointer.split('/').at(-1)}${line ? '' : ' lost'}`,
    );

  it('have to be there, and plain text of moderate length', async () => {
    put('AGENTS.md', 'Use tabs.\n');
    put('long.md', 'x'.repeat(instructionLimits.bytes));
    put('longer.md', 'x'.repeat(instructionLimits.bytes + 1));
    put('latin.md', new Uint8Array([0x75, 0xfc]));
    put('zero.md', 'a\0b');
    put('blank.md', ' \n');
    put('key.md', `The token is ghp_${'b2'.repeat(18)}.\n`);
    mkdirSync(path.join(dir, 'folder.md'));
    symlinkSync('AGENTS.md', path.join(dir, 'link.md'));
    assert.deepEqual(await found('AGENTS.md', 'long.md'), []);
    assert.deepEqual(await found('AGENTS.md', 'none.md'), ['error INSTRUCTIONS_MISSING 1']);
    for (const name of ['longer.md', 'latin.md', 'zero.md', 'blank.md', 'key.md', 'folder.md', 'link.md'])
      assert.deepEqual(await found(name), ['error INSTRUCTIONS_UNUSABLE 0'], name);
  });

  it('are no links, and the finding names the target as the path to use', async () => {
    const messages = async (...named: readonly string[]): Promise<readonly string[]> =>
      (await check(named)).findings.map(({ message }) => message);
    put('AGENTS.md', 'Use tabs.\n');
    mkdirSync(path.join(dir, 'real'));
    put('real/rules.md', 'Use tabs.\n');
    symlinkSync('AGENTS.md', path.join(dir, 'CLAUDE.md'));
    symlinkSync('CLAUDE.md', path.join(dir, 'GEMINI.md'));
    symlinkSync('real', path.join(dir, 'linked'));
    for (const name of ['CLAUDE.md', 'GEMINI.md'])
      assert.deepEqual(await messages(name), [
        `"${name}" cannot be given to agents, because it is a link; write its target "AGENTS.md" here instead.`,
      ]);
    assert.match((await messages('linked/rules.md')).join(), /; write its target "real\/rules\.md" here instead\.$/);
    assert.deepEqual(await found('AGENTS.md', 'real/rules.md'), []);
    mkdirSync(path.join(dir, '.git'));
    put('.git/x.md', 'Use tabs.\n');
    for (const [name, target] of [
      ['gone.md', 'none.md'],
      ['out.md', '/etc/hostname'],
      ['folder.md', 'real'],
      ['git.md', '.git/x.md'],
      ['loop.md', 'loop.md'],
    ] as const) {
      symlinkSync(target, path.join(dir, name));
      assert.match((await messages(name)).join(), / is a symbolic link; mend that, or remove it here\.$/, name);
    }
  });

  it('are plain paths of the workspace, outside of what is reserved, and not too many', async () => {
    assert.deepEqual(await found('../AGENTS.md'), ['error PATH_INVALID 0']);
    assert.deepEqual(await found('.git/AGENTS.md'), ['error PATH_RESERVED 0']);
    const many = Array.from({ length: instructionLimits.files + 1 }, (_, index) => `${index}.md`);
    for (const name of many) put(name, 'Use tabs.\n');
    assert.deepEqual(await found(...many), ['error SCHEMA_INVALID project_instructions']);
    assert.equal((await check('none')).code, 'SCHEMA_INVALID');
  });

  it('stand in the plan once each, and a plan without them has no such field', async () => {
    put('AGENTS.md', 'Use tabs.\n');
    const planned = async (named: unknown): Promise<ApprovedPlan> =>
      approvedPlanOf((await check(named)).plan ?? assert.fail('not valid'), { defaultWorker: 'claude' });
    assert.deepEqual((await planned(['AGENTS.md', './AGENTS.md'])).project_instructions, ['AGENTS.md']);
    assert.equal('project_instructions' in (await planned([])), false);
  });

  it('are at the start what the person who approved was shown, or nothing starts', async () => {
    put('AGENTS.md', 'Use tabs.\n');
    const shown = shownInstructions((await check(['AGENTS.md'])).disk.instructions);
    const sha256 = sha256Of('Use tabs.\n');
    assert.deepEqual(shown, [{ path: 'AGENTS.md', sha256, bytes: 10 }]);
    const instructions = approvedInstructions(shown);
    assert.deepEqual(instructions, [`AGENTS.md=${sha256}`]);
    assert.equal(approvedInstructions([]), undefined);

    const by = { by: 'Ada', at: '2026-01-01T00:00:00Z', nonce: 'n' };
    const approved = (more: object = {}): ApprovalVerdict => ({
      counts: true,
      once: false,
      approved: { ...by, ...more },
    });
    const none: ApprovalVerdict = { counts: false, recorded: 'none', why: 'No one did.' };
    const ports = { plans: planFiles, paths: { workspace_dir: dir } } as Pick<EnginePorts, 'plans' | 'paths'>;
    const planned = approvedPlanOf((await check(['AGENTS.md'])).plan ?? assert.fail('not valid'), {
      defaultWorker: 'claude',
    });
    const [task] = planned.tasks;
    const agents = [{ ...(task ?? assert.fail('no task')), worker: 'codex' }] as const;
    const start = async (approval: ApprovalVerdict, changes: Partial<ApprovedPlan> = {}): Promise<unknown> => {
      const read = await instructionsNow({ ...planned, tasks: agents, ...changes }, approval, 'Approve again.', ports);
      return read.ok ? read.value.map(({ text }) => text) : [read.refusal.code, read.refusal.next];
    };
    const refused = ['INSTRUCTIONS_CHANGED', ['Approve again.']];
    assert.deepEqual(await start(approved({ instructions })), ['Use tabs.\n']);
    assert.deepEqual(await start(none), ['Use tabs.\n'], 'the file alone says that it is approved');
    assert.deepEqual(await start(approved()), refused, 'an approval that names no file');
    assert.deepEqual(await start(approved(), { project_instructions: [] }), []);
    assert.deepEqual(await start(approved(), { tasks: planned.tasks }), [], 'a plan of commands alone');
    put('AGENTS.md', 'Use spaces.\n');
    assert.deepEqual(await start(approved({ instructions })), refused);
    rmSync(path.join(dir, 'AGENTS.md'));
    assert.deepEqual(await start(none), refused);
  });
});
