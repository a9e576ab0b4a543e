import assert from 'node:assert/strict';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import { AgentBed } from './agentBed';

describe('a plan that delegates to Claude Code', function () {
  this.timeout(120_000);
  let bed: AgentBed;
  beforeEach(() => (bed = new AgentBed([])));
  afterEach(() => bed.dispose());

  it('launches it with file tools alone and tells it so, whatever its constraints say', async () => {
    bed.speaks(`
      fs.mkdirSync('docs/out', { recursive: true });
      fs.writeFileSync('docs/out/a.txt', 'a');
      end('done', 'docs/out/a.txt');`);
    const delegation = { claude_code: true, constraints: ['no_new_tasks'] };
    const run = await bed.withClaude('run', bed.agentPlan('files', { delegation }));
    assert.deepEqual([run.code, run.json.status], [0, 'completed'], run.stdout + run.stderr);
    const { attempts } = bed.json('docs/ops/executions/files/TASK_T1.json') as unknown as TaskEvidence;
    const launch = attempts?.[0]?.launches[0];
    const argv = launch?.argv ?? [];
    assert.equal(argv[argv.indexOf('--tools') + 1], 'Read,Glob,Grep,Edit,Write,NotebookEdit');
    assert.match(launch?.confinement_detail ?? '', /no shell, no network tools/);
    const prompt = bed.read(`${launch?.run_dir ?? ''}/prompt.txt`);
    assert.match(prompt, /Constraints of this delegation: no_new_tasks, file_level_only\./);
    assert.match(prompt, /Work on files only/);
  });
});
