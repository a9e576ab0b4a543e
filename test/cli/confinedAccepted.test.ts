import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import { usersOfTier } from '../support/users';
import { cliFile, decision, type Ended, type TaskOptions } from './cliBed';
import { ConfinedBed } from './confinedBed';

/** A plan with `landing: "accepted"`: verified work waits in its layer for a person. */
for (const user of usersOfTier)
  describe(`work that waits for a person, as ${user}`, function () {
    this.timeout(300_000);
    let bed: ConfinedBed;
    beforeEach(function () {
      bed = new ConfinedBed(this, user);
      bed.write('lib/a', 'x\n');
    });
    afterEach(() => bed.dispose());

    const accepted = { layers: 'all', landing: 'accepted' };
    const task = (script: string, verify = ''): TaskOptions => ({
      command: ['node', '-e', script],
      paths: ['lib'],
      verify: [['node', '-e', verify]],
    });
    const adds = "fs.appendFileSync('lib/a', 'worker\\n'); fs.writeFileSync('lib/new', 'worker')";
    const answer = (id: string, ...how: string[]): Promise<Ended> => bed.mission('answer', id, ...how, ...decision);
    /** Names the packet, as the question offers it. */
    const accept = async (id: string): Promise<Ended> =>
      answer(id, '--choice', 'accept', '--packet', (await bed.view(id)).blocks.at(-1)?.packet_id ?? '');
    const evidence = (id: string): TaskEvidence =>
      JSON.parse(bed.read(`docs/ops/executions/${id}/TASK_T1.json`)) as TaskEvidence;
    const untouched = (): void => assert.deepEqual([bed.read('lib/a'), bed.exists('lib/new')], ['x\n', false]);

    it('is sent back with comments, goes on from there, and lands once it is accepted', async () => {
      const ended = await bed.mission('run', bed.plan('waits', [task(adds)], accepted));
      assert.equal(ended.code, 3, ended.stdout);
      untouched();
      const { needs, tasks, blocks } = await bed.view('waits');
      assert.deepEqual([needs, tasks[0]?.status], ['answer', 'blocked']);
      assert.match(
        blocks[0]?.question?.text ?? '',
        /T1 is verified \(attempt 1, \w{12}\) and waits for a person, .*: lib\/a and lib\/new\./,
      );
      const shown = await bed.mission('diff', 'waits', 'T1');
      assert.match(shown.stdout, /\+worker/);
      const wrong = await answer('waits', '--comment', 'lib/b:1:what');
      assert.equal(wrong.json.code, 'ANSWER_INVALID', wrong.stdout);
      const back = await answer('waits', '--text', 'Twice.', '--comment', 'lib/a:2:Once more: here');
      assert.equal(back.code, 3, back.stdout);
      untouched();
      // Its layer still held the first line.
      assert.match((await bed.mission('diff', 'waits', 'T1')).stdout, /\+worker[\s\S]*\+worker/);
      const blind = await answer('waits', '--choice', 'accept');
      assert.equal(blind.json.code, 'ANSWER_INVALID', blind.stdout);
      const [, ...step] = blind.json.next[0]?.split(' --by')[0]?.split(' ') ?? [];
      const last = await bed.mission(...step, ...decision);
      assert.equal(last.code, 0, last.stdout);
      assert.deepEqual([bed.read('lib/a'), bed.read('lib/new')], ['x\nworker\nworker\n', 'worker']);
      const [first, second] = evidence('waits').attempts?.at(-1)?.answers ?? [];
      assert.deepEqual(first?.comments, [{ path: 'lib/a', line: 2, text: 'Once more: here' }]);
      assert.deepEqual([second?.choice, second?.decision.actor.name], ['accept', 'Grace']);
      assert.match(
        bed.read('docs/ops/executions/waits/EXECUTION_SUMMARY.md'),
        /Twice\.[\s\S]*lib\/a:2: Once more: here/,
      );
      assert.equal((await bed.mission('evidence', 'verify', 'waits')).code, 0);
    });

    it('starts from the files of the person where it is retried, and is asked about again after a validation', async () => {
      assert.equal((await bed.mission('run', bed.plan('anew', [task(adds)], accepted))).code, 3);
      assert.equal((await bed.mission('retry', 'anew', 'T1', ...decision)).code, 3);
      assert.equal((await bed.mission('rerun-validation', 'anew', 'T1', ...decision)).code, 3);
      untouched();
      assert.equal((await accept('anew')).code, 0);
      assert.equal(bed.read('lib/a'), 'x\nworker\n');
    });

    it('goes on with work that was sent back after a launch that failed, and begins anew where it is gone', async () => {
      const makeTool = (): void => writeFileSync(bed.at('tool'), '#!/bin/sh\necho worker >> lib/a\n', { mode: 0o755 });
      makeTool();
      const tool = { ...task(''), command: [bed.at('tool')] };
      assert.equal((await bed.mission('run', bed.plan('late', [tool], accepted))).code, 3);
      rmSync(bed.at('tool'));
      assert.equal((await answer('late', '--text', 'more')).code, 3);
      assert.equal((await bed.view('late')).blocks[0]?.code, 'LAUNCH_FAILED');
      makeTool();
      assert.equal((await bed.mission('retry', 'late', 'T1', ...decision)).code, 3);
      assert.match((await bed.mission('diff', 'late', 'T1')).stdout, /\+worker[\s\S]*\+worker/);
      untouched();
      bed.loseLayers();
      assert.equal((await answer('late', '--text', 'more')).code, 3);
      const diff = await bed.mission('diff', 'late', 'T1');
      assert.match(diff.stdout, /\+worker/);
      assert.doesNotMatch(diff.stdout, /\+worker[\s\S]*\+worker/);
    });

    it('is verified once more with what moved meanwhile, and leaves a file alone that a person changed', async () => {
      bed.write('base', 'right');
      const check = "process.exit(fs.readFileSync('base', 'utf8') === 'right' ? 0 : 1)";
      assert.equal((await bed.mission('run', bed.plan('moved', [task(adds, check)], accepted))).code, 3);
      bed.write('base', 'wrong');
      assert.equal((await accept('moved')).code, 3);
      untouched();
      bed.write('base', 'right');
      bed.write('lib/a', 'person');
      const judged = await bed.mission('rerun-validation', 'moved', 'T1', ...decision);
      assert.equal(judged.code, 3, judged.stdout);
      assert.deepEqual([bed.read('lib/a'), bed.exists('lib/new')], ['person', false]);
    });

    it('is not begun where no layer can hold it, and says why', async function () {
      bed.keepLayersAway(this);
      const ended = await bed.mission('run', bed.plan('none', [task(adds)], accepted));
      assert.equal(ended.code, 3, ended.stdout);
      untouched();
      const { tasks, blocks } = await bed.view('none');
      assert.match(
        [tasks[0]?.reason, ...(blocks[0]?.details ?? [])].join(' '),
        /No layer can be made here: .*without a layer it would be in the workspace at once/,
      );
      const off = await bed.mission('run', bed.plan('off', [task(adds)], accepted), '--confinement', 'off');
      assert.match(off.stdout, /CONFINEMENT_UNAVAILABLE/);
    });

    it('has landed where its owner is killed right after, also a file that its worker closed', async () => {
      const closes = "fs.writeFileSync('lib/none', 'worker'); fs.chmodSync('lib/none', 0)";
      assert.equal((await bed.mission('run', bed.plan('after', [task(closes)], accepted))).code, 3);
      const packet = (await bed.view('after')).blocks.at(-1)?.packet_id ?? '';
      const how = ['--choice', 'accept', '--packet', packet, ...decision];
      const dead = await bed.killedAt('fs.rename(landed)#1:before', 'answer', 'after', ...how);
      assert.equal(dead.signal, 'SIGKILL', dead.stdout);
      const done = await bed.mission('resume', 'after', ...decision);
      assert.equal(done.code, 0, done.stdout);
      assert.equal(lstatSync(bed.at('lib/none')).mode & 0o777, 0);
    });

    // What follows gives a process of this user more variables.
    if (user === 'nobody') return;
    it('lands also where names and links hold a value that the plan passes, with and without a check', async () => {
      const env = { ...bed.env, BUILD_MARK: 'mark-20260101-quartz' };
      const run = (...args: string[]): Promise<Ended> =>
        bed.spawn(process.execPath, [cliFile, ...args, '--json'], { env }).ended;
      for (const verify of [[], [['node', '-e', '']]]) {
        const id = `passed-${verify.length}`;
        const script = `const mark = process.env.BUILD_MARK + '-${id}';
          fs.writeFileSync('lib/' + mark, 'worker'); fs.symlinkSync(mark, 'lib/${id}');`;
        const plan = bed.plan(id, [{ ...task(script), verify }], { ...accepted, env: ['BUILD_MARK'] });
        assert.equal((await run('run', plan)).code, 3);
        const [block] = (await bed.view(id)).blocks;
        assert.ok(block?.question, block?.reason);
        const packet = block.packet_id;
        const done = await run('answer', id, '--choice', 'accept', '--packet', packet, ...decision);
        assert.equal(done.code, 0, done.stdout);
        assert.equal(bed.read(`lib/${id}`), 'worker');
      }
    });

    it('is judged again where the note beside its layer is of another kind', async () => {
      assert.equal((await bed.mission('run', bed.plan('note', [task(adds)], accepted))).code, 3);
      const [made = ''] = bed.layers('made');
      rmSync(made);
      mkdirSync(made);
      assert.equal((await bed.mission('rerun-validation', 'note', 'T1', ...decision)).code, 3);
      assert.equal((await accept('note')).code, 0);
      assert.equal(bed.read('lib/new'), 'worker');
    });

    it('lands whole or not at all where its owner is killed on the way, and nothing lands unaccepted', async () => {
      for (const [index, point] of ['PacketIssued', 'QuestionAnswered', 'LandingRequested', 'WorkLanded'].entries())
        for (const side of ['before', 'after'] as const) {
          const id = `killed-${index}-${side}`;
          bed.write('lib/a', 'x\n');
          const killed = (...args: string[]): Promise<Ended> =>
            bed.killedAt(`sqlite.run(INSERT ${point})#1:${side}`, ...args);
          const plan = bed.plan(id, [task("fs.appendFileSync('lib/a', 'worker\\n')")], accepted);
          const dies = index === 0 ? await killed('run', plan) : await bed.mission('run', plan);
          assert.equal(index === 0 ? dies.signal : dies.code, index === 0 ? 'SIGKILL' : 3, dies.stdout);
          if (index === 0) assert.equal((await bed.mission('resume', id, ...decision)).code, 3);
          assert.equal(bed.read('lib/a'), 'x\n', id);
          if (index > 0) {
            const packet = (await bed.view(id)).blocks.at(-1)?.packet_id ?? '';
            const dead = await killed('answer', id, '--choice', 'accept', '--packet', packet, ...decision);
            assert.equal(dead.signal, 'SIGKILL', `${id}\n${dead.stdout}`);
          }
          const isAsked = index < 2 && !(index === 1 && side === 'after');
          const next = isAsked ? await accept(id) : await bed.mission('resume', id, ...decision);
          const all = next.code === 0 ? next : await accept(id);
          assert.equal(all.code, 0, `${id}\n${next.stdout}\n${all.stdout}`);
          assert.equal(bed.read('lib/a'), 'x\nworker\n', id);
        }
    });
  });
