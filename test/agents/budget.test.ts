import assert from 'node:assert/strict';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import { stages } from './missionSuite';
import { tokensPerTurn } from './mockModel';
import { planFor } from './plans';
import { finishTurn, packetFor } from './turns';

for (const agent of agentNames) {
  describe(`a budget that the real ${agent} uses up`, function () {
    this.timeout(240_000);
    const stage = stages(agent);

    it('asks a person before the next task, and goes on when one resumes', async () => {
      const tokens = tokensPerTurn.input + tokensPerTurn.output;
      const plan = planFor(agent, { task: { intent: 'research' } });
      const { tasks, execution } = plan as { tasks: readonly object[]; execution: object };
      const both = {
        ...plan,
        tasks: [...tasks, { ...tasks[0], task_id: 'T2', paths: ['docs/second'] }],
        execution: { ...execution, budget: { tokens } },
      };
      const { bed, words } = await stage('budget', () => (request) => finishTurn(agent, packetFor(request, [])), {
        plan: { id: 'P1', text: JSON.stringify(both) },
      });
      const run = await bed.run();
      assert.deepEqual([run.exitCode, run.answer?.['status']], [3, 'paused'], words(run));
      assert.equal((await bed.task('T1'))?.status, 'SUCCESS', words(run));
      assert.equal(await bed.task('T2'), null);
      const paused = (await bed.events()).find(({ type }) => type === 'MissionPaused');
      assert.ok(paused?.type === 'MissionPaused');
      assert.match(
        paused.reason,
        new RegExp(
          `^The budget of the plan is used up: \\d+ of ${tokens} tokens\\. Resume to go on for as much again, or cancel\\.$`,
        ),
      );
      const resumed = await bed.mission('resume', 'P1', '--by', 'Ada', '--reason', 'Worth it');
      assert.deepEqual([resumed.exitCode, (await bed.task('T2'))?.status], [0, 'SUCCESS'], words(resumed));
    });
  });
}
