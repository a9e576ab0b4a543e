import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { subagentResultSchema } from '../../src/contracts/result';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import type { AgentName } from '../../src/contracts/vocabulary/workers';
import { buildPrompt } from '../../src/workers/shared/prompt';
import { agentWorkers } from '../../src/workers/registry';
import { claimedResult } from '../../src/workers/shared/resultPacket';
import { parseVersion, versionStanding } from '../../src/workers/versions';
import { skipWithReason } from '../support/skip';
import { makePlace, sessionIds } from './homes';
import type { AgentPlace } from './homes';
import { startMockModel, tokensPerTurn } from './mockModel';
import type { MockModel, ModelScript } from './mockModel';
import { runAgent } from './runAgent';
import type { AgentRun, RunOptions } from './runAgent';
import { namespacesWork, versionOutput } from './machine';
import { promptInput } from './prompts';
import { finishTurn, packetFor, shellTurn, writeFileTurn } from './turns';

const claimSources: Readonly<Record<AgentName, string>> = {
  claude: 'structured_output',
  codex: 'bare_message',
  gemini: 'fenced_block',
  opencode: 'fenced_block',
};

interface PlainLaunch {
  readonly place: AgentPlace;
  readonly run: AgentRun;
  /** What lay in the workspace when it had ended. */
  readonly left: readonly string[];
}

