import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { agentNames, type AgentName } from '../../src/contracts/vocabulary/workers';
import { draftExample } from '../../src/core/plan/draftExample';
import { agentModels, makePlace, type AgentPlace } from './homes';
import { makeMission, type MissionBed, type ProgramEnd } from './missionRun';
import { requireMission } from './missionSuite';
import { startMockModel, type MockModel, type ModelScript, type ModelTurn } from './mockModel';
import { shellTurn, writeFileTurn } from './turns';

/** `mission plan draft` with the real CLIs, whose model is a script on loopback. */
for (const agent of agentNames) {
  describe(`the real ${agent} drafts a plan`, function () {
    this.timeout(240_000);
    let ends: (() => Promise<void>)[] = [];
    before(function () {
      requireMission(this, agent);
    });
    afterEach(async () => {
      for (const end of ends.reverse()) await end();
      ends = [];
    });

    const stage = async (name: string, script: (place: AgentPlace) => ModelScript): Promise<Stage> => {
      const place = await makePlace(`${agent}-draft-${name}`);
      const model = await startMockModel({ '': script(place) });
      ends.push(() => model.stop());
      const bed = await makeMission(agent, place, model.url);
      ends.push(() => bed.endLeftovers());
      return { place, model, bed };
    };
    const draft = async ({ bed, place }: Stage): Promise<ProgramEnd> => {
      const model = agentModels[agent];
      const named = model === null ? [] : ['--cli-model', `${agent}=${model}`];
      return bed.mission(
        'plan',
        'draft',
        '--goal',
        'List the notes',
        '--file',
        path.join(place.workspace, 'src/existing.txt'),
        '--worker',
        agent,
        ...named,
      );
    };

    // Two tests look at one draft, whose model tries to write first and then hands over a plan that is good at once.
    let atOnce: Promise<Stage & { readonly end: ProgramEnd }> | null = null;
    const draftAtOnce = (): NonNullable<typeof atOnce> => {
      atOnce ??= (async () => {
        const approved = {
          status: 'APPROVED',
          approval: { required: true, approved_by: 'Ada', approved_at: '2026-01-01T00:00:00Z' },
        };
        const on = await stage('valid', (place) => {
          const file = path.join(place.workspace, 'src', 'sly.txt');
          const existing = path.join(place.workspace, 'src', 'existing.txt');
          const writes = [writeFileTurn(agent, file, 'sly\n'), shellTurn(agent, `touch ${file}; rm ${existing}`)];
          return (_request, index) => writes[index] ?? plan(agent, approved);
        });
        return { ...on, end: await draft(on) };
      })();
      return atOnce;
    };

    it('that is valid at once, from goal and file, and is a DRAFT although it says APPROVED', async () => {
      const { end, place, model } = await draftAtOnce();
      assert.deepEqual(
        [end.exitCode, end.answer?.['valid'], end.answer?.['launches'], end.answer?.['path']],
        [0, true, 1, 'docs/plans/PLAN_list-notes.json'],
        end.stdout + end.stderr,
      );
      const text = readFileSync(path.join(place.workspace, 'docs/plans/PLAN_list-notes.json'), 'utf8');
      assert.doesNotMatch(text, /APPROVED|approved_by/);
      assert.ok(
        model.requests.some(({ prompt }) => /<goal>\s*List the notes\s*<\/goal>/.test(prompt)),
        'the model gets the goal',
      );
    });

    it('and is held back where it writes', async () => {
      const { end, place, model } = await draftAtOnce();
      assert.equal(end.exitCode, 0, end.stdout + end.stderr);
      assert.deepEqual(readdirSync(path.join(place.workspace, 'src')), ['existing.txt']);
      assert.ok(model.requests.length > 2, 'it tried');
    });

    it('that is repaired after its findings', async () => {
      const on = await stage(
        'repaired',
        () => (request) =>
          request.prompt.includes('<previous_draft>') ? plan(agent) : plan(agent, { scope: { allowed: ['nothing'] } }),
      );
      const { exitCode, answer, stdout, stderr } = await draft(on);
      assert.deepEqual([exitCode, answer?.['valid'], answer?.['launches']], [0, true, 2], stdout + stderr);
      assert.ok(on.model.requests.some(({ prompt }) => prompt.includes('REQUIRES_NOT_ALLOWED at /tasks/0/requires/0')));
    });

    it('that is still invalid, and is written with its findings', async () => {
      const on = await stage('invalid', () => () => plan(agent, { scope: { allowed: ['nothing'] } }));
      const { exitCode, answer, stdout, stderr } = await draft(on);
      assert.deepEqual([exitCode, answer?.['valid'], answer?.['launches']], [1, false, 3], stdout + stderr);
      assert.ok(existsSync(path.join(on.place.workspace, 'docs/plans/PLAN_list-notes.json')));
    });
  });
}

interface Stage {
  readonly place: AgentPlace;
  readonly model: MockModel;
  readonly bed: MissionBed;
}

function plan(agent: AgentName, change: object = {}): ModelTurn {
  return { say: `Done.\n\n\`\`\`json\n${JSON.stringify({ ...draftExample(agent), ...change }, null, 2)}\n\`\`\`\n` };
}
