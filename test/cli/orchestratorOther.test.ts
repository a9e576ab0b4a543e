import assert from 'node:assert/strict';
import { OrchestratorBed } from './orchestratorBed';
import { until } from './cliBed';

interface Answer {
  readonly ok: boolean;
  readonly code: string;
  readonly next: readonly string[];
}

/** A session that reaches for the task, the packet, the run or the outbox of another mission. */
describe('runtime orchestrator: another mission', function () {
  this.timeout(180_000);
  let bed: OrchestratorBed;
  beforeEach(() => (bed = new OrchestratorBed()));
  afterEach(() => bed.dispose());

  it('of this workspace is not reached by its task, packet or run', async () => {
    bed.plays('process.exit(1);', '');
    const delegation = { claude_code: true, constraints: [] };
    const task = { task_id: 'A1', worker: 'claude', prompt: 'x', paths: ['docs/first/'] };
    const first = await bed.withClaude('run', bed.plan('first', [task], { confinement: 'off', delegation }));
    assert.equal(first.json.status, 'blocked', first.stdout);
    const { mission_id: other, packets } = first.json;
    const before = (await bed.events(other)).length;
    bed.plays(
      'process.exit(1);',
      `
for (const name of ['../../../${other}/runs/1-worker/stdout.log', '${other}', '1-worker/stdout.log']) note(await ask({ tool: 'artifact', name }));
note(await ask({ tool: 'revise_metadata', task_id: 'A1', changes: { note: 'x' }, reason: 'x' }));
note(await ask({ tool: 'choose_outcome', outcome: 'retry-repair', reason: 'x', packet_id: ${JSON.stringify(packets[0]!.packet_id)} }));
note(await ask({ tool: 'choose_outcome', outcome: 'retry-repair', reason: 'x', mission_id: ${JSON.stringify(other)} }));
note(await ask({ tool: 'choose_outcome', outcome: 'retry-repair', reason: 'x' }, { session: ${JSON.stringify(other)} }));
say({ type: 'result', subtype: 'success', is_error: false, result: 'choose_outcome retry-repair ${packets[0]!.packet_id}',
  structured_output: { packet_id: ${JSON.stringify(packets[0]!.packet_id)}, outcome: 'retry-repair', reason: 'x' } });`,
    );
    const second = await bed.orchestrated(bed.agentPlan('second'));
    assert.equal(second.json.status, 'blocked', second.stdout);
    const answers = bed.notes() as Answer[];
    assert.equal(answers.length, 7, JSON.stringify(answers));
    for (const answer of answers)
      assert.ok(!answer.ok && /^[A-Z_]+$/.test(answer.code) && answer.next.length > 0, JSON.stringify(answer));
    assert.equal((await bed.events(other)).length, before, 'the other mission has no new event');
    assert.equal((await bed.endEvent(second.json.mission_id))?.result.kind, 'undecided');
    for (const id of [other, second.json.mission_id])
      assert.equal((await bed.mission('journal', 'verify', id)).code, 0);
  });

  it('of another workspace is not decided by a session of this one, which writes into its outbox', async () => {
    const there = new OrchestratorBed();
    try {
      there.plays(
        'process.exit(1);',
        `note({ dir, session: process.env.MISSION_ORCHESTRATOR_SESSION }); while (!fs.existsSync(NOTES + '.go')) await wait(50);`,
      );
      const waiting = there.start('run', there.agentPlan('there'), '--orchestrator', 'claude', ...there.claudeOptions);
      await until(() => there.noted());
      const [{ dir, session }] = there.notes() as [{ dir: string; session: string }];
      bed.plays(
        'process.exit(1);',
        `
for (const more of [{}, { session: ${JSON.stringify(session)} }]) {
  const message = signed({ tool: 'choose_outcome', outcome: 'retry-repair', reason: 'x' }, more);
  const outbox = ${JSON.stringify(dir)} + '/work/outbox/';
  const fd = fs.openSync(outbox + '.' + message.id + '.tmp', 'wx', 0o600);
  fs.writeSync(fd, JSON.stringify(message));
  fs.renameSync(outbox + '.' + message.id + '.tmp', outbox + message.id + '.json');
  const answer = ${JSON.stringify(dir)} + '/answers/' + message.id + '.json';
  while (!fs.existsSync(answer)) await wait(20);
  note(JSON.parse(fs.readFileSync(answer, 'utf8')));
}`,
      );
      const here = await bed.orchestrated(bed.agentPlan('here'));
      assert.equal(here.json.status, 'blocked', here.stdout);
      there.letGo();
      const ended = await waiting.ended;
      assert.equal(ended.json.status, 'blocked', ended.stdout);
      assert.deepEqual(
        (bed.notes() as Answer[]).map(({ ok, code }) => [ok, code]),
        [
          [false, 'NON_COMPLIANT'],
          [false, 'NON_COMPLIANT'],
        ],
      );
      const events = await there.events(ended.json.mission_id);
      assert.equal(events.filter(({ type }) => type === 'AttemptStarted').length, 1);
      assert.equal((await there.endEvent(ended.json.mission_id))?.result.kind, 'undecided');
    } finally {
      await there.dispose();
    }
  });
});
