import assert from 'node:assert/strict';
import { CliBed, cliFile, decision, start, type Ended, type Printed } from './cliBed';

interface Draft extends Omit<Printed, 'tasks'> {
  plan_id: string;
  tasks: { task_id: string; carried_from?: unknown }[];
}
interface Written extends Printed {
  readonly unfinished: readonly {
    readonly task_id: string;
    readonly paths: readonly string[];
  }[];
  readonly not_taken_over: readonly { readonly task_id: string; readonly revised: string }[];
}
interface RevisedWritten extends Written {
  readonly carried: readonly string[];
  readonly again: readonly { readonly task_id: string; readonly reason: string }[];
}

/** What a person who revises a plan for the first time runs into. */
describe('mission plan revise, as a person meets it', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const place = (plan: string): string => `docs/plans/PLAN_${plan}.json`;
  const approve = (plan: string): Promise<Ended> =>
    bed.mission('plan', 'approve', place(plan), '--by', 'Grace', '--yes');
  /** T1 is done, T2 wrote a file within its paths and is blocked. */
  const blocked = async (plan: string): Promise<void> => {
    const made = bed.plan(plan, [
      { script: `${start}fs.writeFileSync('docs/out/a.txt', 'a');` },
      { script: `${start}fs.writeFileSync('docs/out/b.txt', 'b'); process.exit(7);`, depends_on: ['T1'] },
    ]);
    assert.equal((await bed.mission('run', made)).code, 3);
  };

  it('a second revision of a plan whose first one ran is refused before anything is written', async () => {
    await blocked('x');
    for (const n of [2, 3]) assert.equal((await bed.mission('plan', 'revise', 'x')).json.plan_id, `x-r${n}`);
    assert.equal((await approve('x-r2')).code, 0);
    assert.equal((await bed.mission('run', place('x-r2'))).code, 3);
    const before = bed.read(place('x-r3'));
    const late = await approve('x-r3');
    assert.deepEqual([late.code, late.json.code], [2, 'PLAN_SUPERSEDED'], late.stdout);
    assert.match(late.json.reason, /^Nothing was written\. .*superseded by PLAN_x-r2, which ran/);
    assert.match(late.json.next[0]!, /^mission plan revise x-r2-/);
    assert.doesNotMatch(late.stderr, /is approved/);
    assert.equal(bed.read(place('x-r3')), before, 'it is no approved plan');
    assert.equal((await bed.mission(...late.json.next[0]!.split(' ').slice(1))).json.plan_id, 'x-r4');
  });

  it('names what unfinished tasks left behind, and which of their revisions the plan does not take over', async () => {
    await blocked('y');
    const set = ['--set', 'timeout_seconds=777', '--set', 'priority=high'];
    assert.equal((await bed.mission('packet', 'revise', 'y', '--task', 'T2', ...set, ...decision)).code, 0);
    const revised = (await bed.mission('plan', 'revise', 'y')).json as Written;
    assert.deepEqual(revised.unfinished, [{ task_id: 'T2', paths: ['docs/out/b.txt'], gone: [] }]);
    assert.deepEqual(
      revised.not_taken_over.map(({ task_id, revised: how }) => `${task_id} ${how}`),
      ['T2 priority high, timeout_seconds 777'],
    );
    bed.write('docs/out/b.txt', 'another now');
    assert.deepEqual(((await bed.mission('plan', 'revise', 'y')).json as Written).unfinished, []);
  });

  it('asks for no verify command of a task that has one', async () => {
    const script = `${start}fs.writeFileSync('docs/out/a.txt', 'a'); process.exit(7);`;
    assert.equal((await bed.mission('run', bed.plan('v', [{ script, verify: [['true']] }]))).code, 3);
    const { stdout } = await bed.spawn(process.execPath, [cliFile, 'plan', 'revise', 'v']).ended;
    assert.match(stdout, /^ {2}left by T1, which is to be done: docs\/out\/a\.txt; the next attempt finds it there$/m);
    assert.doesNotMatch(stdout, /verify command/);
  });

  it('says which files a failed task deleted, and that they stay deleted', async () => {
    bed.write('docs/out/old.txt', 'old');
    const script = `${start}fs.writeFileSync('docs/out/a.txt', 'a'); fs.rmSync('docs/out/old.txt'); process.exit(7);`;
    assert.equal((await bed.mission('run', bed.plan('d', [{ script }]))).code, 3);
    const { stdout } = await bed.spawn(process.execPath, [cliFile, 'plan', 'revise', 'd']).ended;
    assert.match(stdout, /^ {2}left by T1, which is to be done: docs\/out\/a\.txt; the next attempt finds it there$/m);
    assert.match(stdout, /^ {2}deleted by T1, .*: docs\/out\/old\.txt; the next attempt does not find it$/m);
    const status = await bed.spawn(process.execPath, [cliFile, 'status', 'd']).ended;
    assert.match(
      status.stdout,
      /; the file that changed in its approved paths stays; the file that was deleted in its approved paths stays deleted\./,
    );
  });

  it('carries over tasks behind a milestone that is as it was accepted; else it says why they are done again', async () => {
    const tasks = ['a', 'b', 'c'].map((name, index) => ({
      milestone: index === 0 ? 'M1' : 'M2',
      script: `${start}fs.appendFileSync('docs/out/${name}.txt', '${name}'); process.exit(${index === 2 ? 7 : 0});`,
    }));
    const milestones = [
      { id: 'M1', title: 'The first half', validate: { verify: [['test', '-f', 'docs/out/a.txt']] } },
      { id: 'M2', title: 'The rest' },
    ];
    assert.equal((await bed.mission('run', bed.plan('m', tasks, {}, { milestones }))).code, 3);
    const revise = async (): Promise<RevisedWritten> =>
      (await bed.mission('plan', 'revise', 'm')).json as RevisedWritten;
    const whole = await revise();
    assert.deepEqual([whole.carried, whole.again], [['T1', 'T2'], []]);
    assert.deepEqual(whole.unfinished, [{ task_id: 'T3', paths: ['docs/out/c.txt'], gone: [] }]);
    bed.write('docs/out/a.txt', 'another now');
    const revised = await revise();
    assert.deepEqual(revised.carried, []);
    assert.deepEqual(
      revised.again.map(({ task_id, reason }) => `${task_id}: ${reason}`),
      ['T1: docs/out/a.txt has another content', 'T2: it comes after validate-M1, and T1 before it is done again'],
    );
    assert.deepEqual(revised.unfinished, [
      { task_id: 'T2', paths: ['docs/out/b.txt'], gone: [] },
      { task_id: 'T3', paths: ['docs/out/c.txt'], gone: [] },
    ]);
    const outdated = (await bed.mission('plan', 'validate', place('m-r2'))).json.files[0]?.findings ?? [];
    assert.deepEqual(
      outdated.flatMap(({ code, pointer }) => (code === 'CARRIED_REFUSED' ? [pointer] : [])),
      ['/tasks/0/carried_from'],
      'T1 is named; T2 is marked as well and would be done behind it',
    );
  });

  it('--out takes a place where a plan can run, with an id that is free', async () => {
    await blocked('z');
    const out = (file: string): Promise<Ended> => bed.mission('plan', 'revise', 'z', '--out', file);
    const wrong: readonly [string, string, RegExp][] = [
      [place('größer'), 'COMMAND_INVALID', /The plan id "größer" must start with a letter or digit /],
      ['docs/plans/foo.json', 'COMMAND_INVALID', /docs\/plans\/PLAN_ID\.json/],
      ['PLAN_z9.json', 'COMMAND_INVALID', /docs\/plans\/PLAN_ID\.json/],
    ];
    for (const [file, code, says] of wrong) {
      const refused = await out(file);
      assert.deepEqual([refused.code, refused.json.code], [2, code], `${file}: ${refused.stdout}`);
      assert.match(refused.json.reason, says);
      assert.equal(bed.exists(file), false);
    }
    assert.equal((await out(place('z'))).json.code, 'PLAN_ID_REUSED');
    const written = await out(place('better'));
    assert.deepEqual([written.code, written.json.plan_id], [0, 'better']);
    assert.equal((bed.json(place('better')) as unknown as Draft).plan_id, 'better');
  });
});
