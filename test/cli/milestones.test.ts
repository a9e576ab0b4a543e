import assert from 'node:assert/strict';
import type { MilestoneEvidence } from '../../src/contracts/milestoneEvidence';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import { AgentBed } from './agentBed';
import { cliFile, decision, type Ended } from './cliBed';

const unit = 'validate-M1';

/** Milestones and what validates them: `dist/cli.js` as real processes. */
describe('milestones', function () {
  this.timeout(120_000);
  let bed: AgentBed;
  beforeEach(() => {
    bed = new AgentBed([]);
  });
  afterEach(() => bed.dispose());

  /** A plan whose two tasks write a file each, one in each milestone. */
  const plan = (name: string, validate: Record<string, unknown>): string =>
    bed.plan(
      name,
      [
        { task_id: 'T1', milestone: 'M1', script: writes('a', 'one') },
        { task_id: 'T2', milestone: 'M2', script: writes('b', 'two') },
      ],
      { confinement: 'off', delegation: { claude_code: true } },
      {
        milestones: [
          { id: 'M1', title: 'The first half', validate },
          { id: 'M2', title: 'The rest' },
        ],
      },
    );
  const evidence = (name: string): TaskEvidence =>
    JSON.parse(bed.read(`docs/ops/executions/${name}/TASK_${unit}.json`)) as TaskEvidence;
  const status = ({ json }: Ended): readonly (readonly [string, string])[] =>
    json.tasks.map((task) => [task.task_id, task.status]);
  const verified = async (name: string): Promise<void> => {
    const { code, stdout } = await bed.mission('evidence', 'verify', name);
    assert.equal(code, 0, stdout);
  };

  it('are validated by a command of the plan before the next one begins', async () => {
    const file = plan('command', { verify: [['grep', '-q', 'one', 'docs/out/a']] });
    const ended = await bed.mission('run', file);
    assert.deepEqual([ended.code, ended.json.status], [0, 'completed'], ended.stdout + ended.stderr);
    assert.deepEqual(status(ended), [
      ['T1', 'done'],
      [unit, 'done'],
      ['T2', 'done'],
    ]);
    const milestone = JSON.parse(bed.read('docs/ops/executions/command/MILESTONE_M1.json')) as MilestoneEvidence;
    assert.deepEqual(
      [milestone.accepted?.attempt, milestone.tasks, milestone.validations, milestone.failures],
      [1, [{ task_id: 'T1', status: 'SUCCESS' }], 1, 0],
    );
    assert.match(
      bed.read('docs/ops/executions/command/EXECUTION_SUMMARY.md'),
      /## Milestones[^]*\| `M1` \| `The first half` \| `validate-M1` \| scrutiny \| accepted \| 1 \| 0 of at most 5 \| SUCCESS \|/,
    );
    const shown = await bed.spawn(process.execPath, [cliFile, 'status', 'command']).ended;
    assert.match(
      shown.stdout,
      /^ {2}milestone M1 .*The first half.*scrutiny.*0 of at most 5/m,
      'heading, mode and failures',
    );
    await verified('command');
    for (const [path, from, to] of [
      ['MILESTONE_M1.json', '"failures": 0', '"failures": 1'],
      ['EXECUTION_HEADER.json', '"accepted": true', '"accepted": false'],
    ] as const) {
      const place = `docs/ops/executions/command/${path}`;
      const before = bed.read(place);
      bed.write(place, before.replace(from, to));
      assert.equal((await bed.mission('evidence', 'verify', 'command')).code, 1, path);
      bed.write(place, before);
    }
    await verified('command');
  });

  it('are shown at the approval: who validates, the commands, and each assertion', async () => {
    const file = plan('shown', { mode: 'user-testing', assertions: ['It reads well.'], verify: [['node', '-v']] });
    bed.write(file, bed.read(file).replace('"APPROVED"', '"DRAFT"'));
    const { stdout, stderr } = await bed.spawn(process.execPath, [
      ...[cliFile, 'plan', 'approve', file, '--by', 'Grace', '--yes', '--workspace', bed.root],
    ]).ended;
    for (const text of [
      `validates       user-testing by a person, one by one; after 5 failures it cannot be validated again`,
      '                A1: It reads well.',
      'is verified by  node -v',
      `  ${unit}: `,
    ])
      assert.ok(stdout.includes(text), stdout + stderr);
  });

  it('are validated by an agent that reports on each assertion', async () => {
    bed.speaks(reports('pass'));
    const ended = await bed.withClaude(
      'run',
      plan('agent', { worker: 'claude', assertions: ['docs/out/a says one.', 'Nothing else is there.'] }),
    );
    assert.deepEqual([ended.code, ended.json.status], [0, 'completed'], ended.stdout + ended.stderr);
    const { attempts = [] } = evidence('agent');
    assert.deepEqual(
      attempts.map(({ validation }) => [
        validation?.status,
        validation?.assertions.map(({ id, status: is }) => `${id} ${is}`),
      ]),
      [['pass', ['A1 pass', 'A2 pass']]],
    );
    await verified('agent');
  });

  it('block when the report says fail, and validate the files anew when a person retries after a repair', async () => {
    bed.speaks(reports("fs.readFileSync('docs/out/a', 'utf8').startsWith('one') ? 'fail' : 'pass'"));
    const file = plan('repaired', { worker: 'claude', assertions: ['docs/out/a says three.'] });
    const blocked = await bed.withClaude('run', file);
    assert.deepEqual([blocked.code, blocked.json.status], [3, 'blocked'], blocked.stdout + blocked.stderr);
    assert.equal(blocked.json.packets[0]?.category, 'validator_report_failed');
    assert.equal(bed.exists('docs/out/b'), false, 'nothing of the next milestone was done');
    bed.write('docs/out/a', 'three');
    const done = await bed.withClaude('retry', blocked.json.mission_id, unit, ...decision);
    assert.deepEqual([done.code, done.json.mission.status], [0, 'completed'], done.stdout + done.stderr);
    const trees = (evidence('repaired').attempts ?? []).map(({ validation }) => validation?.tree_sha256);
    assert.equal(new Set(trees).size, 2);
    await verified('repaired');
  });

  it('are answered by a person, assertion by assertion', async () => {
    const file = plan('person', { mode: 'user-testing', assertions: ['It reads well.', 'It is short.'] });
    const waits = await bed.mission('run', file);
    assert.deepEqual([waits.code, waits.json.status], [3, 'blocked'], waits.stdout + waits.stderr);
    const id = waits.json.mission_id;
    const answer = (choice: string): Promise<Ended> =>
      bed.mission('answer', id, '--task', unit, '--choice', choice, ...decision);
    const first = await answer('pass');
    assert.equal(first.json.mission.status, 'blocked', first.stdout + first.stderr);
    const second = await answer('pass');
    assert.deepEqual([second.code, second.json.mission.status], [0, 'completed'], second.stdout + second.stderr);
    const { attempts = [] } = evidence('person');
    assert.deepEqual(
      attempts
        .at(-1)
        ?.validation?.assertions.map(({ id: name, status: is, decision: by }) => [name, is, by?.actor.name]),
      [
        ['A1', 'pass', 'Grace'],
        ['A2', 'pass', 'Grace'],
      ],
    );
    assert.deepEqual(
      attempts.map(({ launches }) => launches.length),
      [0, 0],
      'no agent is launched for what a person answers',
    );
    await verified('person');
  });
});

function writes(name: string, content: string): string {
  return `import fs from 'node:fs'; fs.mkdirSync('docs/out', { recursive: true }); fs.writeFileSync('docs/out/${name}', '${content}');`;
}

/** @param status an expression */
function reports(status: string): string {
  const expression = status.includes('(') ? status : JSON.stringify(status);
  return `
    const ids = [...prompt.matchAll(/^- (A\\d+): /gm)].map(([, id]) => id);
    const status = ${expression};
    say({ type: 'result', subtype: 'success', is_error: false, result: status, structured_output: {
      schemaVersion: 1, runId: named('runId'), milestoneId: named('milestoneId'), status, summary: 'Looked.',
      commandsRun: [], assertions: ids.map((assertionId) => ({ assertionId, status, evidence: 'docs/out/a:1' })),
      defects: [], procedureFindings: [], recommendation: status === 'pass' ? 'accept' : 'fix' } });`;
}
