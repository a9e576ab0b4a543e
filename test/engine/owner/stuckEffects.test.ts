import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { MissionCommand } from '../../../src/contracts/commands/missionCommand';
import { missionStatus } from '../../../src/core/mission/status';
import type { CommandAnswer } from '../../../src/core/model/sessionFacts';
import { MissionHost } from '../../../src/engine/owner/host';
import type { StartRequest } from '../../../src/engine/mission/start';
import type { HostPorts } from '../../../src/engine/ports/engine';
import { startRealMission, type RealMission } from '../realMission';

const ada = { kind: 'human', name: 'ada' } as const;
const writes = [
  process.execPath,
  '-e',
  'require("fs").mkdirSync("src",{recursive:true}); require("fs").appendFileSync("src/out","x")',
];

type Work = (...args: never[]) => Promise<unknown>;

const cases: readonly (readonly [what: string, port: 'workspace' | 'launches', method: string])[] = [
  ['a baseline that cannot be taken', 'workspace', 'baseline'],
  ['a launch that cannot be prepared', 'launches', 'prepare'],
  ['changes that cannot be read', 'workspace', 'difference'],
];

describe('engine: no command is accepted without effect', () => {
  let mission: RealMission | null = null;
  afterEach(async () => {
    await mission?.dispose();
    mission = null;
  });

  for (const [what, port, method] of cases)
    it(`${what} halts; every command is refused with the reason until it works, then the mission goes on`, async () => {
      let fails = true;
      const started = startRealMission([{ task_id: 'T1', command: writes }], (ports) => {
        const target = ports[port] as unknown as Record<string, Work>;
        const works = target[method]!.bind(target);
        target[method] = (...args) => (fails ? Promise.reject(new Error('no space left on device')) : works(...args));
        return {};
      });
      mission = await started;
      const { engine, dir } = mission;
      await engine.settled();
      assert.equal(engine.halt?.code, 'EFFECT_FAILED');

      const { host, asks } = await ownerOf(mission);
      for (const command of [{ type: 'ResumeMission' }, { type: 'CancelMission' }] as const) {
        const refused = await asks(command);
        assert.deepEqual([refused.accepted, refused.code], [false, 'EFFECT_FAILED']);
        assert.match(refused.reason, /no space left on device/);
      }
      fails = false;
      assert.equal((await asks({ type: 'ResumeMission' })).accepted, true);
      await host.settled();
      const ended = host.engine(engine.missionId)?.mission;
      assert.equal(ended && missionStatus(ended), 'completed');
      assert.equal(await readFile(path.join(dir, 'src/out'), 'utf8'), 'x');
      await host.release();
    });

  it('earlier evidence whose second step fails, after its first one failed before: refused until it is archived', async () => {
    const fails = { read: false, archive: false };
    mission = await startRealMission([{ task_id: 'T1', command: writes }], ({ evidence }) => ({
      evidence: {
        ...evidence,
        read: (place) => (fails.read ? Promise.reject(new Error('it cannot be read')) : evidence.read(place)),
        archive: (...place) =>
          fails.archive ? Promise.reject(new Error('no space left on device')) : evidence.archive(...place),
      },
    }));
    const { engine, dir } = mission;
    await engine.settled();
    const first = await ownerOf(mission);
    fails.read = true;
    const started = await first.host.start(again(dir));
    assert.ok(started.kind === 'started');
    const { missionId } = started.engine;
    await started.engine.settled();
    assert.equal(started.engine.halt?.code, 'EFFECT_FAILED');
    await first.host.release();
    Object.assign(fails, { read: false, archive: true });

    const { host, asks } = await ownerOf(mission, missionId);
    for (let times = 0; times < 2; times += 1) {
      const refused = await asks({ type: 'ResumeMission' });
      assert.deepEqual([refused.accepted, refused.code], [false, 'EFFECT_FAILED'], refused.reason);
      assert.match(refused.reason, /no space left on device/);
    }
    fails.archive = false;
    assert.equal((await asks({ type: 'ResumeMission' })).accepted, true);
    await host.settled();
    const ended = host.engine(missionId)?.mission;
    assert.deepEqual([ended && missionStatus(ended), ended?.archived?.mission_id], ['completed', engine.missionId]);
    await host.release();
  });

  for (const [what, takes] of [
    ['a file', (place: string) => writeFile(place, 'mine')],
    ['a link', (place: string) => symlink(`${place}-elsewhere`, place)],
  ] as const)
    for (const driven of [true, false])
      it(`${what} in the place of the missions, under an owner that ${driven ? 'drives' : 'does not drive'} the mission: what starts work is refused`, async () => {
        mission = await startRealMission([{ task_id: 'T1', command: [process.execPath, '-e', 'process.exit(3)'] }]);
        const { engine, dir } = mission;
        await engine.settled();
        const { host, asks } = await ownerOf(mission);
        if (driven) assert.ok((await host.take(engine.missionId)).ok);
        await host.settled();
        const place = path.join(dir, '.mission-control/missions');
        await rename(place, `${place}-elsewhere`);
        await takes(place);
        const before = (await mission.journal.read(engine.missionId)).length;
        for (const command of [{ type: 'RetryTask', task_id: 'T1' }, { type: 'CancelMission' }] as const) {
          const refused = await asks(command);
          assert.deepEqual([refused.accepted, refused.code], [false, 'STATE_STORE_UNWRITABLE'], refused.reason);
          assert.match(refused.reason, /missions is (?:not a folder|a symbolic link)/);
          assert.ok(refused.next.some((step) => step.includes(place)));
        }
        const since = (await mission.journal.read(engine.missionId)).slice(before).map(({ event }) => event.type);
        assert.deepEqual(since, ['CommandRefused', 'CommandRefused']);
        const other = await host.start(again(dir));
        assert.deepEqual(other.kind === 'refused' && other.refusal.code, 'STATE_STORE_UNWRITABLE');
        await rm(place);
        await rename(`${place}-elsewhere`, place);
        assert.equal((await asks({ type: 'CancelMission' })).accepted, true);
        await host.settled();
        const ended = host.engine(engine.missionId)?.mission;
        assert.equal(ended && missionStatus(ended), 'cancelled');
        await host.release();
      });
});

/** Another owner of the same journal, and a person's commands to it. */
async function ownerOf(
  { engine, ports, options, journal }: RealMission,
  mission_id = engine.missionId,
): Promise<{
  readonly host: MissionHost;
  readonly asks: (command: MissionCommand) => Promise<CommandAnswer>;
}> {
  const lease: HostPorts['lease'] = {
    acquire: (actor) => journal.raiseFence(actor),
    release: () => Promise.resolve(),
    isOwned: () => Promise.resolve(true),
  };
  const acquired = await MissionHost.acquire({ ...(ports as HostPorts), lease }, options, ada);
  assert.ok(acquired.ok);
  const host = acquired.value;
  const asks = (command: MissionCommand): Promise<CommandAnswer> =>
    host.command({
      id: randomUUID(),
      mission_id,
      command,
      actor: ada,
      reason: 'test',
      expected_seq: null,
      from_worker: false,
    });
  return { host, asks };
}

/** The same plan once more. */
function again(dir: string): StartRequest {
  const plan_path = path.join(dir, 'docs/plans/PLAN_P1.json');
  return { plan_path, actor: ada, default_worker: 'claude', require_approval_record: false };
}