/** Each of the real CLIs, started with the product's own launch line against a model on loopback. */
for (const agent of agentNames) {
  describe(`the real ${agent}`, function () {
    this.timeout(120_000);
    let model: MockModel | null = null;

    before(function () {
      if (agent !== 'codex') return;
      const problem = namespacesWork();
      if (problem !== null) skipWithReason(this, `Codex needs user namespaces for its sandbox: ${problem}`);
    });
    afterEach(async () => {
      await model?.stop();
      model = null;
    });

    const launch = async (
      place: AgentPlace,
      script: ModelScript,
      options: Partial<RunOptions> = {},
    ): Promise<AgentRun> => {
      await model?.stop();
      model = await startMockModel({ '': script });
      return runAgent(agent, place, { prompt: buildPrompt(promptInput()), modelUrl: model.url, ...options });
    };

    // Several tests look at one launch whose model only hands over a packet.
    let plain: Promise<PlainLaunch> | null = null;
    const plainLaunch = (): Promise<PlainLaunch> => {
      plain ??= (async () => {
        const place = await makePlace(`${agent}-plain`);
        const run = await launch(place, (request) => finishTurn(agent, packetFor(request, [])));
        return { place, run, left: await readdir(place.workspace) };
      })();
      return plain;
    };

    it('says a version inside the tested range', async () => {
      const output = await versionOutput(agent, (await makePlace(`${agent}-version`)).home);
      assert.equal(versionStanding(parseVersion(output), agentWorkers[agent].testedVersions), 'tested', output);
    });

    it('edits a file in scope and hands over a valid result packet', async () => {
      const place = await makePlace(`${agent}-write`);
      const file = path.join(place.workspace, 'src', 'hello.txt');
      await mkdir(path.dirname(file));
      const run = await launch(place, (request, index) =>
        index === 0
          ? writeFileTurn(agent, file, `written by ${agent}\n`)
          : finishTurn(agent, packetFor(request, [{ resource: 'src/hello.txt', action: 'created' }])),
      );
      assert.equal(run.exitCode, 0, run.stdout + run.stderr);
      assert.equal(await readFile(file, 'utf8'), `written by ${agent}\n`);
      assert.ok(run.summary.finalSeen && run.summary.finalOk);
      assert.deepEqual(run.summary.denials, []);
      assert.deepEqual(
        { unknown: run.summary.counts.unknown, malformed: run.summary.counts.malformed },
        { unknown: 0, malformed: 0 },
      );

      const claim = claimedResult(run.summary);
      assert.ok(claim.found, JSON.stringify(claim));
      const packet = subagentResultSchema.parse(claim.value);
      assert.deepEqual(
        { run: packet.run_id, task: packet.task_id, status: packet.status },
        { run: 'run-1', task: 'T1', status: 'done' },
      );
      assert.equal(claim.source, claimSources[agent]);
      if (run.line.lastMessageFile !== null) {
        assert.equal(
          await readFile(path.join(place.runDir, run.line.lastMessageFile), 'utf8'),
          run.summary.lastMessage,
        );
      }
    });

    it('reports session, model, usage and version as far as its stream has them', async () => {
      const { summary } = (await plainLaunch()).run;
      assert.match(summary.sessionId ?? '', sessionIds[agent]);
      assert.equal(summary.usageSpan, 'launch');
      assert.equal(summary.usage?.inputTokens, tokensPerTurn.input);
      assert.equal(summary.usage.outputTokens, tokensPerTurn.output);
      assert.equal(summary.cliVersion, agent === 'claude' ? agentWorkers.claude.testedVersions.to : null);
      assert.equal(summary.model === null, agent === 'codex' || agent === 'opencode');
    });

    it('takes a model that is spelled like an option for a model', async () => {
      const place = await makePlace(`${agent}-dashes`);
      const run = await launch(place, (request) => finishTurn(agent, packetFor(request, [])), {
        request: { model: '--yolo' },
      });
      if (agent === 'opencode') {
        // Its models have names of two parts: it starts, looks for this one, and says with an event that it failed.
        assert.ok(run.summary.finalSeen && !run.summary.finalOk, run.stdout + run.stderr);
        assert.equal(model?.requests.length, 0);
        return;
      }
      assert.notEqual(model?.requests.length, 0, `the model was asked: ${run.stderr}`);
      assert.equal(run.summary.model, agent === 'codex' ? null : '--yolo');
    });

    it('cannot write outside the workspace, and the denial is reported', async () => {
      const place = await makePlace(`${agent}-outside`);
      const file = path.join(place.outside, 'escaped.txt');
      const run = await launch(place, (request, index) =>
        index === 0 ? writeFileTurn(agent, file, 'x') : finishTurn(agent, packetFor(request, [], 'blocked')),
      );
      assert.equal(existsSync(file), false);
      assert.equal(run.summary.denials.length, 1, JSON.stringify(run.summary.denials) + run.stderr);
      assert.equal(run.summary.denials[0]?.path, file);
      assert.equal(run.summary.denials[0].source, agent === 'codex' ? 'stderr' : 'event');
      assert.ok(run.summary.finalOk, 'a denial alone does not fail a launch');
    });

    it('writes to an added directory', async () => {
      const place = await makePlace(`${agent}-added`);
      const file = path.join(place.outside, 'granted.txt');
      const run = await launch(
        place,
        (request, index) => (index === 0 ? writeFileTurn(agent, file, 'x') : finishTurn(agent, packetFor(request, []))),
        { request: { addDirectories: [place.outside] } },
      );
      assert.equal(existsSync(file), true, run.stdout + run.stderr);
      assert.deepEqual(run.summary.denials, []);
    });

    it('writes nothing when the task only reads', async () => {
      const place = await makePlace(`${agent}-reads`);
      const file = path.join(place.workspace, 'changed.txt');
      const run = await launch(
        place,
        (request, index) => (index === 0 ? writeFileTurn(agent, file, 'x') : finishTurn(agent, packetFor(request, []))),
        { request: { writes: false } },
      );
      assert.equal(existsSync(file), false);
      assert.ok(claimedResult(run.summary).found, run.stdout);
    });

    it('gets a prompt of 300 KB whole', async () => {
      const place = await makePlace(`${agent}-long`);
      const text = Array.from({ length: 9600 }, (_, index) => `line ${index} of a long prompt, ünïcode €`)
        .join('\n')
        .slice(0, 300 * 1024);
      assert.ok(Buffer.byteLength(text) >= 300 * 1024);
      const run = await launch(place, (request) => finishTurn(agent, packetFor(request, [])), {
        prompt: buildPrompt(promptInput({ prompt: text })),
      });
      assert.equal(run.exitCode, 0, run.stdout.slice(-2000) + run.stderr.slice(-2000));
      assert.ok(model?.requests[0]?.prompt.includes(text), 'the model got the whole prompt');
    });

    it('leaves nothing in the workspace but what its prompt asks for', async () => {
      assert.deepEqual((await plainLaunch()).left, ['.git']);
    });

    it('ends without its final event when it is killed', async () => {
      const place = await makePlace(`${agent}-killed`);
      const run = await launch(
        place,
        [writeFileTurn(agent, path.join(place.workspace, 'half.txt'), 'x'), { hang: true }],
        { killWhen: (signal) => signal.kind === 'tool_use' },
      );
      assert.equal(run.signal, 'SIGKILL');
      assert.equal(run.summary.finalSeen, false);
    });

    it('reports an error of the model service as a failed final event', async () => {
      const place = await makePlace(`${agent}-error`);
      const run = await launch(place, [{ error: 'this model is out of order', status: 400 }]);
      assert.notEqual(run.exitCode, 0);
      assert.ok(run.summary.finalSeen && !run.summary.finalOk);
      assert.match(run.summary.finalReason ?? '', /out of order/);
    });

    it(agent === 'opencode' ? 'begins a session of its own each time' : 'continues its own session', async () => {
      const { place, run: first } = await plainLaunch();
      const resumed = await launch(place, (request) => finishTurn(agent, packetFor(request, [])), {
        request: { resumeSessionId: first.summary.sessionId },
      });
      assert.equal(resumed.exitCode, 0, resumed.stdout + resumed.stderr);
      assert.equal(resumed.summary.sessionId === first.summary.sessionId, agent !== 'opencode');
      assert.equal(resumed.summary.usageSpan, agent === 'codex' ? 'session' : 'launch');
      assert.equal(
        resumed.summary.usage?.inputTokens,
        agent === 'codex' ? 2 * tokensPerTurn.input : tokensPerTurn.input,
      );
    });

    it('confines the shell it has', async () => {
      const place = await makePlace(`${agent}-shell`);
      const outside = path.join(place.outside, 'shell.txt');
      const run = await launch(
        place,
        (request, index) =>
          index === 0 ? shellTurn(agent, `touch ${outside}`) : finishTurn(agent, packetFor(request, [], 'blocked')),
        { request: { fileLevelOnly: false } },
      );
      assert.equal(existsSync(outside), false);
      assert.equal(run.summary.denials.length, 1, run.stdout + run.stderr);
    });

    extraTests(agent, launch);
  });
}

