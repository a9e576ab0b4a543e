import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { SubagentResult } from '../../src/contracts/result';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import { AgentBed } from './agentBed';
import { decision, until } from './cliBed';

const sound = readFileSync('test/fixtures/ai-project/sound.json', 'utf8');

/** One mission waits in its attempt for a person, and another one runs: each process is another owner. */
describe('a mission that waits for a person', function () {
  this.timeout(180_000);
  let bed: AgentBed;
  beforeEach(() => {
    bed = new AgentBed([]);
    bed.write('ai.project.json', sound);
    bed.git('add', '.');
    bed.git('commit', '-qm', 'a project');
  });
  afterEach(() => bed.dispose());

  /** Its worker did its work and claims nothing of it. */
  const incomplete = async (): Promise<{ readonly id: string; readonly packet: string }> => {
    bed.speaks(`
      fs.mkdirSync('docs/out', { recursive: true });
      fs.writeFileSync('docs/out/a.txt', 'x');
      end('done');`);
    const task = { worker: 'claude', prompt: 'x', verify: [['test', '-e', 'docs/out/a.txt']] };
    const delegation = { claude_code: true, constraints: [] };
    const { json, stdout } = await bed.withClaude('run', bed.plan('waits', [task], { confinement: 'off', delegation }));
    assert.equal(json.status, 'paused', stdout);
    const offered = (await bed.events(json.mission_id)).find(({ type }) => type === 'InterventionOffered');
    assert.ok(offered?.type === 'InterventionOffered');
    return { id: json.mission_id, packet: offered.path };
  };
  const proposing = async (): Promise<string> => {
    const entry = { domain: 'architecture', key: 'store', decision: 'files', rationale: 'git shows every change' };
    bed.speaks(`
      fs.mkdirSync('docs/out', { recursive: true });
      fs.writeFileSync('docs/out/a.txt', 'x');
      x_memory = [${JSON.stringify(entry)}];
      end('done', 'docs/out/a.txt');`);
    const task = { worker: 'claude', type: 'work', prompt: 'Choose a store.', intent: 'architecture' };
    const delegation = { claude_code: true, constraints: [] };
    const { json, stdout } = await bed.withClaude(
      'run',
      bed.plan(
        'waits',
        [
          task,
          {
            depends_on: ['T1'],
            paths: ['after/'],
            script: `import fs from 'node:fs'; fs.mkdirSync('after'); fs.writeFileSync('after/c.txt', 'c');`,
          },
        ],
        {
          ...{ confinement: 'off', delegation },
        },
      ),
    );
    assert.equal(json.status, 'paused', stdout);
    return json.mission_id;
  };
  /** A plan with one task that writes into one folder. */
  const writes = (name: string, folder: string, more = ''): string => {
    const code = `const fs = require('node:fs'); fs.mkdirSync('${folder}', { recursive: true }); fs.writeFileSync('${folder}/b.txt', '${name}'); ${more}`;
    return bed.plan(name, [{ paths: [`${folder}/`], command: ['node', '-e', code] }], { confinement: 'off' });
  };
  const waitsAtGate = (): string =>
    `setInterval(() => fs.existsSync(${JSON.stringify(bed.gateFile('gate'))}) && process.exit(), 20);`;
  const complete = (packet: string): void => {
    const result = JSON.parse(bed.read(packet)) as SubagentResult;
    const changes = [{ resource: 'docs/out/a.txt', action: 'created', evidence: 'it is there' }];
    bed.write(packet, JSON.stringify({ ...result, changes }));
  };

  it('with an incomplete result lets another run, and answers for nothing that the other recorded', async () => {
    const { id, packet } = await incomplete();
    const file = writes('beside', 'lib');
    const beside = await bed.mission('run', file);
    assert.deepEqual([beside.code, beside.json.status], [0, 'completed'], beside.stdout);

    const { missions } = (await bed.mission('status', id)).json;
    assert.deepEqual([missions[0]?.status, missions[0]?.interrupted], ['paused', false]);
    complete(packet);
    const done = await bed.withClaude('intervene', id, ...decision);
    assert.deepEqual([done.code, done.json.mission.status], [0, 'completed'], done.stdout + done.stderr);
    const { attempts = [] } = JSON.parse(bed.read('docs/ops/executions/waits/TASK_T1.json')) as TaskEvidence;
    assert.deepEqual(
      attempts.map(({ changes }) => changes.map(({ path, attribution }) => `${path} ${attribution}`)),
      [['docs/out/a.txt worker']],
    );
    for (const plan of ['waits', 'beside']) assert.equal((await bed.mission('evidence', 'verify', plan)).code, 0, plan);
  });

  it('answers for what changed after the other mission had recorded it', async () => {
    const { id, packet } = await incomplete();
    const file = writes('beside', 'lib');
    assert.equal((await bed.mission('run', file)).code, 0);
    bed.write('lib/b.txt', 'by hand');
    complete(packet);
    const blocked = await bed.withClaude('intervene', id, ...decision);
    assert.equal(blocked.json.mission.status, 'blocked', blocked.stdout);
    assert.match(blocked.json.mission.reason, /^(?!.*PLAN_beside).*lib\/b\.txt changed outside its approved paths/);
  });

  it('with a proposed memory lets another run, goes on only after it, and then completes', async () => {
    const id = await proposing();
    const file = writes('beside', 'lib', waitsAtGate());
    const running = bed.start('run', file);
    await until(() => bed.exists('lib/b.txt') || null);
    const confirm = ['memory', 'confirm', id, '--task', 'T1', '--keep-all', ...decision];
    const early = await bed.withClaude(...confirm);
    assert.deepEqual([early.code, early.json.code], [2, 'MISSION_ACTIVE'], early.stdout);
    assert.match(early.json.reason, /^Mission beside-\S+ is running in this workspace\.$/);
    bed.open('gate');
    assert.equal((await running.ended).json.status, 'completed');
    const done = await bed.withClaude(...confirm);
    assert.deepEqual([done.code, done.json.mission.status], [0, 'completed'], done.stdout + done.stderr);
    for (const plan of ['waits', 'beside']) assert.equal((await bed.mission('evidence', 'verify', plan)).code, 0, plan);
  });

  it('keeps its paths: a plan that writes there too is refused, and so is a retry of one', async () => {
    const clash = writes('clash', 'docs/out', 'process.exit(1);');
    const failed = await bed.mission('run', clash);
    assert.equal(failed.json.status, 'blocked', failed.stdout);
    const { id } = await incomplete();
    for (const refused of [
      await bed.mission('run', writes('other', 'docs/out/sub')),
      await bed.mission('retry', failed.json.mission_id, 'T1', ...decision),
    ]) {
      assert.deepEqual([refused.code, refused.json.code], [2, 'MISSION_ACTIVE'], refused.stdout);
      assert.match(
        refused.json.reason,
        /^Mission waits-\S+ waits in this workspace for a person who completes the result of T1\. Until then it keeps docs\/out, where this would write too\.$/,
      );
      assert.deepEqual(
        refused.json.next.map((step) => step.split(' ').slice(0, 3).join(' ')),
        [`mission status ${id}`, `mission intervene ${id}`, `mission stop ${id}`],
      );
    }
  });
});
