import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CliBed, cliFile, decision, start, type Ended, type Printed } from './cliBed';

interface Standing {
  readonly path: string;
  readonly settled: { readonly how: string; readonly decision?: { readonly actor: { readonly name: string } } } | null;
}
type Evidence = Omit<Printed, 'attempts'> & {
  readonly outstanding: readonly Standing[];
  readonly attempts: readonly {
    readonly changes: readonly { readonly path: string; readonly after_sha256: string; readonly attribution: string }[];
    readonly verify_changes?: {
      readonly changes: readonly { readonly path: string; readonly blocks: string | null }[];
    };
  }[];
};
interface Criteria {
  readonly success_criteria: readonly {
    readonly criterion: string;
    readonly result: string;
    readonly accepted_by?: readonly string[];
    readonly detail: string;
  }[];
}

/** What the worker wrote runs as its own verify command, which the runner alone observes. */
describe('verify commands are observed', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const worker = (shell: string): string =>
    `${start}fs.writeFileSync('docs/out/a.txt', 'a'); fs.writeFileSync('docs/out/t.sh', ${JSON.stringify(shell)});`;
  const verify = [['bash', 'docs/out/t.sh']];
  const nextOf = (ended: Ended, command: string): readonly string[] =>
    (ended.json.missions[0] as unknown as { blocks: { next: string[] }[] }).blocks[0]!.next.find((step) =>
      step.startsWith(`mission ${command}`),
    )!.split(' ');
  const categoryOf = (ended: Ended): string | undefined =>
    ('mission' in ended.json ? ended.json.mission : ended.json).packets[0]?.category;
  const criterion = (id: string): Criteria['success_criteria'][number] =>
    (bed.json(`docs/ops/executions/${id}/EXECUTION_HEADER.json`) as unknown as Criteria).success_criteria.find(
      (entry) => entry.criterion === 'no_scope_violation',
    )!;
  const evidence = (id: string): Evidence => bed.json(`docs/ops/executions/${id}/TASK_T1.json`) as unknown as Evidence;

  it('a file out of scope and a git hook block, also after a retry, until they are gone or accepted', async () => {
    const plan = bed.plan('plants', [
      {
        script: worker(
          '[ -e docs/out/again ] && exit 0\necho hijacked >> README.md\nprintf "#!/bin/sh\\n" > .git/hooks/pre-commit\nchmod +x .git/hooks/pre-commit\n',
        ),
        verify,
      },
    ]);
    const run = await bed.mission('run', plan);
    assert.equal(run.code, 3, run.stdout);
    assert.deepEqual([categoryOf(run), run.json.code], ['verify_changed_files', 'NON_COMPLIANT']);
    const id = run.json.mission_id;
    const packet = run.json.packets[0]!;
    assert.equal((await bed.mission('check', 'recovery-packet', packet.path)).code, 0);
    for (const named of ['README.md', '.git/hooks/pre-commit', `mission accept ${id} T1`])
      assert.ok(bed.read(packet.path).includes(named), named);

    bed.write('docs/out/again', '');
    const retried = await bed.mission('retry', id, 'T1', ...decision);
    assert.equal(retried.code, 3, retried.stdout);
    assert.equal(categoryOf(retried), 'verify_changed_files');

    const unlisted = await bed.mission('accept', id, 'T1', 'docs/out/a.txt', ...decision);
    assert.deepEqual([unlisted.code, unlisted.json.code], [2, 'CHANGE_UNKNOWN']);
    assert.match(unlisted.json.reason, /README\.md/);

    bed.write('README.md', 'read me\n');
    const status = await bed.mission('status', id);
    const words = nextOf(status, 'accept');
    assert.deepEqual(words.slice(0, 4), ['mission', 'accept', id, 'T1']);
    const accepted = await bed.mission('accept', id, 'T1', '.git/hooks/pre-commit', '--by', 'Ann', '--reason', 'mine');
    assert.equal(accepted.code, 0, accepted.stdout);
    const again = await bed.mission('retry', id, 'T1', ...decision);
    assert.equal(again.code, 0, again.stdout);
    assert.equal(again.json.mission.status, 'completed');
    assert.deepEqual(
      evidence('plants').outstanding.map(({ path: at, settled }) => [
        at,
        settled?.how,
        settled?.decision?.actor.name ?? null,
      ]),
      [
        ['.git/hooks/pre-commit', 'accepted', 'Ann'],
        ['README.md', 'gone', null],
      ],
    );
    assert.match(bed.read('docs/ops/executions/plants/EXECUTION_SUMMARY.md'), /accepted by Ann.*mine/);
    assert.deepEqual([criterion('plants').result, criterion('plants').accepted_by], ['accepted', ['Ann']]);
    assert.match(criterion('plants').detail, /accepted by Ann: \.git\/hooks\/pre-commit, mine/);
    assert.equal((await bed.mission('evidence', 'verify', 'plants')).code, 0);
    assert.equal((await bed.mission('check', 'task-evidence', 'docs/ops/executions/plants/TASK_T1.json')).code, 0);
  });

  it('a person accepts bytes: other bytes at the same place block anew, before a worker is launched', async () => {
    const plan = bed.plan('bytes', [
      { script: worker('[ -e docs/out/again ] && exit 0\necho hijacked >> README.md\n'), verify },
    ]);
    const run = await bed.mission('run', plan);
    assert.equal(categoryOf(run), 'verify_changed_files', run.stdout);
    const id = run.json.mission_id;
    const ann = ['--by', 'Ann', '--reason', 'mine'];
    assert.equal((await bed.mission('accept', id, 'T1', 'README.md', ...ann)).code, 0);
    bed.write('docs/out/again', '');
    bed.write('README.md', 'something else\n');
    const retried = await bed.mission('retry', id, 'T1', ...decision);
    assert.equal(retried.code, 3, retried.stdout);
    assert.match(bed.read(retried.json.mission.packets[0]!.path), /README\.md: is no longer what Ann accepted/);
    assert.deepEqual(nextOf(await bed.mission('status', id), 'accept').slice(2, 5), [id, 'T1', 'README.md']);
    const shown = await bed.spawn(process.execPath, [cliFile, 'status', id]).ended;
    assert.match(shown.stdout, /Task T1 is blocked: Of what a person accepted, this has changed since: README\.md\./);
    assert.match(shown.stdout, /^ {6}- modified README\.md: is no longer what Ann accepted$/m);

    assert.equal((await bed.mission('accept', id, 'T1', 'README.md', ...ann)).code, 0);
    const again = await bed.mission('retry', id, 'T1', ...decision);
    assert.equal(again.code, 0, again.stdout);
    assert.equal(again.json.mission.status, 'completed');
    assert.deepEqual(
      evidence('bytes').outstanding.map(({ path: at, settled }) => [at, settled?.how]),
      [
        ['README.md', 'accepted'],
        ['README.md', 'accepted'],
      ],
    );
  });

  it('other bytes than the accepted ones block a validation and the next task as well', async () => {
    const waits = `if (fs.existsSync('docs/out/again')) { ${bed.waitAt('gate')} }`;
    const plan = bed.plan('next', [
      { script: `${worker('[ -e docs/out/again ] && exit 0\necho hijacked >> README.md\n')}${waits}`, verify },
      { script: `${start}fs.writeFileSync('docs/later/y', 'b');`, paths: ['docs/later/'] },
    ]);
    bed.write('docs/later/.keep', '');
    const run = await bed.mission('run', plan);
    const id = run.json.mission_id;
    const accept = (task: string): Promise<Ended> => bed.mission('accept', id, task, 'README.md', ...decision);
    const blocks = /README\.md: is no longer what Grace accepted/;
    assert.equal((await accept('T1')).code, 0);
    bed.write('README.md', 'something else\n');
    const rerun = await bed.mission('rerun-validation', id, 'T1', ...decision);
    assert.equal(rerun.code, 3, rerun.stdout);
    assert.match(bed.read(rerun.json.mission.packets[0]!.path), blocks);

    assert.equal((await accept('T1')).code, 0);
    bed.write('docs/out/again', '');
    const retried = bed.start('retry', id, 'T1', ...decision);
    await bed.waitsAt('gate');
    const paused = await bed.mission('pause', id, ...decision);
    assert.equal(paused.code, 0, paused.stdout);
    bed.open('gate');
    assert.equal((await retried.ended).json.mission.status, 'paused');
    bed.write('README.md', 'and something else again\n');
    const resumed = await bed.mission('resume', id, ...decision);
    assert.equal(resumed.code, 3, resumed.stdout);
    const [packet] = resumed.json.mission.packets;
    assert.equal(packet?.task_id, 'T2');
    assert.match(bed.read(packet.path), blocks);
    assert.equal((await accept('T2')).code, 0);
    const last = await bed.mission('retry', id, 'T2', ...decision);
    assert.equal(last.json.mission.status, 'completed', last.stdout);
  });

  it("a verify command that rewrites the worker's own result blocks", async () => {
    const plan = bed.plan('rewrites', [{ script: worker('echo b > docs/out/a.txt\n'), verify }]);
    const run = await bed.mission('run', plan);
    assert.equal(run.code, 3, run.stdout);
    assert.equal(categoryOf(run), 'verify_changed_files');
    const id = run.json.mission_id;
    const accepted = await bed.mission('accept', id, 'T1', 'docs/out/a.txt', ...decision);
    assert.equal(accepted.code, 0, accepted.stdout);
    const rerun = await bed.mission('rerun-validation', id, 'T1', ...decision);
    assert.equal(rerun.code, 0, rerun.stdout);
    const last = evidence('rewrites')
      .attempts.at(-1)!
      .changes.find((change) => change.path === 'docs/out/a.txt')!;
    assert.equal(last.after_sha256, '0263829989B6FD954F72BAAF2FC64BC2E2F01D692D4DE72986EA808F6E99813F');
  });

  it('a verify command that fails is looked at as well', async () => {
    const plan = bed.plan('failing', [{ script: worker('echo hijacked >> README.md\nexit 1\n'), verify }]);
    const run = await bed.mission('run', plan);
    assert.equal(categoryOf(run), 'verify_changed_files', run.stdout);
    assert.match(bed.read(run.json.packets[0]!.path), /t\.sh exited with 1/);
  });

  it('caches and other new files that git does not know are recorded and block nothing', async () => {
    writeFileSync(bed.at('.gitignore'), '.mission-control/\nscratch/\n');
    bed.write('scratch/known', 'before');
    bed.git('commit', '-qam', 'ignores');
    const plan = bed.plan('caches', [
      {
        script: worker('mkdir -p scratch\necho 1 > scratch/known\necho 2 > report.xml\necho 3 > docs/out/coverage\n'),
        verify,
      },
    ]);
    const run = await bed.mission('run', plan);
    assert.equal(run.code, 0, run.stdout);
    const found = evidence('caches').attempts[0]!.verify_changes!.changes.map(({ path: changed, blocks }) => [
      changed,
      blocks,
    ]);
    assert.deepEqual(found, [
      ['docs/out/coverage', null],
      ['report.xml', null],
      ['scratch/known', null],
    ]);
    assert.equal(criterion('caches').result, 'met');
  });

  it('hooks and configuration that git is led to block although git ignores or does not know them', async () => {
    for (const name of ['.husky/_/.gitignore', 'scratch/.gitignore']) bed.write(name, '*\n');
    bed.write('.husky/_/pre-commit', '#!/bin/sh\n');
    bed.write('scratch/more.config', '[a]\n\tb = c\n');
    bed.git('config', 'core.hooksPath', '.husky/_');
    bed.git('config', 'include.path', '../scratch/more.config');
    const shell = [
      'echo evil >> .husky/_/pre-commit',
      'echo evil > .husky/_/post-merge',
      'echo evil > .husky/post-merge',
      'git config -f scratch/more.config core.pager evil',
    ];
    const plan = bed.plan('led', [{ script: worker(`${shell.join('\n')}\n`), verify }]);
    const run = await bed.mission('run', plan);
    assert.equal(categoryOf(run), 'verify_changed_files', run.stdout);
    const packet = bed.read(run.json.packets[0]!.path);
    for (const named of ['.husky/_/pre-commit', '.husky/_/post-merge', '.husky/post-merge', 'scratch/more.config'])
      assert.ok(packet.includes(named), named);
  });

  it('a changed plan pauses the mission, and judges nothing before the approved one is back', async () => {
    const plan = bed.plan('itself', [{ script: worker('echo >> docs/plans/PLAN_itself.json\n'), verify }]);
    const approved = bed.read(plan);
    const run = await bed.mission('run', plan);
    assert.deepEqual([run.code, run.json.status, run.json.code], [3, 'paused', 'PLAN_HASH_MISMATCH'], run.stdout);
    assert.equal(bed.exists('docs/ops/executions/itself/TASK_T1.json'), false);
    bed.write(plan, approved);
    const resumed = await bed.mission('resume', run.json.mission_id, ...decision);
    assert.equal(resumed.json.mission.status, 'completed', resumed.stdout);
    assert.equal(criterion('itself').result, 'met');
  });

  it('paths of another task block, before it has run and after', async () => {
    const plan = bed.plan('others', [
      { script: worker('mkdir -p docs/later\necho 1 > docs/later/x\n'), verify },
      { script: `${start}fs.writeFileSync('docs/later/y', 'b');`, paths: ['docs/later/'] },
    ]);
    const run = await bed.mission('run', plan);
    assert.equal(categoryOf(run), 'verify_changed_files', run.stdout);
    assert.match(bed.read(run.json.packets[0]!.path), /docs\/later\/x.*task T2/);
  });

  it('a task whose baseline was destroyed completes only when a person accepts it', async () => {
    const plan = bed.plan('destroyed', [{ script: `${worker('true\n')}${bed.waitAt('gate')}`, verify }]);
    const running = bed.start('run', plan);
    await bed.waitsAt('gate');
    const id = await bed.missionId();
    // The owner that took it remembers it: only the next one has to read it.
    running.child.kill('SIGKILL');
    await running.ended;
    const state = path.join(bed.scratch, '.local/state');
    const kept = readdirSync(state, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('/manifests'));
    assert.equal(kept.length, 1);
    for (const name of kept) rmSync(path.join(state, name), { recursive: true });
    bed.open('gate');
    const resumed = await bed.mission('resume', id, ...decision);
    assert.equal(resumed.code, 3, resumed.stdout);
    assert.match(resumed.json.mission.reason, /could not be read/);
    const retried = await bed.mission('retry', id, 'T1', ...decision);
    assert.equal(retried.code, 3, retried.stdout);
    const accepted = await bed.mission('accept', id, 'T1', 'attempt:1', '--by', 'Ann', '--reason', 'looked myself');
    assert.equal(accepted.code, 0, accepted.stdout);
    const again = await bed.mission('retry', id, 'T1', ...decision);
    assert.equal(again.code, 0, again.stdout);
    assert.equal(criterion('destroyed').result, 'not_machine_checked');
    assert.doesNotMatch(again.json.mission.reason, /criteria hold/);
    assert.match(again.json.mission.reason, /no_scope_violation/);
  });
});
