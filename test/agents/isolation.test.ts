import assert from 'node:assert/strict';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import type { AgentName } from '../../src/contracts/vocabulary/workers';
import { buildPrompt } from '../../src/workers/shared/prompt';
import type { LaunchLine } from '../../src/workers/worker';
import { skipWithReason } from '../support/skip';
import { makePlace } from './homes';
import type { AgentPlace } from './homes';
import { plantTraps, sprungTraps } from './hostileRepository';
import { namespacesWork } from './machine';
import { startMockModel } from './mockModel';
import { promptInput } from './prompts';
import { runAgent } from './runAgent';
import type { AgentRun, RunOptions } from './runAgent';
import { finishTurn, packetFor } from './turns';

/** Hooks, settings, environment files and MCP servers that a repository brings, and our launch lines. */
for (const agent of agentNames) {
  describe(`the real ${agent} in a hostile repository`, function () {
    this.timeout(120_000);
    before(function () {
      const problem = agent === 'codex' ? namespacesWork() : null;
      if (problem !== null) skipWithReason(this, `Codex needs user namespaces for its sandbox: ${problem}`);
    });
    const launch = async (place: AgentPlace, options: Partial<RunOptions> = {}): Promise<AgentRun> => {
      const model = await startMockModel({ '': (request) => finishTurn(agent, packetFor(request, [])) });
      try {
        return await runAgent(agent, place, { prompt: buildPrompt(promptInput()), modelUrl: model.url, ...options });
      } finally {
        await model.stop();
      }
    };

    it('runs nothing that a hostile repository brings', async () => {
      const place = await makePlace(`${agent}-hostile`);
      await plantTraps(place);
      const run = await launch(place);
      assert.ok(run.summary.finalOk, run.stdout + run.stderr);
      assert.deepEqual(await sprungTraps(place), []);
    });

    it('would run it without what our launch line adds', async () => {
      const place = await makePlace(`${agent}-control`);
      await plantTraps(place);
      await launch(place, {
        alter: (line) => unprotected(agent, line),
      });
      assert.notDeepEqual(await sprungTraps(place), []);
    });
  });
}

/** The launch line without its isolation: the control that shows that the traps are live. */
function unprotected(agent: AgentName, line: LaunchLine): LaunchLine {
  const without = (names: readonly string[], values: number): LaunchLine => {
    const argv = [...line.argv] as [string, ...string[]];
    for (const name of names) {
      const at = argv.indexOf(name);
      assert.notEqual(at, -1, name);
      argv.splice(at, 1 + values);
    }
    return { ...line, argv };
  };
  switch (agent) {
    case 'claude': {
      const { argv } = without(['--setting-sources'], 1);
      return { ...line, argv: argv.filter((arg) => arg !== '--strict-mcp-config') as [string, ...string[]] };
    }
    case 'codex':
      return { ...line, argv: line.argv.filter((arg) => arg !== '--ignore-user-config') as [string, ...string[]] };
    case 'gemini': {
      const { GEMINI_CLI_TRUSTED_FOLDERS_PATH: _, ...env } = line.env;
      const { argv } = without(['--allowed-mcp-server-names'], 1);
      return { ...line, env, argv: argv.filter((arg) => arg !== '--skip-trust') as [string, ...string[]] };
    }
    case 'opencode': {
      const { OPENCODE_DISABLE_PROJECT_CONFIG: _, OPENCODE_PURE: __, OPENCODE_CONFIG_DIR: ___, ...env } = line.env;
      const { argv } = without(['--dir'], 1);
      return { ...line, env, argv: argv.filter((arg) => arg !== '--pure') as [string, ...string[]] };
    }
  }
}
