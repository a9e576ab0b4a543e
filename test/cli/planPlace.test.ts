import assert from 'node:assert/strict';
import { existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { CliBed, cliFile, start, type Ended } from './cliBed';

const task = { script: `${start}fs.appendFileSync('docs/out/a', 'a');` };

describe('where a plan lies', function () {
  this.timeout(120_000);
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  /** Calls `mission` as a person types it, in a folder. */
  function typed(line: string, cwd: string): Promise<Ended> {
    return bed.spawn(
      '/bin/sh',
      ['-c', `mission() { "${process.execPath}" "${path.resolve(cliFile)}" "$@"; }; ${line}`],
      {
        cwd,
      },
    ).ended;
  }

  for (const [which, folder] of [
    ['beside', () => path.join(bed.scratch, 'other folder')],
    ['above', () => bed.scratch],
  ] as const)
    it(`a plan of another workspace is approved there from the folder ${which}, and run there alone`, async () => {
      const wrong = folder();
      mkdirSync(wrong, { recursive: true });
      bed.plan('mine', [task], {}, { status: 'DRAFT', approval: { required: true } });
      const file = path.relative(wrong, bed.at('docs/plans/PLAN_mine.json'));
      const before = bed.read('docs/plans/PLAN_mine.json');
      const run = `mission run "${file}" --require-approval-record --json`;
      const refused = await typed(run, wrong);
      assert.deepEqual([refused.code, refused.json.code], [2, 'PLAN_MISPLACED'], refused.stdout);
      assert.equal(bed.exists('.mission-control'), false);
      assert.equal(bed.read('docs/plans/PLAN_mine.json'), before);
      const [step = ''] = refused.json.next;
      const [, option = assert.fail(step)] = /^Repeat the command with (--workspace .+)\.$/.exec(step) ?? [];
      const approved = await typed(`mission plan approve "${file}" --by "Ada Lo" --yes`, wrong);
      assert.equal(approved.code, 0, approved.stdout + approved.stderr);
      const [, next = assert.fail(approved.stdout)] = /next: (mission run .+)\n/.exec(approved.stdout) ?? [];
      for (const command of [`${run} ${option}`, `${next} --require-approval-record --json`]) {
        const ran = await typed(command, wrong);
        assert.deepEqual([ran.code, ran.json.status], [0, 'completed'], `${command}\n${ran.stdout}${ran.stderr}`);
      }
      assert.equal(existsSync(path.join(wrong, '.mission-control')), false, 'a wrong folder stays none of ours');
    });

  it('a link to the workspace is no other workspace', async () => {
    const plan = bed.plan('linked', [task]);
    const other = path.join(bed.scratch, 'wörk link');
    symlinkSync(bed.root, other);
    for (const [file, cwd, more] of [
      [bed.at(plan), other, ` --workspace "${other}"`],
      [path.join(other, plan), bed.root, ''],
    ] as const) {
      const approved = await typed(`mission plan approve "${file}" --by Ada --yes${more}`, cwd);
      assert.equal(approved.code, 0, approved.stderr);
    }
  });

  it('an approval of a plan that lies beside docs/plans says where it has to be moved', async () => {
    const plan = bed.plan('loose', [task]);
    renameSync(bed.at(plan), bed.at('loose.json'));
    const approved = await typed('mission plan approve loose.json --by Ada --yes', bed.root);
    assert.equal(approved.code, 0, approved.stderr);
    assert.match(
      approved.stdout,
      /next: move it to docs\/plans\/PLAN_loose\.json, then mission run docs\/plans\/PLAN_loose\.json\n/,
    );
  });

  it('a plan named by its id or its path in the workspace is found by what the refusal says', async () => {
    const plan = bed.plan('mine', [task]);
    const above = bed.scratch;
    for (const [name, cwd, more] of [
      ['mine', bed.root, ''],
      ['PLAN_mine.json', bed.root, ''],
      [plan, above, ` --workspace "wörk dir"`],
    ] as const) {
      const run = await typed(`mission run ${name}${more} --json`, cwd);
      assert.deepEqual([run.code, run.json.code], [2, 'FILE_NOT_FOUND'], run.stdout);
      const step = run.json.next[0]!;
      const [, meant = assert.fail(step)] = /^Repeat the command with (.+)\.$/.exec(step) ?? [];
      const ran = await typed(`mission run ${meant}${more} --json`, cwd);
      assert.deepEqual([ran.code, ran.json.status], [0, 'completed'], `${step}\n${ran.stdout}`);
      const approve = await typed(`mission plan approve ${name}${more} --by Ada --yes --json`, cwd);
      assert.match(
        approve.json.files[0]!.findings[0]!.message,
        /There is no such file; did you mean .*PLAN_mine\.json/,
      );
    }
    const validate = await typed('mission plan validate mine --json', bed.root);
    assert.equal(
      validate.json.files[0]!.findings[0]!.message,
      'There is no such file; did you mean docs/plans/PLAN_mine.json?',
    );
    const other = await typed('mission run your --json', bed.root);
    assert.deepEqual(other.json.next, ['Name a plan of this workspace: docs/plans/PLAN_<plan_id>.json.']);
  });
});
