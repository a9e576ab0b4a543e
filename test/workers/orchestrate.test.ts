import assert from 'node:assert/strict';
import { orchestratorVariables } from '../../src/contracts/vocabulary/orchestrator';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import type { AgentName } from '../../src/contracts/vocabulary/workers';
import { forbiddenArguments } from '../../src/workers/registry';
import { readsOnly } from '../../src/workers/shared/launchLine';
import type { HeldBy, LaunchLine, LaunchRequest } from '../../src/workers/worker';
import { launched } from './launched';

const mission = { command: '/usr/bin/node', args: ['/state/programs/mcp.cjs'] };
const line = (agent: AgentName, changes: Partial<LaunchRequest> = {}): LaunchLine =>
  launched(agent, { ...readsOnly, mission, ...changes });
const sandbox: HeldBy = { by: 'sandbox', writable: ['/w/src'] };
const everywhere = (one: LaunchLine): string => JSON.stringify([one.argv, one.env, one.files]);

describe('launch lines of an orchestrator session', () => {
  for (const agent of agentNames) {
    it(`${agent} has no argument that switches safety off, and takes none`, () => {
      assert.deepEqual(forbiddenArguments(line(agent).argv), []);
      assert.throws(() => line(agent, { extraArgs: ['--yolo'] }), /Invariant/);
    });

    it(`${agent} reads where the server is, and of its variables the names alone`, () => {
      const text = everywhere(
        line(agent, { mission: { command: '/n', args: ['/m.cjs'], environment: { AS_NODE: '1' } } }),
      );
      for (const known of ['/n', '/m.cjs', 'AS_NODE']) assert.ok(text.includes(known), known);
      for (const name of Object.values(orchestratorVariables)) assert.equal(name in line(agent).env, false);
    });

    it(`${agent} takes a model and the person's own arguments, and keeps its files in the run directory`, () => {
      const made = line(agent, { model: 'big', extraArgs: ['--verbose-extra', 'v'] });
      for (const value of ['--model=big', '--verbose-extra']) assert.ok(made.argv.includes(value), value);
      assert.equal(made.env['TMPDIR'], '/w/.mission-control/run 1/work/tmp');
      for (const { path } of made.files) assert.ok(!path.startsWith('work') && !path.split('/').includes('..'), path);
    });

    it(`${agent} says what holds it`, () => {
      assert.equal(line(agent, { heldBy: sandbox }).confinement, 'task_sandbox');
      assert.equal(line(agent).confinement, agent === 'codex' ? 'os_sandbox' : 'tool_limits');
    });
  }

  it('no approved folder of the task is writable for Codex', () => {
    assert.equal(everywhere(line('codex', { heldBy: sandbox })).includes('/w/src'), false);
    const own: HeldBy = { by: 'own', writable: ['/w/src'], sealed: [] };
    assert.deepEqual(line('codex', { heldBy: own }).argv.slice(5, 7), ['-s', 'read-only']);
  });
});
