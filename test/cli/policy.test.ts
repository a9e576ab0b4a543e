import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ExecutionHeader } from '../../src/contracts/record/header';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import { AgentBed } from './agentBed';
import { cliFile, decision } from './cliBed';

/** Does its task, and keeps the model that it was given. */
const works = `
  fs.mkdirSync('docs/out', { recursive: true });
  const file = 'docs/out/' + process.pid + '.txt';
  fs.writeFileSync(file, args.filter((arg) => arg.includes('model')).join(' '));
  end('done', file);`;

/** Model policy through whole missions: `dist/cli.js` as real processes, a program that speaks as Claude Code does. */
describe('the model policy', function () {
  this.timeout(120_000);
  let bed: AgentBed;
  beforeEach(() => {
    bed = new AgentBed([]);
    bed.speaks(works);
  });
  afterEach(() => bed.dispose());

  const machine = (policy: object | string): string => {
    const folder = path.join(bed.home, '.config', 'mission-control');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, 'model-policy.json');
    writeFileSync(file, text(policy), { mode: 0o600 });
    return file;
  };
  const repository = (policy: object | string): void => bed.write('docs/plans/model-policy.json', text(policy));
  const header = (name: string): ExecutionHeader =>
    JSON.parse(bed.read(`docs/ops/executions/${name}/EXECUTION_HEADER.json`)) as ExecutionHeader;
  const attempts = (name: string): NonNullable<TaskEvidence['attempts']> =>
    (JSON.parse(bed.read(`docs/ops/executions/${name}/TASK_T1.json`)) as TaskEvidence).attempts ?? [];
  const agent = (name: string, task: object): string =>
    bed.plan(name, [{ worker: 'claude', prompt: 'x', ...task }], {
      confinement: 'off',
      delegation: { claude_code: true, constraints: [] },
    });

  it('as shipped: hash in header and journal before phase 0, the selection in the evidence, which verifies', async () => {
    const { code, json, stdout, stderr } = await bed.withClaude('run', bed.agentPlan('plain'));
    assert.deepEqual([code, json.status], [0, 'completed'], stdout + stderr);
    const sha = header('plain').policy_sha256 ?? '';
    assert.match(sha, /^[0-9A-F]{64}$/);
    const [received] = await bed.events(json.mission_id);
    assert.ok(received?.type === 'MissionReceived' && received.policy.sha256 === sha);
    const [attempt] = attempts('plain');
    assert.deepEqual(attempt?.model_selection, {
      logical_id: 'claude_default',
      resolved_id: null,
      tier: 'A',
      capability_profile: 'claude_default',
      role: 'executor',
      policy_sha256: sha,
      reported: { model: 'm', judged: 'unlisted' },
    });
    const { checks } = (await bed.mission('doctor')).json;
    const told = checks.find(({ id }) => id === 'model-policy');
    assert.ok(told?.ok === true && told.detail.includes(sha), told?.detail);
    assert.equal((await bed.mission('evidence', 'verify', 'plain')).code, 0);
    // Another policy in the header is found with the journal.
    const file = 'docs/ops/executions/plain/EXECUTION_HEADER.json';
    bed.write(file, bed.read(file).replace(sha, 'A'.repeat(64)));
    const forged = (await bed.mission('evidence', 'verify', 'plain')).json.findings.map(({ pointer }) => pointer);
    assert.ok(forged.includes('/policy_sha256'), forged.join(' '));
  });

  it('of a machine refuses before anything starts, and the plan says so before', async () => {
    const file = machine({ schema_version: '1.0.0', routing: { code_generation: { tiers: [] } } });
    const plan = bed.agentPlan('refused');
    const judged = (await bed.mission('plan', 'validate', plan)).json;
    assert.deepEqual([judged.valid, judged.files[0]?.findings.map(({ code }) => code)], [true, ['MODEL_REFUSED']]);
    const shown = await bed.spawn(process.execPath, [cliFile, 'plan', 'approve', plan, '--by', 'Grace', '--yes']).ended;
    assert.match(shown.stdout, /model +REFUSED HERE: .*code_generation is for no tier/);
    assert.match(shown.stdout, /The model policy of this machine\n +- shipped, machine .*SHA-256 [0-9A-F]{64}/);
    const run = await bed.withClaude('run', plan);
    assert.deepEqual([run.code, run.json.code], [2, 'MODEL_REFUSED'], run.stdout);
    assert.match(run.json.reason, /code_generation is for no tier\..*Nothing was started/);
    assert.deepEqual([bed.launches(), bed.exists('docs/ops/executions/refused')], [[], false]);
    const told = (await bed.mission('doctor')).json.checks.find(({ id }) => id === 'model-policy');
    assert.ok(told?.detail.includes(file), told?.detail);
  });

  it('of a machine and of a repository narrow: another model is chosen, and a change in mid-mission has no effect', async () => {
    machine({ schema_version: '1.0.0', routing: { code_generation: { models: ['claude-sonnet', 'claude-opus'] } } });
    repository({ schema_version: '1.0.0', refuse: ['sonnet'], profiles: { claude_high: { max_retries: 0 } } });
    const policy = path.join(bed.home, '.config', 'mission-control', 'model-policy.json');
    bed.speaks(`fs.writeFileSync(${JSON.stringify(policy)}, 'no JSON');${works}`);
    const tasks = ['T1', 'T2'].map((task_id) => ({ task_id, worker: 'claude', prompt: 'x', paths: ['docs/out'] }));
    const delegation = { claude_code: true, constraints: [] };
    const run = await bed.withClaude('run', bed.plan('narrow', tasks, { confinement: 'off', delegation }));
    assert.deepEqual([run.code, run.json.status], [0, 'completed'], run.stdout + run.stderr);
    const [attempt] = attempts('narrow');
    assert.deepEqual(
      [attempt?.model_selection?.logical_id, attempt?.model_selection?.resolved_id],
      ['claude-opus', 'opus'],
    );
    assert.ok(attempt?.launches[0]?.argv.includes('--model=opus'), attempt?.launches[0]?.argv.join(' '));
    assert.equal((await bed.mission('evidence', 'verify', 'narrow')).code, 0);
    const next = await bed.withClaude('run', bed.agentPlan('later'));
    assert.deepEqual([next.code, next.json.code], [2, 'POLICY_INVALID'], 'the next mission reads the file');
  });

  it('of a repository that widens starts nothing, by any author', async () => {
    repository({ schema_version: '1.0.0', routing: { code_generation: { tiers: ['A', 'B'] } } });
    const plan = agent('widened', { model: 'haiku' });
    const judged = (await bed.mission('plan', 'validate', plan)).json;
    assert.deepEqual(
      judged.files[0]?.findings.map(({ code }) => code),
      ['POLICY_WIDENED'],
    );
    const run = await bed.withClaude('run', plan);
    assert.deepEqual([run.code, run.json.code], [2, 'POLICY_WIDENED'], run.stdout);
    assert.match(run.json.reason, /docs\/plans\/model-policy\.json.*Tier B for code_generation/);
    const told = (await bed.mission('doctor')).json;
    assert.deepEqual([told.ok, told.checks.find(({ id }) => id === 'model-policy')?.ok], [false, false]);
    assert.deepEqual(bed.launches(), []);
  });

  it('a lower tier that ran instead of the selected model blocks; a person retries when the CLI is right', async () => {
    bed.speaks(works, 'claude-haiku-4-5');
    const run = await bed.withClaude('run', agent('other', { model: 'opus' }));
    assert.deepEqual([run.code, run.json.status, run.json.packets[0]?.category], [3, 'paused', 'model_refused']);
    const { mission_id } = run.json;
    assert.match(run.json.reason, /claude-haiku-4-5 \(claude-haiku\), of tier B; claude-opus of tier A was selected/);
    bed.speaks(works, 'claude-opus-5-5');
    const retried = await bed.withClaude('retry', mission_id, 'T1', ...decision);
    assert.deepEqual([retried.code, retried.json.mission.status], [0, 'completed'], retried.stdout + retried.stderr);
    const judged = attempts('other').map(({ model_selection }) => model_selection?.reported);
    assert.deepEqual(judged, [
      { model: 'claude-haiku-4-5', judged: 'refused' },
      { model: 'claude-opus-5-5', judged: 'as_selected' },
    ]);
    assert.equal((await bed.mission('evidence', 'verify', 'other')).code, 0);
  });
});

function text(policy: object | string): string {
  return typeof policy === 'string' ? policy : JSON.stringify(policy);
}
