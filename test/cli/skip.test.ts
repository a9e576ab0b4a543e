import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { skipWithReason } from '../support/skip';
import { CliBed, cliFile, decision, start, type Ended, type Printed } from './cliBed';

const writes = (name: string): string => `${start}fs.writeFileSync('docs/out/${name}.txt', '${name}');`;
const fails = `${start}process.exit(7);`;
const criteria = { success_criteria: ['validator_passes', 'no_scope_violation', 'deterministic_execution'] };

interface Skipped {
  readonly decision: { readonly actor: { readonly name: string } };
  readonly chosen: string;
}

/** A person gives a task up: through `dist/cli.js`, as real processes. */
describe('mission skip', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const evidence = (plan: string, task: string): Printed & { readonly skipped?: Skipped } =>
    bed.json(`docs/ops/executions/${plan}/TASK_${task}.json`);
  const skip = (...args: string[]): Promise<Ended> =>
    bed.mission('skip', ...args, '--by', 'Grace', '--reason', 'obsolete');
  const text = (...args: string[]): Promise<Ended> => bed.spawn(process.execPath, [cliFile, ...args]).ended;
  /** T1 done, T2 blocked, T3 waits for T2, T4 for nothing. */
  const blocked = async (plan: string): Promise<Printed> => {
    const tasks = [
      { script: writes('a') },
      { script: fails },
      { script: writes('c'), depends_on: ['T2'] },
      { script: writes('d') },
    ];
    const run = await bed.mission('run', bed.plan(plan, tasks, {}, criteria));
    assert.equal(run.code, 3, run.stderr);
    return run.json;
  };

  it('does the step that a status offers, says what goes with the task, and the evidence verifies', async () => {
    const { mission_id, packets } = await blocked('given-up');
    const status = (await text('status', mission_id)).stdout;
    const [, ...line] = /mission skip .* --by NAME --reason TEXT/.exec(status)?.[0]?.split(' ') ?? [];
    const words: Readonly<Record<string, string>> = { NAME: 'Grace', TEXT: 'obsolete' };
    const shown = await text(...line.map((word) => words[word] ?? word));
    assert.equal(shown.code, 0, shown.stderr);
    assert.match(shown.stdout, /^To be skipped: T2\n {2}with it: T3 /m);
    assert.match(shown.stdout, /T3 +skipped/);
    assert.match(shown.stdout, /2 of 4 tasks are done, 2 skipped by Grace\./);
    assert.deepEqual(
      ['T1', 'T2', 'T3', 'T4'].map((task) => evidence('given-up', task).status),
      ['SUCCESS', 'SKIPPED', 'SKIPPED', 'SUCCESS'],
    );
    const { decision: made, chosen } = evidence('given-up', 'T3').skipped!;
    assert.deepEqual([made.actor.name, chosen], ['Grace', 'T2']);
    assert.equal(bed.exists('docs/out/c.txt'), false);
    const packet = await bed.mission('packet', 'show', packets[0]!.packet_id);
    assert.equal(packet.json.state, 'superseded');
    const verified = await bed.mission('evidence', 'verify', 'given-up');
    assert.deepEqual([verified.code, verified.json], [0, { valid: true, findings: [] }]);
    const header = bed.json('docs/ops/executions/given-up/EXECUTION_HEADER.json');
    assert.equal(header.outcome, 'COMPLETED');
    assert.match(
      bed.read('docs/ops/executions/given-up/EXECUTION_SUMMARY.md'),
      /`T3` was skipped by Grace at .* with `T2`/,
    );
    assert.match((await text('status', mission_id)).stdout, /T3 +skipped/);

    const retried = await bed.mission('retry', mission_id, 'T2', ...decision);
    assert.deepEqual([retried.code, retried.json.code], [2, 'MISSION_CLOSED']);
    rmSync(bed.at('docs/out'), { recursive: true });
    const again = await bed.mission('run', 'docs/plans/PLAN_given-up.json');
    assert.deepEqual([again.code, again.json.status], [3, 'blocked'], 'a new run asks anew');
    assert.deepEqual(
      again.json.tasks.map(({ status }) => status),
      ['done', 'blocked', 'todo', 'todo'],
    );
    assert.equal((await bed.mission('evidence', 'verify', 'given-up')).code, 0);
  });

  it('a mission that another process runs takes a skip through its inbox; a task in progress is stopped first', async () => {
    const plan = bed.plan('live', [
      { script: `${start}${bed.waitAt('gate')} fs.writeFileSync('docs/out/a.txt', 'a');` },
      { script: writes('b') },
      { script: writes('c') },
    ]);
    const running = bed.start('run', plan);
    await bed.waitsAt('gate');
    const busy = await skip('live', 'T1', '--yes');
    assert.deepEqual([busy.code, busy.json.code], [2, 'MISSION_ACTIVE']);
    assert.match(busy.json.next.join('\n'), /mission stop \S+ T1 --by NAME --reason TEXT/);
    const accepted = await skip('live', 'T2', '--yes');
    assert.equal(accepted.code, 0, accepted.stdout);
    const retried = await bed.mission('retry', 'live', 'T2', ...decision);
    assert.deepEqual([retried.code, retried.json.code], [2, 'TASK_NOT_BLOCKED']);
    assert.match(retried.json.reason, /was skipped by Grace/);
    bed.open('gate');
    const ended = await running.ended;
    assert.deepEqual([ended.code, ended.json.status], [0, 'completed']);
    assert.deepEqual(
      ended.json.tasks.map(({ status }) => status),
      ['done', 'canceled', 'done'],
    );
    assert.match(ended.json.reason, /^2 of 3 tasks are done, 1 skipped by Grace/);
    assert.equal((await bed.mission('evidence', 'verify', 'live')).code, 0);
  });

  it('of a paused mission says that it stays paused only where something is left to resume', async () => {
    const { mission_id } = await blocked('rest');
    assert.equal((await bed.mission('pause', mission_id, ...decision)).code, 0);
    const skipped = await skip(mission_id, 'T2', '--yes');
    assert.match(skipped.json.reason, /stays paused until it is resumed\.$/);
    const last = await skip(mission_id, 'T4', '--yes');
    assert.deepEqual([last.code, last.json.mission.status], [0, 'completed'], last.stdout);
    assert.doesNotMatch(last.json.reason, /paused/);
  });

  it('goes on in another clone with what was skipped: the decision comes along, and the evidence verifies there', async () => {
    const { mission_id } = await blocked('moves');
    bed.git('add', '.');
    bed.git('commit', '-q', '-m', 'plan');
    assert.equal((await bed.mission('resume', mission_id, ...decision)).json.code, 'PACKET_OPEN');
    const paused = await bed.mission('pause', mission_id, ...decision);
    assert.equal(paused.code, 0, paused.stdout);
    const skipped = await skip(mission_id, 'T2', '--yes');
    assert.deepEqual([skipped.code, skipped.json.mission.status], [3, 'paused'], skipped.stderr);
    const out = path.join(bed.scratch, 'bundle');
    assert.equal((await bed.mission('handoff', 'export', mission_id, '--out', out, ...decision, '--move')).code, 0);
    const there = path.join(bed.scratch, 'there');
    bed.git('clone', '-q', '.', there);
    const resumed = await bed.mission('handoff', 'resume', out, ...decision, '--apply-diff', '--workspace', there);
    assert.equal(resumed.code, 0, resumed.stdout + resumed.stderr);
    assert.deepEqual(
      resumed.json.mission.tasks.map(({ status }) => status),
      ['done', 'canceled', 'canceled', 'done'],
    );
    assert.match(resumed.json.mission.reason, /^2 of 4 tasks are done, 2 skipped by Grace/);
    const verified = await bed.mission('evidence', 'verify', 'moves', '--workspace', there);
    assert.deepEqual([verified.code, verified.json], [0, { valid: true, findings: [] }]);
  });

  it('asks on a terminal with all that would be skipped in sight: a no skips nothing, a yes skips', async function () {
    if (!existsSync('/usr/bin/script')) skipWithReason(this, 'no `script` on this machine to make a terminal with');
    const { mission_id } = await blocked('asked');
    const command = `'${process.execPath}' '${cliFile}' skip ${mission_id} T2 ${decision.join(' ')}`;
    const refused = bed.terminal(command);
    await refused.shows('with it: T3');
    await refused.shows('Skip these 2 tasks?');
    refused.press('n\r');
    assert.equal(await refused.code, 2);
    assert.match(refused.screen(), /You said no: nothing was skipped\./);
    assert.equal((await bed.mission('status', mission_id)).json.missions[0]?.status, 'blocked');
    const agreed = bed.terminal(command);
    await agreed.shows('Skip these 2 tasks?');
    agreed.press('y\r');
    await agreed.shows('2 of 4 tasks are done, 2 skipped by Grace');
    assert.equal(await agreed.code, 0);
  });

  it('an agent skips nothing: what comes from inside a worker is refused and on record', async () => {
    const args = ['skip', 'inside', 'T2', '--by', 'Human', '--reason', 'let me', '--yes', '--json'];
    const script = `${start}import { spawnSync } from 'node:child_process';
const { status, stdout } = spawnSync('node', [${JSON.stringify(cliFile)}, ...${JSON.stringify(args)}], { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: '/dev/null/nowhere', MISSION_CONTROL_HOME: '/dev/null/nowhere' } });
fs.writeFileSync('docs/out/answer.json', JSON.stringify([status, JSON.parse(stdout).code]));`;
    const run = await bed.mission('run', bed.plan('inside', [{ script }, { script: writes('b') }]));
    assert.equal(run.code, 0, run.stderr);
    assert.deepEqual(bed.json('docs/out/answer.json'), [2, 'NON_COMPLIANT']);
    const events = await bed.events('inside');
    assert.ok(events.some((event) => event.type === 'CommandRefused' && event.command === 'SkipTask'));
    assert.ok(!events.some(({ type }) => type === 'TasksSkipped'));
  });
});
