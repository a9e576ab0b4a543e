import assert from 'node:assert/strict';
import { chmodSync, rmSync } from 'node:fs';
import { CliBed, cliFile, start, type Ended, type Printed } from './cliBed';

interface Draft extends Omit<Printed, 'tasks'> {
  tasks: { task_id: string; paths: string[]; depends_on?: string[]; verify?: string[][]; carried_from?: unknown }[];
}

/** Drafts that a person edits in ways that no draft suggests. */
describe('mission plan revise, edited by hand', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const place = (plan: string): string => `docs/plans/PLAN_${plan}.json`;
  const edited = (plan: string, edit: (tasks: Draft['tasks']) => void): void => {
    const draft = bed.json(place(plan)) as unknown as Draft;
    edit(draft.tasks);
    bed.write(place(plan), `${JSON.stringify(draft, null, 2)}\n`);
  };
  const shown = async (plan: string): Promise<string> =>
    (await bed.spawn(process.execPath, [cliFile, 'plan', 'approve', place(plan), '--by', 'Grace']).ended).stdout;
  const approve = (plan: string): Promise<Ended> =>
    bed.mission('plan', 'approve', place(plan), '--by', 'Grace', '--yes');
  const findings = async (plan: string): Promise<readonly string[]> =>
    ((await bed.mission('plan', 'validate', place(plan))).json.files[0]?.findings ?? []).map(
      ({ code, pointer, message }) => `${code} ${pointer} ${message}`,
    );
  const writes = (name: string): string => `${start}fs.writeFileSync('docs/out/${name}.txt', '${name}');`;
  /** T1 and T2 are done, T3 is blocked. */
  const blocked = async (plan: string): Promise<void> => {
    const made = bed.plan(plan, [
      { script: writes('a'), paths: ['docs/out/a.txt'] },
      { script: writes('b'), paths: ['docs/out/b.txt'] },
      { script: 'process.exit(7);', depends_on: ['T1', 'T2'] },
    ]);
    assert.equal((await bed.mission('run', made)).code, 3);
    assert.equal((await bed.mission('plan', 'revise', plan)).json.plan_id, `${plan}-r2`);
  };

  it('a renamed task is another one: it is done again, and the approval names what the first one left', async () => {
    await blocked('x');
    edited('x-r2', (tasks) => {
      tasks[0] = { ...tasks[0]!, task_id: 'T9' };
      tasks[2]!.depends_on = ['T9', 'T2'];
    });
    assert.ok((await findings('x-r2')).some((found) => /^CARRIED_REFUSED \/tasks\/0\/carried_from/.test(found)));
    edited('x-r2', (tasks) => delete tasks[0]!.carried_from);
    const text = await shown('x-r2');
    for (const line of [
      /^ {2}- Added: T9\.$/m,
      /^ {2}- Removed: T1\.$/m,
      /^ {2}- Carried over: T2\.$/m,
      /^ {2}- Left inside: docs\/out\/a\.txt \(T1\)\.$/m,
    ])
      assert.match(text, line);
    rmSync(bed.at('docs/out/a.txt'));
    assert.doesNotMatch(await shown('x-r2'), /Left inside/);
    assert.equal((await approve('x-r2')).code, 0);
    const ran = await bed.mission('run', place('x-r2'));
    assert.deepEqual(
      ran.json.tasks.map(({ task_id, status }) => `${task_id} ${status}`),
      ['T9 done', 'T2 done', 'T3 blocked'],
      ran.stdout,
    );
    assert.equal((await bed.mission('evidence', 'verify', 'x-r2')).json.valid, true);
  });

  it('the approval names what a task left behind that is done again because its mark is gone', async () => {
    await blocked('m');
    edited('m-r2', (tasks) => delete tasks[1]!.carried_from);
    assert.match(await shown('m-r2'), /^ {2}- Left inside: docs\/out\/b\.txt \(T2\)\.$/m);
  });

  it('two tasks whose paths were swapped are other tasks: no mark holds, and what is said is why', async () => {
    await blocked('y');
    edited('y-r2', (tasks) => {
      const [first, second] = [tasks[0]!, tasks[1]!];
      [first.paths, second.paths] = [second.paths, first.paths];
    });
    const found = await findings('y-r2');
    for (const at of ['/tasks/0/carried_from', '/tasks/1/carried_from'])
      assert.ok(
        found.some((one) => one.startsWith(`CARRIED_REFUSED ${at}`) && one.includes('paths changed')),
        found.join('\n'),
      );
    assert.notEqual((await approve('y-r2')).code, 0);
    edited('y-r2', (tasks) => tasks.slice(0, 2).forEach((task) => delete task.carried_from));
    const text = await shown('y-r2');
    assert.match(text, /^ {2}- Differs: T1 paths: \["docs\/out\/a\.txt"\] -> \["docs\/out\/b\.txt"\]\.$/m);
    assert.match(text, /^ {2}- Differs: T2 paths: \["docs\/out\/b\.txt"\] -> \["docs\/out\/a\.txt"\]\.$/m);
  });

  it('evidence of one task is no mark of another one, and a mark of a prototype does not count', async () => {
    await blocked('z');
    edited(
      'z-r2',
      (tasks) => ([tasks[0]!.carried_from, tasks[1]!.carried_from] = [tasks[1]!.carried_from, tasks[0]!.carried_from]),
    );
    assert.equal((await findings('z-r2')).filter((found) => found.startsWith('CARRIED_REFUSED')).length, 2);
    const text = bed.read(place('z-r2')).replace(/"carried_from": \{/, '"carried_from": { "__proto__": {},');
    bed.write(place('z-r2'), text);
    assert.ok((await findings('z-r2')).length > 0);
    assert.notEqual((await approve('z-r2')).code, 0);
  });

  it('an executable bit that changes between approval and run makes the run refuse, and nothing starts', async function () {
    if (process.platform === 'win32') this.skip();
    await blocked('w');
    assert.equal((await approve('w-r2')).code, 0);
    chmodSync(bed.at('docs/out/a.txt'), 0o755);
    const ran = await bed.mission('run', place('w-r2'));
    assert.deepEqual([ran.code, ran.json.code], [1, 'PLAN_INVALID'], ran.stdout);
    assert.match(ran.stdout, /docs\/out\/a\.txt has mode \d+ now/);
  });

  it('several revisions written at once are several files, each whole', async () => {
    await blocked('v');
    const all = await Promise.all(Array.from({ length: 4 }, () => bed.mission('plan', 'revise', 'v')));
    const ids = all.map(({ json }) => json.plan_id);
    assert.deepEqual([...new Set(ids)].sort(), ['v-r3', 'v-r4', 'v-r5', 'v-r6'], ids.join(' '));
    for (const id of ids) assert.equal((bed.json(place(id)) as unknown as { plan_id: string }).plan_id, id);
  });
});
