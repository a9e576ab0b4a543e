import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sha256Of } from '../../src/adapters/files/bytes/sha256';
import { AgentBed } from './agentBed';
import { decision, start, type Ended } from './cliBed';

interface AgentEvidence {
  readonly attempts: readonly { readonly context?: { readonly instructions?: unknown } }[];
}

const rules = 'Use tabs.\n';
const other = 'Use spaces.\n';

/** A run that is blocked at its command, with an agent before it and one after, handed to a clone. */
describe('mission handoff of a plan that names instructions', () => {
  let bed: AgentBed;
  let there: string;
  let bundle: string;
  beforeEach(async () => {
    bed = new AgentBed([]);
    bed.speaks(`
      fs.mkdirSync('docs/out', { recursive: true });
      const name = 'docs/out/' + (fs.existsSync('tools/fixed') ? 'after' : 'before') + '.txt';
      fs.writeFileSync(name, prompt);
      end('done', name);`);
    bed.write('AGENTS.md', rules);
    const agent = { worker: 'claude', type: 'work', prompt: 'x' };
    const plan = bed.plan(
      'P',
      [
        agent,
        {
          script: `${start}if (!fs.existsSync('tools/fixed')) process.exit(7); fs.writeFileSync('docs/out/b.txt', 'b');`,
          depends_on: ['T1'],
        },
        { ...agent, depends_on: ['T2'] },
      ],
      { confinement: 'off', delegation: { claude_code: true, constraints: [] }, project_instructions: ['AGENTS.md'] },
    );
    assert.equal(plan, planFile);
    bed.git('add', '.');
    bed.git('commit', '-q', '-m', 'plan');
    const run = await bed.withClaude('run', plan);
    assert.equal(run.code, 3, run.stdout + run.stderr);
    bundle = path.join(bed.scratch, 'bundle');
    assert.equal((await bed.mission('handoff', 'export', 'P', '--out', bundle)).code, 0);
    there = path.join(bed.scratch, 'there');
    bed.git('clone', '-q', '.', there);
  });
  afterEach(() => bed.dispose());

  const planFile = 'docs/plans/PLAN_P.json';
  const resume = (): Promise<Ended> =>
    bed.withClaude('handoff', 'resume', bundle, '--workspace', there, '--apply-diff', ...decision);
  const finish = async (): Promise<AgentEvidence> => {
    writeFileSync(path.join(there, 'tools/fixed'), '');
    const ended = await bed.withClaude('retry', 'P', 'T2', '--workspace', there, ...decision);
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    assert.equal((await bed.mission('evidence', 'verify', 'P', '--workspace', there)).code, 0);
    return JSON.parse(readFileSync(path.join(there, 'docs/ops/executions/P/TASK_T3.json'), 'utf8')) as AgentEvidence;
  };

  it('goes on with the instructions of the source, by their digests', async () => {
    const frozen = [{ path: 'AGENTS.md', sha256: sha256Of(rules) }];
    const resumed = await resume();
    assert.equal(resumed.code, 3, resumed.stdout + resumed.stderr);
    // From here on the file may change, as at the source.
    writeFileSync(path.join(there, 'AGENTS.md'), other);
    assert.deepEqual((await finish()).attempts.at(-1)?.context?.instructions, frozen);
    assert.match(readFileSync(path.join(there, 'docs/out/after.txt'), 'utf8'), /source: AGENTS\.md\nUse tabs\.\n/);
  });

  it('refuses a file with other bytes and names it, until a person approves it there', async () => {
    writeFileSync(path.join(there, 'AGENTS.md'), other);
    const refused = await resume();
    assert.equal(refused.json.code, 'INSTRUCTIONS_CHANGED', refused.stdout + refused.stderr);
    const [now, before] = [sha256Of(other), sha256Of(rules)];
    assert.equal(
      refused.json.reason,
      `Agents would follow AGENTS.md with SHA-256 ${now}, and the handoff was written with ${before}.`,
    );
    assert.equal(refused.json.next[0], 'Put AGENTS.md back as it was, then resume.');
    assert.match(refused.json.next[1] ?? '', /plan approve docs\/plans\/PLAN_P\.json --by NAME/);

    const approve = ['plan', 'approve', planFile, '--by', 'Grace', '--yes', '--workspace', there];
    const approved = await bed.mission(...approve);
    assert.equal(approved.code, 0, approved.stdout + approved.stderr);
    const resumed = await resume();
    assert.equal(resumed.code, 3, resumed.stdout + resumed.stderr);
    assert.deepEqual((await finish()).attempts.at(-1)?.context?.instructions, [{ path: 'AGENTS.md', sha256: now }]);
  });
});
