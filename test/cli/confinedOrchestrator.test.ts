import assert from 'node:assert/strict';
import { OrchestratorBed } from './orchestratorBed';
import { decision, until } from './cliBed';

/** A scripted orchestrator in a real sandbox, and owners that die while it works. */
describe('runtime orchestrator: sandbox and owners', function () {
  this.timeout(120_000);
  let bed: OrchestratorBed;
  beforeEach(() => (bed = new OrchestratorBed()));
  afterEach(() => bed.dispose());

  it('in a sandbox can write nothing but its own folder, is heard, and decides', async function () {
    bed.findBubblewrap(this);
    bed.plays(
      'process.exit(1);',
      `
const tried = (what, work) => { try { work(); return what + ' done'; } catch (error) { return what + ' ' + error.code; } };
const found = [
  tried('file', () => fs.appendFileSync('README.md', 'mine')),
  tried('new', () => fs.writeFileSync('docs/new.txt', 'mine')),
  tried('plan', () => fs.appendFileSync('docs/plans/PLAN_held.json', ' ')),
  tried('git', () => fs.writeFileSync('.git/hooks/pre-commit', 'mine')),
  tried('state', () => fs.writeFileSync('.mission-control/x', 'mine')),
  tried('answers', () => fs.writeFileSync(path.join(dir, 'answers/x.json'), 'mine')),
  tried('own', () => fs.writeFileSync(path.join(dir, 'work/x'), 'mine')),
];
const decided = await choose('leave-blocked', JSON.stringify(found));`,
    );
    const { code, json, stderr } = await bed.orchestrated(
      bed.agentPlan('held', { confinement: 'required' }),
      ...['--confinement', 'required'],
    );
    assert.deepEqual([code, json.status], [3, 'blocked'], stderr);
    assert.equal((await bed.endEvent(json.mission_id))?.result.kind, 'applied');
    const asked = (await bed.events(json.mission_id)).find((event) => event.type === 'OrchestratorAsked');
    assert.deepEqual(JSON.parse(asked?.choice?.reason ?? 'null'), [
      ...['file EROFS', 'new EROFS', 'plan EROFS', 'git EROFS', 'state EROFS', 'answers EROFS', 'own done'],
    ]);
  });

  it('in a sandbox is not accused of what a person writes beside it: its decision is discarded', async function () {
    bed.findBubblewrap(this);
    bed.plays('process.exit(1);', `while (!fs.existsSync('docs/go')) await wait(50);\nawait choose('leave-blocked');`);
    const plan = bed.agentPlan('beside', { confinement: 'required' });
    const running = bed.orchestrated(plan, '--confinement', 'required');
    const id = await bed.missionId();
    await until(async () => (await bed.events(id)).some(({ type }) => type === 'OrchestratorStarted'));
    bed.write('docs/go', 'by a person');
    const { json, stderr } = await running;
    const result = (await bed.endEvent(json.mission_id))?.result;
    assert.equal(result?.kind, 'discarded', stderr);
    assert.equal('code' in result ? result.code : null, 'CONTEXT_CHANGED', JSON.stringify(result));
  });

  it('goes on when its owner is killed: the next one attaches, answers it, and carries out its decision', async () => {
    bed.plays(
      retried,
      `
note('waits');
while (!fs.existsSync(NOTES + '.go')) await wait(50);
await choose('retry-repair');`,
    );
    const running = bed.start('run', bed.agentPlan('killed'), '--orchestrator', 'claude', ...bed.claudeOptions);
    const id = await bed.missionId();
    await until(() => bed.noted());
    running.child.kill('SIGKILL');
    await running.ended;
    bed.letGo();
    const resumed = await bed.withClaude('resume', id, ...decision);
    assert.deepEqual([resumed.code, resumed.json.mission.status], [0, 'completed'], resumed.stdout + resumed.stderr);
    const events = await bed.events(id);
    assert.equal(events.filter(({ type }) => type === 'OrchestratorDispatched').length, 1);
    const resolved = events.find((event) => event.type === 'PacketResolved');
    assert.deepEqual(resolved?.decision.actor, { kind: 'orchestrator', name: 'claude' });
  });

  it('a person who decides meanwhile ends it with all its processes, and wins', async () => {
    bed.plays(retried, `note({ pid: process.pid }); await choose('leave-blocked'); await wait(60_000);`);
    const running = bed.start('run', bed.agentPlan('person'), '--orchestrator', 'claude', ...bed.claudeOptions);
    const id = await bed.missionId();
    await until(() => bed.noted());
    await until(async () => (await bed.events(id)).some(({ type }) => type === 'OrchestratorAsked'));
    const retry = await bed.mission('retry', id, 'T1', ...decision);
    assert.equal(retry.json.accepted, true, retry.stdout);
    const { code, json } = await running.ended;
    assert.deepEqual([code, json.status], [0, 'completed']);
    const ended = await bed.endEvent(id);
    assert.equal(ended?.result.kind, 'discarded');
    assert.equal(ended.end.tree_gone, true);
  });
});

const retried = `
if (attempt === 1) process.exit(1);
fs.mkdirSync('docs/out', { recursive: true });
fs.writeFileSync('docs/out/a.txt', 'done');
end('done', 'docs/out/a.txt');`;
