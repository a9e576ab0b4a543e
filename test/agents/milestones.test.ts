import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { MilestoneEvidence } from '../../src/contracts/milestoneEvidence';
import { makePlace } from './homes';
import { makeMission, type MissionBed } from './missionRun';
import { requireMission } from './missionSuite';
import { startMockModel, type MockModel, type ModelRequest, type ModelTurn } from './mockModel';
import { finishTurn, packetFor, writeFileTurn } from './turns';

const unit = 'validate-M1';

/** A milestone whose assertions the real CLIs answer as read-only validators, with scripted models. */
for (const agent of ['claude', 'codex'] as const) {
  describe(`a milestone that the real ${agent} validates`, function () {
    this.timeout(240_000);
    let ends: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const end of ends) await end();
      ends = [];
    });

    interface Stage {
      readonly bed: MissionBed;
      readonly model: MockModel;
      readonly milestone: () => MilestoneEvidence;
    }

    /** @param validates what the model of the validator does; the one of the task writes src/hello.txt */
    const stage = async (
      name: string,
      validates: (request: ModelRequest, index: number, hello: string) => ModelTurn,
    ): Promise<Stage> => {
      const place = await makePlace(`${agent}-milestone-${name}`);
      const hello = path.join(place.workspace, 'src', 'hello.txt');
      const turns = new Map<string, number>();
      const model = await startMockModel({
        '': (request) => {
          const whose = request.prompt.includes('You validate milestone') ? 'validator' : 'worker';
          const index = turns.get(whose) ?? 0;
          turns.set(whose, index + 1);
          if (whose === 'validator') return validates(request, index, hello);
          return index === 0
            ? writeFileTurn(agent, hello, 'hello\n')
            : finishTurn(agent, packetFor(request, [{ resource: 'src/hello.txt', action: 'created' }]));
        },
      });
      const bed = await makeMission(agent, place, model.url, {
        task: { milestone: 'M1' },
        members: {
          milestones: [
            { id: 'M1', title: 'A greeting', validate: { worker: agent, assertions: ['src/hello.txt says hello.'] } },
          ],
        },
      });
      ends.push(async () => {
        await bed.endLeftovers();
        await model.stop();
      });
      const file = path.join(place.workspace, 'docs/ops/executions/P1/MILESTONE_M1.json');
      return { bed, model, milestone: () => JSON.parse(readFileSync(file, 'utf8')) as MilestoneEvidence };
    };
    const words = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): string => stdout + stderr;

    it('is accepted by its report, for the files as they are, without a write', async function () {
      requireMission(this, agent);
      const { bed, model, milestone } = await stage('accepted', () => finishTurn(agent, reportOf('pass')));
      const end = await bed.run();
      assert.equal(end.exitCode, 0, words(end));
      assert.deepEqual([milestone().accepted?.attempt, milestone().failures], [1, 0]);
      const attempt = (await bed.task(unit))?.attempts?.[0];
      assert.deepEqual(
        attempt?.validation?.assertions.map(({ id, status, evidence }) => [id, status, evidence]),
        [['A1', 'pass', 'src/hello.txt:1 reads hello']],
      );
      assert.deepEqual(attempt.changes, []);
      assert.ok(model.requests.some(({ prompt }) => prompt.includes('A1: src/hello.txt says hello.')));
      assert.equal((await bed.verify()).answer?.['valid'], true);
    });

    it('is refused by its report, and the mission waits for a person with what was found', async function () {
      requireMission(this, agent);
      const { bed } = await stage('refused', () => finishTurn(agent, reportOf('fail')));
      const end = await bed.run();
      assert.equal(end.exitCode, 3, words(end));
      const packets = end.answer?.['packets'] as readonly { readonly category: string; readonly task_id: string }[];
      assert.deepEqual(
        packets.map(({ category, task_id }) => [category, task_id]),
        [['validator_report_failed', unit]],
        words(end),
      );
      assert.ok(!(await bed.events()).some(({ type }) => type === 'MilestoneAccepted'));
    });

    it('accepts nothing where the validator changes what it judges', async function () {
      requireMission(this, agent);
      const { bed } = await stage('changed', (_request, index, hello) =>
        index === 0 ? writeFileTurn(agent, hello, 'changed\n') : finishTurn(agent, reportOf('pass')),
      );
      const end = await bed.run();
      const events = await bed.events();
      const accepted = events.find((event) => event.type === 'MilestoneAccepted');
      const changed = (await bed.task(unit))?.attempts?.[0]?.changes.map((change) => change.path) ?? [];
      // A CLI that is held read-only never gets to write; one that does is found out.
      if (accepted) assert.deepEqual(changed, [], words(end));
      else assert.ok(existsSync(bed.planFile) && end.exitCode !== 0, words(end));
      assert.equal(accepted === undefined, changed.length > 0, words(end));
    });
  });
}

function reportOf(status: 'pass' | 'fail'): object {
  return {
    schemaVersion: 1,
    runId: unit,
    milestoneId: 'M1',
    status,
    summary: 'The file was read.',
    commandsRun: [],
    assertions: [{ assertionId: 'A1', status, evidence: 'src/hello.txt:1 reads hello' }],
    defects: [],
    procedureFindings: [],
    recommendation: status === 'pass' ? 'accept' : 'fix',
  };
}
