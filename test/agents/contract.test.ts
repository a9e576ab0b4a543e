import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import { makePlace } from './homes';
import { makeMission, missionProgram } from './missionRun';
import { requireMission, stages } from './missionSuite';
import { startMockModel } from './mockModel';
import type { MockModel, ModelScript } from './mockModel';
import { finishTurn, packetFor, shellTurn, writeFileTurn } from './turns';

describe('the original plan of RocketGPT with the default worker', function () {
  this.timeout(240_000);
  const id = 'RGPT-S2-B-04-001';
  let model: MockModel | null = null;
  before(function () {
    requireMission(this, 'claude');
  });
  afterEach(async () => {
    await model?.stop();
  });

  it('validates and runs unchanged: both tasks complete, and the evidence verifies', async () => {
    const text = await readFile(path.resolve(process.cwd(), `test/fixtures/plans/PLAN_${id}.json`), 'utf8');
    const place = await makePlace('claude-mission-original');
    const writes =
      (relative: string): ModelScript =>
      (request, index) =>
        index === 0
          ? writeFileTurn('claude', path.join(place.workspace, relative), `${relative}\n`)
          : finishTurn('claude', packetFor(request, [{ resource: relative, action: 'created' }]));
    model = await startMockModel({
      'Define the plan schema and its contract document.': writes('docs/contracts/plan-schema.md'),
      'Write the plan validator script.': writes('.github/tools/validate-plan.ps1'),
    });
    const bed = await makeMission('claude', place, model.url, { plan: { id, text } });
    const valid = await bed.validate();
    assert.deepEqual([valid.exitCode, valid.answer?.['valid']], [0, true], valid.stdout);

    const end = await bed.run();
    assert.equal(end.exitCode, 0, `${end.stdout}\n${end.stderr}`);
    assert.equal(end.answer?.['status'], 'completed');
    for (const [task, file] of [
      ['T1', 'docs/contracts/plan-schema.md'],
      ['T2', '.github/tools/validate-plan.ps1'],
    ] as const) {
      const evidence = await bed.task(task);
      assert.deepEqual([evidence?.status, evidence?.worker], ['SUCCESS', 'claude']);
      assert.deepEqual(
        evidence?.attempts?.[0]?.changes.map((change) => change.path),
        [file],
      );
      assert.equal(await readFile(path.join(place.workspace, file), 'utf8'), `${file}\n`);
    }
    assert.equal((await bed.verify()).exitCode, 0);
    assert.equal(await readFile(bed.planFile, 'utf8'), text, 'the plan is as it was');
    const prompt = model.requests[0]?.prompt ?? '';
    for (const token of ['schema_definition', 'self_improve', 'no_schema_mutation'])
      assert.ok(prompt.includes(token), token);
  });
});

for (const agent of agentNames) {
  describe(`the environment of the real ${agent}`, function () {
    this.timeout(240_000);
    const stage = stages(agent);

    it('is the base list, its own names and the ones that were asked for; nothing of the session around it', async () => {
      const { bed, place, failureText } = await stage(
        'environment',
        (_place, hello) => (request, index) =>
          index === 0
            ? writeFileTurn(agent, hello, 'x')
            : finishTurn(agent, packetFor(request, [{ resource: 'src/hello.txt', action: 'created' }])),
        {
          wrapper: `case "$*" in *--version*) ;; *) env | sed 's/=.*//' > "$(dirname "$0")/names" ;; esac\nexec $CLI "$@"`,
          environment: { ...session, ASKED_FOR: 'yes' },
        },
      );
      const end = await bed.run('--cli-env', `${agent}=ASKED_FOR`);
      assert.equal(end.exitCode, 0, failureText(end));
      const names = (await readFile(path.join(place.root, 'bin', 'names'), 'utf8')).trim().split('\n');
      assert.deepEqual(
        names.filter((name) => name in session),
        [],
      );
      for (const name of ['PATH', 'HOME', 'ASKED_FOR', 'MISSION_RUN_NONCE']) assert.ok(names.includes(name), name);
      const evidence = JSON.stringify(await bed.task());
      assert.ok(evidence.includes('ASKED_FOR'), 'the name is recorded');
      assert.equal(evidence.includes('test-key'), false, 'no value is');
    });
  });
}

/** What an agent, an editor or a person may have set around us. */
const session = {
  CLAUDECODE: '1',
  CLAUDE_CODE_ENTRYPOINT: 'cli',
  NODE_OPTIONS: '--max-old-space-size=512',
  VSCODE_IPC_HOOK_CLI: '/nowhere',
  AWS_SECRET_ACCESS_KEY: 'not-for-agents',
  NOT_ASKED_FOR: '1',
};

describe('an agent that calls `mission` from its shell', function () {
  this.timeout(240_000);
  const stage = stages('codex');

  for (const [title, unset] of [
    ['', ''],
    [', with the launch variable removed', 'env -u MISSION_RUN_NONCE '],
  ] as const) {
    it(`can neither approve, resolve nor run${title}`, async () => {
      const call = (args: string): string => `${unset}node ${missionProgram} ${args} --json; echo "exit=$?"`;
      const ownPacket = `$(node ${missionProgram} packet list --all --json | sed -n 's/.*"packet_id": "\\(.*\\)".*/\\1/p')`;
      const { bed, place, model, failureText } = await stage(
        'own-cli',
        (_place, hello) => (request, index) =>
          [
            finishTurn('codex', packetFor(request, [], 'blocked')),
            shellTurn('codex', call('plan approve docs/plans/PLAN_P2.json --by Eve --yes')),
            shellTurn('codex', call(`packet resolve "${ownPacket}" --outcome retry-repair --by Eve --reason please`)),
            shellTurn('codex', call('pause P1 --by Eve --reason please')),
            shellTurn('codex', call('run docs/plans/PLAN_P1.json')),
            writeFileTurn('codex', hello, 'x'),
          ][index] ?? finishTurn('codex', packetFor(request, [{ resource: 'src/hello.txt', action: 'created' }])),
      );
      const draft = path.join(place.workspace, 'docs', 'plans', 'PLAN_P2.json');
      const text = (await readFile(bed.planFile, 'utf8')).replace('"P1"', '"P2"').replace('"APPROVED"', '"DRAFT"');
      await writeFile(draft, text);
      // Held by its own sandbox it could not even send a command.
      const blocked = await bed.run('--confinement', 'off');
      assert.equal(blocked.exitCode, 3, failureText(blocked));
      const end = await bed.mission('retry', 'T1', '--by', 'Ada', '--reason', 'It may try again.');
      const answers = model.requests.slice(2, 6).map((request) => request.toolResult ?? '');
      assert.equal(answers.length, 4, failureText(end));
      for (const answer of answers) {
        assert.match(answer, /"code": "NON_COMPLIANT"/, failureText(end));
        assert.match(answer, /exit=2/);
      }
      assert.equal(await readFile(draft, 'utf8'), text, 'the draft is still a draft');
      const refused = (await bed.events()).filter((event) => event.type === 'CommandRefused');
      assert.deepEqual(
        refused.map(({ code, command }) => [code, command]),
        [
          ['NON_COMPLIANT', 'ResolvePacket'],
          ['NON_COMPLIANT', 'PauseMission'],
        ],
      );
      assert.equal(end.exitCode, 0, failureText(end));
      assert.equal((await bed.verify()).exitCode, 0);
    });
  }
});
