import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { Context } from 'mocha';
import { needsBubblewrap } from '../support/bubblewrap';
import { CliBed, cliFile, start, type Ended } from './cliBed';

const writes = `${start}fs.writeFileSync('docs/out/a.txt', 'a');`;

/** What holds a task back, through `dist/cli.js`, as real processes. */
describe('mission run with confinement', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  /** Runs `mission` as on a machine without bubblewrap. */
  const without = (...args: string[]): Promise<Ended> => {
    const tools = path.join(bed.scratch, 'tools');
    mkdirSync(tools, { recursive: true });
    const git = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    symlinkSync(git, path.join(tools, 'git'));
    const env = { ...bed.env, PATH: `${path.join(bed.scratch, 'bin')}${path.delimiter}${tools}` };
    return bed.spawn(process.execPath, [cliFile, ...args, '--json'], { env }).ended;
  };

  it('required, by command line or plan, ends with 4 and starts nothing where there is no sandbox', async () => {
    const flagged = await without('run', bed.plan('flagged', [{ script: writes }]), '--confinement', 'required');
    assert.equal(flagged.code, 4, flagged.stderr);
    assert.equal(flagged.json.code, 'CONFINEMENT_UNAVAILABLE');
    assert.equal(flagged.json.next.length, 1);
    assert.equal(bed.exists('docs/out/a.txt'), false);
    assert.equal(bed.exists('docs/ops/executions/flagged'), false);
  });

  it('a plan that requires it cannot be run with less', async () => {
    const plan = bed.plan('strict', [{ script: writes }], { confinement: 'required' });
    const run = await without('run', plan, '--confinement', 'off');
    assert.equal(run.code, 4, run.stderr);
    assert.equal(run.json.code, 'CONFINEMENT_UNAVAILABLE');
  });

  it('preferred goes on without, and the evidence says why', async () => {
    const run = await without('run', bed.plan('eased', [{ script: writes }]));
    assert.equal(run.code, 0, run.stderr);
    const header = bed.json('docs/ops/executions/eased/EXECUTION_HEADER.json') as unknown as { confinement: string };
    assert.equal(header.confinement, 'preferred');
    const task = bed.read('docs/ops/executions/eased/TASK_T1.json');
    assert.match(task, /"confinement": "none"/);
    assert.match(
      task,
      /No sandbox around the approved paths of its task holds it back: bubblewrap \(the program bwrap\)/,
    );
  });

  it('required is refused at validation, approval and start where an approved file has more than 300 siblings', async () => {
    for (let n = 0; n < 301; n++) bed.write(`many/f${n}`, '');
    const plan = bed.plan('crowded', [{ script: writes, paths: ['many/one'] }], { confinement: 'required' });
    const validated = await bed.mission('plan', 'validate', plan);
    assert.equal(validated.code, 1);
    assert.match(validated.stdout, /CONFINEMENT_TOO_COARSE/);
    const approved = await bed.mission('plan', 'approve', plan, '--by', 'Ada', '--yes');
    assert.equal(approved.code, 1);
    assert.match(approved.stdout, /CONFINEMENT_TOO_COARSE/);
    const eased = bed.plan('eased', [{ script: writes, paths: ['many/one'] }]);
    assert.equal(
      (await bed.mission('plan', 'approve', eased, '--by', 'Ada', '--yes', '--confinement', 'required')).code,
      1,
    );
    const run = await bed.mission('run', eased, '--confinement', 'required');
    assert.equal(run.code, 4, run.stderr);
    assert.equal(run.json.code, 'CONFINEMENT_UNAVAILABLE');
    assert.match(run.json.reason, /^The folder of "many\/one" has 301 other entries/);
    assert.equal(bed.exists('docs/ops/executions/eased'), false);
  });

  it('takes no other word', async () => {
    const run = await bed.mission('run', bed.plan('word', [{ script: writes }]), '--confinement', 'strict');
    assert.equal(run.code, 2);
    assert.match(run.json.reason, /^--confinement strict: it is one of required, preferred, off\.$/);
  });

  /** Runs `mission` as on a machine that has bubblewrap. */
  const confined = (context: Context): ((...args: string[]) => Promise<Ended>) => {
    const folder = needsBubblewrap(context);
    const env = { ...bed.env, PATH: `${bed.env['PATH'] ?? ''}${path.delimiter}${folder}` };
    return (...args) => bed.spawn(process.execPath, [cliFile, ...args, '--json'], { env }).ended;
  };

  it('holds back what a command writes elsewhere, and names what held it: in status and evidence', async function () {
    const mission = confined(this);
    bed.write('.gitignore', '.mission-control/\ncoverage/\n');
    const script = `${start}
      const tried = ['README.md', 'evil.txt', '.git/hooks/post-commit', 'docs/plans/PLAN_x.json', 'docs/out/kept/k.txt'];
      const told = tried.map((file) => { try { fs.writeFileSync(file, 'x'); return file; } catch (error) { return error.code; } });
      fs.writeFileSync('docs/out/told.json', JSON.stringify(told));
      fs.mkdirSync('coverage', { recursive: true });
      fs.writeFileSync('coverage/report.txt', 'x');`;
    bed.write('docs/out/kept/k.txt', 'kept');
    const plan = bed.plan(
      'held',
      [
        {
          script,
          forbidden_paths: ['docs/out/kept'],
          verify: [['node', '-e', "require('fs').writeFileSync('coverage/again.txt', '')"]],
        },
      ],
      { scratch: ['coverage/'], confinement: 'required' },
    );
    const run = await mission('run', plan);
    assert.equal(run.code, 3, run.stderr);
    // The first two went into a layer, which is gone.
    const told = JSON.parse(bed.read('docs/out/told.json')) as unknown;
    assert.deepEqual(told, ['README.md', 'evil.txt', 'EROFS', 'EROFS', 'EROFS']);
    const again = await mission('rerun-validation', 'held', 'T1', '--by', 'Grace', '--reason', 'not needed');
    assert.equal(again.code, 0, again.stdout + again.stderr);
    assert.equal(bed.read('README.md'), 'read me\n');
    assert.equal(bed.exists('evil.txt'), false);
    const [attempt, validated] = (bed.json('docs/ops/executions/held/TASK_T1.json') as unknown as { attempts: Shown[] })
      .attempts;
    assert.equal(attempt?.launches[0]?.confinement, 'task_sandbox');
    assert.equal(attempt.launches[0].sandbox.means, 'bubblewrap');
    assert.ok(
      attempt.launches[0].sandbox.argv.includes('<workspace>/docs/out'),
      attempt.launches[0].sandbox.argv.join(' '),
    );
    assert.equal(validated?.verify[0]?.confinement, 'task_sandbox');
    const scratch = validated.changes.filter((change) => change.scratch === true).map((change) => change.path);
    assert.deepEqual(scratch, ['coverage/again.txt', 'coverage/report.txt']);
    const verified = await mission('evidence', 'verify', 'held');
    assert.equal(verified.code, 0, verified.stdout);
    const status = await bed.spawn(process.execPath, [cliFile, 'status']).ended;
    assert.match(status.stdout, /confined by a sandbox around the approved paths of its task: T1/);
  });

  it('leaves no folder that stayed empty, where a verify command fails', async function () {
    const mission = confined(this);
    bed.write('src/x', '');
    const plan = bed.plan('edge', [
      {
        script: '',
        paths: ['fresh/deep/', 'top.txt'],
        verify: [['node', '-e', "require('fs').mkdirSync('src/.cache'); process.exit(1)"]],
      },
    ]);
    const run = await mission('run', plan);
    assert.equal(run.code, 3, run.stderr);
    assert.match(run.stdout, /Verification failed: node .* exited with 1\./);
    assert.equal(bed.exists('src/.cache'), false);
    assert.equal(bed.exists('fresh'), false);
  });

  it('is described by the doctor: what is missing, with the command that mends it, and how each CLI starts', async function () {
    const check = ({ json }: Ended, id: string): Ended['json']['checks'][number] | undefined =>
      json.checks.find((one) => one.id === id);
    const none = await without('doctor');
    assert.equal(check(none, 'sandbox')?.ok, false);
    assert.match(check(none, 'sandbox')?.fix ?? '', /^Install it: `.*bubblewrap.*`\.$/);
    const mission = confined(this);
    bed.write('../clis/good', '#!/bin/sh\necho 0.1.0\n');
    bed.write('../clis/bad', '#!/bin/sh\n: > "$0.written" || exit 3\necho 0.1.0\n');
    for (const name of ['good', 'bad']) chmodSync(bed.at(`../clis/${name}`), 0o755);
    const some = await mission(
      'doctor',
      '--cli',
      `gemini=${bed.at('../clis/good')}`,
      '--cli',
      `codex=${bed.at('../clis/bad')}`,
    );
    assert.equal(check(some, 'sandbox')?.ok, true, some.stdout);
    assert.equal(check(some, 'sandbox-gemini')?.ok, true, check(some, 'sandbox-gemini')?.detail);
    assert.equal(check(some, 'sandbox-codex')?.ok, false);
    assert.match(
      check(some, 'sandbox-codex')?.detail ?? '',
      /does not start in the sandbox: .*[Rr]ead-only file system/,
    );
  });
});

interface Shown {
  readonly launches: readonly {
    readonly confinement: string;
    readonly sandbox: { readonly means: string; readonly argv: readonly string[] };
  }[];
  readonly verify: readonly { readonly confinement: string }[];
  readonly denials: readonly { readonly path: string | null; readonly reason: string }[];
  readonly changes: readonly { readonly path: string; readonly scratch?: boolean }[];
}
