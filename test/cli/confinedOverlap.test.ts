import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import { usersOfTier } from '../support/users';
import { cliFile, decision, until, type Ended, type TaskOptions } from './cliBed';
import { ConfinedBed } from './confinedBed';

/** Lanes whose paths overlap, with `layers: "all"`: what two tasks changed is merged before it lands. */
for (const user of usersOfTier)
  describe(`lanes that write in the same paths, as ${user}`, function () {
    this.timeout(300_000);
    let bed: ConfinedBed;
    beforeEach(function () {
      bed = new ConfinedBed(this, user);
      bed.write('.gitignore', '.mission-control/\nready/\n');
      bed.write('lib/a', lines());
      bed.write('lib/bytes', 'x\0x');
    });
    afterEach(() => bed.dispose());

    const lines = (first = '1', last = '5'): string => [first, '2', '3', '4', last, ''].join('\n');
    const all = { layers: 'all', scratch: ['ready/'] };
    const says = (id: string): string => `require('fs').writeFileSync('ready/${id}', '');`;
    const waits = (gate: string): string =>
      `while (!require('fs').existsSync(${JSON.stringify(bed.gateFile(gate))})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);`;
    const puts = (from: string, to: string): string =>
      `fs.writeFileSync('lib/a', fs.readFileSync('lib/a', 'utf8').replace('${from}', '${to}'));`;
    const makes = "fs.writeFileSync('lib/first', '');";
    /** The paths that count as changed by a task, or beside it. */
    const changed = (id: string, task_id: string): readonly string[] =>
      bed
        .evidence(id, task_id)
        .attempts?.at(-1)
        ?.changes.flatMap(({ path: at }) => (at.startsWith('ready/') ? [] : [at])) ?? [];
    const task = (task_id: string, script: string, verify = ''): TaskOptions => ({
      task_id,
      command: ['node', '-e', `${script} ${says(task_id)} ${waits(`go-${task_id}`)}`],
      paths: ['lib'],
      verify: [['node', '-e', verify]],
    });
    const run = (id: string, tasks: readonly TaskOptions[], more: object = {}) =>
      bed.start('run', bed.parallel(id, 2, tasks, { ...all, ...more }));
    const both = (): Promise<boolean> => until(() => bed.exists('ready/T1') && bed.exists('ready/T2'));
    // A command of another user would change owners while the mission runs.
    const landed = (): Promise<boolean> => until(() => bed.read('lib/a') !== lines());

    it('run side by side, and the later one is merged, verified again and then lands', async () => {
      const check = `process.exit(require('fs').readFileSync('lib/a', 'utf8').startsWith('one') ? 0 : 1)`;
      const ran = run('merged', [task('T1', puts('1', 'one') + makes), task('T2', puts('5', 'five'), check)]);
      await both();
      bed.open('go-T1');
      await landed();
      assert.equal(bed.read('lib/a'), lines('one'));
      bed.open('go-T2');
      const ended = await ran.ended;
      assert.equal(ended.code, 0, ended.stdout);
      assert.equal(bed.read('lib/a'), lines('one', 'five'));
      const attempt = bed.evidence('merged', 'T2').attempts?.at(-1);
      assert.deepEqual(attempt?.merged, [{ path: 'lib/a', task_id: 'T1' }]);
      const first = bed
        .evidence('merged', 'T1')
        .attempts?.at(-1)
        ?.changes.find((one) => one.path === 'lib/a');
      const change = attempt.changes.find((one) => one.path === 'lib/a');
      assert.deepEqual([change?.attribution, change?.before_sha256], ['worker', first?.after_sha256]);
      assert.deepEqual([changed('merged', 'T1'), changed('merged', 'T2')], [['lib/a', 'lib/first'], ['lib/a']]);
      assert.equal((await bed.mission('evidence', 'verify', 'merged')).code, 0);
      assert.match((await bed.mission('diff', 'merged', 'T2')).stdout, /-5\\n\+five/);
    });

    it('merge also what landed while the other one was verified', async () => {
      const check = `${says('checks')} ${waits('checked')}`;
      const ran = run('late', [task('T1', puts('1', 'one') + makes), task('T2', puts('5', 'five'), check)]);
      await both();
      bed.open('go-T2');
      await until(() => bed.exists('ready/checks'));
      bed.open('go-T1');
      await landed();
      bed.open('checked');
      const ended = await ran.ended;
      assert.equal(ended.code, 0, ended.stdout);
      assert.equal(bed.read('lib/a'), lines('one', 'five'));
      assert.deepEqual([changed('late', 'T1'), changed('late', 'T2')], [['lib/a', 'lib/first'], ['lib/a']]);
      assert.equal((await bed.mission('evidence', 'verify', 'late')).code, 0);
    });

    it('block with both sides where these do not merge, and a retry starts from what landed', async () => {
      const bytes = (of: string): string => `fs.writeFileSync('lib/bytes', 'y\\0${of}');`;
      const rivals = [task('T1', puts('1', 'one') + bytes('T1')), task('T2', puts('1', 'eins') + bytes('T2'))];
      const ran = run('clash', rivals);
      await both();
      bed.open('go-T1');
      await landed();
      bed.open('go-T2');
      const ended = await ran.ended;
      assert.equal(ended.code, 3, ended.stdout);
      assert.equal(bed.read('lib/a'), lines('one'));
      const { tasks, blocks } = await bed.view('clash');
      const text = [tasks[1]?.reason, ...(blocks[0]?.details ?? [])].join('\n');
      assert.match(text, /T1 landed meanwhile, and both changed lib\/a and lib\/bytes, without a clean merge/);
      assert.match(text, /lib\/bytes: T1 put its version into the workspace, and the layer of T2 has another/);
      assert.match((await bed.mission('diff', 'clash', 'T1')).stdout, /\+one/);
      assert.match((await bed.mission('diff', 'clash', 'T2')).stdout, /\+eins/);
      const again = await bed.mission('retry', 'clash', 'T2', ...decision);
      assert.equal(again.code, 0, again.stdout);
      assert.equal(bed.read('lib/a'), lines('one'));
    });

    it('leave alone what a person saves after the first one landed', async () => {
      const ran = run('person', [task('T1', puts('1', 'one')), task('T2', puts('5', 'five'))]);
      await both();
      bed.open('go-T1');
      await until(() => bed.exists('docs/ops/executions/person/TASK_T1.json'));
      bed.write('lib/a', 'saved\n');
      bed.open('go-T2');
      assert.equal((await ran.ended).code, 3);
      assert.equal(bed.read('lib/a'), 'saved\n');
      assert.equal((await bed.view('person')).blocks[0]?.code, 'CONCURRENCY_CONFLICT');
    });

    it('show a person the merged work before it lands, where only accepted work does', async () => {
      const ran = run('asked', [task('T1', puts('1', 'one')), task('T2', puts('5', 'five'))], { landing: 'accepted' });
      await both();
      bed.open('go-T1');
      bed.open('go-T2');
      assert.equal((await ran.ended).code, 3);
      assert.equal(bed.read('lib/a'), lines());
      const accept = async (task_id: string): Promise<Ended> => {
        const packet = (await bed.view('asked')).blocks.find((one) => one.task_id === task_id)?.packet_id ?? '';
        return bed.mission('answer', 'asked', '--choice', 'accept', '--packet', packet, ...decision);
      };
      assert.equal((await accept('T1')).code, 3);
      assert.equal(bed.read('lib/a'), lines('one'));
      // It is other work than the one that was shown.
      const again = await accept('T2');
      assert.equal(again.code, 3, again.stdout);
      assert.equal(bed.read('lib/a'), lines('one'));
      assert.match((await bed.mission('diff', 'asked', 'T2')).stdout, / one\\n[^"]*-5\\n\+five/);
      const done = await accept('T2');
      assert.equal(done.code, 0, done.stdout);
      assert.equal(bed.read('lib/a'), lines('one', 'five'));
      assert.equal((await bed.mission('evidence', 'verify', 'asked')).code, 0);
    });

    it('run one after the other where no layer can be made', async function () {
      bed.keepLayersAway(this);
      bed.open('go-T1');
      bed.open('go-T2');
      const ended = await run('none', [task('T1', puts('1', 'one')), task('T2', puts('5', 'five'))]).ended;
      assert.equal(ended.code, 0, ended.stdout);
      const types = (await bed.events('none')).map(({ type }) => type);
      assert.ok(types.lastIndexOf('AttemptStarted') > types.indexOf('AttemptEnded'));
    });

    // What follows gives a process of this user more variables.
    if (user === 'nobody') return;
    it('lose nothing where the owner is killed on the way', async () => {
      const points = path.resolve('dist-test/kill/points.program.js');
      const moments = ['LandingRequested)#1', 'WorkLanded)#1', 'LandingRequested)#2', 'WorkNotLanded)#1'];
      for (const [index, moment] of moments.entries())
        for (const side of ['before', 'after'] as const) {
          const id = `killed-${index}-${side}`;
          bed.write('lib/a', lines());
          const tasks = ['T1', 'T2'].map((name) => {
            const [from, to] = name === 'T1' ? ['1', 'one'] : ['5', 'five'];
            return {
              ...task(name, puts(from, to)),
              command: ['node', '-e', `${puts(from, to)} ${says(`${id}-${name}`)} ${waits(id)}`],
            };
          });
          const env = { ...bed.env, KILL_AT: `sqlite.run(INSERT ${moment}:${side}` };
          const line = ['--require', points, cliFile, 'run', bed.parallel(id, 2, tasks, all), '--json'] as const;
          const running = bed.spawn(process.execPath, [...line], { env });
          await until(() => ['T1', 'T2'].every((name) => bed.exists(`ready/${id}-${name}`)));
          bed.open(id);
          const killed = await running.ended;
          assert.equal(killed.signal, 'SIGKILL', `${id}\n${killed.stdout}`);
          assert.ok([lines(), lines('one'), lines('1', 'five')].includes(bed.read('lib/a')), id);
          const next = await bed.mission('resume', id, ...decision);
          assert.equal(next.code, 0, `${id}\n${next.stdout}`);
          assert.equal(bed.read('lib/a'), lines('one', 'five'), id);
        }
    });
  });
