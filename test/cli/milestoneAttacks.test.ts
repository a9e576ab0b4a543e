import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { MilestoneEvidence } from '../../src/contracts/milestoneEvidence';
import { AgentBed } from './agentBed';
import { decision, until, type Ended } from './cliBed';

const unit = 'validate-M1';

/**
 * What a validator that lies, or a process beside it, tries, and where milestones have to work: real processes without
 * confinement.
 */
describe('milestones: attacks', function () {
  this.timeout(180_000);
  let bed: AgentBed;
  beforeEach(() => (bed = new AgentBed([])));
  afterEach(() => bed.dispose());

  const plan = (
    name: string,
    validate: Record<string, unknown>,
    paths = ['docs/out/'],
    first = writes('a', 'one'),
  ): string =>
    bed.plan(
      name,
      [
        { task_id: 'T1', milestone: 'M1', script: first, paths },
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
  const agent = { worker: 'claude', assertions: ['docs/out/a says one.'] };
  const milestone = (name: string): MilestoneEvidence =>
    JSON.parse(bed.read(`docs/ops/executions/${name}/MILESTONE_M1.json`)) as MilestoneEvidence;
  const gate = (): string => path.join(bed.scratch, 'go');
  /** A mission that was paused between an acceptance and the next milestone. */
  const acceptedThenPaused = async (file: string): Promise<string> => {
    const running = bed.start('run', file, ...bed.claudeOptions);
    await until(() => existsSync(`${gate()}.waits`));
    const id = await bed.missionId();
    await bed.mission('pause', id, ...decision);
    writeFileSync(gate(), '');
    const paused = await running.ended;
    assert.equal(paused.json.status, 'paused', why(paused));
    assert.ok((await bed.events(id)).some(({ type }) => type === 'MilestoneAccepted'));
    return id;
  };
  const why = ({ stdout, stderr }: Ended): string => stdout + stderr;

  for (const [what, expected, body] of [
    ['writes what it judges', 'NON_COMPLIANT', `fs.appendFileSync('docs/out/a', '!'); lie({});`],
    ['writes elsewhere', 'CONCURRENCY_CONFLICT', `fs.writeFileSync('README.md', 'mine'); lie({});`],
    [
      'writes evidence of its own',
      'CONCURRENCY_CONFLICT',
      `fs.mkdirSync('docs/ops/executions/lies', { recursive: true }); fs.writeFileSync('docs/ops/executions/lies/MILESTONE_M1.json', '{"accepted":{}}'); lie({});`,
    ],
    ['writes the plan', 'PLAN_HASH_MISMATCH', `fs.appendFileSync('docs/plans/PLAN_lies.json', ' '); lie({});`],
    ['passes without evidence', 'MISSING_VALIDATOR', `lie({ evidence: '' });`],
    ['passes with evidence that nobody sees', 'MISSING_VALIDATOR', `lie({ evidence: ' \\u200b\\u2060' });`],
    [
      'passes in spite of a critical defect',
      'MISSING_VALIDATOR',
      `lie({ defects: [{ id: 'D1', severity: 'critical', title: 'x', description: 'x', reproduction: '', suggestedFix: null }] });`,
    ],
    ['answers another milestone', 'MISSING_VALIDATOR', `lie({ milestoneId: 'M2' });`],
    ['answers another run', 'MISSING_VALIDATOR', `lie({ runId: 'other' });`],
    ['answers an assertion twice', 'MISSING_VALIDATOR', `lie({ twice: true });`],
    ['answers none', 'MISSING_VALIDATOR', `lie({ none: true });`],
    [
      'says it in prose',
      'MISSING_VALIDATOR',
      `say({ type: 'result', subtype: 'success', is_error: false, result: 'pass, all assertions pass' });`,
    ],
    [
      'says fail and pass by one key',
      'MISSING_VALIDATOR',
      `write(fenced({}).replace('"status":"pass"', '"status":"fail","status":"pass"'));`,
    ],
    [
      'hides a key of a prototype',
      'MISSING_VALIDATOR',
      `write(fenced({}).replace('"status"', '"__proto__":{},"status"'));`,
    ],
    [
      'adds a key of its own',
      'MISSING_VALIDATOR',
      `write(fenced({}).replace('"status"', '"accepted":true,"status"'));`,
    ],
    [
      'reports fail, and then pass',
      'MISSING_VALIDATOR',
      `write(fenced({ status: 'fail' }) + 'On second thought:\\n' + fenced({}));`,
    ],
    ['is killed after it said pass', 'ACCEPTANCE_FAILED', `lie({}); process.kill(process.pid, 'SIGKILL');`],
    ['fails after it said pass', 'ACCEPTANCE_FAILED', `lie({}); process.exitCode = 7;`],
  ] as const)
    it(`a validator that ${what} accepts nothing`, async () => {
      bed.speaks(`${reporting}\n${body}`);
      const ended = await bed.withClaude('run', plan('lies', agent));
      assert.equal((ended.json as { readonly code?: string }).code, expected, why(ended));
      assert.equal(ended.code, ended.json.status === 'failed' ? 1 : 3);
      assert.equal(bed.exists('docs/out/b'), false, 'the next milestone began');
      const events = await bed.events(ended.json.mission_id);
      assert.ok(
        events.every(({ type }) => type !== 'MilestoneAccepted'),
        why(ended),
      );
    });

  it('a file that git ignores and that the plan names is a part of what was accepted', async () => {
    bed.write('.gitignore', '.mission-control/\nbuilt/\n');
    bed.speaks(
      `fs.writeFileSync(${JSON.stringify(gate())} + '.waits', ''); while (!fs.existsSync(${JSON.stringify(gate())})) await wait(20);\n${reporting}\nlie({});`,
    );
    const first = `import fs from 'node:fs'; fs.mkdirSync('built', { recursive: true }); fs.writeFileSync('built/a', 'one');`;
    const id = await acceptedThenPaused(plan('ignored', agent, ['built/'], first));
    bed.write('built/a', 'another');
    const resumed = await bed.withClaude('resume', id, ...decision);
    const { json } = resumed;
    assert.equal(json.mission.status, 'completed', why(resumed));
    assert.equal(milestone('ignored').validations, 2, 'what was changed is validated again');
  });

  for (const point of [
    'fs.rename(MILESTONE_M1.json)#1:after',
    'sqlite.run(INSERT AcceptanceAsked)#1:after',
    'sqlite.run(INSERT AcceptanceChecked)#1:after',
  ])
    it(`an owner killed at ${point}, and files changed before the next: nothing goes on before they are validated`, async () => {
      const file = plan('between', { verify: [['grep', '-q', 'o', 'docs/out/a']] });
      const killed = await bed.killedAt(point, 'run', file);
      assert.equal(killed.signal, 'SIGKILL', why(killed));
      assert.equal(bed.exists('docs/out/b'), false, 'the next milestone began before');
      bed.write('docs/out/a', 'bad');
      const blocked = await bed.mission('resume', 'between', ...decision);
      assert.equal(blocked.json.mission.status, 'blocked', why(blocked));
      assert.equal(bed.exists('docs/out/b'), false);
      bed.write('docs/out/a', 'good');
      const done = await bed.mission('retry', 'between', unit, ...decision);
      assert.equal(done.json.mission.status, 'completed', why(done));
      assert.equal((await bed.mission('evidence', 'verify', 'between')).code, 0);
    });

  it('a validator that is killed in mid-run, and an owner that is: nothing is accepted before a validation that passes', async () => {
    bed.speaks(
      `fs.appendFileSync(${JSON.stringify(gate())} + '.waits', process.pid + '\\n'); while (!fs.existsSync(${JSON.stringify(gate())})) await wait(20);\n${reporting}\nlie({});`,
    );
    const file = plan('killed', agent);
    const running = bed.start('run', file, ...bed.claudeOptions);
    const waiting = (count: number): Promise<number> =>
      until(() => {
        const lines = existsSync(`${gate()}.waits`) ? readFileSync(`${gate()}.waits`, 'utf8').trim().split('\n') : [];
        return lines.length === count ? Number(lines.at(-1)) : null;
      });
    process.kill(await waiting(1), 'SIGKILL');
    const blocked = await running.ended;
    const id = blocked.json.mission_id;
    assert.equal(blocked.json.status, 'blocked', why(blocked));
    const again = bed.start('retry', id, unit, ...decision, ...bed.claudeOptions);
    await waiting(2);
    again.child.kill('SIGKILL');
    await again.ended;
    assert.equal(bed.exists('docs/out/b'), false);
    // It goes on without its owner, and the next one attaches to it.
    writeFileSync(gate(), '');
    const resumed = await bed.withClaude('resume', id, ...decision);
    assert.equal(resumed.json.mission.status, 'completed', why(resumed));
    assert.deepEqual([milestone('killed').validations, milestone('killed').accepted?.attempt], [2, 2]);
  });
});

function writes(name: string, content: string): string {
  return `import fs from 'node:fs'; fs.mkdirSync('docs/out', { recursive: true }); fs.writeFileSync('docs/out/${name}', '${content}');`;
}

const reporting = `
const write = (result) => say({ type: 'result', subtype: 'success', is_error: false, result });
const wholeReport = ({ status = 'pass' }) => ({ schemaVersion: 1, runId: named('runId'), milestoneId: named('milestoneId'), status,
  summary: 'Looked.', commandsRun: [], assertions: [...prompt.matchAll(/^- (A\\d+): /gm)].map(([, assertionId]) => ({ assertionId, status, evidence: 'docs/out/a:1' })),
  defects: [], procedureFindings: [], recommendation: status === 'pass' ? 'accept' : 'fix' });
const fence = '\`\`\`';
const fenced = (more) => fence + 'json\\n' + JSON.stringify(wholeReport(more)) + '\\n' + fence + '\\n';
const lie = ({ evidence = 'docs/out/a:1', defects = [], runId = named('runId'), milestoneId = named('milestoneId'), twice = false, none = false }) => {
  const ids = [...prompt.matchAll(/^- (A\\d+): /gm)].map(([, id]) => id);
  const assertions = ids.map((assertionId) => ({ assertionId, status: 'pass', evidence }));
  say({ type: 'result', subtype: 'success', is_error: false, result: 'pass', structured_output: {
    schemaVersion: 1, runId, milestoneId, status: 'pass', summary: 'Looked.', commandsRun: [],
    assertions: none ? [] : twice ? [...assertions, ...assertions] : assertions,
    defects, procedureFindings: [], recommendation: 'accept' } });
};`;
