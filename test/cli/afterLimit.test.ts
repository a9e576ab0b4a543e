import assert from 'node:assert/strict';
import type { MissionControlView, MissionView } from '../../src/contracts/page/missionView';
import type { RecoveryPacket } from '../../src/contracts/recoveryPacket';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import { AgentBed } from './agentBed';
import { decision, until } from './cliBed';

describe('a plan whose tasks go on by themselves after a limit', function () {
  this.timeout(180_000);
  let bed: AgentBed;
  beforeEach(() => (bed = new AgentBed([])));
  afterEach(() => bed.dispose());

  /** A plan whose agent meets a limit that ends then, a JavaScript expression in seconds, and works the second time. */
  const limited = (ends: string): string => {
    bed.speaks(`
if (fs.readFileSync(${JSON.stringify(`${bed.claude}.launches`)}, 'utf8').trim().split('\\n').length === 1) {
  say({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: ${ends} } });
  say({ type: 'result', subtype: 'success', is_error: true, api_error_status: 429, result: "You've hit your session limit" });
  process.exitCode = 1;
  return;
}
fs.mkdirSync('docs/out', { recursive: true });
fs.writeFileSync('docs/out/a.txt', 'x');
end('done', 'docs/out/a.txt');`);
    return bed.agentPlan('limit', { recovery: { after_limit: 'resume' } });
  };
  const shown = async (): Promise<MissionView | undefined> => {
    const { json } = await bed.mission('status');
    return (json as unknown as MissionControlView).missions[0];
  };

  it('launch again when the limit has ended, and evidence and packet say who decided that', async () => {
    const { code, json, stdout, stderr } = await bed.withClaude('run', limited('Math.floor(Date.now() / 1000) + 1'));
    assert.deepEqual([code, json.status], [0, 'completed'], `${stdout}\n${stderr}`);
    assert.equal(bed.launches().length, 2);
    assert.match(stderr, /T1: It goes on by itself at [\d-]+ [\d:]+ UTC, as the approved plan says\./);

    const { attempts } = bed.json('docs/ops/executions/limit/TASK_T1.json') as unknown as TaskEvidence;
    const [first, second] = attempts ?? [];
    assert.deepEqual([first?.decided_by, second?.decided_by?.actor.kind], [null, 'runner']);
    assert.match(second?.decided_by?.reason ?? '', /execution\.recovery\.after_limit\), 1 of 3 times\.$/);
    const { json: listed } = await bed.mission('packet', 'list', json.mission_id, '--all');
    const [packet] = listed.packets;
    const written = JSON.parse(bed.read(packet?.path ?? '')) as RecoveryPacket;
    assert.match(written.block.goesOnAt ?? '', /Z$/);
    const verified = await bed.mission('evidence', 'verify', 'limit');
    assert.equal(verified.code, 0, verified.stdout);
  });

  it('wait on in the next process at the same time, and a pause ends the wait', async () => {
    const plan = limited('Math.floor(Date.now() / 1000) + 3600');
    const first = bed.start('run', plan, ...bed.claudeOptions);
    const waiting = await until(async () => {
      const view = await shown();
      return view?.blocks[0]?.goes_on_at !== undefined && view;
    });
    assert.deepEqual([waiting.status, waiting.interrupted], ['running', false]);
    assert.match(waiting.headline, /^Task T1 waits for its provider and goes on by itself at [\d-]+ [\d:]+ UTC\.$/);
    first.child.kill('SIGKILL');
    await first.ended;
    const left = await shown();
    assert.deepEqual(
      [left?.interrupted, left?.next],
      [true, [`mission resume ${waiting.mission_id} --by NAME --reason TEXT`]],
    );

    const next = bed.start('resume', waiting.mission_id, ...decision, ...bed.claudeOptions);
    const again = await until(async () => {
      const view = await shown();
      return view?.interrupted === false && view;
    });
    assert.equal(again.blocks[0]?.goes_on_at, waiting.blocks[0]?.goes_on_at);
    const paused = await bed.mission('pause', waiting.mission_id, ...decision);
    assert.equal(paused.code, 0, paused.stdout);
    const { code, stderr } = await next.ended;
    assert.equal(code, 3, stderr);
    assert.equal((await shown())?.status, 'paused');
    assert.equal(bed.launches().length, 1);
  });
});
