import assert from 'node:assert/strict';
import { agentNames, type AgentName } from '../../src/contracts/vocabulary/workers';
import { stages } from './missionSuite';
import { tokensPerTurn, type ModelRequest, type ModelTurn } from './mockModel';
import { planFor } from './plans';
import { finishTurn, packetFor, writeFileTurn } from './turns';

const executionOf = (agent: AgentName): object => (planFor(agent, {}) as { execution: object }).execution;

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
      const { bed, failureText } = await stage('budget', () => (request) => finishTurn(agent, packetFor(request, [])), {
        plan: { id: 'P1', text: JSON.stringify(both) },
      });
      const run = await bed.run();
      assert.deepEqual([run.exitCode, run.answer?.['status']], [3, 'paused'], failureText(run));
      assert.equal((await bed.task('T1'))?.status, 'SUCCESS', failureText(run));
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
      assert.deepEqual([resumed.exitCode, (await bed.task('T2'))?.status], [0, 'SUCCESS'], failureText(resumed));
    });

    const tellsEarly = agent === 'claude' || agent === 'opencode';
    it(`that stops ${tellsEarly ? 'ends it while it runs, and who retries goes on' : 'lets it finish, because it reports its usage at its end'}`, async () => {
      const tokens = tokensPerTurn.input + tokensPerTurn.output;
      const never = new Promise<never>(() => undefined);
      const { bed, failureText } = await stage(
        'budget-stop',
        (_, hello) => {
          const changes = tellsEarly ? [] : [{ resource: 'src/hello.txt', action: 'created' }];
          const finish = (request: ModelRequest): ModelTurn => finishTurn(agent, packetFor(request, changes));
          return (request, index) => {
            if (index === 0) return writeFileTurn(agent, hello, 'hello\n');
            return index === 1 && tellsEarly ? { until: never, turn: finish(request) } : finish(request);
          };
        },
        {
          task: { verify: [['node', '-e', '']] },
          members: { execution: { ...executionOf(agent), budget: { tokens, on_exceed: 'stop' } } },
        },
      );
      const run = await bed.run();
      const events = await bed.events();
      const stops = events.filter(({ type }) => type === 'BudgetStopRequested').length;
      if (!tellsEarly) {
        assert.deepEqual([run.exitCode, stops, (await bed.task())?.status], [0, 0, 'SUCCESS'], failureText(run));
        return;
      }
      assert.deepEqual([run.exitCode, stops], [3, 1], failureText(run));
      assert.match(run.stdout, /The budget of the plan is used up: \d+ of 133 tokens\. Its plan says to stop then\./);
      const ended = events.find((event) => event.type === 'WorkerEnded');
      assert.ok(ended?.type === 'WorkerEnded');
      assert.deepEqual([ended.end.reason, ended.end.tree_gone], ['stop_requested', true]);
      assert.equal(ended.end.usage?.input_tokens, tokensPerTurn.input);
      const retried = await bed.mission('retry', 'P1', 'T1', '--by', 'Ada', '--reason', 'Worth it');
      assert.deepEqual([retried.exitCode, (await bed.task())?.status], [0, 'SUCCESS'], failureText(retried));
    });
  });
}
