import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { planFiles } from '../../../src/adapters/documents/planFiles';
import type { ConfinementMode } from '../../../src/contracts/vocabulary/confinement';
import type { Finding } from '../../../src/core/documents/finding';
import { planApproval } from '../../../src/engine/plans/approval';
import { checkPlan } from '../../../src/engine/plans/check';
import { planOf, type TaskSpec } from '../realMission';

interface Asked {
  readonly tasks: readonly (readonly [task_id: string, paths: readonly string[], depends_on?: readonly string[]])[];
  readonly plan?: ConfinementMode;
  /** By setting or command line. */
  readonly wanted?: ConfinementMode;
  readonly scratch?: readonly string[];
}

describe('approved paths, as they are on the disk', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(path.join(tmpdir(), 'mission-places-'));
    mkdirSync(path.join(dir, 'docs/plans'), { recursive: true });
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const file = (): string => path.join(dir, 'docs/plans/PLAN_P1.json');

  function put({ tasks, plan, scratch }: Asked, status = 'APPROVED'): void {
    const specs = tasks.map(([task_id, paths, depends_on = []]): TaskSpec => ({
      task_id,
      paths,
      depends_on,
      command: ['true'],
    }));
    const execution = { ...(plan && { confinement: plan }), ...(scratch && { scratch }) };
    writeFileSync(file(), JSON.stringify({ ...planOf('P1', specs, execution), status }, null, 2));
  }

  function crowd(folder: string, count: number): void {
    mkdirSync(path.join(dir, folder), { recursive: true });
    for (let n = 0; n < count; n++) writeFileSync(path.join(dir, folder, `f${n}`), '');
  }

  const told = (findings: readonly Finding[]): readonly string[] =>
    findings.map(({ severity, code, pointer, line }) => `${severity} ${code} ${pointer} ${line ? 'placed' : ''}`);

  async function check(asked: Asked): Promise<readonly Finding[]> {
    put(asked);
    const { findings } = await checkPlan(planFiles, file(), {
      workspaceDir: dir,
      ...(asked.wanted && { confinement: asked.wanted }),
    });
    return findings;
  }

  it('more than 300 siblings are an error where a sandbox is required, by plan or by setting', async () => {
    crowd('many', 302);
    const tasks = [['T1', ['many/f0']]] as const;
    const findings = await check({ tasks, plan: 'required' });
    assert.deepEqual(told(findings), ['error CONFINEMENT_TOO_COARSE /tasks/0/paths/0 placed']);
    assert.match(
      findings[0]?.message ?? '',
      /^The folder of "many\/f0" has 301 other entries, and a sandbox keeps at most 300 of them read-only/,
    );
    assert.match(findings[0]?.message ?? '', /approve its folder, or move the file\.$/);
    assert.deepEqual(told(await check({ tasks, wanted: 'required' })), told(findings));
    assert.deepEqual(told(await check({ tasks })), ['info CONFINEMENT_TOO_COARSE /tasks/0/paths/0 placed']);
    assert.deepEqual(told(await check({ tasks, plan: 'off' })), []);
  });

  it('no siblings are what a sandbox does not hold: approved ones, links, 300, and those in an approved folder', async () => {
    crowd('many', 301);
    for (let n = 0; n < 10; n++) symlinkSync('f0', path.join(dir, 'many', `link${n}`));
    assert.deepEqual(await check({ tasks: [['T1', ['many/f0']]], plan: 'required' }), []);
    assert.deepEqual(await check({ tasks: [['T1', ['many/new', 'many/f1']]], plan: 'required' }), []);
    crowd('many', 400);
    assert.deepEqual(await check({ tasks: [['T1', ['many']]], plan: 'required' }), []);
    assert.deepEqual(await check({ tasks: [['T1', ['many', 'many/f0']]], plan: 'required' }), []);
    assert.deepEqual(await check({ tasks: [['T1', ['many/folder/']]], plan: 'required' }), []);
    assert.equal((await check({ tasks: [['T1', ['many/new']]], plan: 'required' })).length, 1);
  });

  it('a file in the root of the workspace counts its neighbours too', async () => {
    crowd('.', 301);
    assert.deepEqual(told(await check({ tasks: [['T1', ['new.txt']]], plan: 'required' })), [
      'error CONFINEMENT_TOO_COARSE /tasks/0/paths/0 placed',
    ]);
  });

  it('nothing can be written behind a link, which is an error where a sandbox is required', async () => {
    mkdirSync(path.join(dir, 'real'));
    symlinkSync('real', path.join(dir, 'link'));
    const tasks = [['T1', ['link/a', 'link', 'real/a']]] as const;
    const findings = await check({ tasks, plan: 'required' });
    assert.deepEqual(told(findings), [
      'error PATH_BEHIND_LINK /tasks/0/paths/0 placed',
      'error PATH_BEHIND_LINK /tasks/0/paths/1 placed',
    ]);
    assert.match(
      findings[0]?.message ?? '',
      /^"link\/a" leads through a link, behind which a sandbox lets nothing be written/,
    );
    assert.deepEqual(told(await check({ tasks })), [
      'warning PATH_BEHIND_LINK /tasks/0/paths/0 placed',
      'warning PATH_BEHIND_LINK /tasks/0/paths/1 placed',
    ]);
  });

  for (const plan of ['required', 'preferred', 'off'] as const)
    it(`a path that leads out of the workspace is an error, because no task may write there: ${plan}`, async () => {
      const outside = mkdtempSync(path.join(tmpdir(), 'mission-places-outside-'));
      try {
        symlinkSync(outside, path.join(dir, 'link'));
        const findings = await check({ tasks: [['T1', ['link/a', 'link', 'a']]], plan });
        assert.deepEqual(told(findings), [
          'error PATH_INVALID /tasks/0/paths/0 placed',
          'error PATH_INVALID /tasks/0/paths/1 placed',
        ]);
        assert.match(findings[0]?.message ?? '', /^"link\/a" leads out of the workspace through a link, and no task/);
      } finally {
        rmSync(outside, { recursive: true });
      }
    });

  const links: readonly (readonly [link: string, to: string])[] = [
    ...['docs/ops', 'docs/ops/executions', 'docs/ops/executions/P1', 'build'].map(
      (link) => [link, 'elsewhere'] as const,
    ),
    // With the plan in it.
    ['docs', 'elsewhere'],
    ['docs/ops', 'gone'],
    ['docs/ops/executions/P1', 'gone'],
    ['docs/ops/executions', 'real/ops'],
  ];
  for (const [link, to] of links)
    it(`a link where evidence or scratch belongs is no place for it: ${link} to ${to}`, async () => {
      const at = path.join(dir, link);
      const target = path.join(dir, to);
      mkdirSync(path.dirname(target), { recursive: true });
      if (link === 'docs') renameSync(at, target);
      else if (to !== 'gone') mkdirSync(target);
      mkdirSync(path.dirname(at), { recursive: true });
      symlinkSync(target, at);
      const asked: Asked = { tasks: [['T1', ['src']]], scratch: ['build/cache'] };
      const pointer = link === 'build' ? '/execution/scratch/0' : '/plan_id';
      const found = (findings: readonly Finding[]): readonly Finding[] =>
        findings.filter(({ code }) => code === 'PLACE_IS_LINK');
      const findings = found(await check(asked));
      assert.deepEqual(told(findings), [`error PLACE_IS_LINK ${pointer} placed`]);
      assert.match(findings[0]?.message ?? '', new RegExp(`${link}(?: is a link,|, and what is written there)`));
      put({ ...asked, scratch: ['build'] }, 'DRAFT');
      const checked = await checkPlan(planFiles, file(), { workspaceDir: dir });
      const decision = { approved_by: 'Ada', approved_at: '2026-01-02T00:00:00Z', note: null, recovery_allow: null };
      const approval = planApproval(planFiles, checked, file(), decision, { workspaceDir: dir });
      assert.equal(approval.ok, false, 'it is refused before the work');
      assert.equal(found(approval.findings).length, 1);
    });

  it("a missing path of another task inside an approved one is a finding, with both tasks' names", async () => {
    mkdirSync(path.join(dir, 'src/there'), { recursive: true });
    const findings = await check({
      tasks: [
        ['first', ['src']],
        ['second', ['src/gen', 'src/there']],
      ],
    });
    assert.deepEqual(told(findings), ['warning PATH_OF_ANOTHER_TASK /tasks/0/paths/0 placed']);
    assert.match(
      findings[0]?.message ?? '',
      /^Task "first" may write "src", but not "src\/gen" in it, which is approved for task "second"/,
    );
    assert.deepEqual(
      await check({
        tasks: [
          ['first', ['src', 'src/gen']],
          ['second', ['src/gen']],
        ],
      }),
      [],
    );
    const inner = await check({
      tasks: [
        ['first', ['src', 'src/gen/a']],
        ['second', ['src/gen']],
      ],
    });
    assert.deepEqual(told(inner), ['warning PATH_OF_ANOTHER_TASK /tasks/1/paths/0 placed']);
    assert.deepEqual(
      await check({
        tasks: [
          ['first', ['src'], ['middle']],
          ['middle', ['lib'], ['second']],
          ['second', ['src/gen']],
        ],
      }),
      [],
      'whoever waits for it finds it made',
    );
  });

  for (const wanted of ['plan', 'wanted'] as const)
    it(`none of it can be approved where a sandbox is required, by ${wanted}`, async () => {
      crowd('many', 302);
      const asked: Asked = { tasks: [['T1', ['many/f0']]], [wanted]: 'required' };
      put(asked, 'DRAFT');
      const options = { workspaceDir: dir, ...(wanted === 'wanted' && { confinement: 'required' as const }) };
      const checked = await checkPlan(planFiles, file(), options);
      const decision = { approved_by: 'Ada', approved_at: '2026-01-02T00:00:00Z', note: null, recovery_allow: null };
      const approval = planApproval(planFiles, checked, file(), decision, options);
      assert.equal(approval.ok, false);
      assert.deepEqual(told(approval.findings), ['error CONFINEMENT_TOO_COARSE /tasks/0/paths/0 placed']);
    });

  it('a draft whose scratch git does not ignore cannot be approved either', async () => {
    put({ tasks: [['T1', ['src']]], scratch: ['coverage'] }, 'DRAFT');
    const { execFileSync } = await import('node:child_process');
    execFileSync('git', ['init', '-q'], { cwd: dir });
    const options = { workspaceDir: dir };
    const checked = await checkPlan(planFiles, file(), options);
    const decision = { approved_by: 'Ada', approved_at: '2026-01-02T00:00:00Z', note: null, recovery_allow: null };
    const approval = planApproval(planFiles, checked, file(), decision, options);
    assert.deepEqual(told(approval.findings), ['error SCRATCH_NOT_IGNORED /execution/scratch/0 placed']);
    assert.equal(approval.ok, false);
  });

  it('is looked at for a plan in its place without the name of the workspace', async () => {
    crowd('many', 302);
    put({ tasks: [['T1', ['many/f0']]], plan: 'required' });
    const { findings } = await checkPlan(planFiles, file());
    assert.deepEqual(told(findings), ['error CONFINEMENT_TOO_COARSE /tasks/0/paths/0 placed']);
  });
});
