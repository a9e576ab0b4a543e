import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readPolicyFiles, planFiles } from '../../../src/adapters/documents/planFiles';
import type { PolicyReading } from '../../../src/core/policy/policy';
import { checkPlanText } from '../../../src/engine/plans/check';
import { readPolicy } from '../../../src/engine/plans/policy';
import { basePlan } from '../../core/plan/cases';

describe('policy files', () => {
  let dir: string;
  let machine: string;
  beforeEach(() => {
    dir = realpathSync(mkdtempSync(path.join(tmpdir(), 'mission-policy-')));
    machine = path.join(dir, 'home/model-policy.json');
    mkdirSync(path.dirname(machine));
    mkdirSync(path.join(dir, 'docs/plans'), { recursive: true });
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const write = (file: string, value: unknown): void =>
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value), { mode: 0o600 });
  const repository = (): string => path.join(dir, 'docs/plans/model-policy.json');
  const reading = async (workspace: string | null, folder: string | null): Promise<PolicyReading> => {
    const policies = (): ReturnType<typeof readPolicyFiles> => readPolicyFiles(workspace, folder);
    const found = await readPolicy({ ...planFiles, policies }, workspace);
    assert.ok(found);
    return found;
  };
  const read = async (): Promise<string> => {
    const found = await reading(dir, path.dirname(machine));
    return found.ok
      ? found.policy.sources.map(({ kind }) => kind).join(' ')
      : `${found.code} ${path.basename(found.file)}: ${found.problems.join(' ')}`;
  };
  const version = { schema_version: '1.0.0' };

  it('that are absent leave what is shipped, always with the same hash', async () => {
    assert.equal(await read(), 'shipped');
    const [one, two] = [await reading(dir, path.dirname(machine)), await reading(null, null)];
    assert.ok(one.ok && two.ok);
    assert.equal(one.policy.sha256, two.policy.sha256);
  });

  it('are read in order, and change the hash by what they say alone', async () => {
    write(machine, version);
    write(repository(), { ...version, refuse: ['haiku'] });
    assert.equal(await read(), 'shipped machine repository');
    const first = await reading(dir, path.dirname(machine));
    write(machine, `${JSON.stringify(version)}\n\n`);
    const second = await reading(dir, path.dirname(machine));
    const shipped = await reading(null, null);
    assert.ok(first.ok && second.ok && shipped.ok);
    assert.equal(first.policy.sha256, second.policy.sha256);
    assert.notEqual(first.policy.sha256, shipped.policy.sha256);
  });

  for (const [what, content, expected] of [
    ['no JSON', '{', /^POLICY_INVALID model-policy\.json: /],
    ['another version', { schema_version: '2.0.0' }, /^POLICY_INVALID model-policy\.json: \/schema_version/],
    [
      'an unknown field',
      { ...version, allow: ['*'] },
      /^POLICY_INVALID model-policy\.json: \/allow: "allow" is in no contract, so the file is refused; remove it\.$/,
    ],
    [
      'an extension',
      { ...version, x_refuse: ['*'] },
      /^POLICY_INVALID model-policy\.json: \/x_refuse: "x_refuse" is in no contract, so the file is refused; /,
    ],
    [
      'a misspelled field',
      { ...version, refuses: ['*'] },
      /^POLICY_INVALID model-policy\.json: \/refuses: "refuses" is in no contract, so the file is refused; did you mean "refuse"\?$/,
    ],
    [
      'an unknown intent',
      { ...version, routing: { anything: { tiers: ['A'] } } },
      /^POLICY_INVALID model-policy\.json: /,
    ],
    ['a key twice', '{"schema_version":"1.0.0","refuse":[],"refuse":["*"]}', /^POLICY_INVALID model-policy\.json: /],
    [
      'a prototype key',
      '{"schema_version":"1.0.0","profiles":{"__proto__":{}}}',
      /^POLICY_INVALID model-policy\.json: /,
    ],
    [
      'a forbidden route',
      { ...version, routing: { refactor: { tiers: ['B'] } } },
      /No policy can let tier B perform refactor/,
    ],
    ['too much', `{"schema_version":"1.0.0","$schema":"${'x'.repeat(1024 * 1024)}"}`, /larger than 1 MB/],
  ] as const)
    it(`that hold ${what} are reported and never passed over`, async () => {
      write(machine, content);
      assert.match(await read(), expected);
    });

  it('of a machine that others may write are not followed', async () => {
    write(machine, version);
    chmodSync(machine, 0o662);
    assert.match(await read(), /Others may write it; `chmod go-w` takes/);
  });

  it('of a repository are no link and no folder', async () => {
    write(machine, { ...version, refuse: [] });
    symlinkSync(machine, repository());
    assert.match(await read(), /^POLICY_INVALID model-policy\.json: It is not used: /);
    rmSync(repository());
    mkdirSync(repository());
    assert.match(await read(), /^POLICY_INVALID model-policy\.json: It is not used: /);
  });

  it('make findings of plans: what policy refuses, and a policy that cannot be followed', async () => {
    const task = { task_id: 'T1', description: 'First.', paths: ['docs'], worker: 'codex', model: 'gpt-4o-mini' };
    const plan = { ...(basePlan as object), tasks: [task] };
    const findings = async (): Promise<readonly string[]> =>
      checkPlanText(planFiles, JSON.stringify(plan), null, { policy: await reading(dir, path.dirname(machine)) })
        .findings.filter(({ code }) => /POLICY|MODEL/.test(code))
        .map(({ code, severity, pointer }) => `${severity} ${code} ${pointer}`);
    assert.deepEqual(await findings(), ['warning MODEL_REFUSED /tasks/0/model']);
    write(repository(), { ...version, routing: { code_generation: { tiers: ['A', 'B'] } } });
    assert.deepEqual(await findings(), ['warning POLICY_WIDENED ']);
    write(machine, '{');
    assert.deepEqual(await findings(), ['warning POLICY_INVALID ']);
  });
});
