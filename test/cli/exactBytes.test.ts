import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { skipWithReason } from '../support/skip';
import { CliBed, cliFile, start } from './cliBed';

describe('the approval of a plan says what may change its bytes', function () {
  this.timeout(120_000);
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const approveIn = async (folder: string): Promise<string> => {
    const args = [cliFile, 'plan', 'approve', 'docs/plans/PLAN_exact.json', '--by', 'Ann', '--yes'];
    const { code, stdout, stderr } = await bed.spawn(process.execPath, args, { cwd: folder }).ended;
    assert.equal(code, 0, stdout + stderr);
    return stdout;
  };
  const approve = async (): Promise<string> => {
    const args = [cliFile, 'plan', 'approve', bed.plan('exact', [{ script: '' }]), '--by', 'Ann', '--yes'];
    const { code, stdout, stderr } = await bed.spawn(process.execPath, args).ended;
    assert.equal(code, 0, stderr);
    return stdout;
  };

  it('git, and Prettier where the repository uses it', async () => {
    const without = await approve();
    assert.match(without, /add these lines to \.gitattributes[^\n]*\n +docs\/plans\/\*\.json -text\n/);
    assert.doesNotMatch(without, /prettier/i);
    bed.write('.prettierrc', '{}\n');
    assert.match(
      await approve(),
      /add these lines to \.prettierignore[^\n]*\n +docs\/plans\/\*\.json\n +docs\/ops\/executions\/\n/,
    );
    assert.equal(bed.exists('.prettierignore'), false);
  });

  it('nothing of git in a folder without a repository', async () => {
    const folder = path.join(bed.scratch, 'plain');
    const plan = bed.plan('exact', [{ script: '' }]);
    mkdirSync(path.join(folder, 'docs/plans'), { recursive: true });
    copyFileSync(bed.at(plan), path.join(folder, plan));
    const stdout = await approveIn(folder);
    assert.match(stdout, /approved/i);
    assert.doesNotMatch(stdout, /gitattributes/);
  });

  it('Prettier at the top of a repository whose folder is the workspace, with the lines for the file there', async () => {
    const plan = bed.plan('exact', [{ script: '' }]);
    bed.write(`packages/app/${plan}`, bed.read(plan));
    bed.write('package.json', '{"devDependencies": {"prettier": "3"}}');
    assert.match(
      await approveIn(bed.at('packages/app')),
      /add these lines to \.\.\/\.\.\/\.prettierignore[^\n]*\n +packages\/app\/docs\/plans\/\*\.json\n +packages\/app\/docs\/ops\/executions\/\n +hint: Prettier reads [^\n]* For a start in the workspace folder, add docs\/plans\/\*\.json and docs\/ops\/executions\/ to \.prettierignore as well\.\n/,
    );
  });

  it('a rule by which git ignores the evidence: at the approval, at the end, and to who verifies it', async () => {
    assert.doesNotMatch(await approve(), /does not keep/);
    bed.write('.gitignore', '.mission-control/\n\ndocs/ops/\n');
    assert.match(
      await approve(),
      /Git does not keep the evidence in docs\/ops\/executions\/exact, because line 3 of \.gitignore \(docs\/ops\/\) ignores it\.\n +What mends it\. Take that line out, or add the evidence with git add --force docs\/ops\/executions\/exact once the mission has ended\./,
    );
    const plan = bed.plan('exact', [{ script: `${start}fs.writeFileSync('docs/out/a', 'a');` }]);
    const { stdout } = await bed.spawn(process.execPath, [
      cliFile,
      'run',
      bed.plan('printed', [{ script: `${start}fs.writeFileSync('docs/out/p', 'p');` }]),
    ]).ended;
    assert.match(
      stdout,
      /\nEvidence +docs\/ops\/executions\/printed\/\nVerify .*\nIgnored +Git does not keep .*because line 3 of \.gitignore \(docs\/ops\/\) ignores it\.\n +Take that line out[^\n]*\n$/,
    );
    const { code, json } = await bed.mission('run', plan);
    assert.equal(code, 0, json.reason);
    assert.deepEqual((json as unknown as { evidence_ignored: unknown }).evidence_ignored, {
      file: '.gitignore',
      line: 3,
      pattern: 'docs/ops/',
    });
    const verified = await bed.mission('evidence', 'verify', 'exact');
    assert.deepEqual(
      [verified.code, verified.json.findings.map((one) => [one.code, one.severity])],
      [0, [['EVIDENCE_IGNORED', 'warning']]],
    );
    // What git tracks is kept, whatever ignores it.
    bed.git('add', '--force', 'docs/ops/executions/exact');
    assert.deepEqual((await bed.mission('evidence', 'verify', 'exact')).json.findings, []);
  });

  it('the end of a mission is shown before git says which rule ignores the evidence', async function () {
    if (process.platform === 'win32') skipWithReason(this, 'a shell script stands for git');
    bed.write('.gitignore', '.mission-control/\n\ndocs/ops/\n');
    const plan = bed.plan('shown', [{ script: `${start}fs.writeFileSync('docs/out/a', 'a');` }]);
    const { env } = bed;
    const git = path.join(bed.scratch, 'bin', 'git');
    const gate = path.join(bed.scratch, 'gate');
    writeFileSync(
      git,
      `#!/bin/sh
case "$*" in *"check-ignore --verbose"*) while [ ! -e '${gate}' ]; do sleep 0.1; done ;; esac
PATH="\${PATH#*:}" exec git "$@"
`,
      { mode: 0o755 },
    );
    const run = bed.spawn(process.execPath, [cliFile, 'run', plan], { env });
    let shown = '';
    await new Promise<void>((resolve) => {
      run.child.stdout?.on('data', (data: Buffer) => {
        shown += data.toString();
        if (shown.includes('Verify    mission evidence verify shown')) resolve();
      });
      void run.ended.then(() => resolve());
    });
    assert.doesNotMatch(shown, /Git does not keep/);
    writeFileSync(gate, '');
    const { code, stdout, stderr } = await run.ended;
    assert.equal(code, 0, stderr);
    assert.match(stdout, /\nIgnored +Git does not keep/);
  });
});
