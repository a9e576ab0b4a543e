import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import type { RecoveryPacket } from '../../src/contracts/recoveryPacket';
import { AgentBed } from './agentBed';
import { decision, start } from './cliBed';

describe('the packet of a block, on the disk', () => {
  let bed: AgentBed;
  beforeEach(() => (bed = new AgentBed([])));
  afterEach(() => bed.dispose());

  const delegation = { claude_code: true, constraints: [] };
  const removes = `${start}fs.writeFileSync('docs/out/a', 'a'); fs.rmSync(CLAUDE);`;

  /** Why the task blocks, what its worker does, and the exit code of its packet. */
  const blocks: Readonly<
    Record<string, readonly [agent: string | null, command: readonly string[] | null, exit: number]>
  > = {
    'a worker that failed': [null, ['sh', '-c', 'exit 7'], 7],
    'a worker that was killed': [null, ['sh', '-c', 'kill -9 $$'], 137],
    'a program that is not there': [null, ['no-such-program-here'], -1],
    'an agent that is gone when its task is due': ['', null, -1],
    'an agent without a final event': [`fs.writeFileSync('docs/out/b', '');`, null, 0],
    'an agent that reports an error': [
      `say({ type: 'result', subtype: 'error_during_execution', is_error: true, errors: ['it broke'] });`,
      null,
      0,
    ],
  };
  for (const [what, [agent, command, exit]] of Object.entries(blocks))
    it(`names a run directory that is there, and keeps its contract: ${what}`, async () => {
      bed.speaks(agent ?? '');
      const script = agent === '' ? removes.replace('CLAUDE', JSON.stringify(bed.claude)) : start;
      const task = command ? { command } : { worker: 'claude', prompt: 'x' };
      const first = { script, verify: [['node', '-e', '']] };
      const plan = bed.plan('blocks', [first, { task_id: 'T2', depends_on: ['T1'], paths: ['docs/out'], ...task }], {
        confinement: 'off',
        delegation,
      });
      const run = await bed.withClaude('run', plan);
      assert.equal(run.code, 3, run.stdout + run.stderr);
      const [listed] = run.json.packets;
      assert.equal(listed?.task_id, 'T2');
      const { block } = JSON.parse(bed.read(listed.path)) as RecoveryPacket;
      assert.ok(statSync(bed.at(block.runDir)).isDirectory(), block.runDir);
      assert.equal(block.exitCode, exit, JSON.stringify(block));
      const checked = await bed.mission('check', 'recovery-packet', listed.path);
      assert.equal(checked.code, 0, checked.stdout);
    });

  it('names the folder of its mission where its attempt launched nothing', async () => {
    const plan = bed.plan('waits', [{ command: ['sh', '-c', 'exit 7'] }]);
    const approved = bed.read(plan);
    const { json } = await bed.mission('run', plan);
    bed.write(plan, `${approved} `);
    await bed.mission('retry', json.mission_id, 'T1', ...decision);
    const stopped = await bed.mission('stop', json.mission_id, 'T1', ...decision);
    assert.equal(stopped.code, 0, stopped.stdout);
    const listed = (await bed.mission('packet', 'list', json.mission_id)).json.packets.at(-1);
    const { block } = JSON.parse(bed.read(listed?.path ?? '')) as RecoveryPacket;
    assert.equal(block.runDir, `.mission-control/missions/${json.mission_id}`);
    assert.equal((await bed.mission('check', 'recovery-packet', listed?.path ?? '')).code, 0);
  });
});
