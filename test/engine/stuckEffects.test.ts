import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { MissionCommand } from '../../src/core/mission/inputs';
import { missionStatus } from '../../src/core/mission/status';
import type { CommandAnswer } from '../../src/core/mission/state';
import { MissionHost } from '../../src/engine/missionHost';
import type { HostPorts } from '../../src/engine/ports/hostPorts';
import { startRealMission, type RealMission } from './realMission';

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

describe('engine: nothing answers accepted and then does nothing', () => {
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
      const { engine, ports, options, journal, dir } = mission;
      await engine.settled();
      assert.equal(engine.halt?.code, 'EFFECT_FAILED');

      const lease: HostPorts['lease'] = {
        acquire: (actor) => journal.raiseFence(actor),
        release: () => Promise.resolve(),
        held: () => Promise.resolve(true),
      };
      const acquired = await MissionHost.acquire({ ...(ports as HostPorts), lease }, options, ada);
      assert.ok(acquired.ok);
      const host = acquired.value;
      const asks = (command: MissionCommand): Promise<CommandAnswer> =>
        host.command({
          id: randomUUID(),
          mission_id: engine.missionId,
          command,
          actor: ada,
          reason: 'test',
          expected_seq: null,
          from_worker: false,
        });
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
});
