import assert from 'node:assert/strict';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { skipWithReason } from '../support/skip';
import { checkWorkspace, type Expected } from './checks';
import { handoffFaults, handoffFolders, handoffIn, sumsOf } from './handoffChecks';
import { blockedOnce, runHandoffRound } from './handoffRound';
import { executedOnce, runRound, type Kill, type RoundPlan } from './round';
import { placesIn, runsOf, type ScenarioName } from './scenarios';

/** A few rounds of `npm run test:kill`, and that its checks see what they are there for. */
describe('kill -9', function () {
  let template: string;
  let blocked: string;
  before(async function () {
    if (process.platform !== 'linux') skipWithReason(this, 'who is alive is read from /proc');
    [template, blocked] = await Promise.all([executedOnce(), blockedOnce()]);
  });
  after(() => {
    for (const folder of [template, blocked]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const round = async (
    scenario: ScenarioName,
    kill: Kill,
    owner: RoundPlan['owner'] = 'program',
  ): Promise<{
    readonly name: string;
    readonly happened: boolean | undefined;
    readonly problems: readonly string[];
  }> => {
    const from = scenario === 'again' ? template : null;
    const plan = { scenario, owner, kills: [kill], journal_in_thread: scenario === 'cancel', from, keep: false };
    const { kills, problems } = await runRound(plan);
    return { name: JSON.stringify(kill), happened: kills[0]?.happened, problems };
  };
  const expectGood = (results: readonly Awaited<ReturnType<typeof round>>[]): void =>
    assert.deepEqual(
      results,
      results.map(({ name }) => ({ name, happened: true, problems: [] })),
    );
  const at = (point: string): Kill => ({ kind: 'point', point });

  it('of the owner around the archive, the launch and the evidence leaves every invariant', async () => {
    const points = [
      'evidence.archive(AGAIN)#1:before',
      'evidence.archive(AGAIN)#1:after',
      'evidence.write(EXECUTION_HEADER.json)#1:after',
      'fs.rename(TASK_only.json)#1:after',
      'journal.append(MissionReceived)#1:after',
      'process.spawn(supervisor.cjs own 1-only)#1:after',
      'fs.open(TASK_only.json.tmp)#1:after',
      'evidence.write(EXECUTION_HEADER.json)#2:after',
    ];
    const half = points.length / 2;
    for (const some of [points.slice(0, half), points.slice(half)])
      expectGood(await Promise.all(some.map((point) => round('again', at(point)))));
  });

  it('of the owner around a command and a stop leaves every invariant', async () => {
    const points = [
      'lease.acquire(human)#1:after',
      'journal.append(CancelRequested)#1:after',
      'launches.requestStop(1-stopped)#1:before',
    ];
    expectGood(await Promise.all(points.map((point) => round('cancel', at(point)))));
  });

  it('of the supervisor with its owner, or of `mission run`, leaves every invariant', async () => {
    const struck = (...victims: ('owner' | 'supervisor')[]): Kill => ({ kind: 'time', ms: 500, victims });
    expectGood(
      await Promise.all([round('cancel', struck('owner', 'supervisor')), round('cancel', struck('owner'), 'cli')]),
    );
  });

  it('of the owner before the last of the evidence leaves a mission that `mission resume` finishes', async () => {
    expectGood([
      await round('cancel', at('evidence.writeMarkdown(EXECUTION_SUMMARY.md)#1:before'), 'program_then_cli'),
    ]);
  });

  it('of `mission run` inside its transactions and its first handoff leaves every invariant', async () => {
    const points = [
      'sqlite.run(COMMIT MissionReceived PlanValidated PlanLocked)#1:before',
      'fs.rename(handoff/1/bundle.json)#1:after',
    ];
    expectGood(await Promise.all(points.map((point) => round('moves', at(point), 'cli'))));
  });

  it('of `mission run` with three lanes leaves every task as often as it ran without', async () => {
    expectGood([await round('lanes', at('sqlite.run(INSERT WorkerStarted)#1:after'), 'cli')]);
  });

  it('of the program that hands over, or goes on from it, leaves the run in one place', async () => {
    const rounds = [
      ['export', 'fs.rename(handed)#1:before'],
      ['move', 'fs.rename(handoff/2/bundle.json)#1:after'],
      ['move', 'sqlite.run(INSERT MissionReported)#1:before'],
      ['resume', 'fs.rename(role.md)#1:after'],
      ['resume', 'fs.rename(handoff/1/bundle.json)#1:after'],
    ] as const;
    const results = [];
    for (const [victim, point] of rounds) {
      const kill = { kind: 'point', point } as const;
      const { happened, problems } = await runHandoffRound({ victim, kill, from: blocked, keep: false });
      results.push({ name: `${victim} ${point}`, happened, problems });
    }
    expectGood(results);
  });

  it('is judged by checks that find broken handoffs', async () => {
    const [folder = ''] = handoffFolders(path.join(blocked, 'work'));
    assert.deepEqual(sumsOf(folder), []);
    assert.ok(typeof (await handoffIn(folder)) === 'object');
    appendFileSync(path.join(folder, 'role.md'), 'more');
    writeFileSync(path.join(folder, '.role.md.0123456789abcdef.tmp'), '');
    assert.deepEqual(sumsOf(folder), ['the half of a file was left', 'role.md has no digest or another']);
    assert.match(
      (await handoffFaults(path.join(blocked, 'work'))).join(),
      /Handoff 1 is neither whole nor absent: .*role\.md/,
    );
    rmSync(path.join(folder, 'bundle.json'));
    assert.equal(await handoffIn(folder), 'absent');
    const { scratch, workspace } = placesIn(blocked);
    const problems = await checkWorkspace(
      { ...placesIn(scratch), workspace },
      { scenario: 'moves', exact: false, stays: false, marks: [], acknowledged: [] },
    );
    assert.match(problems.join('\n'), /Handoff 1 of MOVES-\S+ is in the journal and not there/);
  });

  it('is judged by checks that find broken invariants', async () => {
    const places = placesIn(template);
    const expected: Expected = { scenario: 'again', exact: false, stays: true, marks: [], acknowledged: [] };
    const wrong = async (changes: Partial<Expected> = {}): Promise<string> =>
      (await checkWorkspace(places, { ...expected, ...changes })).join('\n');
    // One of the two missions of the scenario is there.
    const before = await wrong();
    assert.match(before, /^There are 1 missions, not 2\./);
    assert.doesNotMatch(before, /twice|lost|journal has|temporary|Evidence|without a journalled/);

    assert.match(await wrong({ marks: [new Map([['gone', ['A'.repeat(64)]]])] }), /Entries of gone were lost/);
    const answer = { accepted: true, code: 'OK', reason: '', next: [] };
    const acknowledged = [{ id: 'some-id', command: 'StopTask', answer }];
    assert.match(await wrong({ acknowledged }), /StopTask some-id was answered OK, and the journal has 0/);

    const counter = path.join(places.counters, 'only');
    appendFileSync(counter, `${runsOf(places, 'only').join('')}\n${'0'.repeat(32)}\n`);
    const evidence = path.join(places.workspace, 'docs/ops/executions/AGAIN');
    writeFileSync(path.join(evidence, '.TASK_only.json.0123456789abcdef.tmp'), '');
    appendFileSync(path.join(evidence, 'TASK_only.json'), ' ');
    const after = await wrong();
    for (const words of [
      'One launch of only ran twice',
      'only ran without a journalled launch',
      'A temporary file was left',
      'Evidence: ',
    ])
      assert.ok(after.includes(words), `${words}\n${after}`);
  });
});
