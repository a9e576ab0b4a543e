import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { CliBed, cliFile, decision, start, type Ended, type Printed } from './cliBed';

const writes = (name: string): string => `${start}fs.writeFileSync('docs/out/${name}.txt', '${name}');`;
const fails = `${start}process.exit(7);`;

interface Draft {
  plan_id: string;
  status: string;
  supersedes: string;
  planner: string;
  approval: Record<string, unknown>;
  tasks: {
    task_id: string;
    description: string;
    command: string[];
    carried_from?: { plan_id: string; mission_id: string; evidence_sha256: string };
  }[];
}
interface Carried extends Printed {
  readonly carried_from?: { readonly mission_id: string; readonly evidence_sha256: string };
}
interface Header extends Printed {
  readonly cancelled: boolean;
  readonly supersedes?: string;
  readonly superseded_by?: {
    readonly plan_id: string;
    readonly decision: { readonly actor: { readonly name: string } };
  };
  readonly tasks: readonly {
    readonly task_id: string;
    readonly status: string;
    readonly attempts: number;
    readonly evidence_sha256: string;
  }[];
}

/** A person changes the plan of a mission: through `dist/cli.js`, as real processes. */
describe('mission plan revise', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const place = (plan: string): string => `docs/plans/PLAN_${plan}.json`;
  const draft = (plan: string): Draft => bed.json(place(plan)) as unknown as Draft;
  const change = (plan: string, edit: (value: Draft) => void): void => {
    const value = draft(plan);
    edit(value);
    bed.write(place(plan), `${JSON.stringify(value, null, 2)}\n`);
  };
  const task = (plan: string, id: string): Carried => bed.json(`docs/ops/executions/${plan}/TASK_${id}.json`);
  const header = (plan: string): Header => bed.json(`docs/ops/executions/${plan}/EXECUTION_HEADER.json`) as Header;
  const approve = (plan: string): Promise<Ended> =>
    bed.mission('plan', 'approve', place(plan), '--by', 'Grace', '--yes');
  const run = (plan: string): Promise<Ended> => bed.mission('run', place(plan));
  const statuses = ({ json }: Ended): string[] => json.tasks.map(({ task_id, status }) => `${task_id} ${status}`);
  const verified = async (plan: string): Promise<void> => {
    const found = await bed.mission('evidence', 'verify', plan);
    assert.deepEqual([found.code, found.json], [0, { valid: true, findings: [] }]);
  };
  /** T1 and T2 done, T3 blocked, T4 waits for T3. */
  const blocked = async (plan: string): Promise<string> => {
    const made = bed.plan(plan, [
      { script: writes('a') },
      { script: writes('b'), depends_on: ['T1'] },
      { script: fails, depends_on: ['T2'] },
      { script: writes('d'), depends_on: ['T3'] },
    ]);
    const ended = await bed.mission('run', made);
    assert.equal(ended.code, 3, ended.stderr);
    return ended.json.mission_id;
  };
  const mended = (plan: string): void => {
    bed.write('tools/mended.mjs', writes('c'));
    change(plan, ({ tasks }) => {
      tasks[2]!.command = ['node', 'tools/mended.mjs'];
    });
  };

  it('after a block: a DRAFT carries done tasks over; its approval ends the mission, its run does the rest', async () => {
    const mission_id = await blocked('x');
    const before = bed.read('docs/ops/executions/x/TASK_T1.json');
    bed.write(place('x'), '{"changed": "since"}\n');
    const revised = await bed.mission('plan', 'revise', mission_id, '--by', 'Grace');
    assert.equal(revised.code, 0, revised.stdout + revised.stderr);
    assert.deepEqual([revised.json.plan_id, revised.json.plan_path], ['x-r2', place('x-r2')]);
    const written = draft('x-r2');
    assert.deepEqual(
      [written.status, written.supersedes, written.planner, written.approval],
      ['DRAFT', 'x', 'Grace', { required: true }],
    );
    assert.deepEqual(
      written.tasks.map(({ carried_from }) => carried_from?.mission_id),
      [mission_id, mission_id, undefined, undefined],
    );
    assert.equal((await run('x-r2')).json.code, 'PLAN_INVALID', 'a draft does not run');

    mended('x-r2');
    const ended = await approve('x-r2');
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    const old = header('x');
    assert.deepEqual(
      [old.outcome, old.code, old.cancelled, old.superseded_by?.plan_id, old.superseded_by?.decision.actor.name],
      ['FAILED', 'SUPERSEDED', true, 'x-r2', 'Grace'],
    );
    assert.equal(bed.read('docs/ops/executions/x/TASK_T1.json'), before, 'its evidence stays');
    assert.match(task('x', 'T3').reason, /^superseded by PLAN_x-r2$/);
    const packets = await bed.mission('packet', 'list', mission_id, '--all');
    assert.deepEqual(
      packets.json.packets.map(({ state }) => state),
      ['superseded'],
    );

    rmSync(bed.at('tools/x-T1.mjs'));
    const done = await run('x-r2');
    assert.deepEqual([done.code, done.json.status], [0, 'completed'], done.stdout + done.stderr);
    assert.deepEqual(statuses(done), ['T1 done', 'T2 done', 'T3 done', 'T4 done']);
    assert.deepEqual(
      header('x-r2').tasks.map(({ attempts }) => attempts),
      [0, 0, 1, 1],
    );
    assert.equal(header('x-r2').supersedes, 'x');
    assert.equal(task('x-r2', 'T1').carried_from?.evidence_sha256, header('x').tasks[0]!.evidence_sha256);
    assert.match(bed.read('docs/ops/executions/x-r2/EXECUTION_SUMMARY.md'), /Carried over from mission `x-/);
    await verified('x-r2');
    await bed.mission('evidence', 'verify', 'x').then(({ json }) => assert.equal(json.valid, true));
    const again = await run('x');
    assert.equal(again.code, 1, 'its file was changed');
    const status = (await bed.spawn(process.execPath, [`${process.cwd()}/dist/cli.js`, 'status', mission_id]).ended)
      .stdout;
    assert.match(status, /^ {2}superseded by x-r2, which ran: mission status x-r2-/m);
    const shown = await bed.spawn(process.execPath, [`${process.cwd()}/dist/cli.js`, 'diff', 'x-r2', 'T1']).ended;
    const where = new RegExp(
      `^T1 was done in mission ${mission_id}, which changed \\S+\\. mission diff ${mission_id} T1 `,
      'm',
    );
    assert.match(shown.stderr, where);
    assert.match(shown.stderr, /^No other file was changed\.$/m);
  });

  it('after a scope violation: the draft says what lies outside, the failure is acknowledged, the revision runs', async () => {
    const plan = bed.plan('scope', [
      { script: writes('a') },
      {
        script: `${start}fs.writeFileSync('outside.txt', 'x'); fs.writeFileSync('.git/hooks/pre-push', ''); fs.writeFileSync('docs/out/b.txt', 'b');`,
      },
    ]);
    const failed = await bed.mission('run', plan);
    assert.deepEqual([failed.code, failed.json.code], [1, 'SCOPE_VIOLATION'], failed.stdout);
    const revised = await bed.mission('plan', 'revise', 'scope');
    assert.equal(revised.code, 0, revised.stdout + revised.stderr);
    assert.deepEqual((revised.json as unknown as { left: string[] }).left, ['.git/hooks/pre-push', 'outside.txt']);
    bed.write('tools/scope-T2.mjs', `${writes('b')} fs.appendFileSync('docs/out/b.txt', ' again');`);
    const approved = await approve('scope-r2');
    assert.equal(approved.code, 0, approved.stdout + approved.stderr);
    assert.equal(header('scope').code, 'SCOPE_VIOLATION', 'what has ended stays as it was');
    rmSync(bed.at('outside.txt'));
    rmSync(bed.at('.git/hooks/pre-push'));
    const done = await run('scope-r2');
    assert.deepEqual([done.code, statuses(done)], [0, ['T1 done', 'T2 done']], done.stdout + done.stderr);
    await verified('scope-r2');
  });

  it('a forged or outdated carried_from makes no task done: it is refused with the task and what to do', async () => {
    const mission_id = await blocked('f');
    assert.equal((await bed.mission('plan', 'revise', 'f')).code, 0);
    const good = bed.read(place('f-r2'));
    const attack = async (what: string, says: RegExp, edit: (value: Draft) => void): Promise<void> => {
      bed.write(place('f-r2'), good);
      change('f-r2', edit);
      for (const found of [await bed.mission('plan', 'validate', place('f-r2')), await approve('f-r2')]) {
        assert.equal(found.code, 1, `${what}: ${found.stdout}`);
        const refused = found.json.files[0]!.findings.filter(({ code }) => code === 'CARRIED_REFUSED');
        assert.match(JSON.stringify(refused), says, what);
        assert.match(JSON.stringify(refused), /Remove carried_from/, what);
      }
      assert.equal(draft('f-r2').status, 'DRAFT');
    };
    const first = ({ tasks }: Draft): NonNullable<Draft['tasks'][number]['carried_from']> => tasks[0]!.carried_from!;
    await attack(
      'a mission nobody knows',
      /one mission/,
      (value) => (first(value).mission_id = 'f-20260101T000000Z-abcdef'),
    );
    await attack('both of a mission nobody knows', /knows no mission/, ({ tasks }) =>
      tasks.slice(0, 2).forEach(({ carried_from }) => (carried_from!.mission_id = 'f-20260101T000000Z-abcdef')),
    );
    await attack(
      'other evidence',
      /not the one that the journal recorded/,
      (value) => (first(value).evidence_sha256 = 'A'.repeat(64)),
    );
    await attack('another plan', /this plan supersedes/, (value) => (first(value).plan_id = 'g'));
    await attack(
      'an open task',
      /it is blocked in mission/,
      ({ tasks }) => (tasks[2]!.carried_from = tasks[0]!.carried_from!),
    );
    await attack(
      'a changed task',
      /another task than the one that was done \\\(description changed|another task than the one that was done \(description changed/,
      ({ tasks }) => (tasks[0]!.description = 'other'),
    );
    await attack('a task under another name', /no such task/, ({ tasks }) =>
      tasks.push({ ...tasks[0]!, task_id: 'T9' }),
    );
    await attack('what it rests on is done anew', /depends on/, ({ tasks }) => delete tasks[0]!.carried_from);

    bed.write(place('f-r2'), good);
    mended('f-r2');
    assert.equal((await approve('f-r2')).code, 0);
    bed.write('docs/out/a.txt', 'changed since');
    const refused = await run('f-r2');
    assert.deepEqual([refused.code, refused.json.code], [1, 'PLAN_INVALID']);
    assert.match(refused.json.reason, /T1.*docs\/out\/a\.txt has another content/);
    bed.write('docs/out/a.txt', 'a');
    const evidence = bed.read('docs/ops/executions/f/TASK_T1.json');
    bed.write('docs/ops/executions/f/TASK_T1.json', evidence.replace('Task T1', 'Task T0'));
    assert.match((await run('f-r2')).json.reason, /T1.*is not as it was written/);
    bed.write('docs/ops/executions/f/TASK_T1.json', evidence);
    const done = await run('f-r2');
    assert.equal(done.code, 0, done.stdout);
    assert.equal((await bed.mission('run', place('f'))).json.code, 'PLAN_SUPERSEDED');
    assert.equal((await bed.mission('retry', mission_id, 'T3', ...decision)).json.code, 'MISSION_CLOSED');

    bed.write('docs/ops/executions/f/TASK_T1.json', evidence.replace('Task T1', 'Task T0'));
    const across = await bed.mission('evidence', 'verify', 'f-r2');
    assert.deepEqual(
      across.json.findings.map(({ code }) => code),
      ['CARRIED_DISAGREES'],
    );
  });

  it('carries over what a revision and the plan before it did, and replaces no file', async () => {
    await blocked('y');
    bed.write(place('y-r2'), 'mine');
    const revised = await bed.mission('plan', 'revise', 'y');
    assert.equal(revised.json.plan_id, 'y-r3');
    assert.equal(bed.read(place('y-r2')), 'mine');
    rmSync(bed.at(place('y-r2')));
    assert.equal((await approve('y-r3')).code, 0);
    const second = await run('y-r3');
    assert.deepEqual([second.code, statuses(second)[2]], [3, 'T3 blocked'], second.stdout);
    const elsewhere = await bed.mission('plan', 'revise', header('y').mission_id);
    assert.equal(elsewhere.json.code, 'PLAN_SUPERSEDED');
    assert.equal((await bed.mission('plan', 'revise', 'y-r3')).json.plan_id, 'y-r4');
    mended('y-r4');
    assert.equal((await approve('y-r4')).code, 0);
    const third = await run('y-r4');
    assert.deepEqual([third.code, third.json.status], [0, 'completed'], third.stdout);
    assert.deepEqual(
      draft('y-r4').tasks.map(({ carried_from }) => carried_from?.plan_id),
      ['y-r3', 'y-r3', undefined, undefined],
    );
    for (const plan of ['y-r3', 'y-r4']) assert.equal((await bed.mission('evidence', 'verify', plan)).json.valid, true);
  });

  it('approval ends a mission that another process runs: its worker is stopped first; before that the revision does not run', async () => {
    const plan = bed.plan('live', [
      { script: writes('a') },
      { script: `${start}${bed.waitAt('gate')} fs.writeFileSync('docs/out/b.txt', 'b');` },
    ]);
    const running = bed.start('run', plan);
    const pid = await bed.waitsAt('gate');
    const revised = await bed.mission('plan', 'revise', 'live');
    assert.equal(revised.code, 0, revised.stdout);
    const approved = await approve('live-r2');
    assert.equal(approved.code, 0, approved.stdout + approved.stderr);
    const ended = await running.ended;
    assert.deepEqual([ended.code, ended.json.code], [1, 'SUPERSEDED'], ended.stdout);
    assert.throws(() => process.kill(pid, 0));
    assert.equal(bed.exists('docs/out/b.txt'), false);
    bed.open('gate');
    const done = await run('live-r2');
    assert.deepEqual([done.code, statuses(done)], [0, ['T1 done', 'T2 done']], done.stdout + done.stderr);
  });

  it('goes on in another clone with what it carried over; there the digests are compared as well', async () => {
    await blocked('h');
    assert.equal((await bed.mission('plan', 'revise', 'h')).code, 0);
    assert.equal((await approve('h-r2')).code, 0);
    const again = await run('h-r2');
    assert.equal(again.code, 3, again.stdout);
    bed.git('add', '.');
    bed.git('commit', '-q', '-m', 'as it is');
    const there = path.join(bed.scratch, 'there');
    bed.git('clone', '-q', '.', there);
    const out = path.join(bed.scratch, 'bundle');
    const { mission_id } = again.json;
    const exported = await bed.mission('handoff', 'export', mission_id, '--out', out, ...decision, '--move');
    assert.equal(exported.code, 0, exported.stdout + exported.stderr);
    const resumed = await bed.mission('handoff', 'resume', out, ...decision, '--workspace', there);
    assert.deepEqual(
      [resumed.code, statuses({ ...resumed, json: resumed.json.mission })],
      [3, ['T1 done', 'T2 done', 'T3 blocked', 'T4 todo']],
    );
    const skipped = await bed.mission('skip', 'h-r2', 'T3', '--yes', ...decision, '--workspace', there);
    assert.equal(skipped.code, 0, skipped.stdout + skipped.stderr);
    const verdict = await bed.mission('evidence', 'verify', 'h-r2', '--workspace', there);
    assert.deepEqual([verdict.code, verdict.json.findings], [0, []]);
  });

  it('validates a milestone of carried tasks anew, keeps what was done behind it, and goes on there', async () => {
    const made = bed.plan(
      'm',
      [
        { script: writes('a'), milestone: 'M1' },
        { script: fails, depends_on: ['T3'], milestone: 'M2' },
        { script: writes('c'), milestone: 'M2' },
      ],
      {},
      {
        milestones: [
          { id: 'M1', title: 'a is there', validate: { verify: [['test', '-f', 'docs/out/a.txt']] } },
          { id: 'M2', title: 'all of it', validate: { verify: [['test', '-f', 'docs/out/b.txt']] } },
        ],
      },
    );
    assert.equal((await bed.mission('run', made)).code, 3);
    const revised = await bed.mission('plan', 'revise', 'm');
    const { carried, again } = revised.json as unknown as { carried: string[]; again: unknown[] };
    assert.deepEqual([carried, again], [['T1', 'T3'], []]);
    const approval = ['plan', 'approve', place('m-r2'), '--by', 'Grace', '--yes'];
    const shown = (await bed.spawn(process.execPath, [cliFile, ...approval]).ended).stdout;
    assert.match(shown, /Carried over: T1, T3\.$/m);
    assert.match(shown, /Done again: validate-M1\.$/m);
    assert.deepEqual(shown.match(/(?:Added|Removed|Differs):.*/g), [
      'Differs: T3 depends_on: ["validate-M1"] -> none.',
    ]);
    bed.write('tools/m-T2.mjs', writes('b'));
    const done = await run('m-r2');
    assert.deepEqual(
      [done.code, statuses(done)],
      [0, ['T1 done', 'validate-M1 done', 'T2 done', 'T3 done', 'validate-M2 done']],
      done.stdout + done.stderr,
    );
    const events = await bed.events(done.json.mission_id);
    const started = events.flatMap((event) => (event.type === 'AttemptStarted' ? [event.task_id] : []));
    assert.deepEqual(started, ['validate-M1', 'T2', 'validate-M2']);
    await verified('m-r2');
  });
});
