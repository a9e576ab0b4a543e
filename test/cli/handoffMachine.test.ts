import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import { AgentBed } from './agentBed';
import { cliFile, decision, start, type Ended } from './cliBed';

/** A run that is blocked at its command, after an agent that is done, handed to a clone. */
describe('mission handoff resume asks a machine for the same as mission run', () => {
  let bed: AgentBed;
  let there: string;
  let bundle: string;
  const handOver = async (agentLeft: boolean): Promise<void> => {
    bed = new AgentBed([]);
    bed.speaks(
      `fs.mkdirSync('docs/out', { recursive: true }); fs.writeFileSync('docs/out/a.txt', 'a'); end('done', 'docs/out/a.txt');`,
    );
    const agent = { worker: 'claude', type: 'work', prompt: 'x' };
    const plan = bed.plan(
      'P',
      [
        agent,
        { script: `${start}process.exit(7);`, depends_on: ['T1'] },
        ...(agentLeft ? [{ ...agent, depends_on: ['T2'] }] : []),
      ],
      { confinement: 'off', delegation: { claude_code: true, constraints: [] } },
    );
    bed.git('add', '.');
    bed.git('commit', '-q', '-m', 'plan');
    const run = await bed.withClaude('run', plan);
    assert.equal(run.code, 3, run.stdout + run.stderr);
    bundle = path.join(bed.scratch, 'bundle');
    assert.equal((await bed.mission('handoff', 'export', 'P', '--out', bundle)).code, 0);
    there = path.join(bed.scratch, 'there');
    bed.git('clone', '-q', '.', there);
  };
  afterEach(() => bed.dispose());

  const resume = (...more: string[]): Promise<Ended> =>
    bed.mission('handoff', 'resume', bundle, '--workspace', there, '--apply-diff', ...decision, ...more);

  it('needs no agent whose tasks are done', async () => {
    await handOver(false);
    const resumed = await resume('--cli', 'claude=/nowhere/claude');
    assert.equal(resumed.code, 3, resumed.stdout + resumed.stderr);
    assert.equal(resumed.json.accepted, true, resumed.stdout);
  });

  it('refuses an agent that is left and not there', async () => {
    await handOver(true);
    const resumed = await resume('--cli', 'claude=/nowhere/claude');
    assert.match(resumed.json.reason, /\/nowhere\/claude/);
    assert.equal(resumed.json.accepted, false);
  });

  it('refuses an agent that would talk to other hosts than those that were approved', async () => {
    await handOver(true);
    const plan = 'docs/plans/PLAN_P.json';
    const approved = await bed.mission('plan', 'approve', plan, '--by', 'Grace', '--yes', '--workspace', there);
    assert.equal(approved.code, 0, approved.stdout + approved.stderr);
    const args = ['handoff', 'resume', bundle, '--workspace', there, '--apply-diff', ...decision, ...bed.claudeOptions];
    const resumed = await bed.spawn(process.execPath, [cliFile, ...args, '--json'], {
      env: { ...bed.env, ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' },
    }).ended;
    assert.match(resumed.stdout, /"code": "PROVIDER_CHANGED"/, resumed.stdout + resumed.stderr);
  });

  it('refuses tasks that may write our own files', async () => {
    await handOver(false);
    bed.home = path.join(there, 'docs', 'out');
    const resumed = await resume('--cli', `claude=${bed.claude}`);
    assert.match(resumed.json.reason, /Mission Control keeps files of its own in docs\/out/, resumed.stdout);
  });
});
