import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { cliFile, decision, start, until, type TaskOptions } from './cliBed';
import { ConfinedBed } from './confinedBed';
import { gitIn } from './repository';

/**
 * What people and programs do beside a worker that its sandbox keeps from there: recorded, and no worker is accused.
 */
describe('others that write beside a confined worker', function () {
  this.timeout(180_000);
  let bed: ConfinedBed;
  beforeEach(function () {
    bed = new ConfinedBed(this);
  });
  afterEach(() => bed.dispose());

  /** Runs a mission whose only worker waits in docs/out while `meanwhile` happens. */
  async function runWith(meanwhile: () => unknown, task: object = {}, more: readonly TaskOptions[] = []) {
    bed.write('.gitignore', '.mission-control/\nlog/\n.venv/\n');
    bed.write('notes.md', 'mine\n');
    bed.write('log/dev.log', 'started\n');
    bed.git('add', '.gitignore', 'notes.md');
    bed.git('commit', '-qm', 'notes');
    bed.git('config', 'branch.main.remote', 'origin');
    const script = `${start}${bed.waitAt('gate')}\nfs.writeFileSync('docs/out/a', 'work');`;
    const plan = bed.plan('others', [{ script, ...task }, ...more]);
    const { ended } = bed.start('run', plan, '--confinement', 'required');
    await bed.waitsAt('gate');
    await meanwhile();
    bed.open('gate');
    return ended;
  }

  it('completes, and reports once how many changes others made', async () => {
    const run = await runWith(async () => {
      appendFileSync(bed.at('notes.md'), 'more\n');
      appendFileSync(bed.at('log/dev.log'), 'line\n');
      bed.write('new.txt', 'new');
      bed.write('.a.swp', 'b0VIM');
      bed.write('.idea/workspace.xml', '<x/>');
      bed.write('.DS_Store', 'x');
      bed.write('.venv/lib/__pycache__/m.pyc', 'x');
      bed.git('tag', 'v1');
      bed.git('add', 'notes.md');
      bed.git('config', 'branch.main.description', 'mine');
      // As an editor that writes the whole file anew and loses the remote of a branch.
      bed.git('config', '--unset', 'branch.main.remote');
      bed.git('branch', 'other');
      const drafted = await bed.mission('plan', 'new', 'another');
      assert.equal(drafted.code, 0, drafted.stdout + drafted.stderr);
    });
    assert.equal(run.code, 0, run.stdout + run.stderr);
    const changes = bed.evidence('others', 'T1').attempts?.at(-1)?.changes ?? [];
    const by = (attribution: string) =>
      changes.filter((one) => one.attribution === attribution).map(({ path }) => path);
    for (const name of ['notes.md', 'new.txt', '.a.swp', '.idea/workspace.xml', '.DS_Store', 'log/dev.log'])
      assert.ok(by('external_change').includes(name), `${name} in ${by('external_change').join(', ')}`);
    for (const name of ['.git/refs/tags/v1', '.git/refs/heads/other', '.git/config'])
      assert.ok(by('external_change').includes(name), `${name} in ${by('external_change').join(', ')}`);
    assert.ok(
      by('external_change').some((name) => name.startsWith('docs/plans/')),
      'the draft',
    );
    assert.deepEqual(by('worker').sort(), ['docs/out/a', 'docs/out/waits-at-gate']);
    assert.ok(changes.every(({ attribution, by_others }) => attribution === 'worker' || by_others === true));
    assert.deepEqual(
      changes.filter(({ violation }) => violation !== null),
      [],
    );
    const summary = bed.read('docs/ops/executions/others/EXECUTION_SUMMARY.md');
    assert.match(summary, new RegExp(`${by('external_change').length} changes by others`));
    const status = await bed.mission('status', 'others');
    assert.match(status.stdout, /changes by others/);
    const printed = await bed.spawn(process.execPath, [cliFile, 'status', 'others']).ended;
    assert.deepEqual(printed.stdout.match(/\d+ changes? by others/g), [
      `${by('external_change').length} changes by others`,
    ]);
    const verified = await bed.mission('evidence', 'verify', 'others');
    assert.equal(verified.code, 0, verified.stdout);
  });

  it('blocks where a later task or a verify command relies on it, and a person accepts it by name', async () => {
    bed.write('tools/check.mjs', '');
    mkdirSync(bed.at('later'));
    const run = await runWith(
      () => {
        bed.write('later/input.txt', 'by a person');
        bed.write('tools/check.mjs', '// changed');
        bed.write('elsewhere.txt', 'by a person');
      },
      { verify: [['node', 'tools/check.mjs']] },
      [{ paths: ['later/'], script: `import fs from 'node:fs'; fs.writeFileSync('later/b', 'x');` }],
    );
    assert.equal(run.code, 3, run.stdout + run.stderr);
    const status = await bed.mission('status', 'others');
    assert.match(status.stdout, /later\/input\.txt/);
    assert.match(status.stdout, /tools\/check\.mjs/);
    assert.doesNotMatch(status.stdout, /The worker changed/);
    assert.match(status.stdout, /its sandbox kept/);
    assert.match(status.stdout, /external_change/);
    const accept = [
      'accept',
      'others',
      'T1',
      'later/input.txt',
      'tools/check.mjs',
      '--by',
      'Grace',
      '--reason',
      'mine',
    ];
    const accepted = await bed.mission(...accept);
    assert.equal(accepted.code, 0, accepted.stdout + accepted.stderr);
    const retried = await bed.mission('retry', 'others', 'T1', '--by', 'Grace', '--reason', 'accepted');
    assert.equal(retried.code, 0, retried.stdout + retried.stderr);
    const changes = bed.evidence('others', 'T1').attempts?.[0]?.changes ?? [];
    assert.deepEqual(changes.flatMap(({ path, relied_on }) => (relied_on === undefined ? [] : [path])).sort(), [
      'later/input.txt',
      'tools/check.mjs',
    ]);
    assert.equal((await bed.mission('evidence', 'verify', 'others')).code, 0);
  });

  for (const linked of [false, true]) {
    it(`completes whatever is done in other worktrees and with git${linked ? ', in a worktree of its own' : ''}`, async () => {
      const git = (folder: string, ...args: readonly string[]): string => gitIn(folder, bed.scratch, args);
      const sibling = path.join(bed.scratch, `sibling-${linked}`);
      const main = path.join(bed.scratch, 'main');
      if (linked) {
        renameSync(bed.root, main);
        git(main, 'worktree', 'add', '-q', '-b', 'here', bed.root);
      }
      const top = linked ? main : bed.root;
      git(top, 'worktree', 'add', '-q', '-b', `sibling-${linked}`, sibling);
      bed.write('docs/out/kept', '');
      const run = await runWith(() => {
        git(sibling, 'commit', '-q', '--allow-empty', '-m', 'x');
        appendFileSync(path.join(sibling, 'README.md'), 'x');
        git(sibling, 'stash');
        git(sibling, 'bisect', 'start');
        git(sibling, 'fetch', '-q', '.', 'HEAD:fetched');
        git(top, 'remote', 'add', 'other', 'https://example.invalid/x.git');
        bed.git('commit', '-q', '--allow-empty', '-m', 'by a person');
      });
      assert.equal(run.code, 0, run.stdout + run.stderr);
      const changes = bed.evidence('others', 'T1').attempts?.at(-1)?.changes ?? [];
      const facts = changes.filter(({ kind }) => kind === 'git');
      assert.ok(
        facts.some(({ path: fact }) => fact.includes('refs/stash')),
        JSON.stringify(facts),
      );
      assert.deepEqual([...new Set(facts.map(({ attribution }) => attribution))], ['external_change']);
    });
  }

  it('completes where others write while a verify command runs', async () => {
    const verify = `while (!require('fs').existsSync(${JSON.stringify(bed.gateFile('later'))}));`;
    bed.write('notes.md', 'mine');
    bed.git('add', 'notes.md');
    bed.git('commit', '-qm', 'notes');
    const plan = bed.plan('others', [
      { script: `${start}fs.writeFileSync('docs/out/a', '');`, verify: [['node', '-e', verify]] },
    ]);
    const { ended } = bed.start('run', plan, '--confinement', 'required');
    await bed.missionId();
    await until(async () => (await bed.events('others')).some((event) => event.type === 'ChangesObserved'));
    appendFileSync(bed.at('notes.md'), 'more');
    bed.write('new.txt', 'mine');
    bed.write('new/inner/a.txt', 'mine');
    bed.open('later');
    const run = await ended;
    assert.equal(run.code, 0, run.stdout + run.stderr);
    const told = bed.evidence('others', 'T1').attempts?.[0]?.verify_changes?.changes ?? [];
    assert.deepEqual(
      told.map(({ path: changed, attribution, blocks, by_others }) => [changed, attribution, blocks, by_others]),
      [
        ['new.txt', 'external_change', null, true],
        ['new/inner/a.txt', 'external_change', null, true],
        ['notes.md', 'external_change', null, true],
      ],
    );
    assert.equal((await bed.mission('evidence', 'verify', 'others')).code, 0);
  });

  it('blocks for what the worker wrote beside its one file, in the paths of another task too, and doubts nothing', async () => {
    bed.write('single.txt', 'x');
    bed.write('beside.txt', 'x');
    const others: readonly TaskOptions[] = [{ task_id: 'T2', paths: ['beside.txt', 'new.txt'], script: '' }];
    for (const [name, beside, more] of [
      ['alone', 'other.txt', []],
      ['held', 'beside.txt', others],
      ['let', 'new.txt', others],
    ] as const) {
      const script = `import fs from 'node:fs'; fs.writeFileSync('single.txt', '${name}'); fs.writeFileSync('${beside}', 'y');`;
      const plan = bed.plan(name, [{ script, paths: ['single.txt'] }, ...more]);
      const run = await bed.mission('run', plan, '--confinement', 'required');
      assert.equal(run.json.code, 'SCOPE_VIOLATION', run.stdout);
      assert.equal(run.json.reason, `T1 wrote ${beside} (1 line), outside its approved paths; not kept.`);
      await bed.mission('cancel', run.json.mission_id, ...decision);
      const { changes = [] } = bed.evidence(name, 'T1').attempts?.[0] ?? {};
      assert.deepEqual(
        changes.map(({ path: changed, doubt }) => [changed, doubt]),
        [['single.txt', undefined]],
      );
      assert.equal(bed.read('single.txt'), name);
    }
    assert.equal(bed.read('beside.txt'), 'x');
    for (const name of ['other.txt', 'new.txt']) assert.equal(existsSync(bed.at(name)), false, name);
  });

  it('completes where an editor leaves files beside the one file of a task, in the paths of a later one', async () => {
    for (const name of ['single/a.txt', 'single/b.txt']) bed.write(name, 'x');
    bed.git('add', '.');
    bed.git('commit', '-qm', 'files');
    const later: TaskOptions = {
      ...{ task_id: 'T2', depends_on: ['T1'], paths: ['single/'] },
      script: `import fs from 'node:fs'; fs.writeFileSync('single/later.txt', 'x');`,
    };
    const left = ['single/.b.txt.swp', 'single/.DS_Store', 'single/b.txt~'];
    const run = await runWith(
      () => left.forEach((name) => bed.write(name, 'by an editor')),
      { paths: ['docs/out/', 'single/a.txt'] },
      [later],
    );
    assert.equal(run.code, 0, run.stdout + run.stderr);
    const changes = bed.evidence('others', 'T1').attempts?.[0]?.changes ?? [];
    for (const name of left) {
      const found = changes.find(({ path: changed }) => changed === name);
      assert.deepEqual(
        [found?.attribution, found?.violation, found?.doubt],
        ['external_change', null, undefined],
        name,
      );
    }
    assert.equal((await bed.mission('evidence', 'verify', 'others')).code, 0);
  });

  it('completes where a person installs a hook and gives git programs', async () => {
    const run = await runWith(() => {
      bed.write('.git/hooks/pre-commit', '#!/bin/sh\n');
      bed.git('config', 'core.hooksPath', '.husky/_');
      bed.git('config', 'alias.x', '!true');
    });
    assert.equal(run.code, 0, run.stdout + run.stderr);
    const changes = bed.evidence('others', 'T1').attempts?.[0]?.changes ?? [];
    for (const name of ['.git/hooks/pre-commit', '.git/config starts programs']) {
      const found = changes.find(({ path: changed }) => changed === name);
      assert.deepEqual([found?.attribution, found?.by_others], ['external_change', true], name);
    }
  });

  it('accuses the worker of a hook that it writes where git is led to', async () => {
    bed.write('docs/out/hooks/pre-commit', '#!/bin/sh\n');
    rmSync(bed.at('.git/hooks'), { recursive: true, force: true });
    symlinkSync('../docs/out/hooks', bed.at('.git/hooks'));
    const script = `import fs from 'node:fs'; fs.writeFileSync('docs/out/hooks/pre-commit', '#!/bin/sh\\nrm -rf x');`;
    const run = await bed.mission('run', bed.plan('hooked', [{ script }]), '--confinement', 'required');
    assert.equal(run.json.code, 'SCOPE_VIOLATION', run.stdout);
    const changes = bed.evidence('hooked', 'T1').attempts?.[0]?.changes ?? [];
    assert.deepEqual(
      changes.flatMap(({ path, violation }) => (violation === null ? [] : [path])),
      ['.git/hooks/pre-commit'],
    );
  });
});
