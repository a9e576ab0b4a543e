import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
} from 'node:fs';
import path from 'node:path';
import { decision, start, until } from './cliBed';
import { usersOfTier } from '../support/users';
import { ConfinedBed } from './confinedBed';

/** Files that a task may write and that are hard links to files elsewhere, in whole missions. */
for (const user of usersOfTier) {
  describe(`a mission whose files are hard links to files outside, as ${user}`, function () {
    this.timeout(180_000);
    let bed: ConfinedBed;
    beforeEach(function () {
      bed = new ConfinedBed(this, user);
      bed.write('.gitignore', '.mission-control/\nnode_modules/\n');
    });
    afterEach(() => bed.dispose());

    /** A file in the store of this home, linked into the workspace. */
    function link(name: string, other: string): void {
      const [at, from] = [bed.at(name), path.resolve(bed.root, other)];
      for (const one of [at, from]) mkdirSync(path.dirname(one), { recursive: true });
      writeFileSync(from, 'shared\n');
      linkSync(from, at);
    }

    const textOf = (name: string): string => readFileSync(path.resolve(bed.root, name), 'utf8');

    const attack = (...names: readonly string[]): string =>
      `for (const name of ${JSON.stringify(names)}) try { fs.appendFileSync(name, 'x'); } catch {}`;

    it('worker and verify command change nothing outside, and evidence and status name what was read-only', async () => {
      link('docs/out/pkg/index.js', '../store/index.js');
      link('docs/out/inner.md', 'docs/inner.md');
      link('docs/out/both.md', 'docs/out/same.md');
      link('node_modules/p/index.js', '../store/p.js');
      const written = ['docs/out/pkg/index.js', 'docs/out/inner.md', 'docs/out/both.md', 'node_modules/p/index.js'];
      bed.write('tools/verify.mjs', `${start}${attack(...written.filter((name) => !name.endsWith('both.md')))}`);
      const verify = [['node', 'tools/verify.mjs']];
      const script = `${start}${attack(...written)}\nfs.writeFileSync('docs/out/done.txt', 'done');`;
      const plan = bed.plan('linked', [{ script, verify }], { scratch: ['node_modules/'] });
      const run = await bed.mission('run', plan, '--confinement', 'required');
      for (const name of ['../store/index.js', 'docs/inner.md', '../store/p.js'])
        assert.equal(textOf(name), 'shared\n', name);
      assert.match(textOf('docs/out/same.md'), /^shared\nx/, 'what lies inside is written');
      assert.equal(run.code, 0, run.stdout + run.stderr);

      const launches = bed.evidence('linked', 'T1').attempts?.[0]?.launches ?? [];
      assert.deepEqual(
        launches.map(({ sandbox }) => [...(sandbox?.held ?? [])].sort()),
        launches.map(() => ['docs/out/inner.md', 'docs/out/pkg/index.js', 'node_modules/p/index.js']),
      );
      const told = (await bed.view('linked')).tasks[0]?.confined ?? '';
      assert.match(told, /Read-only in it, because of hard links to files outside: .*docs\/out\/pkg\/index\.js/);
      assert.equal((await bed.mission('evidence', 'verify', 'linked')).code, 0);
    });

    it('one that appears meanwhile blocks its task, which is not credited with it, and a worker’s own do not', async () => {
      mkdirSync(bed.at('../store'));
      writeFileSync(bed.at('../store/late.js'), 'shared\n');
      const gate = bed.gateFile('go');
      const script = `${start}fs.writeFileSync('docs/out/one', '1'); fs.linkSync('docs/out/one', 'docs/out/two');
        while (!fs.existsSync(${JSON.stringify(gate)})) await new Promise((done) => setTimeout(done, 20));
        fs.appendFileSync('docs/out/late.js', 'x');`;
      const run = bed.start('run', bed.plan('late', [{ script }]), '--confinement', 'required');
      await until(async () => (existsSync(bed.at('docs/out/two')) ? true : undefined));
      linkSync(bed.at('../store/late.js'), bed.at('docs/out/late.js'));
      writeFileSync(gate, '');
      const { code, stdout } = await run.ended;
      assert.equal(code, 3, stdout);
      assert.equal(textOf('../store/late.js'), 'shared\nx');
      const observed = (await bed.events('late')).findLast((event) => event.type === 'ChangesObserved')?.observed;
      assert.deepEqual(
        observed?.changes.map(({ path: at, attribution }) => [at, attribution]),
        [
          ['docs/out/late.js', 'unattributed'],
          ['docs/out/one', 'worker'],
          ['docs/out/two', 'worker'],
        ],
      );
      assert.equal(
        (await bed.view('late')).tasks[0]?.reason,
        'docs/out/late.js is a hard link that another program made meanwhile: a write to it reached the other file too. A person decides what stays.',
      );
    });

    it('a command that fails at one reads why', async () => {
      link('docs/out/index.js', '../store/index.js');
      const plan = bed.plan('fails', [{ script: `${start}fs.appendFileSync('docs/out/index.js', 'x');` }]);
      const run = await bed.mission('run', plan);
      assert.notEqual(run.code, 0);
      assert.equal(textOf('../store/index.js'), 'shared\n');
      const packet = JSON.stringify((await bed.mission('status', 'fails')).json);
      assert.match(packet, /docs\/out\/index\.js, which its sandbox keeps read-only, because it is a hard link/);
    });

    it('too many to hold block the task in every mode but off, until they are copies', async () => {
      for (let n = 0; n < 301; n += 1) link(`docs/out/f${n}.js`, `../store/${n}.js`);
      const plan = bed.plan('many', [{ script: `${start}fs.appendFileSync('docs/out/f7.js', 'x');` }]);
      const run = await bed.mission('run', plan, '--confinement', 'preferred');
      assert.notEqual(run.code, 0, run.stdout + run.stderr);
      const { tasks, mission_id } = await bed.view('many');
      assert.equal(tasks[0]?.status, 'blocked');
      assert.match(tasks[0].reason, /^301 files that the launch may write are hard links .*`cp -a FOLDER COPY`/);
      assert.equal(textOf('../store/7.js'), 'shared\n');

      cpSync(bed.at('docs/out'), bed.at('copy'), { recursive: true });
      rmSync(bed.at('docs/out'), { recursive: true });
      renameSync(bed.at('copy'), bed.at('docs/out'));
      const again = await bed.mission('retry', mission_id, 'T1', ...decision);
      assert.equal(again.code, 0, again.stdout + again.stderr);
      assert.equal(textOf('docs/out/f7.js'), 'shared\nx');
      assert.equal(textOf('../store/7.js'), 'shared\n');
    });
  });
}

