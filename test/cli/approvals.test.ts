import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { cliFile, CliBed } from './cliBed';

const script = `import fs from 'node:fs'; fs.mkdirSync('docs/out', { recursive: true }); fs.appendFileSync('docs/out/a', 'a');`;
const key = '.config/mission-control/approval.key';

interface Printed {
  readonly code: string;
  readonly reason: string;
  readonly recorded: boolean;
  readonly status: string;
}

describe('approvals of this machine', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const run = async (
    plan: string,
    env = bed.env,
  ): Promise<{ readonly code: number | null; readonly json: Printed }> => {
    const args = [path.resolve('dist/cli.js'), 'run', plan, '--require-approval-record', '--by', 'Ann', '--json'];
    return bed.spawn(process.execPath, args, { env }).ended;
  };
  const approved = async (plan: string): Promise<void> => {
    const { code, json, stderr } = await bed.mission('plan', 'approve', plan, '--by', 'Ann', '--yes');
    assert.deepEqual([code, json.recorded], [0, true], stderr);
  };

  it('are no success where the journal takes no record, also where the file says APPROVED already', async () => {
    const plan = bed.plan('untold', [{ script }], {}, { status: 'DRAFT' });
    await bed.mission('list');
    bed.write('.mission-control/state.db', 'this is no database');
    for (const changed of [true, false]) {
      const { code, json, stderr } = await bed.mission('plan', 'approve', plan, '--by', 'Ann', '--yes');
      assert.deepEqual([code, json], [4, { ...json, changed, recorded: false, approved_here: null }], stderr);
      assert.match(stderr, /The journal has no record of this approval: .* is not a journal that can be trusted/);
    }
  });

  it('do not travel with the journal, and name who approved here beside the name in the file', async () => {
    const approval = { required: true, approved_by: 'Bea', approved_at: '2026-01-02T00:00:00Z' };
    const plan = bed.plan('both', [{ script }], {}, { approval });
    await approved(plan);
    // Another person's home: the journal came with the repository.
    const elsewhere = path.join(bed.scratch, 'elsewhere');
    mkdirSync(elsewhere);
    const foreign = await run(plan, { ...bed.env, HOME: elsewhere });
    assert.deepEqual([foreign.code, foreign.json.code], [2, 'APPROVAL_RECORD_REQUIRED']);
    assert.match(foreign.json.reason, /not of this user’s key/);

    const here = await run(plan, { ...bed.env, XDG_CONFIG_HOME: elsewhere, XDG_STATE_HOME: elsewhere });
    assert.deepEqual([here.code, here.json.status], [0, 'completed']);
    const folder = 'docs/ops/executions/both';
    const header = JSON.parse(bed.read(`${folder}/EXECUTION_HEADER.json`)) as {
      readonly approval_source: string;
      readonly approved_by: string;
      readonly approved_here: { readonly by: string };
    };
    assert.deepEqual([header.approval_source, header.approved_by, header.approved_here.by], ['journal', 'Bea', 'Ann']);
    assert.match(bed.read(`${folder}/EXECUTION_SUMMARY.md`), /Approved by Bea[\s\S]*Approved here by Ann/);
    assert.equal((await bed.mission('evidence', 'verify', 'both')).code, 0);
    const { json } = await bed.mission('status', 'both');
    const [mission] = json.missions as unknown as readonly { approval: { by: string; here: { by: string } } }[];
    assert.deepEqual([mission?.approval.by, mission?.approval.here.by], ['Bea', 'Ann']);
    const told = await bed.spawn(process.execPath, [path.resolve('dist/cli.js'), 'status', 'both']).ended;
    assert.match(told.stdout, /approved by Bea, as the file says; approved here by Ann/);
  });

  it('are given by a person: a name that stands for no person approves and decides nothing', async () => {
    const plan = bed.plan('nobody', [{ script }], {}, { status: 'DRAFT', approval: { required: true } });
    const before = bed.read(plan);
    for (const [name, ...words] of [
      [' Auto ', 'plan', 'approve', plan, '--yes'],
      ['a\u200buto', 'run', plan],
      ['', 'run', plan],
      ['\u200b', 'handoff', 'resume', plan],
      ['SYSTEM', 'cancel', 'nobody', '--reason', 'so'],
      ['“none”', 'handoff', 'export', 'nobody', '--move', '--reason', 'so'],
    ] as const) {
      const refused = await bed.mission(...words, '--by', name);
      assert.deepEqual([refused.code, refused.json.code], [2, 'USAGE'], `${name} ${refused.stdout}`);
      assert.match(refused.json.reason, /names no person/);
    }
    assert.equal(bed.read(plan), before);
    assert.deepEqual((await bed.mission('list')).json.missions, []);
  });

  it('are given anew where the file names no person, as its finding says', async () => {
    for (const approved_by of ['auto', '<your name>']) {
      const approval = { required: true, approved_by, approved_at: '2026-01-02T00:00:00Z' };
      const plan = bed.plan('unnamed', [{ script }], {}, { approval });
      const refused = await bed.mission('run', plan);
      assert.deepEqual([refused.code, refused.json.code], [1, 'PLAN_INVALID'], refused.stdout);
      await approved(plan);
      assert.equal((JSON.parse(bed.read(plan)) as { approval: { approved_by: string } }).approval.approved_by, 'Ann');
      assert.equal((await bed.mission('plan', 'validate', plan)).code, 0);
    }
  });

  it('of a second person name both the person in the file and the person who approved here', async () => {
    const plan = bed.plan('two', [{ script }], {}, { status: 'DRAFT', approval: { required: true } });
    await approved(plan);
    const args = [path.resolve('dist/cli.js'), 'plan', 'approve', plan, '--by', 'Bob', '--yes'];
    const told = await bed.spawn(process.execPath, args).ended;
    assert.match(told.stdout, /Approved already: two, by Ann as the file says; the approval of Bob is recorded here/);
    const { json } = await bed.spawn(process.execPath, [...args, '--json']).ended;
    const { approved_by, approved_here } = json as unknown as { approved_by: string; approved_here: { by: string } };
    assert.deepEqual([approved_by, approved_here.by], ['Ann', 'Bob']);
  });

  it('of two people at the same moment: the file names one of them, and the other is refused', async () => {
    const plan = bed.plan('race', [{ script }], {}, { status: 'DRAFT', approval: { required: true } });
    const names = ['Ann', 'Bob'];
    const said = await Promise.all(names.map((name) => bed.mission('plan', 'approve', plan, '--by', name, '--yes')));
    const inFile = (JSON.parse(bed.read(plan)) as { approval: { approved_by: string } }).approval.approved_by;
    said.forEach(({ code, json, stderr }, index) => {
      const { approved_by, approved_here } = json as unknown as { approved_by: string; approved_here: { by: string } };
      if (code === 0) assert.deepEqual([approved_by, approved_here.by], [inFile, names[index]], stderr);
      else assert.equal(json.code, 'PLAN_HASH_MISMATCH', stderr);
    });
    assert.ok(said[names.indexOf(inFile)]?.code === 0);
  });

  it('count for no plan that changed while they were asked for, also where its file said APPROVED before', async () => {
    const plan = bed.plan('edited', [{ script }]);
    const shown = bed.read(plan);
    const terminal = bed.terminal(`'${process.execPath}' '${cliFile}' plan approve ${plan} --by Ann`);
    await terminal.shows('Approve plan edited as Ann?');
    bed.write(plan, shown.replace('GOAL-1', 'GOAL-2'));
    terminal.press('y\n');
    assert.equal(await terminal.code, 2, terminal.screen());
    assert.match(
      terminal.screen(),
      /Refused \(PLAN_HASH_MISMATCH\): Nothing was approved, because the plan has changed/,
    );
    for (const bytes of [bed.read(plan), shown]) {
      bed.write(plan, bytes);
      const unrecorded = await run(plan);
      assert.deepEqual([unrecorded.code, unrecorded.json.code], [2, 'APPROVAL_RECORD_REQUIRED']);
    }
  });

  it('count for one mission at risk 2, and not without the key; without --require-approval-record neither is an error', async () => {
    const plan = bed.plan('careful', [{ script }], {}, { risk: { level: 2, notes: 'x' } });
    await approved(plan);
    assert.equal((await run(plan)).code, 0);
    bed.git('add', '-A');
    const again = await run(plan);
    assert.deepEqual([again.code, again.json.code], [2, 'APPROVAL_RECORD_REQUIRED']);
    assert.match(again.json.reason, /counts for one mission, and careful-\S+ has used it/);
    await approved(plan);
    rmSync(path.join(bed.scratch, key));
    const lost = await run(plan);
    assert.deepEqual([lost.code, lost.json.code], [2, 'APPROVAL_RECORD_REQUIRED']);
    assert.match(lost.json.reason, /the key was lost or replaced/);
    const asFile = await bed.mission('run', plan, '--by', 'Ann');
    assert.equal(asFile.code, 0, asFile.stdout);
    assert.equal(bed.json('docs/ops/executions/careful/EXECUTION_HEADER.json').approval_source, 'file');
  });
});