function extraTests(
  agent: AgentName,
  launch: (place: AgentPlace, script: ModelScript, options?: Partial<RunOptions>) => Promise<AgentRun>,
): void {
  if (agent === 'gemini') {
    it('says so when the folder is not trusted', async () => {
      const place = await makePlace('gemini-untrusted');
      const run = await launch(place, [{ say: 'never asked' }], { request: { trustWorkspace: false } });
      assert.equal(run.exitCode, 55);
      assert.equal(run.summary.denials.length, 1);
      assert.equal(run.summary.finalSeen, false);
    });
  }
  if (agent === 'codex') {
    it('says so when the folder is no git repository, and runs there when that is allowed', async () => {
      const place = await makePlace('codex-nogit', os.tmpdir()); // every folder of this checkout is in a repository
      await rm(path.join(place.workspace, '.git'), { recursive: true });
      const refused = await launch(place, (request) => finishTurn(agent, packetFor(request, [])));
      assert.equal(refused.exitCode, 1);
      assert.match(refused.summary.denials[0]?.reason ?? '', /Not inside a trusted directory/);
      assert.equal(refused.summary.finalSeen, false);
      const allowed = await launch(place, (request) => finishTurn(agent, packetFor(request, [])), {
        request: { skipGitRepoCheck: true },
      });
      assert.ok(allowed.summary.finalOk, allowed.stderr);
    });
  }
  if (agent === 'claude') {
    it('withholds its shell from a file-level-only task', async () => {
      const place = await makePlace('claude-filelevel');
      const run = await launch(place, (request, index) =>
        index === 0 ? shellTurn(agent, 'echo x > here.txt') : finishTurn(agent, packetFor(request, [])),
      );
      assert.equal(existsSync(path.join(place.workspace, 'here.txt')), false, run.stdout);
    });
  }
}
