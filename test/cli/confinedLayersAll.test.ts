import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { chmodSync, chownSync, cpSync, lstatSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import { tear } from '../support/tear';
import { usersOfTier } from '../support/users';
import { decision, until, type TaskOptions } from './cliBed';
import { ConfinedBed } from './confinedBed';

/** A plan with `layers: "all"`: the approved folders are in the layer as well. */
for (const user of usersOfTier)
  describe(`approved folders in a layer, as ${user}`, function () {
    this.timeout(300_000);
    let bed: ConfinedBed;
    beforeEach(function () {
      bed = new ConfinedBed(this, user);
      bed.write('.gitignore', '.mission-control/\nready/\n');
      for (const name of ['dist/old', 'dist/deep/older', 'lib1/a', 'lib1/b', 'lib1/shut/x', 'lib2/b'])
        bed.write(name, 'x\n');
    });
    afterEach(() => bed.dispose());

    const all = { layers: 'all', scratch: ['ready/'], confinement: 'required' };
    const task = (script: string, paths: readonly string[], verify: readonly string[] = []): TaskOptions => ({
      command: ['node', '-e', script],
      paths,
      verify: verify.map((one) => ['node', '-e', one]),
    });
    const waits = (there = 'there', gate = 'go'): string =>
      `require('fs').writeFileSync('ready/${there}', ''); while (!require('fs').existsSync(${JSON.stringify(
        bed.gateFile(gate),
      )})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);`;
    interface Shown {
      readonly files: readonly { readonly path: string; readonly patch: string | null }[];
      readonly notes: readonly string[];
    }
    const seen = (...names: string[]): readonly boolean[] => names.map((name) => bed.exists(name));
    const changesOf = async (id: string): Promise<ReadonlyMap<string, { by: string; sha256: string | null }>> => {
      const observed = (await bed.events(id)).findLast((event) => event.type === 'ChangesObserved')?.observed;
      return new Map(observed?.changes.map((one) => [one.path, { by: one.attribution, sha256: one.after_sha256 }]));
    };
    const blocked = async (id: string): Promise<string> => {
      const { tasks, blocks } = await bed.view(id);
      return [tasks[0]?.reason, ...(blocks[0]?.details ?? [])].join('\n');
    };

    it('can be removed and made anew, and nothing of it is seen before it is verified', async () => {
      const script = `
        fs.rmSync('dist', { recursive: true });
        fs.mkdirSync('dist/fresh/er', { recursive: true });
        fs.writeFileSync('dist/fresh/er/new', 'new');
        fs.renameSync('lib1/a', 'lib2/a');
        fs.writeFileSync('lib2/b', 'changed');
        fs.chmodSync('lib2/b', 0o755);
        fs.symlinkSync('b', 'lib1/link');
        fs.rmSync('lib1/shut', { recursive: true });
        fs.writeFileSync('stray.log', 'not kept');
        fs.writeFileSync('lib2/closed', 'c', { mode: 0 });
        ${waits()}
        if ((fs.statSync('lib2/closed').mode & 0o777) !== 0) process.exit(1);
        fs.rmSync('lib2/closed')`;
      // It sees what lands and nothing else, and what it writes itself stays away.
      const verify = `
        const is = (name) => require('fs').existsSync(name);
        const all = ['dist/fresh/er/new', 'lib2/a', 'lib1/link'].every(is) && !['dist/old', 'lib1/a', 'lib1/shut', 'stray.log'].some(is);
        require('fs').writeFileSync('lib1/verified.log', '');
        ${waits('verify', 'verified')}
        process.exit(all ? 0 : 1)`;
      bed.write('.gitignore', '.mission-control/\nready/\n*.log\n');
      const again = "process.exit(require('fs').existsSync('lib1/verified.log') ? 0 : 1)";
      const ran = bed.start('run', bed.plan('anew', [task(script, ['dist/', 'lib1', 'lib2'], [verify, again])], all));
      await until(() => bed.exists('ready/there'));
      const names = ['dist/old', 'lib1/a', 'lib1/shut/x', 'lib2/a', 'dist/fresh'];
      assert.deepEqual(seen(...names), [true, true, true, false, false]);
      const { files, notes } = JSON.parse((await bed.mission('diff', 'anew')).stdout) as Shown;
      assert.deepEqual(notes, []);
      const patches = new Map(files.map((file) => [file.path, file.patch ?? '']));
      assert.deepEqual([...patches.keys()].sort(), [
        ...['dist/deep/older', 'dist/fresh/er/new', 'dist/old', 'lib1/a', 'lib1/link', 'lib1/shut/x', 'lib2/a'],
        ...['lib2/b', 'lib2/closed'],
      ]);
      for (const [name, line] of [
        ['dist/fresh/er/new', '+new'],
        ['dist/old', '-x'],
        ['lib2/b', '+changed'],
      ] as const)
        assert.ok(patches.get(name)?.split('\n').includes(line), `${name}: ${patches.get(name)}`);
      bed.open('go');
      await until(() => bed.exists('ready/verify'));
      assert.deepEqual(seen(...names), [true, true, true, false, false]);
      bed.open('verified');
      const ended = await ran.ended;
      assert.equal(ended.code, 0, ended.stdout);
      const now = ['dist/old', 'dist/deep', 'lib1/a', 'lib1/shut', 'lib2/a', 'dist/fresh/er/new', 'lib1/verified.log'];
      assert.deepEqual(seen(...now), [false, false, false, false, true, true, false]);
      assert.deepEqual([bed.read('lib2/b'), lstatSync(bed.at('lib2/b')).mode & 0o777], ['changed', 0o755]);
      assert.ok(lstatSync(bed.at('lib1/link')).isSymbolicLink());
      const by = await changesOf('anew');
      for (const name of ['dist/old', 'lib1/a', 'lib2/a', 'lib2/b', 'dist/fresh/er/new', 'lib1/link', 'lib1/shut/x'])
        assert.equal(by.get(name)?.by, 'worker', name);
      for (const name of ['lib2/a', 'lib2/b', 'dist/fresh/er/new'])
        assert.equal(
          by.get(name)?.sha256?.toLowerCase(),
          createHash('sha256').update(bed.read(name)).digest('hex'),
          name,
        );
      assert.equal((await bed.mission('evidence', 'verify', 'anew')).code, 0);
      const types = (await bed.events('anew')).map(({ type }) => type);
      const order = ['VerifyObserved', 'LandingRequested', 'WorkLanded', 'AttemptEnded'] as const;
      assert.deepEqual(
        types.filter((type) => order.some((one) => one === type)),
        order,
      );
    });

    // Root has no user namespace.
    const plainly = user === 'nobody' ? it : () => undefined;
    plainly('are the real folders where a file of another group lies in them, and the launch says why', async () => {
      bed.write('lib1/1/2/3/y', 'y\n');
      for (const name of ['lib1/a', 'lib1/1/2/3']) chownSync(bed.at(name), 65534, 0);
      chmodSync(bed.at('lib1/a'), 0o664);
      const script = "fs.appendFileSync('lib1/a', 'more'); fs.writeFileSync('lib1/1/2/3/n', 'n');";
      const ended = await bed.mission('run', bed.plan('groups', [task(script, ['lib1'])], all));
      assert.equal(ended.code, 0, ended.stdout);
      assert.deepEqual([bed.read('lib1/a'), bed.exists('lib1/1/2/3/n')], ['x\nmore', true]);
      const { confined } = (await bed.view('groups')).tasks[0] ?? {};
      assert.match(
        confined ?? '',
        /is refused, and no layer takes it: .*lib1\/(?:a|1\/2\/3) has another owner or group than you/,
      );
    });

    it('hold no result that only a check wrote: it blocks, also where git ignores the path that the plan names', async () => {
      bed.write('.gitignore', '.mission-control/\nready/\nbuilt/\n*.tmp\n');
      const script = "fs.writeFileSync('lib1/a', 'worker')";
      const checks = [
        "fs.mkdirSync('built', { recursive: true }); fs.writeFileSync('built/app', 'x'); fs.writeFileSync('lib1/own', 'x'); fs.writeFileSync('lib1/y.tmp', 'x')",
        "process.exit(fs.existsSync('built/app') && fs.existsSync('lib1/own') ? 0 : 1)",
      ];
      const ended = await bed.mission('run', bed.plan('builds', [task(script, ['built/', 'lib1'], checks)], all));
      assert.equal(ended.code, 3, ended.stdout);
      const said = await blocked('builds');
      assert.match(said, /verify commands wrote built\/app \(1 line\) and lib1\/own \(1 line\), which is not kept/);
      assert.match(said, /Nothing of its work is in the workspace/);
      assert.doesNotMatch(said, /y\.tmp/);
      assert.deepEqual([bed.read('lib1/a'), bed.exists('built/app')], ['x\n', false]);
      assert.equal((await bed.mission('cancel', 'builds', ...decision)).code, 0);
      // What is scratch is real, and the first sentence of the block says so.
      const scratch = { ...all, scratch: ['ready/', 'built/'] };
      const own = checks.map((check) => check.replaceAll('lib1/own', 'built/own'));
      const kept = await bed.mission('run', bed.plan('kept', [task(script, ['lib1'], own)], scratch));
      assert.equal(kept.code, 0, kept.stdout);
      assert.deepEqual([bed.read('lib1/a'), bed.read('built/app')], ['worker', 'x']);
    });

    it('keep what a person saves meanwhile, the block accuses no worker, and nothing of the work is there', async () => {
      const script = `
        fs.writeFileSync('lib1/a', 'worker'); fs.writeFileSync('lib1/b', 'worker'); fs.rmSync('lib1/shut', { recursive: true });
        ${waits()}`;
      const ran = bed.start('run', bed.plan('meanwhile', [task(script, ['lib1'])], all));
      await until(() => bed.exists('ready/there'));
      bed.write('lib1/a', 'person');
      bed.write('lib1/shut/mine', 'person');
      bed.open('go');
      const ended = await ran.ended;
      assert.equal(ended.code, 3, ended.stdout);
      assert.match(
        await blocked('meanwhile'),
        /T1 wrote lib1\/a .*and removed lib1\/shut.*, which something else changed meanwhile/,
      );
      assert.deepEqual(
        [bed.read('lib1/a'), bed.read('lib1/b'), bed.read('lib1/shut/mine'), bed.exists('lib1/shut/x')],
        ['person', 'x\n', 'person', true],
      );
      const again = await bed.mission('retry', 'meanwhile', 'T1', ...decision);
      assert.equal(again.code, 0, again.stdout);
      assert.deepEqual([bed.read('lib1/a'), bed.exists('lib1/shut')], ['worker', false]);
    });

    it('land what their worker closed with the modes that it gave', async () => {
      const script = `
        fs.mkdirSync('lib2/ro'); fs.writeFileSync('lib2/ro/x', 'x'); fs.chmodSync('lib2/ro/x', 0o444); fs.chmodSync('lib2/ro', 0o555);
        fs.writeFileSync('lib2/shut', 'x'); fs.chmodSync('lib2/shut', 0); fs.writeFileSync('lib2/in', 'x'); fs.chmodSync('lib2/in', 0o200);`;
      const ran = await bed.mission('run', bed.plan('closed', [task(script, ['lib2'], [''])], all));
      assert.equal(ran.code, 0, ran.stdout);
      const modes = ['ro', 'ro/x', 'shut', 'in'].map((name) => lstatSync(bed.at(`lib2/${name}`)).mode & 0o777);
      assert.deepEqual(modes, [0o555, 0o444, 0, 0o200]);
    });

    it('bring back no file and no folder that a person removes or renames meanwhile', async () => {
      const script = `
        fs.appendFileSync('lib1/a', 'worker'); fs.appendFileSync('lib1/shut/x', 'worker'); fs.writeFileSync('lib2/new', '');
        ${waits()}`;
      const ran = bed.start('run', bed.plan('gone', [task(script, ['lib1', 'lib2'], [''])], all));
      await until(() => bed.exists('ready/there'));
      rmSync(bed.at('lib1/a'));
      renameSync(bed.at('lib1/shut'), bed.at('lib1/moved'));
      bed.open('go');
      const ended = await ran.ended;
      assert.equal(ended.code, 3, ended.stdout);
      assert.match(await blocked('gone'), /Something else changed lib1\/a and lib1\/shut meanwhile/);
      assert.deepEqual(seen('lib1/a', 'lib1/shut', 'lib1/moved/x', 'lib2/new'), [false, false, true, false]);
    });

    it('lend no name of a file to which a person makes an approved path a link meanwhile', async () => {
      for (const name of ['notes.md', 'dist/x']) bed.write(name, 'x\n');
      const script = `${waits()} fs.appendFileSync('notes.md', 'worker\\n'); fs.appendFileSync('lib1/shut/x', 'worker\\n');`;
      const ran = bed.start('run', bed.plan('lent', [task(script, ['lib1', 'notes.md'])], all));
      await until(() => bed.exists('ready/there'));
      for (const name of ['notes.md', 'lib1/shut']) rmSync(bed.at(name), { recursive: true });
      symlinkSync('lib2/b', bed.at('notes.md'));
      symlinkSync('../dist', bed.at('lib1/shut'));
      bed.open('go');
      const ended = await ran.ended;
      assert.equal(ended.code, 3, ended.stdout);
      const { tasks } = await bed.view('lent');
      assert.equal(tasks[0]?.code, 'CONCURRENCY_CONFLICT', tasks[0]?.reason);
      assert.match(tasks[0].reason, /^T1 wrote lib1\/shut\/x \(1 line\) and notes\.md \(1 line\), where a link leads/);
      assert.deepEqual([bed.read('lib2/b'), bed.read('dist/x')], ['x\n', 'x\n']);
    });

    it('show by fact whose a change is: what a person saves there is never the worker’s', async () => {
      const script = `fs.writeFileSync('lib1/a', 'worker'); ${waits()}`;
      const ran = bed.start('run', bed.plan('whose', [task(script, ['lib1'], [''])], all));
      await until(() => bed.exists('ready/there'));
      bed.write('lib1/b', 'person');
      bed.write('lib1/mine', 'person');
      bed.open('go');
      const ended = await ran.ended;
      assert.equal(ended.code, 0, ended.stdout);
      const by = await changesOf('whose');
      assert.deepEqual(
        ['lib1/a', 'lib1/b', 'lib1/mine'].map((name) => by.get(name)?.by),
        ['worker', 'external_change', 'external_change'],
      );
      assert.deepEqual([bed.read('lib1/a'), bed.read('lib1/b')], ['worker', 'person']);
      assert.equal((await bed.mission('evidence', 'verify', 'whose')).code, 0);
    });

    it('get nothing of what does not verify: a person sees it, has it validated again or begins anew', async () => {
      const script = `
        fs.writeFileSync('lib1/a', 'worker'); fs.rmSync('lib1/b');
        fs.writeFileSync('ready/begun', fs.readFileSync('lib2/b')); fs.writeFileSync('lib2/b', 'second')`;
      const verify = `process.exit(require('fs').existsSync(${JSON.stringify(bed.gateFile('right'))}) ? 0 : 1)`;
      const plan = bed.plan('wrong', [task(script, ['lib1', 'lib2'], [verify])], all);
      const ended = await bed.mission('run', plan);
      assert.equal(ended.code, 3, ended.stdout);
      const before = (): void =>
        assert.deepEqual([bed.read('lib1/a'), bed.read('lib1/b'), bed.read('lib2/b')], ['x\n', 'x\n', 'x\n']);
      before();
      assert.match(await blocked('wrong'), /Nothing of its work is in the workspace.*lib1\/a, lib1\/b and lib2\/b/);
      const shown = await bed.mission('diff', 'wrong', 'T1');
      assert.match(shown.stdout, /worker/);
      assert.match(shown.stdout, /second/);
      const undo = await bed.mission('undo', 'wrong', 'T1', ...decision);
      assert.deepEqual([undo.code, undo.json.code], [2, 'OUTCOME_UNAVAILABLE'], undo.stdout);
      // A new attempt begins with the files of the person.
      assert.equal((await bed.mission('retry', 'wrong', 'T1', ...decision)).code, 3);
      assert.equal(bed.read('ready/begun'), 'x\n');
      before();
      bed.open('right');
      const judged = await bed.mission('rerun-validation', 'wrong', 'T1', ...decision);
      assert.equal(judged.code, 0, judged.stdout);
      assert.deepEqual([bed.read('lib1/a'), bed.exists('lib1/b'), bed.read('lib2/b')], ['worker', false, 'second']);
      assert.equal((await bed.mission('evidence', 'verify', 'wrong')).code, 0);
    });

    it('are judged in their layer or not at all: without one, no check looks at the old files', async function () {
      bed.write('ready/wrong', '');
      const verify = "process.exit(require('fs').existsSync('ready/wrong') ? 1 : 0)";
      const plan = bed.plan('unseen', [task("fs.writeFileSync('lib1/a', 'worker')", ['lib1'], [verify])], {
        ...all,
        confinement: 'preferred',
      });
      assert.equal((await bed.mission('run', plan)).code, 3);
      rmSync(bed.at('ready/wrong'));
      bed.keepLayersAway(this);
      const judged = await bed.mission('rerun-validation', 'unseen', 'T1', ...decision);
      assert.equal(judged.code, 3, judged.stdout);
      assert.match(await blocked('unseen'), /without one this launch would see the old files/);
      assert.equal((await bed.view('unseen')).blocks[0]?.ways[0]?.step.command, 'rerun-validation');
      assert.equal(bed.read('lib1/a'), 'x\n');
    });

    it('whose surroundings the worker removed are not judged: the block names them, and a new attempt begins without', async () => {
      bed.write('.gitignore', '.mission-control/\nready/\nbuild/\n');
      bed.write('build/cache.o', 'x\n');
      bed.write('build/app/old', 'x\n');
      const script = `
        const first = !fs.existsSync('ready/second'); fs.writeFileSync('ready/second', '');
        if (first) fs.rmSync('build', { recursive: true });
        fs.mkdirSync('build/app', { recursive: true }); fs.writeFileSync('build/app/new', 'worker')`;
      const plan = bed.plan('around', [task(script, ['build/app'], ['process.exit(0)'])], all);
      const ended = await bed.mission('run', plan);
      assert.equal(ended.code, 3, ended.stdout);
      assert.match(await blocked('around'), /removed the folder around build\/cache\.o/);
      assert.equal((await bed.view('around')).blocks[0]?.ways[0]?.step.command, 'retry');
      assert.deepEqual(seen('build/cache.o', 'build/app/new'), [true, false]);
      const again = await bed.mission('retry', 'around', 'T1', ...decision);
      assert.equal(again.code, 0, again.stdout);
      assert.deepEqual(seen('build/cache.o', 'build/app/new', 'build/app/old'), [true, true, true]);
    });

    it('that are gone lead to a new attempt: nothing is there to accept or to validate', async () => {
      const verify = `process.exit(require('fs').existsSync(${JSON.stringify(bed.gateFile('right'))}) ? 0 : 1)`;
      const plan = bed.plan('lost', [task("fs.writeFileSync('lib1/a', 'worker')", ['lib1'], [verify])], all);
      assert.equal((await bed.mission('run', plan)).code, 3);
      bed.loseLayers();
      bed.open('right');
      const judged = await bed.mission('rerun-validation', 'lost', 'T1', ...decision);
      assert.equal(judged.code, 3, judged.stdout);
      const said = await blocked('lost');
      assert.match(said, /The work of T1 is lost.*layer that held it is not there/);
      assert.doesNotMatch(said, /attempt:\d|accept|A layer keeps it/);
      const again = await bed.mission('rerun-validation', 'lost', 'T1', ...decision);
      assert.equal(again.json.code, 'OUTCOME_UNAVAILABLE', again.stdout);
      const retried = await bed.mission('retry', 'lost', 'T1', ...decision);
      assert.equal(retried.code, 0, retried.stdout);
      assert.equal(bed.read('lib1/a'), 'worker');
      assert.equal((await bed.mission('evidence', 'verify', 'lost')).code, 0);
    });

    it('keep what waits for a mission that cannot be read: clean counts it as open', async () => {
      const verify = `process.exit(require('fs').existsSync(${JSON.stringify(bed.gateFile('right'))}) ? 0 : 1)`;
      const plan = bed.plan('torn', [task("fs.writeFileSync('lib1/a', 'worker')", ['lib1'], [verify])], all);
      const ended = await bed.mission('run', plan);
      assert.equal(ended.code, 3, ended.stdout);
      const journal = bed.at('.mission-control/state.db');
      const swap = 'UPDATE entries SET event = replace(event, ?, ?) WHERE seq = 3';
      tear(journal, swap, '{', '[');
      const cleaned = await bed.mission('clean', '--yes');
      assert.equal(cleaned.code, 0, cleaned.stdout);
      tear(journal, swap, '[', '{');
      bed.open('right');
      const judged = await bed.mission('rerun-validation', 'torn', 'T1', ...decision);
      assert.equal(judged.code, 0, judged.stdout);
      assert.equal(bed.read('lib1/a'), 'worker');
    });

    it('hold a link that leads out and a repository, which block and land once a person accepts them by name', async () => {
      const script = `
        fs.symlinkSync('/etc/passwd', 'lib1/out');
        fs.writeFileSync('lib1/b', 'changed');
        require('child_process').execFileSync('git', ['init', '-q', 'lib2']);`;
      const ended = await bed.mission('run', bed.plan('led', [task(script, ['lib1', 'lib2'])], all));
      assert.equal(ended.code, 3, ended.stdout);
      const said = await blocked('led');
      assert.match(said, /in the layer of task T1, where no task may write\. Nothing of it is in the workspace/);
      assert.match(said, /lib1\/out: leads out of the workspace to \/etc\/passwd/);
      assert.match(said, /A new attempt begins without it, or accept/);
      assert.doesNotMatch(said, /Nothing shows who|outside the approved|put back/i);
      assert.deepEqual(seen('lib1/out', 'lib2/.git'), [false, false]);
      const cleaned = await bed.mission('clean', '--yes');
      assert.equal(cleaned.code, 0, cleaned.stdout);
      const again = ['rerun-validation', 'led', 'T1', ...decision] as const;
      const still = await bed.mission(...again);
      assert.equal(still.code, 3, still.stdout);
      const accepted = await bed.mission('accept', 'led', 'T1', 'lib1/out', 'lib2/.git/', ...decision);
      assert.equal(accepted.code, 0, accepted.stdout + accepted.stderr);
      const last = await bed.mission(...again);
      assert.equal(last.code, 0, last.stdout + last.stderr);
      assert.equal(bed.read('lib1/b'), 'changed');
      assert.ok(lstatSync(bed.at('lib1/out')).isSymbolicLink());
      assert.ok(bed.exists('lib2/.git/HEAD'));
      const { outstanding = [] } = JSON.parse(bed.read('docs/ops/executions/led/TASK_T1.json')) as TaskEvidence;
      assert.ok(outstanding.length > 1 && outstanding.every(({ layered }) => layered), JSON.stringify(outstanding));
      const verified = await bed.mission('evidence', 'verify', 'led');
      assert.equal(verified.code, 0, verified.stdout);
    });

    it('hold work that no handoff carries, which the handoff says, and which is not there where the run goes on', async () => {
      const verify = 'process.exit(1)';
      await bed.mission('run', bed.plan('stays', [task("fs.writeFileSync('lib1/a', 'new')", ['lib1'], [verify])], all));
      const given = await bed.mission('handoff', 'export', 'stays', '--move', ...decision);
      assert.equal(given.code, 0, given.stdout + given.stderr);
      const { left_behind, dir } = given.json as unknown as { left_behind: string; dir: string };
      assert.match(left_behind, /^A layer of this machine holds the work of T1\./);
      const there = path.join(bed.scratch, 'there');
      cpSync(bed.root, there, { recursive: true, filter: (name) => !name.includes('.mission-control') });
      const resumed = await bed.mission('handoff', 'resume', dir, '--workspace', there);
      assert.equal(resumed.code, 3, resumed.stdout + resumed.stderr);
      const shown = await bed.mission('status', 'stays', '--workspace', there);
      assert.doesNotMatch(shown.stdout, /approved paths stays?/);
    });

    it('are the real ones where no layer lies', async function () {
      bed.keepLayersAway(this);
      const script = "fs.writeFileSync('lib1/a', 'worker')";
      const ended = await bed.mission('run', bed.plan('none', [task(script, ['lib1'])], all));
      assert.equal(ended.code, 0, ended.stdout);
      assert.equal(bed.read('lib1/a'), 'worker');
    });
  });
