import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { CliBed, cliFile, decision, start, type Ended, type Printed } from './cliBed';

interface Written extends Printed {
  readonly carried: readonly string[];
  readonly again: readonly { readonly task_id: string; readonly reason: string }[];
  readonly left: readonly string[];
  readonly unfinished: readonly {
    readonly task_id: string;
    readonly paths: readonly string[];
    readonly gone: readonly string[];
  }[];
}

/** Revisions of revisions, and what a person reads of them. */
describe('a chain of revisions', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const place = (plan: string): string => `docs/plans/PLAN_${plan}.json`;
  const evidence = (plan: string): string => `docs/ops/executions/${plan}/TASK_T1.json`;
  const approve = (plan: string): Promise<Ended> =>
    bed.mission('plan', 'approve', place(plan), '--by', 'Grace', '--yes');
  const said = async (...args: string[]): Promise<string> =>
    (await bed.spawn(process.execPath, [cliFile, ...args]).ended).stdout;
  const codes = ({ json }: Ended): readonly string[] => json.findings.map(({ code }) => code);

  it('names what lies outside the approved paths, and what open tasks left, from every mission before it', async () => {
    const plan = bed.plan('x', [
      { script: `${start}fs.writeFileSync('docs/out/a.txt', 'a');` },
      {
        script: `${start}fs.writeFileSync('docs/out/b.txt', 'b'); fs.writeFileSync('outside.txt', 'o'); fs.writeFileSync('.git/hooks/pre-push', '');`,
        depends_on: ['T1'],
      },
    ]);
    assert.equal((await bed.mission('run', plan)).json.code, 'SCOPE_VIOLATION');
    bed.write('tools/x-T2.mjs', 'process.exit(7);');
    for (const next of ['x-r2', 'x-r3']) {
      const written = (await bed.mission('plan', 'revise', next === 'x-r2' ? 'x' : 'x-r2')).json as Written;
      assert.deepEqual(
        [written.plan_id, written.carried, written.left, written.unfinished],
        [
          next,
          ['T1'],
          ['.git/hooks/pre-push', 'outside.txt'],
          [{ task_id: 'T2', paths: ['docs/out/b.txt'], gone: [] }],
        ],
      );
      if (next === 'x-r3') break;
      assert.equal((await approve(next)).code, 0);
      assert.equal((await bed.mission('run', place(next))).code, 3);
    }
    const shown = await said('plan', 'approve', place('x-r3'), '--by', 'Grace');
    assert.match(shown, /Left outside: \.git\/hooks\/pre-push, outside\.txt: /);
    const draft = bed.json(place('x-r3')) as unknown as { tasks: { paths: string[] }[] };
    rmSync(bed.at('.git/hooks/pre-push'));
    draft.tasks[1]!.paths.push('outside.txt');
    bed.write(place('x-r3'), JSON.stringify(draft, null, 2));
    assert.doesNotMatch(await said('plan', 'approve', place('x-r3'), '--by', 'Grace'), /Left outside/);
    rmSync(bed.at('outside.txt'));
    assert.deepEqual(((await bed.mission('plan', 'revise', 'x-r2')).json as Written).left, []);
  });

  it('rests on evidence that is all there and as it was: also what an earlier revision carried over', async () => {
    const plan = bed.plan('y', [
      { script: `${start}fs.writeFileSync('docs/out/a.txt', 'a');` },
      { script: 'process.exit(7);', depends_on: ['T1'] },
    ]);
    assert.equal((await bed.mission('run', plan)).code, 3);
    for (const [before, next] of [
      ['y', 'y-r2'],
      ['y-r2', 'y-r3'],
    ] as const) {
      assert.equal((await bed.mission('plan', 'revise', before)).json.plan_id, next);
      assert.equal((await approve(next)).code, 0);
      assert.equal((await bed.mission('run', place(next))).code, 3);
    }
    assert.deepEqual(((await bed.mission('plan', 'revise', 'y-r3')).json as Written).carried, ['T1']);
    assert.equal((await bed.mission('skip', 'y-r3', 'T2', '--yes', ...decision)).code, 0);
    assert.deepEqual((await bed.mission('evidence', 'verify', 'y-r3')).json, { valid: true, findings: [] });

    for (const [name, forge] of [
      ['the first evidence is gone', (text: string) => (text === '' ? '' : null)],
      ['the first evidence is forged', (text: string) => text.replace('Task T1', 'Task T0')],
    ] as const)
      for (const of of ['y', 'y-r2']) {
        const good = bed.read(evidence(of));
        const changed = forge(good);
        if (changed === null) rmSync(bed.at(evidence(of)));
        else bed.write(evidence(of), changed);
        const told = await bed.mission('plan', 'validate', place('y-r4'));
        assert.match(
          JSON.stringify(told.json.files[0]!.findings),
          changed === null
            ? new RegExp(`CARRIED_REFUSED.*T1.*${evidence(of).replaceAll('.', '\\.')}.* is gone`)
            : new RegExp(`CARRIED_REFUSED.*T1.*${evidence(of).replaceAll('.', '\\.')}.* is not as it was written`),
          `${name}: ${of}`,
        );
        assert.deepEqual(((await bed.mission('plan', 'revise', 'y-r3')).json as Written).carried, [], name);
        const verified = await bed.mission('evidence', 'verify', 'y-r3');
        assert.deepEqual(codes(verified), ['CARRIED_DISAGREES'], `${name}: ${of}`);
        bed.write(evidence(of), good);
      }
    assert.deepEqual((await bed.mission('evidence', 'verify', 'y-r3')).json, { valid: true, findings: [] });
  });

  it('a completed mission is followed and not acknowledged; every sentence says what is so and what comes next', async () => {
    const plan = bed.plan('c', [{ script: `${start}fs.writeFileSync('docs/out/a.txt', 'a');` }]);
    const { mission_id } = (await bed.mission('run', plan)).json;
    const revised = await said('plan', 'revise', 'c');
    assert.doesNotMatch(revised, /ends the mission/, 'it has ended');
    const shown = await said('plan', 'approve', place('c-r2'), '--by', 'Grace', '--yes');
    assert.match(
      shown,
      new RegExp(`^  - Follows: mission ${mission_id} \\(completed\\), which stays as it is\\.$`, 'm'),
    );
    assert.match(
      await said('status', 'c'),
      /^ {2}superseded by c-r2, which has not run: mission run docs\/plans\/PLAN_c-r2\.json$/m,
    );
    const ran = await bed.mission('run', place('c-r2'));
    assert.equal(ran.code, 0, ran.stdout);
    assert.match(
      await said('status', mission_id),
      new RegExp(`^  superseded by c-r2, which ran: mission status ${ran.json.mission_id}$`, 'm'),
    );
    assert.match(
      await said('plan', 'approve', place('c-r2'), '--by', 'Grace', '--yes'),
      new RegExp(`^  - Superseded: mission ${mission_id} \\(completed\\), before\\.$`, 'm'),
    );
    assert.equal((await bed.mission('plan', 'revise', 'c-r2')).code, 0);
    assert.equal((await approve('c-r3')).code, 0);
    const old = await bed.mission('run', place('c'));
    assert.deepEqual([old.json.code, old.json.next], ['PLAN_SUPERSEDED', [`mission run ${place('c-r3')}`]]);
    assert.equal((await bed.mission(...old.json.next[0]!.split(' ').slice(1))).code, 0);
  });

  it('a failure that was acknowledged before is not acknowledged once more', async () => {
    const plan = bed.plan('f', [{ script: `${start}fs.writeFileSync('.git/hooks/pre-push', 'o');` }]);
    const { mission_id } = (await bed.mission('run', plan)).json;
    assert.match(((await bed.mission('plan', 'revise', 'f')).json as Written).plan_id, /^f-r2$/);
    const overview = ['plan', 'approve', place('f-r2'), '--by', 'Grace'];
    assert.match(
      await said(...overview),
      new RegExp(`^  - Acknowledges: the failure of mission ${mission_id}, which has ended\\.$`, 'm'),
    );
    assert.equal((await bed.mission('acknowledge', mission_id, ...decision)).code, 0);
    assert.match(
      await said(...overview),
      new RegExp(`^  - Follows: mission ${mission_id} \\(failed\\), which stays as it is\\.$`, 'm'),
    );
  });
});
