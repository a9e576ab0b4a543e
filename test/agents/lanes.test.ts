import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runFiles } from '../../src/contracts/launch';
import { agentNames, type AgentName } from '../../src/contracts/vocabulary/workers';
import { agentWorkers } from '../../src/workers/registry';
import { agentEnvironment, agentModels, makePlace, sessionIds, type AgentPlace } from './homes';
import { makeMission, type MissionBed } from './missionRun';
import { requireMission } from './missionSuite';
import { startMockModel, tokensPerTurn, type ModelScript, type ModelTurn } from './mockModel';
import { planFor } from './plans';
import { finishTurn, packetFor, shellTurn, writeFileTurn } from './turns';

/** Turns of the model per task, so that no two tasks used the same. */
const turnsOf: Readonly<Record<AgentName, number>> = { claude: 2, codex: 3, gemini: 4, opencode: 5 };

describe('a parallel mission with all real CLIs at once', function () {
  this.timeout(240_000);
  const ends: (() => Promise<void>)[] = [];
  before(function () {
    requireMission(this, 'codex');
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  it('all work at the same time and complete; the evidence of each names its own session, usage and confinement', async () => {
    const place = await makePlace('lanes');
    const gate = path.join(place.outside, 'gate');
    const fileOf = (agent: AgentName): string => path.join(place.workspace, 'lanes', agent, 'hello.txt');
    const wrote = new Set<AgentName>();
    let meet: () => void = () => undefined;
    const met = new Promise<void>((resolve) => (meet = resolve));
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));

    const script =
      (agent: AgentName): ModelScript =>
      (request, index): ModelTurn => {
        if (index === 1) wrote.add(agent);
        if (wrote.size === agentNames.length) meet();
        const last = index >= turnsOf[agent] - 1;
        if (last) {
          const resource = `lanes/${agent}/hello.txt`;
          const turn = finishTurn(agent, packetFor(request, [{ resource, action: 'created' }]));
          // Codex is in its sandbox while what the others did is observed.
          return { until: agent === 'codex' ? opened : met, turn };
        }
        if (agent === 'codex' && index === 1) return shellTurn(agent, `while [ ! -e '${gate}' ]; do sleep 0.1; done`);
        return writeFileTurn(agent, fileOf(agent), `written by ${agent}, ${index}\n`);
      };
    const model = await startMockModel(
      Object.fromEntries(agentNames.map((agent) => [`Write the file of ${agent}.`, script(agent)])),
    );
    ends.push(() => model.stop());

    const bed = await parallelMission(
      place,
      model.url,
      agentNames.map((agent) => ({ id: agent, agent })),
    );
    ends.push(() => bed.endLeftovers());

    const mission = { over: false };
    const running = bed.run().finally(() => {
      mission.over = true;
    });
    const observed = async (): Promise<boolean> => {
      for (const agent of agentNames) if (agent !== 'codex' && (await bed.task(agent)) === null) return false;
      return true;
    };
    while (!(await observed()) && !mission.over) await pause(50);
    await writeFile(gate, '');
    open();
    const end = await running;
    const words = `${end.stdout}\n${end.stderr}`.slice(-8000);
    assert.equal(end.exitCode, 0, words);
    assert.equal(end.answer?.['status'], 'completed', words);
    assert.equal((await bed.verify()).exitCode, 0);

    const sessions = new Set<string>();
    const spans: { readonly from: number; readonly to: number }[] = [];
    for (const agent of agentNames) {
      assert.equal(
        await readFile(fileOf(agent), 'utf8'),
        `written by ${agent}, ${agent === 'codex' ? 0 : turnsOf[agent] - 2}\n`,
      );
      const evidence = await bed.task(agent);
      const [attempt] = evidence?.attempts ?? [];
      const launch = attempt?.launches.at(-1);
      assert.ok(attempt && launch, words);
      assert.deepEqual([evidence?.status, attempt.outcome, attempt.claim.kind], ['SUCCESS', 'PASS', 'valid']);
      assert.deepEqual(
        attempt.changes.map(({ path: changed, violation }) => [changed, violation]),
        [[`lanes/${agent}/hello.txt`, null]],
      );
      assert.deepEqual(attempt.comparison, { agrees: true, differences: [] });
      for (const other of agentNames.filter((name) => name !== agent))
        assert.ok(attempt.not_observed.some((text) => text.startsWith(`lanes/${other}: locked by task ${other}`)));
      assert.equal(launch.worker, agent);
      assert.equal(launch.cli_version, agentWorkers[agent].testedVersions.to);
      assert.equal(launch.usage?.input_tokens, turnsOf[agent] * tokensPerTurn.input, agent);
      assert.equal(launch.usage.output_tokens, turnsOf[agent] * tokensPerTurn.output, agent);
      assert.equal(launch.confinement, agent === 'codex' ? 'os_sandbox' : 'tool_limits');
      const runDir = (await bed.runDirs()).findLast((name) => name.endsWith(`-${agent}`)) ?? '';
      const stdout = await readFile(path.join(runDir, runFiles.stdout), 'utf8');
      assert.match(launch.session_id ?? '', sessionIds[agent]);
      assert.ok(stdout.includes(launch.session_id ?? ''), 'the session is the one of its own stream');
      sessions.add(launch.session_id ?? '');
      spans.push({ from: Date.parse(launch.started_at ?? ''), to: Date.parse(launch.ended_at ?? '') });
    }
    assert.equal(sessions.size, agentNames.length);
    assert.ok(Math.max(...spans.map(({ from }) => from)) < Math.min(...spans.map(({ to }) => to)), 'at the same time');
    assert.deepEqual(
      agentNames.flatMap((agent) => filesIn(path.join(place.workspace, `.${agent}`))),
      [],
      // Codex mounts over `.codex` in its sandbox and may leave the empty folder when the machine is busy.
      'no CLI left a file of its own',
    );
  });

  it('two of each CLI share one home and do not get into each other’s way', async () => {
    const place = await makePlace('lanes-twice');
    const lanes = agentNames.flatMap((agent) => [1, 2].map((n) => ({ agent, id: `${agent}-${n}` })));
    const wrote = new Set<string>();
    let meet: () => void = () => undefined;
    const met = new Promise<void>((resolve) => (meet = resolve));
    const scripts = lanes.map(({ agent, id }): [string, ModelScript] => [
      `Write the file of ${id}.`,
      (request, index) => {
        const resource = `lanes/${id}/hello.txt`;
        if (index === 0) return writeFileTurn(agent, path.join(place.workspace, resource), `written by ${id}\n`);
        wrote.add(id);
        if (wrote.size === lanes.length) meet();
        return { until: met, turn: finishTurn(agent, packetFor(request, [{ resource, action: 'created' }])) };
      },
    ]);
    const model = await startMockModel(Object.fromEntries(scripts));
    ends.push(() => model.stop());
    const bed = await parallelMission(
      place,
      model.url,
      lanes.map(({ agent, id }) => ({ id, agent })),
    );
    ends.push(() => bed.endLeftovers());
    const end = await bed.run();
    const words = `${end.stdout}\n${end.stderr}`.slice(-8000);
    assert.deepEqual([end.exitCode, end.answer?.['status']], [0, 'completed'], words);
    const sessions = new Set<string | null | undefined>();
    for (const { agent, id } of lanes) {
      assert.equal(await readFile(path.join(place.workspace, 'lanes', id, 'hello.txt'), 'utf8'), `written by ${id}\n`);
      const launch = (await bed.task(id))?.attempts?.[0]?.launches.at(-1);
      assert.deepEqual([launch?.worker, launch?.usage?.input_tokens], [agent, 2 * tokensPerTurn.input], id);
      sessions.add(launch?.session_id);
    }
    assert.equal(sessions.size, lanes.length);
    assert.equal((await bed.verify()).exitCode, 0);
  });
});

