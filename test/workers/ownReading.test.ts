import assert from 'node:assert/strict';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import type { AgentName } from '../../src/contracts/vocabulary/workers';
import { agentWorkers } from '../../src/workers/registry';
import type { HeldBy, LaunchLine } from '../../src/workers/worker';
import { launched } from './launched';

const launch = (agent: AgentName, heldBy: HeldBy | undefined): LaunchLine => launched(agent, heldBy && { heldBy });

describe('the instructions that a CLI would follow by itself', () => {
  it('are switched off, or its launch line says which are not', () => {
    for (const heldBy of [{ by: 'sandbox', writable: [] }, undefined] as const) {
      const claude = launch('claude', heldBy);
      assert.equal(claude.env['CLAUDE_CODE_DISABLE_CLAUDE_MDS'], '1');
      assert.equal(claude.env['CLAUDE_CODE_DISABLE_AUTO_MEMORY'], '1');
      const codex = launch('codex', heldBy);
      assert.ok(codex.argv.includes('project_doc_max_bytes=0'));
      assert.equal(codex.confinementDetail.includes('AGENTS.md'), heldBy === undefined);
      const gemini = launch('gemini', heldBy);
      assert.match(gemini.confinementDetail, /also reads GEMINI\.md in the workspace/);
      assert.equal(gemini.confinementDetail.includes('of the person'), heldBy === undefined);
      const { argv, env } = launch('opencode', heldBy);
      assert.equal(
        env['OPENCODE_CONFIG_DIR'],
        argv[argv.indexOf('--dir') + 1],
        'no folder of the person or the repository',
      );
    }
    const hidden = agentNames.flatMap((agent) =>
      agentWorkers[agent].home.flatMap(({ entries }) => entries.filter(({ path }) => path.endsWith('.md'))),
    );
    assert.deepEqual(
      hidden.map(({ path, access }) => `${access} ${path}`),
      ['absent AGENTS.md', 'absent AGENTS.override.md', 'absent GEMINI.md'],
    );
  });
});
