import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runFiles } from '../../src/contracts/launch';
import { agentNames, type AgentName } from '../../src/contracts/vocabulary/workers';
import { agentWorkers } from '../../src/workers/registry';
import { agentEnvironment, agentModels, makePlace } from './homes';
import { makeMission } from './missionRun';
import { requireMission } from './missionSuite';
import { startMockModel, tokensPerTurn, type ModelScript, type ModelTurn } from './mockModel';
import { planFor } from './plans';
import { finishTurn, packetFor, shellTurn, writeFileTurn } from './turns';

/** Turns of the model per task, so that no two tasks used the same. */
const turnsOf: Readonly<Record<AgentName, number>> = { claude: 2, codex: 3, gemini: 4 };

describe('a parallel mission with the three real CLIs at once', function () {
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

    const task = (agent: AgentName): object => ({
      task_id: agent,
      description: `Write the file of ${agent}.`,
      paths: [`lanes/${agent}`],
      worker: agent,
      ...(agentModels[agent] === null ? {} : { model: agentModels[agent] }),
    });
    const plan = planFor('codex', { members: { plan_id: 'lanes', tasks: agentNames.map(task) } });
    const execution = { ...(plan['execution'] as object), mode: 'parallel', max_parallel: 3 };
    // One environment for all: each CLI gets of it what its own list names.
    const { PATH: _ours, ...environment } = Object.assign(
      {},
      ...agentNames.map((agent) => agentEnvironment(agent, place.home, model.url)),
    ) as Record<string, string>;
    for (const agent of agentNames) {
      await mkdir(path.dirname(fileOf(agent)), { recursive: true });
      await writeFile(path.join(path.dirname(fileOf(agent)), 'kept.txt'), 'here before\n');
    }
    const bed = await makeMission('codex', place, model.url, {
      plan: { id: 'lanes', text: `${JSON.stringify({ ...plan, execution }, null, 2)}\n` },
      environment,
    });
    ends.push(() => bed.endLeftovers());

    const mission = { over: false };
    const running = bed.run().finally(() => {
      mission.over = true;
    });
    const observed = async (): Promise<boolean> =>
      (await bed.task('claude')) !== null && (await bed.task('gemini')) !== null;
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
      assert.equal(await readFile(fileOf(agent), 'utf8'), `written by ${agent}, ${agent === 'gemini' ? 2 : 0}\n`);
      const evidence = await bed.task(agent);
      const [attempt] = evidence?.attempts ?? [];
      const [launch] = attempt?.launches ?? [];
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
      const runDir = (await bed.runDirs()).find((name) => name.endsWith(`-${agent}`)) ?? '';
      const stdout = await readFile(path.join(runDir, runFiles.stdout), 'utf8');
      assert.match(launch.session_id ?? '', /^[0-9a-f-]{36}$/);
      assert.ok(stdout.includes(launch.session_id ?? ''), 'the session is the one of its own stream');
      sessions.add(launch.session_id ?? '');
      spans.push({ from: Date.parse(launch.started_at ?? ''), to: Date.parse(launch.ended_at ?? '') });
    }
    assert.equal(sessions.size, agentNames.length);
    assert.ok(Math.max(...spans.map(({ from }) => from)) < Math.min(...spans.map(({ to }) => to)), 'at the same time');
    assert.deepEqual(
      agentNames.filter((agent) => existsSync(path.join(place.workspace, `.${agent}`))),
      [],
      'no CLI left anything of its own',
    );
  });
});