/** A bed whose plan has a task per lane, each below `lanes/<id>`; one environment for all CLIs. */
async function parallelMission(
  place: AgentPlace,
  modelUrl: string,
  lanes: readonly { readonly id: string; readonly agent: AgentName }[],
): Promise<MissionBed> {
  const tasks = lanes.map(({ id, agent }) => ({
    task_id: id,
    description: `Write the file of ${id}.`,
    paths: [`lanes/${id}`],
    worker: agent,
    ...(agentModels[agent] === null ? {} : { model: agentModels[agent] }),
  }));
  const plan = planFor('codex', { members: { plan_id: 'lanes', tasks } });
  const execution = { ...(plan['execution'] as object), mode: 'parallel', max_parallel: lanes.length };
  // Each CLI gets of it what its own list names.
  const { PATH: _ours, ...environment } = Object.assign(
    {},
    ...agentNames.map((agent) => agentEnvironment(agent, place.home, modelUrl)),
  ) as Record<string, string>;
  for (const { id } of lanes) {
    await mkdir(path.join(place.workspace, 'lanes', id), { recursive: true });
    await writeFile(path.join(place.workspace, 'lanes', id, 'kept.txt'), 'here before\n');
  }
  return makeMission('codex', place, modelUrl, {
    plan: { id: 'lanes', text: `${JSON.stringify({ ...plan, execution }, null, 2)}\n` },
    environment,
  });
}

/** Names of what lies in the folder; none when there is no folder. */
function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return []; // not there
  }
}
