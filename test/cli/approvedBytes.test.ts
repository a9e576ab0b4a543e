import assert from 'node:assert/strict';
import { cpSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { CliBed, cliFile, start, type Ended } from './cliBed';

const script = `${start}fs.appendFileSync('docs/out/a', 'a');`;
const draft = { status: 'DRAFT', approval: { required: true } };

/** What `mission run` makes of a plan whose bytes are not those that a person approved. */
describe('approved bytes', function () {
  this.timeout(300_000);
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const approve = async (file: string, by = 'Ann'): Promise<string> => {
    const { code, json, stdout, stderr } = await bed.mission('plan', 'approve', file, '--by', by, '--yes');
    assert.deepEqual([code, json.recorded], [0, true], stdout + stderr);
    return json.plan_sha256.slice(0, 8);
  };
  const edit = (file: string, from: string, to: string): void => {
    const text = bed.read(file);
    assert.ok(text.includes(from), text);
    bed.write(file, text.replace(from, to));
  };
  const refused = ({ code, json, stdout, stderr }: Ended, ...says: readonly (string | RegExp)[]): void => {
    assert.deepEqual([code, json.code], [2, 'PLAN_HASH_MISMATCH'], stdout + stderr);
    for (const one of says)
      if (typeof one === 'string') assert.ok(json.reason.includes(one), json.reason);
      else assert.match(json.reason, one);
  };
  const ran = ({ code, json, stdout, stderr }: Ended, source: string, planId: string): void => {
    assert.deepEqual([code, json.status], [0, 'completed'], stdout + stderr);
    assert.equal(bed.json(`docs/ops/executions/${planId}/EXECUTION_HEADER.json`).approval_source, source);
  };

  it('one changed byte: the run is refused before anything is written, and runs with the approved bytes again', async () => {
    const plan = bed.plan('x', [{ script }], {}, draft);
    const hash = await approve(plan);
    const approved = bed.read(plan);
    const found = async (): Promise<readonly unknown[]> => {
      const { code, json } = await bed.mission('plan', 'validate', plan);
      return [code, ...(json.files[0]?.findings ?? []).map((one) => [one.code, one.severity, one.message])];
    };
    assert.deepEqual(await found(), [0]);
    edit(plan, 'Task T1', 'Task T2');
    const [code, ...warnings] = await found();
    assert.equal(code, 0);
    assert.match(
      String(warnings),
      /^APPROVED_OTHERWISE,warning,Ann approved other bytes, .* A mission refuses these bytes: approve them \(mission plan approve docs\/plans\/PLAN_x\.json --by NAME\), or put the approved bytes back\.$/,
    );
    const changed = await bed.mission('run', plan);
    refused(changed, `Ann approved other bytes, SHA-256 ${hash}…`);
    assert.deepEqual(changed.json.next, [
      'mission plan approve docs/plans/PLAN_x.json --by NAME',
      'Or put the approved bytes back.',
    ]);
    assert.ok(!bed.exists('docs/ops/executions') && !bed.exists('docs/out/a'));
    assert.deepEqual((await bed.mission('list')).json.missions, []);
    // What is required explicitly keeps its own code.
    const required = await bed.mission('run', plan, '--require-approval-record');
    assert.deepEqual([required.code, required.json.code], [2, 'APPROVAL_RECORD_REQUIRED']);
    bed.write(plan, approved);
    ran(await bed.mission('run', plan), 'journal', 'x');
  });

  it('line ends that git converted are other bytes, and the refusal says that only they differ', async () => {
    const plan = bed.plan('x', [{ script }], {}, draft);
    const hash = await approve(plan);
    bed.write(plan, bed.read(plan).replaceAll('\n', '\r\n'));
    refused(await bed.mission('run', plan), hash, /Only line ends or the byte-order mark differ/);
  });

  it('of two approved versions either runs, a third does not and names both people', async () => {
    const plan = bed.plan('x', [{ script }], {}, draft);
    const first = await approve(plan);
    const before = bed.read(plan);
    edit(plan, 'Task T1', 'Task T2');
    const second = await approve(plan, 'Bob');
    edit(plan, 'Task T2', 'Task T3');
    refused(await bed.mission('run', plan), `Bob approved other bytes, SHA-256 ${second}…`, `Ann ${first}…`);
    bed.write(plan, before);
    ran(await bed.mission('run', plan), 'journal', 'x');
  });

  it('a record binds the plan id in another file, and the file under another plan id', async () => {
    const plan = bed.plan('x', [{ script }], {}, draft);
    mkdirSync(bed.at('drafts'));
    renameSync(bed.at(plan), bed.at('drafts/PLAN_x.json'));
    await approve('drafts/PLAN_x.json');
    renameSync(bed.at('drafts/PLAN_x.json'), bed.at(plan));
    const approved = bed.read(plan);
    edit(plan, 'Task T1', 'Task T2');
    refused(await bed.mission('run', plan));
    bed.write(plan, approved);
    ran(await bed.mission('run', plan), 'journal', 'x');

    const other = bed.plan('y', [{ script }], {}, { ...draft, plan_id: 'z' });
    await approve(other);
    edit(other, '"plan_id": "z"', '"plan_id": "y"');
    refused(await bed.mission('run', other));
  });

  it('the journal of another workspace binds the bytes as well', async () => {
    const plan = bed.plan('x', [{ script }], {}, draft);
    await approve(plan);
    const copy = path.join(bed.scratch, 'copy');
    edit(plan, 'Task T1', 'Task T2');
    cpSync(bed.root, copy, { recursive: true });
    refused(await bed.mission('run', path.join(copy, plan), '--workspace', copy), /Ann approved other bytes/);
  });

  it('an external executor and a handoff start other bytes as little', async () => {
    const plan = bed.plan('x', [{ script: 'process.exit(7);' }], {}, draft);
    bed.git('add', '.');
    bed.git('commit', '-q', '-m', 'draft');
    const place = path.join(bed.scratch, 'place');
    bed.git('clone', '-q', '.', place);
    const there = ['--workspace', place];
    const inPlace = path.join(place, plan);
    const approved = await bed.mission('plan', 'approve', inPlace, '--by', 'Ann', '--yes', ...there);
    assert.equal(approved.json.recorded, true, approved.stdout);

    edit(plan, 'Task T1', 'Task T2');
    await approve(plan, 'Bob');
    const run = await bed.mission('run', plan);
    assert.equal(run.code, 3, run.stdout);
    const moved = await bed.mission('handoff', 'export', 'x', '--move', '--by', 'Bob', '--reason', 'so');
    assert.equal(moved.code, 0, moved.stdout);
    cpSync(bed.at(plan), inPlace);
    const folder = (moved.json as unknown as { readonly dir: string }).dir;
    refused(await bed.mission('handoff', 'resume', folder, ...there), /Ann approved other bytes/);
    refused(await bed.mission('orch', 'start', '--plan', inPlace, ...there), /Ann approved other bytes/);
  });

  it('a person who approves bytes with the name of another in their file is the one who approves', async () => {
    const plan = bed.plan('x', [{ script }]);
    const before = bed.read(plan);
    const words = [cliFile, 'plan', 'approve', plan, '--yes'];
    const bob = await bed.spawn(process.execPath, [...words, '--by', 'Bob']).ended;
    assert.match(bob.stdout, /Approved: x by Bob\n {2}The file names Ada; Bob approves these bytes now\.\n/);
    assert.equal(bed.read(plan), before);
    const ada = await bed.spawn(process.execPath, [...words, '--by', 'Ada']).ended;
    assert.match(ada.stdout, /Approved already: x, by Ada as the file says; the approval of Ada is recorded here/);
  });

  it('of a plan that a mission locked are not replaced: the approval is refused, and names what changes a plan', async () => {
    const plan = bed.plan('x', [{ script: 'process.exit(7);' }], {}, draft);
    await approve(plan);
    const run = await bed.mission('run', plan);
    assert.equal(run.code, 3, run.stdout);
    const locked = bed.read(plan);
    edit(plan, 'Task T1', 'Task T2');
    const approvals = ['plan', 'approve', plan, '--by', 'Ann', '--yes'] as const;
    const open = await bed.mission(...approvals);
    assert.deepEqual([open.code, open.json.code], [2, 'PLAN_ID_REUSED'], open.stdout);
    assert.equal(open.json.next[0], `mission plan revise ${run.json.mission_id}`);
    edit(plan, '"APPROVED"', '"DRAFT"');
    const drafted = bed.read(plan);
    assert.equal((await bed.mission(...approvals)).json.code, 'PLAN_ID_REUSED');
    assert.equal(bed.read(plan), drafted);
    // Nothing of it was recorded.
    bed.write(plan, locked);
    await approve(plan);
    // A run of them would be refused, so it is not the next step.
    const again = await bed.spawn(process.execPath, [cliFile, ...approvals]).ended;
    const says = `  Mission ${run.json.mission_id} of this plan has not ended.\n  next: mission status ${run.json.mission_id}\n`;
    assert.ok(again.stdout.endsWith(says), again.stdout);
    const revised = await bed.mission('plan', 'revise', run.json.mission_id);
    assert.equal(revised.code, 0, revised.stdout);
  });

  it('validation warns of bytes that a mission keeps from running, with its name, its state and the next step', async () => {
    const plan = bed.plan('x', [{ script: `${start}${bed.waitAt('gate')} process.exit(7);` }], {}, draft);
    await approve(plan);
    const locked = bed.read(plan);
    const found = async (): Promise<readonly unknown[]> => {
      const { code, json } = await bed.mission('plan', 'validate', plan);
      return [code, ...(json.files[0]?.findings ?? []).map((one) => [one.code, one.severity, one.message])];
    };
    const { plan_sha256: hash } = (await bed.mission('plan', 'validate', plan)).json.files[0] ?? {};
    const running = bed.start('run', plan);
    await bed.waitsAt('gate');
    const id = (await bed.mission('list')).json.missions[0]?.mission_id ?? '';
    const warned = (state: string): readonly unknown[] => [
      0,
      [
        'LOCKED_OTHERWISE',
        'warning',
        [
          `Plan id x was executed with other bytes: mission ${id} locked ${hash}. An approved plan is immutable.`,
          `That mission is ${state}, and no mission runs these bytes.`,
          `mission plan revise ${id}.`,
          `Or put the bytes back that ran: .mission-control/missions/${id}/PLAN.locked.json holds them.`,
          'Or give the changed plan a new plan_id and approve it.',
        ].join(' '),
      ],
    ];
    assert.deepEqual(await found(), [0], 'the locked bytes');
    // An approval of these bytes is refused, so no warning names it.
    edit(plan, 'Task T1', 'Task T2');
    assert.deepEqual(await found(), warned('running'));
    bed.write(plan, locked);
    bed.open('gate');
    assert.equal((await running.ended).code, 3);
    edit(plan, 'Task T1', 'Task T2');
    assert.deepEqual(await found(), warned('blocked'));
    bed.write(plan, locked.replaceAll('\n', '\r\n'));
    const [, [, , message] = []] = (await found()) as readonly (readonly string[])[];
    assert.match(
      message ?? '',
      /^Plan id x was executed .* Only line ends or the byte-order mark differ.* is blocked, and no mission runs these bytes\. Put into \.gitattributes: .*\/PLAN\.locked\.json/,
    );
    bed.write(plan, locked);
    assert.deepEqual(await found(), [0]);
  });

  it('validation warns of them also where no approval is recorded', async () => {
    const plan = bed.plan('x', [{ script: 'process.exit(7);' }]);
    assert.equal((await bed.mission('run', plan)).code, 3);
    edit(plan, 'Task T1', 'Task T2');
    const { code, json } = await bed.mission('plan', 'validate', plan);
    assert.deepEqual([code, json.files[0]?.findings.map((one) => one.code)], [0, ['LOCKED_OTHERWISE']]);
  });

  it('a plan that is not there is said once, with the path to check', async () => {
    const missing = await bed.mission('run', 'docs/plans/PLAN_gone.json');
    assert.deepEqual([missing.code, missing.json.code], [2, 'FILE_NOT_FOUND'], missing.stdout);
    assert.deepEqual(missing.json.next, ['Name a plan of this workspace: docs/plans/PLAN_<plan_id>.json.']);
    const told = await bed.spawn(process.execPath, [cliFile, 'run', 'docs/plans/PLAN_gone.json']).ended;
    assert.equal(`${told.stdout}${told.stderr}`.split('There is no such file').length, 2, told.stderr);
  });

  it('a draft that lacks only its approval is said to, with every code', async () => {
    const plan = bed.plan('x', [{ script }], {}, { ...draft, risk: { level: 3, notes: 'x' } });
    const lacks = await bed.spawn(process.execPath, [cliFile, 'plan', 'validate', plan]).ended;
    assert.equal(lacks.code, 1);
    const codes = 'STATUS_NOT_APPROVED, RISK_APPROVAL_MISSING';
    assert.ok(
      lacks.stdout.includes(`${plan}: not valid, because only its approval is missing (${codes}), `),
      lacks.stdout,
    );
    edit(plan, '"docs_update"', '"docs_update", "docs_update", ""');
    const wrong = await bed.spawn(process.execPath, [cliFile, 'plan', 'validate', plan]).ended;
    assert.match(wrong.stdout, /: not valid \([A-Z_]+, [A-Z_]+/);
  });

  it('a name that was typed into the file runs where no approval is recorded, and the first lines say so', async () => {
    const plan = bed.plan('x', [{ script }], {}, draft);
    edit(plan, '"DRAFT"', '"APPROVED"');
    edit(plan, '"required": true', '"required": true, "approved_by": "Grace", "approved_at": "2026-01-02T00:00:00Z"');
    const says = 'Approved by Grace, as the file says; no approval of these bytes is recorded here';
    const told = await bed.spawn(process.execPath, [cliFile, 'run', plan]).ended;
    assert.equal(told.code, 0, told.stderr);
    assert.ok(told.stdout.split('\n').slice(0, 3).includes(says), told.stdout);
    const json = await bed.mission('run', plan);
    ran(json, 'file', 'x');
    assert.ok(json.stderr.includes(says), json.stderr);
  });
});
