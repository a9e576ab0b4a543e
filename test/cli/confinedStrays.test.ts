import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { usersOfTier } from '../support/users';
import { until, type TaskOptions } from './cliBed';
import { ConfinedBed } from './confinedBed';

interface Shown {
  readonly path: string;
  readonly patch: string | null;
  readonly why_no_patch: string | null;
  readonly not_kept?: true;
}

for (const user of usersOfTier)
  describe(`what a task writes outside its paths, as ${user}`, function () {
    this.timeout(300_000);
    let bed: ConfinedBed;
    beforeEach(function () {
      bed = new ConfinedBed(this, user);
      bed.write('src/a.ts', 'a\n');
      bed.write('lib/old/x', 'x\n');
      bed.write('.gitignore', 'dist/\n*.log\n.mission-control/\n');
      bed.write('docs/out/.keep', '');
    });
    afterEach(() => bed.dispose());

    const shell = (script: string): { command: string[] } => ({ command: ['sh', '-ec', script] });
    const work = 'echo done > docs/out/done;';
    const run = async (id: string, task: TaskOptions, more: Record<string, unknown> = {}): Promise<number | null> => {
      const ended = await bed.mission('run', bed.plan(id, [task], more), '--confinement', 'required');
      return ended.code;
    };
    const strays = (id: string): unknown => bed.evidence(id, 'T1').attempts?.[0]?.launches[0]?.['strays'];

    it('blocks it with each path and its lines, and reaches nothing of the tree', async () => {
      const script = `${work} printf '1\\n2\\n' > src/other.ts; echo more >> src/a.ts; rm -r lib/old; mkdir -p src/日本; echo x > src/日本/x.ts`;
      assert.equal(await run('stray', shell(script)), 3);
      const view = await bed.view('stray');
      const [task] = view.tasks;
      assert.equal(task?.code, 'SCOPE_VIOLATION');
      assert.equal(
        task.reason,
        'T1 removed lib/old, and wrote src/a.ts (1 line), src/other.ts (2 lines) and src/日本/x.ts (1 line), outside its approved paths; not kept.',
      );
      assert.deepEqual(view.blocks[0]?.details, [
        'not kept: deleted folder lib/old',
        'not kept: modified file src/a.ts (1 line)',
        'not kept: added file src/other.ts (2 lines)',
        'not kept: added file src/日本/x.ts (1 line)',
      ]);
      assert.equal(bed.read('src/a.ts'), 'a\n');
      assert.equal(bed.read('lib/old/x'), 'x\n');
      assert.ok(!bed.exists('src/other.ts'));
      assert.equal(bed.read('docs/out/done'), 'done\n');
    });

    it('ends the mission where the plan says that a block does', async () => {
      assert.equal(await run('strict', shell(`${work} echo x > src/other.ts`), { on_block: 'fail' }), 1);
      const view = await bed.view('strict');
      assert.equal(view.status, 'failed');
      assert.match(JSON.stringify(view), /T1 wrote src\/other\.ts \(1 line\), outside its approved paths; not kept\./);
    });

    it('blocks until a person has the work validated without it', async () => {
      const verify = [['sh', '-c', 'test -f docs/out/done && test ! -e src/other.ts']];
      assert.equal(await run('again', { ...shell(`${work} echo x > src/other.ts`), verify }), 3);
      const decided = await bed.mission('rerun-validation', 'again', 'T1', '--by', 'Grace', '--reason', 'not needed');
      assert.equal(decided.code, 0, decided.stdout + decided.stderr);
      const { status, success_criteria } = await bed.view('again');
      assert.equal(status, 'completed');
      assert.deepEqual(
        success_criteria.find(({ criterion }) => criterion === 'no_scope_violation'),
        {
          criterion: 'no_scope_violation',
          result: 'met',
          detail:
            'No worker changed a file of the workspace outside its approved paths. A layer took what workers wrote there, and none of it was kept: src/other.ts of T1.',
        },
      );
    });

    it('is recorded where git ignores it, or a tool makes such a folder, and blocks nothing', async () => {
      const script = `${work} mkdir -p dist src/__pycache__ empty; echo o > dist/o; echo l > src/x.log; echo p > src/__pycache__/a.pyc; touch src/a.ts`;
      assert.equal(await run('ignored', shell(script)), 0);
      assert.deepEqual(strays('ignored'), {
        changes: [],
        more: 0,
        ignored: ['dist', 'dist/o', 'empty', 'src/__pycache__', 'src/__pycache__/a.pyc', 'src/x.log'],
        more_ignored: 0,
        trouble: null,
      });
      assert.ok(!bed.exists('dist'));
    });

    it('blocks where git tracks it, also in a folder of a tool or with the name that an editor leaves', async () => {
      const tracked = ['.cargo/config.toml', '.yarn/releases/yarn.cjs', 'src/a~'];
      for (const file of [...tracked, '.yarn/cache/x']) bed.write(file, 'before\n');
      bed.git('add', '--force', ...tracked);
      const script = `${work} for f in ${tracked.join(' ')} .yarn/cache/x src/b~; do echo after > $f; done; rm -r .cargo`;
      assert.equal(await run('tracked', shell(script)), 3);
      assert.deepEqual((await bed.view('tracked')).blocks[0]?.details, [
        'not kept: deleted folder .cargo',
        'not kept: modified file .yarn/releases/yarn.cjs (1 line)',
        'not kept: modified file src/a~ (1 line)',
      ]);
    });

    it('blocks where the repository of a submodule tracks it, also beside a link that is replaced', async () => {
      const inner = { cwd: bed.at('inner'), stdio: 'ignore' } as const;
      for (const file of ['.cargo/config.toml', 'a~']) bed.write(`inner/${file}`, 'before\n');
      const settings = ['-c', 'user.name=S', '-c', 'user.email=s@example.invalid'];
      for (const line of [['init'], ['add', '.'], ['commit', '-m', 'x']])
        execFileSync('git', [...settings, ...line], inner);
      bed.git('-c', 'protocol.file.allow=always', 'submodule', 'add', bed.at('inner'), 'vendor/lib');
      rmSync(bed.at('inner'), { recursive: true });
      bed.write('dist/a', '');
      symlinkSync('a.ts', bed.at('src/link.log'));
      const script = `${work} for f in .cargo/config.toml .cargo/other a~ b~; do echo after > vendor/lib/$f; done; ln -sf b.ts src/link.log; echo o > dist/a`;
      assert.equal(await run('module', shell(script)), 3);
      assert.deepEqual((await bed.view('module')).blocks[0]?.details, [
        'not kept: modified file vendor/lib/.cargo/config.toml (1 line)',
        'not kept: modified file vendor/lib/a~ (1 line)',
      ]);
    });

    it('blocks as a file where git would ignore only a folder of that name', async () => {
      assert.equal(await run('file', shell(`${work} echo x > dist`)), 3);
      assert.deepEqual((await bed.view('file')).blocks[0]?.details, ['not kept: added file dist (1 line)']);
    });

    it('is not there for verify commands, and what these write is not kept either', async () => {
      const verify = [['sh', '-c', 'test ! -e dist/built && mkdir dist && echo v > dist/v && echo v > src/v']];
      assert.equal(await run('verified', { ...shell(`${work} mkdir dist; echo b > dist/built`), verify }), 0);
      assert.ok(!bed.exists('dist') && !bed.exists('src/v'));
    });

    it('is a layer that the verify commands of one verification share, and that the next one has anew', async () => {
      const verify = [
        ['sh', '-ec', 'test ! -e dist && test ! -e src/v && mkdir dist && echo built > dist/v && echo v > src/v'],
        ['sh', '-ec', 'grep built dist/v && grep v src/v && echo more >> dist/v'],
        ['sh', '-ec', 'grep more dist/v && test -e docs/out/good'],
      ];
      assert.equal(await run('shared', { ...shell(work), verify }), 3);
      const { tasks } = await bed.view('shared');
      assert.match(tasks[0]?.reason ?? '', /docs\/out\/good exited with 1/);
      assert.ok(!bed.exists('dist') && !bed.exists('src/v'));
      bed.write('docs/out/good', '');
      const again = await bed.mission('rerun-validation', 'shared', 'T1', '--by', 'Grace', '--reason', 'mended');
      assert.equal(again.code, 0, again.stdout + again.stderr);
      assert.equal((await bed.view('shared')).status, 'completed');
    });

    it('blocks where a check changes a file that was there, because the next check does not judge what stays', async () => {
      const verify = [
        ['sh', '-ec', 'echo mended >> src/a.ts && mkdir made && echo v > made/v'],
        ['grep', 'mended', 'src/a.ts'],
      ];
      assert.equal(await run('mends', { ...shell(work), verify }), 3);
      const { blocks } = await bed.view('mends');
      assert.match(
        blocks[0]?.reason ?? '',
        /^The verify commands wrote src\/a\.ts \(1 line\), which is not kept\. So they did/,
      );
      assert.deepEqual(blocks[0]?.details.slice(1), ['not kept: modified file src/a.ts (1 line)']);
    });

    it('of another kind than before is shown as what it is', async () => {
      assert.equal(await run('kinds', shell(`${work} rm src/a.ts; mkdir src/a.ts; mkfifo src/f`)), 3);
      const { json } = await bed.mission('diff', 'kinds');
      const strays = (json.files as unknown as readonly Shown[]).filter(({ not_kept }) => not_kept);
      assert.deepEqual(
        strays.map(({ path: at, why_no_patch }) => [at, why_no_patch]),
        [
          ['src/a.ts', 'before: It was of another kind. now: A folder.'],
          ['src/f', 'now: A fifo.'],
        ],
      );
      assert.ok((await bed.view('kinds')).blocks[0]?.details.includes('not kept: src/a.ts, which became a folder'));
    });

    it('is shown by mission diff, before and after, as not kept', async () => {
      assert.equal(
        await run('shown', shell(`${work} printf '1\\n2\\n' > src/other.ts; echo more >> src/a.ts; rm lib/old/x`)),
        3,
      );
      const { json } = await bed.mission('diff', 'shown');
      const strays = (json.files as unknown as readonly Shown[]).filter(({ not_kept }) => not_kept);
      assert.deepEqual(
        strays.map(({ path: at }) => at),
        ['lib/old/x', 'src/a.ts', 'src/other.ts'],
      );
      assert.match(strays[1]?.patch ?? '', /^--- a\/src\/a\.ts[^]*\n a\n\+more\n/m);
      assert.match(strays[2]?.patch ?? '', /^--- \/dev\/null[^]*\+1\n\+2\n/m);
      assert.match(strays[0]?.patch ?? '', /\n-x\n/);
    });

    it('stands below the own failure of a worker that failed', async () => {
      assert.equal(await run('failed', shell('echo x > src/other.ts; echo no >&2; exit 4')), 3);
      const { tasks, blocks } = await bed.view('failed');
      const [task] = tasks;
      assert.match(task?.reason ?? '', /^The worker exited with 4\./);
      assert.deepEqual(blocks[0]?.details, ['no', 'not kept: added file src/other.ts (1 line)']);
    });

    it('is refused where no layer can lie, and status says why', async function () {
      bed.keepLayersAway(this);
      assert.equal(await run('away', shell('echo x > src/other.ts')), 3);
      const { confined } = (await bed.view('away')).tasks[0] ?? {};
      assert.match(
        confined ?? '',
        /is refused, and no layer takes it: .*mounted (?:is mounted in it|has another group)/,
      );
      assert.ok(!bed.exists('src/other.ts'));
      bed.write('src/日本/x.ts', '');
      for (const program of ['sh', 'bash']) {
        assert.equal(await run(program, { command: [program, '-c', "echo x > 'src/日本/x.ts'"] }), 3);
        const { details = [] } = (await bed.view(program)).blocks[0] ?? {};
        assert.match(details.join('\n'), /src\/日本\/x\.ts: Read-only file system\nIt may have met the edge/);
      }
    });

    const top = ['docs/out', 'package.json', 'README.md', 'new.txt', 'made', 'gone.txt'];
    const writesTop = `${work} echo v2 > .tmp && mv .tmp package.json; echo more >> README.md; chmod 755 README.md; echo n > new.txt; mkdir -p made/in; echo m > made/in/x; rm gone.txt;`;

    it('does not hold an approved file of the top, saved by rename or in place, new or removed', async () => {
      for (const name of ['package.json', 'gone.txt']) bed.write(name, 'v1\n');
      const readme = bed.read('README.md');
      const verify = [['sh', '-ec', 'grep v2 package.json && test -f made/in/x && test ! -e gone.txt']];
      assert.equal(await run('top', { ...shell(writesTop), verify, paths: top }), 0);
      assert.equal(bed.read('package.json'), 'v2\n');
      assert.equal(bed.read('README.md'), `${readme}more\n`);
      assert.equal(statSync(bed.at('README.md')).mode & 0o777, 0o755);
      assert.ok(bed.exists('made/in/x') && bed.exists('new.txt') && !bed.exists('gone.txt') && !bed.exists('.tmp'));
      assert.deepEqual(
        bed.evidence('top', 'T1').attempts?.[0]?.changes.map(({ path: at, attribution }) => `${at} ${attribution}`),
        ['README.md', 'docs/out/done', 'gone.txt', 'made/in/x', 'new.txt', 'package.json'].map((at) => `${at} worker`),
      );
    });

    it('is listed beside such a file, which stays', async () => {
      bed.write('package.json', 'v1\n');
      bed.write('lock.json', 'l1\n');
      const script = `${work} echo v2 > package.json; echo l2 > .tmp && mv .tmp lock.json`;
      assert.equal(await run('beside', { ...shell(script), paths: ['docs/out', 'package.json'] }), 3);
      const [task] = (await bed.view('beside')).tasks;
      assert.equal(task?.reason, 'T1 wrote lock.json (1 line), outside its approved paths; not kept.');
      assert.equal(bed.read('package.json'), 'v2\n');
      assert.equal(bed.read('lock.json'), 'l1\n');
    });

    it('accuses no worker of such files that a person saved meanwhile, and the next attempt starts from them', async () => {
      const names = ['own.log', 'package.json'];
      for (const name of names) bed.write(name, 'v1\n');
      const gate = bed.gateFile('go');
      const script = `${work} : > docs/out/waits; while [ ! -e '${gate}' ]; do sleep 0.05; done; for f in ${names.join(' ')}; do echo v2 >> $f; done`;
      const running = run('both', { ...shell(script), paths: ['docs/out', ...names] });
      await until(() => bed.exists('docs/out/waits'));
      for (const name of names) bed.write(name, 'of the person\n');
      writeFileSync(gate, '');
      assert.equal(await running, 3);
      const { tasks, blocks } = await bed.view('both');
      assert.equal(tasks[0]?.code, 'CONCURRENCY_CONFLICT');
      assert.match(
        tasks[0].reason,
        /^T1 wrote own\.log \(1 line\) and package\.json \(1 line\), which something else changed meanwhile\./,
      );
      for (const name of names) assert.equal(bed.read(name), 'of the person\n');
      const observed = (await bed.events('both')).findLast((event) => event.type === 'ChangesObserved')?.observed;
      assert.deepEqual(
        observed?.changes.map(({ path: at, attribution, by_others }) => [at, attribution, by_others]),
        [
          ['docs/out/done', 'worker', undefined],
          ['docs/out/waits', 'worker', undefined],
          ...names.map((name) => [name, 'external_change', true]),
        ],
      );
      const [way] = blocks[0]?.ways ?? [];
      assert.ok(way?.recommended && way.step.command === 'retry', JSON.stringify(way));
      const decided = await bed.mission('retry', 'both', 'T1', '--by', 'Grace', '--reason', 'saved');
      assert.equal(decided.code, 0, decided.stdout + decided.stderr);
      for (const name of names) assert.equal(bed.read(name), 'of the person\nv2\n');
      const { status, success_criteria } = await bed.view('both');
      assert.equal(status, 'completed');
      const scope = success_criteria.find(({ criterion }) => criterion === 'no_scope_violation');
      assert.deepEqual([scope?.result, scope?.detail.includes('layer')], ['met', false], scope?.detail);
      assert.equal((await bed.mission('evidence', 'verify', 'both')).code, 0);
    });

    const twice = (last: string) => async () => {
      const [first, second] = [bed.gateFile('first'), bed.gateFile('second')];
      const wait = (gate: string, name: string): string =>
        `: > docs/out/${name}; while [ ! -e '${gate}' ]; do sleep 0.05; done;`;
      const running = run('saves', shell(`${work} ${wait(first, 'one')} touch src/a.ts; ${wait(second, 'two')}`));
      for (const [name, gate] of [
        ['one', first],
        ['two', second],
      ] as const) {
        await until(() => bed.exists(`docs/out/${name}`));
        bed.write('src/a.ts', name === 'one' ? 'one\n' : last);
        writeFileSync(gate, '');
      }
      assert.equal(await running, 3);
      const { tasks, blocks } = await bed.view('saves');
      assert.equal(tasks[0]?.code, 'CONCURRENCY_CONFLICT');
      assert.match(tasks[0].reason, /^In the layer of T1 this differs .* who wrote it is not known, .*: src\/a\.ts \(/);
      const [way] = blocks[0]?.ways ?? [];
      assert.ok(way?.step.command === 'rerun-validation', JSON.stringify(way));
      const decided = await bed.mission('rerun-validation', 'saves', 'T1', '--by', 'Grace', '--reason', 'mine');
      assert.equal(decided.code, 0, decided.stdout + decided.stderr);
      assert.equal(bed.read('src/a.ts'), last);
      assert.equal((await bed.mission('evidence', 'verify', 'saves')).code, 0);
    };
    it('accuses no worker of a file that it only touched between two saves of a person', twice('two\n'));
    it('accuses no worker of one that a person changed and put back meanwhile', twice('a\n'));

    it('accuses no worker of an approved name that became a link, which a person makes and has validated', async () => {
      const verify = [['test', '-L', 'latest']];
      const task = { ...shell(`${work} ln -s docs/out latest`), paths: ['docs/out', 'latest'], verify };
      assert.equal(await run('linked', task), 3);
      const { tasks, blocks } = await bed.view('linked');
      assert.equal(tasks[0]?.code, 'LAYER_UNREAD');
      assert.match(tasks[0].reason, /into its layer: latest is a link, and only files and folders are put there\./);
      const [way] = blocks[0]?.ways ?? [];
      assert.ok(way?.recommended && way.step.command === 'rerun-validation', JSON.stringify(way));
      assert.match(way.does, /^Look what is missing in the workspace, and put it there yourself, first\./);
      symlinkSync('docs/out', bed.at('latest'));
      const decided = await bed.mission('rerun-validation', 'linked', 'T1', '--by', 'Grace', '--reason', 'made it');
      assert.equal(decided.code, 0, decided.stdout + decided.stderr);
      assert.equal((await bed.view('linked')).status, 'completed');
      assert.equal((await bed.mission('evidence', 'verify', 'linked')).code, 0);
    });

    it('is taken over by the owner where the supervisor was killed', async () => {
      bed.write('package.json', 'v1\n');
      const script = `${work} echo v2 > package.json; echo x > src/other.ts; : > docs/out/waits; sleep 600`;
      const running = run('lost', { ...shell(script), paths: ['docs/out', 'package.json'] });
      await until(() => bed.exists('docs/out/waits'));
      const [record = ''] = globSync(bed.at('.mission-control/missions/*/runs/1-T1/process.json'));
      const { supervisor } = JSON.parse(readFileSync(record, 'utf8')) as { supervisor: { pid: number } };
      process.kill(supervisor.pid, 'SIGKILL');
      assert.equal(await running, 3);
      const { tasks, blocks } = await bed.view('lost');
      assert.match(tasks[0]?.reason ?? '', /^The supervisor of the worker left no record of how it ended\./);
      assert.equal(bed.read('package.json'), 'v2\n');
      assert.deepEqual(blocks[0]?.details, ['not kept: added file src/other.ts (1 line)']);
      const { json } = await bed.mission('diff', 'lost');
      const shown = (json.files as unknown as readonly Shown[]).find(({ not_kept }) => not_kept);
      assert.match(shown?.patch ?? '', /^\+x$/m);
      const observed = (await bed.events('lost')).findLast((event) => event.type === 'ChangesObserved');
      assert.deepEqual(
        observed?.observed.changes.map(({ path: at, attribution }) => `${at} ${attribution}`),
        ['docs/out/done', 'docs/out/waits', 'package.json'].map((at) => `${at} worker`),
      );
      assert.deepEqual(
        globSync(path.join(bed.scratch, '.local/state/mission-control/workspaces/*/caches/launches/*')),
        [],
      );
    });

    it('is removed by mission clean where its launch ended without its supervisor, also while a mission is open', async () => {
      assert.equal(await run('left', shell(`${work} echo x > src/other.ts`)), 3);
      const [caches = ''] = globSync(path.join(bed.scratch, '.local/state/mission-control/workspaces/*/caches'));
      const left = `${caches}/launches/left`;
      mkdirSync(left, { recursive: true });
      symlinkSync(bed.at('.mission-control/gone'), `${left}/run`);
      writeFileSync(`${left}/big`, Buffer.alloc(3_000_000));
      const doctor = await bed.mission('doctor');
      assert.match(JSON.stringify(doctor.json), /Layers of this workspace hold [23]\.\d MB; mission clean lists it\./);
      await bed.mission('clean', '--yes');
      assert.ok(!existsSync(left));
    });

    it('is refused where it is sealed: git commits nothing, HOME stays, and the way out says what helps', async () => {
      const commit = 'git add src; git -c user.name=n -c user.email=e commit -qm sneaked';
      for (const [id, script] of [
        ['sealed', commit],
        ['home', 'echo x > "$HOME/left"'],
      ] as const) {
        bed.write('tools/do.sh', script);
        assert.equal(await run(id, shell(`echo ${id} > docs/out/${id}; . tools/do.sh`)), 3);
        const { blocks } = await bed.view(id);
        assert.match(
          blocks[0]?.details.join('\n') ?? '',
          /It may have met a place that its sandbox keeps read-only: \.git/,
        );
        const [way] = blocks[0]?.ways ?? [];
        assert.match(
          way?.does ?? '',
          /^Let it write below \$TMPDIR, and leave commits to yourself after the mission, first\./,
        );
        bed.write('tools/do.sh', 'echo x > "$TMPDIR/left"');
        const decided = await bed.mission('retry', id, 'T1', '--by', 'Grace', '--reason', 'left to me');
        assert.equal(decided.code, 0, decided.stdout + decided.stderr);
      }
      assert.doesNotMatch(bed.read('.git/logs/HEAD'), /\bsneaked\b/);
    });
  });
