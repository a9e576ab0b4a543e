import assert from 'node:assert/strict';
import { AgentBed } from './agentBed';

interface Reported {
  readonly criteria?: readonly string[];
  /** What the agent does, beside writing docs/out/a.txt. */
  readonly does?: string;
  readonly changes: readonly (readonly [resource: string, action: string])[];
  readonly checks?: readonly string[];
}

/** What agents that did their work write about it. None of it is a lie, so none of it costs a person anything. */
const honest: Readonly<Record<string, Reported>> = {
  'criteria as a list with numbers, in another order, one of them on two lines': {
    criteria: ['It `works`\nas described.', 'It is documented'],
    changes: [['docs/out/a.txt', 'modified']],
    checks: ['2. It is documented.', '1. **It works as described**'],
  },
  'a folder beside the file in it, with criteria': {
    criteria: ['It works'],
    changes: [
      ['docs/out/', 'created'],
      ['./docs/out/a.txt', 'created'],
    ],
    checks: ['It works'],
  },
  'a rename as git shows it': {
    does: `fs.renameSync('docs/out/old.txt', 'docs/out/new.txt');`,
    changes: [
      ['docs/out/a.txt', 'modified'],
      ['docs/out/old.txt -> docs/out/new.txt', 'renamed'],
    ],
  },
  'a moved folder by its two names': {
    criteria: ['It works'],
    does: `fs.renameSync('docs/out/m', 'docs/out/n');`,
    changes: [
      ['docs/out/a.txt', 'modified'],
      ['docs/out/m', 'moved'],
      ['docs/out/n', 'moved'],
    ],
    checks: ['It works'],
  },
  'files with a line, in backticks, as a link, with criteria': {
    criteria: ['It works'],
    does: `for (const name of ['b', 'c']) fs.writeFileSync('docs/out/' + name + '.txt', name);`,
    changes: [
      ['docs/out/a.txt:1', 'modified'],
      ['`docs/out/b.txt`', 'created'],
      ['file://WORKSPACE/docs/out/c.txt#L1', 'created'],
    ],
    checks: ['It works'],
  },
  'nothing of the caches that its tests left': {
    does: `fs.mkdirSync('docs/out/__pycache__'); fs.writeFileSync('docs/out/__pycache__/a.pyc', '');`,
    changes: [['docs/out/a.txt', 'modified']],
  },
};

describe('an agent that did its work reports', function () {
  this.timeout(120_000);
  let bed: AgentBed;
  before(() => {
    bed = new AgentBed([]);
    bed.write('.gitignore', '.mission-control/\n__pycache__/\n');
    bed.write('docs/out/old.txt', 'old');
    bed.write('docs/out/m/one.txt', 'one');
  });
  after(() => bed.dispose());

  for (const [index, [title, { criteria = [], does = '', changes, checks }]] of Object.entries(honest).entries()) {
    it(title, async () => {
      const packet = {
        changes: changes.map(([resource, action]) => ({
          resource: resource.replace('WORKSPACE', bed.root),
          action,
          evidence: 'seen',
        })),
        acceptance_check: (checks ?? ['done']).map((criterion) => ({ criterion, status: 'pass', evidence: 'N/A' })),
      };
      bed.speaks(`
        fs.writeFileSync('docs/out/a.txt', named('run_id'));
        ${does}
        say({ type: 'result', subtype: 'success', is_error: false, result: 'done', structured_output: {
          schema_version: '1.0.0', run_id: named('run_id'), task_id: named('task_id'), status: 'done',
          ...${JSON.stringify(packet)}, worklog_path: '', notes_for_orchestrator: [] } });`);
      const delegation = { claude_code: true, constraints: [] };
      const tasks = [{ worker: 'claude', prompt: 'x', acceptance_criteria: criteria }];
      const ran = await bed.withClaude('run', bed.plan(`honest-${index}`, tasks, { confinement: 'off', delegation }));
      assert.equal(ran.json.status, 'completed', ran.stdout + ran.stderr);
    });
  }
});