/** Symbolic links that a task makes in its own paths, in its sandbox. */
for (const user of usersOfTier)
  describe(`a link that leads out of the workspace, as ${user}`, function () {
    this.timeout(180_000);
    let bed: ConfinedBed;
    beforeEach(function () {
      bed = new ConfinedBed(this, user);
      bed.write('.gitignore', '.mission-control/\nvenv/\n');
    });
    afterEach(() => bed.dispose());

    for (const [id, layers] of Object.entries({ paths: {}, all: { layers: 'all' }, none: {} }))
      it(`to a program of the machine is the work of its task, as in a virtual environment; layers: ${id}`, async function () {
        if (id === 'none') bed.keepLayersAway(this);
        const venv = `import fs from 'node:fs'; for (const one of ['bin', 'lib']) fs.mkdirSync('.venv/' + one, { recursive: true });
        fs.symlinkSync('/usr/bin/env', '.venv/bin/python3'); fs.symlinkSync('python3', '.venv/bin/python'); fs.symlinkSync('lib', '.venv/lib64');`;
        const task = { script: venv, paths: ['.venv/'], verify: [['.venv/bin/python', 'true']] };
        const run = await bed.mission('run', bed.plan(id, [task], layers), '--confinement', 'required');
        assert.equal(run.code, 0, run.stdout + run.stderr);
        const changes = bed.evidence(id, 'T1').attempts?.[0]?.changes ?? [];
        const links = changes.filter(({ path: at }) => at.startsWith('.venv/bin/'));
        assert.deepEqual(links.map(({ path: at, attribution }) => [at, attribution]).sort(), [
          ['.venv/bin/python', 'worker'],
          ['.venv/bin/python3', 'worker'],
        ]);
        assert.match(JSON.stringify(links), /\/usr\/bin\/env/);
      });

    it('to a program elsewhere is as well, and to a folder or a text is not, whatever their names are', async () => {
      for (const [name, mode] of [
        ['bin/tool', 0o755],
        ['lib/notes.txt', 0o644],
      ] as const) {
        bed.write(`../beside/${name}`, 'x');
        chmodSync(bed.at(`../beside/${name}`), mode);
      }
      for (const [id, target, code] of [
        ['program', 'bin/tool', 0],
        ['folder', 'lib', 3],
        ['text', 'lib/notes.txt', 3],
      ] as const) {
        const script = `${start}fs.writeFileSync('docs/out/a', 'a'); fs.symlinkSync('../../../beside/${target}', 'docs/out/${id}');`;
        const run = await bed.mission('run', bed.plan(id, [{ script }]), '--confinement', 'required');
        assert.equal(run.code, code, `${id}: ${run.stdout}${run.stderr}`);
      }
    });

    it('blocks its task elsewhere, by its target, and a person accepts it', async () => {
      bed.write('../beside.txt', 'x');
      const script = `${start}fs.writeFileSync('docs/out/a', 'a'); fs.symlinkSync('../../../beside.txt', 'docs/out/link');`;
      const run = await bed.mission('run', bed.plan('beside', [{ script }]), '--confinement', 'required');
      assert.equal(run.code, 3, run.stdout + run.stderr);
      const { tasks, mission_id } = await bed.view('beside');
      assert.match(
        tasks[0]?.reason ?? '',
        /^docs\/out\/link leads out of the workspace\. The sandbox let nothing be written/,
      );
      const accepted = await bed.mission('accept', mission_id, 'T1', 'docs/out/link', ...decision);
      assert.equal(accepted.code, 0, accepted.stdout + accepted.stderr);
      const again = await bed.mission('rerun-validation', mission_id, 'T1', ...decision);
      assert.equal(again.json.mission.status, 'completed', again.stdout + again.stderr);
    });

    it('blocks its task as well where it leads to git, because the sandbox let nothing be written there', async () => {
      const script = `${start}fs.writeFileSync('docs/out/a', 'a'); fs.symlinkSync('../../.git', 'docs/out/link');`;
      const run = await bed.mission('run', bed.plan('togit', [{ script }]), '--confinement', 'required');
      assert.equal(run.code, 3, run.stdout + run.stderr);
      const { tasks } = await bed.view('togit');
      assert.match(tasks[0]?.reason ?? '', /^docs\/out\/link leads where no task may write\. The sandbox let nothing/);
    });

    it('that a person puts at an approved name at the top is not the worker’s, which lands files alone', async function () {
      bed.write('notes.md', 'mine\n');
      bed.write('other.md', 'other\n');
      const task = {
        script: `${start}fs.writeFileSync('docs/out/a', 'a');${bed.waitAt('go')}`,
        paths: ['docs/out/', 'notes.md'],
      };
      const running = bed.start('run', bed.plan('top', [task]), '--confinement', 'required');
      await bed.waitsAt('go');
      rmSync(bed.at('notes.md'));
      symlinkSync('other.md', bed.at('notes.md'));
      bed.open('go');
      await running.ended;
      const changes = bed.evidence('top', 'T1').attempts?.[0]?.changes ?? [];
      const by = new Map(changes.map((change) => [change.path, change.attribution]));
      assert.deepEqual([by.get('docs/out/a'), by.get('notes.md')], ['worker', 'external_change']);
    });

    it('is scratch in scratch, also where a verify command makes it', async () => {
      bed.write('tools/verify.mjs', `${start}fs.symlinkSync('/usr/bin/env', 'venv/two');`);
      const script = `${start}fs.writeFileSync('docs/out/a', 'a'); fs.mkdirSync('venv', { recursive: true }); fs.symlinkSync('/usr/bin/env', 'venv/one');`;
      const plan = bed.plan('scratch', [{ script, verify: [['node', 'tools/verify.mjs']] }], { scratch: ['venv/'] });
      const run = await bed.mission('run', plan, '--confinement', 'required');
      assert.equal(run.code, 0, run.stdout + run.stderr);
    });
  });
