import assert from 'node:assert/strict';
import { missionStatus } from '../../../src/core/mission/status';
import type { MissionCommand } from '../../../src/contracts/commands/missionCommand';
import type { Actor } from '../../../src/contracts/vocabulary/actors';
import { MissionEngine } from '../../../src/engine/mission/engine';
import { details, startRealMission, until, type RealMission } from '../realMission';

const waits = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];
const tasks = ['T1', 'T2'].map((task_id) => ({ task_id, command: waits }));
const ada: Actor = { kind: 'human', name: 'ada' };
const revised = (priority: 'high' | 'low'): MissionCommand => ({
  ...{ type: 'ReviseMetadata', task_id: 'T2', packet_id: null },
  changes: { priority },
});
/** Changes nothing: no session runs. */
const report = { type: 'OrchestratorMustEnd', launch_id: 'x', code: 'ORCHESTRATOR_LIMIT', reason: 'x' } as const;

/** A person stopped everything, and the order did not reach the owner of this mission. */
describe('engine: a stop of everything that did not reach an owner', () => {
  let mission: RealMission;
  let stop: { readonly by: string; readonly reason: string; readonly at: string } | null;
  beforeEach(async () => {
    stop = null;
    mission = await startRealMission(tasks, { lastStop: () => Promise.resolve(stop) });
    await until(mission.engine, (now) => now.mission?.lanes[0]?.stage.at === 'running');
    const early = await command(revised('high'), 'early');
    assert.equal(early.accepted, true, early.reason);
    // Times are in milliseconds: what follows is later.
    const last = mission.engine.mission?.last_at ?? '';
    while (new Date().toISOString() <= last) await new Promise((resolve) => setImmediate(resolve));
    stop = { by: 'Grace', reason: 'the disk burns', at: new Date().toISOString() };
  });
  afterEach(() => mission.dispose());

  const command = (
    body: MissionCommand,
    id: string,
    change: Partial<typeof details> = {},
    actor: Actor = ada,
  ): ReturnType<MissionEngine['command']> => mission.engine.command(id, body, actor, { ...details, ...change });
  const hold = (): readonly unknown[] => {
    const found = mission.engine.mission?.hold;
    return [found?.kind, found?.kind === 'pause_requested' ? found.decision.actor.name : null];
  };

  const forged: Readonly<Record<string, () => ReturnType<MissionEngine['command']>>> = {
    'one from a worker': () => command({ type: 'StopTask', task_id: 'T1' }, 'c1', { from_worker: true }),
    'one that nobody was found for': () => command({ type: 'StopTask', task_id: 'T1' }, 'c1', { identified: false }),
    'one of an agent': () => command({ type: 'StopTask', task_id: 'T1' }, 'c1', {}, { kind: 'worker', name: 'x' }),
    'one of nobody': () => command({ type: 'StopTask', task_id: 'T1' }, 'c1', {}, { kind: 'human', name: ' ' }),
    'one that was decided before the stop': () => command(revised('high'), 'early', { identified: false }),
    'one that is refused': () => command({ type: 'RetryTask', task_id: 'T1' }, 'c1'),
  };
  for (const [name, send] of Object.entries(forged))
    it(`is no order that counts instead: ${name}`, async () => {
      const answer = await send();
      assert.equal(answer.accepted, name.includes('before the stop'), answer.reason);
      await mission.engine.submit(report, ada);
      assert.deepEqual(hold(), ['pause_requested', 'Grace']);
      const events = (await mission.journal.read(mission.engine.missionId)).map(({ event }) => event.type);
      assert.ok(!events.includes('TaskStopRequested'), 'what was forged was carried out');
    });

  it('does not count for a mission of which a person ordered since that it goes on', async () => {
    const answer = await command({ type: 'SkipTask', task_id: 'T2', dependants: [] }, 'c1');
    assert.equal(answer.accepted, true, answer.reason);
    await mission.engine.submit(report, ada);
    assert.deepEqual(hold(), ['none', null]);
  });

  const idle: Readonly<Record<string, MissionCommand>> = {
    'the stop of one task, which was asked for before and heard after': { type: 'StopTask', task_id: 'T1' },
    'a change of metadata': revised('low'),
  };
  for (const [name, body] of Object.entries(idle))
    it(`still counts where a person only ordered ${name}`, async () => {
      const answer = await command(body, 'c1');
      assert.equal(answer.accepted, true, answer.reason);
      assert.deepEqual(hold(), ['pause_requested', 'Grace']);
    });

  it('counts for the next owner where this one reported something after it, and was killed', async () => {
    const missed = stop;
    stop = null;
    const later = { ...details, identified: true };
    assert.equal((await mission.engine.command('c1', revised('low'), ada, later)).accepted, true);
    mission.engine.detach();
    stop = missed;
    const next = await MissionEngine.load(mission.engine.missionId, mission.ports, mission.options);
    await next.submit(report, ada);
    assert.equal(next.mission?.hold.kind, 'pause_requested');
  });

  it('counts for the next owner too, also where a forged command came before it did anything', async () => {
    mission.engine.detach();
    const { ports, options } = mission;
    const first = await MissionEngine.load(mission.engine.missionId, ports, options);
    const absent = { ...details, owner_was_absent: true, identified: false };
    assert.equal((await first.command('c1', { type: 'ResumeMission' }, ada, absent)).accepted, false);
    const next = await MissionEngine.load(mission.engine.missionId, ports, options);
    assert.equal(next.mission?.hold.kind, 'pause_requested');
    assert.notEqual(missionStatus(next.mission), 'completed');
  });
});
