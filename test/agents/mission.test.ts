import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import { agentWorkers } from '../../src/workers/registry';
import { skipWithReason } from '../support/skip';
import { makePlace } from './homes';
import { namespacesWork } from './machine';
import { missionProgram, runMission, verifyEvidence } from './missionRun';
import type { MissionRun } from './missionRun';
import { startMockModel, tokensPerTurn } from './mockModel';
import type { MockModel, ModelScript } from './mockModel';
import { finishTurn, packetFor, writeFileTurn } from './turns';

/** A whole mission with each of the three real CLIs: plan, lock, launch under the supervisor, observation, evidence. */
for (const agent of agentNames) {
  describe(`a mission with the real ${agent}`, function () {
    this.timeout(240_000);
    let model: MockModel | null = null;

    before(function () {
      if (!existsSync(missionProgram))
        skipWithReason(this, 'dist/cli.js is not there: this build has no `mission` program');
      const problem = agent === 'codex' ? namespacesWork() : null;
      if (problem !== null) skipWithReason(this, `Codex needs user namespaces for its sandbox: ${problem}`);
    });
    afterEach(async () => {
      await model?.stop();
      model = null;
    });
    const serve = async (script: ModelScript): Promise<string> => {
      model = await startMockModel({ '': script });
      return model.url;
    };
    const words = (run: MissionRun): string => `${run.stdout}\n${run.stderr}\n${JSON.stringify(run.task, null, 1)}`;

    it('edits a file in scope, completes, and the evidence has usage, session and version', async () => {
      const place = await makePlace(`${agent}-mission`);
      const file = path.join(place.workspace, 'src', 'hello.txt');
      const url = await serve((request, index) =>
        index === 0
          ? writeFileTurn(agent, file, `written by ${agent}\n`)
          : finishTurn(agent, packetFor(request, [{ resource: 'src/hello.txt', action: 'created' }])),
      );
      const run = await runMission(agent, place, url, {});
      assert.equal(run.exitCode, 0, words(run));
      assert.equal(await readFile(file, 'utf8'), `written by ${agent}\n`);
      assert.equal(run.task?.status, 'SUCCESS', words(run));

      const attempt = run.task.attempts?.[0];
      assert.equal(attempt?.claim.kind, 'valid', words(run));
      assert.deepEqual(
        attempt.changes.map(({ path: changed, in_scope }) => [changed, in_scope]),
        [['src/hello.txt', true]],
      );
      const launch = attempt.launches[0];
      assert.match(launch?.session_id ?? '', /^[0-9a-f-]{36}$/);
      assert.equal(launch?.cli_version, agentWorkers[agent].testedVersions.to);
      assert.equal(launch.tested_range_ok, true);
      assert.equal(launch.usage?.input_tokens, 2 * tokensPerTurn.input);
      assert.equal(launch.usage.output_tokens, 2 * tokensPerTurn.output);

      const verified = await verifyEvidence(agent, place);
      assert.equal(verified.exitCode, 0, verified.stdout);
    });

    it('ends in SCOPE_VIOLATION when it writes inside the workspace but outside its paths', async () => {
      const place = await makePlace(`${agent}-violation`);
      await mkdir(path.join(place.workspace, 'other'));
      const url = await serve((request, index) =>
        index === 0
          ? writeFileTurn(agent, path.join(place.workspace, 'other', 'escape.txt'), 'x')
          : finishTurn(agent, packetFor(request, [])),
      );
      const run = await runMission(agent, place, url, {});
      assert.equal(run.exitCode, 1, words(run));
      assert.equal(run.task?.code, 'SCOPE_VIOLATION', words(run));
      assert.equal(existsSync(path.join(place.workspace, 'other', 'escape.txt')), true, 'nothing is reverted');
    });

    it('records the denial when it tries to write outside the workspace', async () => {
      const place = await makePlace(`${agent}-denied`);
      const file = path.join(place.outside, 'escape.txt');
      const url = await serve((request, index) =>
        index === 0 ? writeFileTurn(agent, file, 'x') : finishTurn(agent, packetFor(request, [], 'blocked')),
      );
      const run = await runMission(agent, place, url, {});
      assert.equal(existsSync(file), false);
      assert.notEqual(run.exitCode, 0, words(run));
      assert.equal(run.task?.attempts?.[0]?.denials[0]?.path, file, words(run));
    });

    it('gets a task prompt of 300 KB whole', async () => {
      const place = await makePlace(`${agent}-mission-long`);
      const text = Array.from({ length: 7000 }, (_, index) => `line ${index} of a long instruction, ünïcode €`).join(
        '\n',
      );
      assert.ok(Buffer.byteLength(text) >= 300 * 1024);
      const file = path.join(place.workspace, 'src', 'hello.txt');
      const url = await serve((request, index) =>
        index === 0
          ? writeFileTurn(agent, file, 'x')
          : finishTurn(agent, packetFor(request, [{ resource: 'src/hello.txt', action: 'created' }])),
      );
      const run = await runMission(agent, place, url, { prompt: text });
      assert.ok(model?.requests[0]?.prompt.includes(text), words(run).slice(-4000));
      assert.equal(run.exitCode, 0, words(run).slice(-4000));
    });
  });
}
