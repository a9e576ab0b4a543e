import assert from 'node:assert/strict';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import type { AgentName } from '../../src/contracts/vocabulary/workers';
import { isAlive } from '../../src/adapters/processes/tree';
import { makePlace } from './homes';
import { makeMission } from './missionRun';
import type { MissionBed, ProgramEnd } from './missionRun';
import { requireMission } from './missionSuite';
import { startMockModel } from './mockModel';
import { startTricklingModel } from './tricklingModel';

interface Hanging {
  readonly bed: MissionBed;
  readonly model: { readonly requests: readonly unknown[] };
  readonly end: ProgramEnd;
}

/** A model that accepts the request and never answers: each CLI would wait for minutes. */
describe('a real CLI whose model never answers', function () {
  this.timeout(240_000);
  const missions = new Map<AgentName, Promise<Hanging>>();
  const models: { stop(): Promise<void> }[] = [];

  async function hang(agent: AgentName): Promise<Hanging> {
    const place = await makePlace(`${agent}-hang`);
    // Gemini gives up a request that has no answer for a minute, and tries again: it waits as long as something comes.
    const model = agent === 'gemini' ? await startTricklingModel() : await startMockModel({ '': [{ hang: true }] });
    models.push(model);
    const bed = await makeMission(agent, place, model.url, {
      task: { timeout_seconds: 60, heartbeat_interval_seconds: 5 },
    });
    return { bed, model, end: await bed.run() };
  }

  // They wait next to each other.
  before(() => {
    for (const agent of agentNames) {
      const mission = hang(agent);
      mission.catch(() => undefined); // its own test reports it
      missions.set(agent, mission);
    }
  });
  after(async () => {
    await Promise.allSettled(missions.values());
    for (const model of models) await model.stop();
  });

  for (const agent of agentNames) {
    it(`${agent} becomes TASK_TIMEOUT, with its tree gone and its lock released`, async function () {
      requireMission(this, agent);
      const hanging = await missions.get(agent);
      assert.ok(hanging);
      const { bed, model, end } = hanging;
      const words = `${end.stdout}\n${end.stderr}`.slice(-6000);
      assert.equal(end.exitCode, 3, words);
      assert.ok(model.requests.length > 0, 'the model was asked');
      const events = await bed.events();
      const silent = events.find((event) => event.type === 'WorkerTimedOut');
      assert.ok(silent, words);
      assert.equal(silent.task_id, 'T1');
      assert.equal(silent.timeout_seconds, 60);
      assert.ok(silent.age_seconds > 60);
      const blocked = events.find((event) => event.type === 'RowTransitioned' && event.to === 'blocked');
      assert.ok(blocked?.type === 'RowTransitioned' && blocked.code === 'TASK_TIMEOUT', words);
      const ended = events.findIndex((event) => event.type === 'WorkerEnded');
      const worker = events[ended];
      assert.ok(worker?.type === 'WorkerEnded' && worker.end.tree_gone, words);
      assert.ok(ended < events.findIndex((event) => event.type === 'LockReleased'));
      assert.ok(events.some((event) => event.type === 'PacketWritten'));
      const record = await bed.worker();
      assert.equal(record?.worker && (await isAlive(record.worker)), false);
    });
  }
});
