import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { decision, isAlive, until, type TaskOptions } from './cliBed';
import { usersOfTier } from '../support/users';
import { ConfinedBed } from './confinedBed';

/** Missions whose tasks run confined, beside each other and through deaths. */
for (const user of usersOfTier) {
  describe(`confined missions, as ${user}`, function () {
    this.timeout(180_000);
    let bed: ConfinedBed;
    beforeEach(function () {
      bed = new ConfinedBed(this, user);
    });
    afterEach(() => bed.dispose());

    it('side by side: two lanes write their own folders at once, and nothing arrives in the other’s', async () => {
      const body = (other: string): string => `
        write(own('there')); await gate('both');
        let told = 'ARRIVED'; try { write('lanes/${other}/stray'); } catch (error) { told = error.code; }
        write(own('told'), told);
        let where = 'ARRIVED'; try { fs.readdirSync('/proc').filter((pid) => /^[0-9]+$/.test(pid) && pid !== '1' && fs.readFileSync('/proc/' + pid + '/cmdline', 'utf8').includes('both-${other}.mjs')).forEach((pid) => process.kill(Number(pid), 9)); where = 'nobody seen'; } catch (error) { where = error.code; }
        write(own('where'), where);`;
      const plan = bed.parallel('both', 2, [outside(bed, 'A', body('B')), outside(bed, 'B', body('A'))]);
      const running = bed.start('run', plan, '--confinement', 'required');
      await until(() => ['A', 'B'].every((name) => bed.exists(`lanes/${name}/there`)));
      bed.open('both');
      const run = await running.ended;
      assert.equal(run.code, 3, run.stdout + run.stderr);
      for (const [name, other] of [
        ['A', 'B'],
        ['B', 'A'],
      ] as const) {
        assert.ok(run.stdout.includes(`${name} wrote lanes/${other}/stray (1 line), outside its approved paths`));
        assert.equal(bed.read(`lanes/${name}/told`), 'ARRIVED');
        assert.equal(bed.read(`lanes/${name}/where`), 'nobody seen');
        assert.equal(bed.exists(`lanes/${name}/stray`), false);
      }
      assert.equal((await bed.mission('evidence', 'verify', 'both')).code, 0);
    });

    it('whose supervisor is killed: nothing of the sandbox runs on, nothing of it lies in the workspace', async () => {
      const body = `spawnLate(); for (;;) await new Promise((go) => setTimeout(go, 50));`;
      const plan = bed.parallel('lost', 1, [outside(bed, 'A', body)]);
      const running = bed.start('run', plan, '--confinement', 'required');
      await bed.pids('A');
      const { supervisor, worker, namespace } = await bed.startedProcessOf('A');
      assert.ok(worker && namespace);
      process.kill(supervisor.pid, 'SIGKILL');
      const run = await running.ended;
      assert.equal(run.code, 3, run.stdout + run.stderr);
      assert.equal(run.json.tasks[0]?.status, 'blocked');
      for (const { pid } of [worker, namespace]) assert.equal(isAlive(pid), false);
      await delay(1500);
      assert.equal(bed.exists('lanes/A/late'), false, 'a process that left its parents and session wrote later');
      assert.ok(!readFileSync('/proc/self/mountinfo', 'utf8').includes(bed.scratch));
      const left = bed.git('-c', 'safe.directory=*', 'status', '--porcelain', '--untracked-files=all').split('\n');
      const strange = left.filter((line) => line !== '' && !/ "?(lanes\/A\/pid|docs\/|tools\/)/.test(line));
      assert.deepEqual(strange, []);
    });

    it('whose owner is killed: the confined worker goes on, and the next owner completes', async () => {
      const plan = bed.parallel('orphaned', 1, [outside(bed, 'A', `await gate('onward'); write(own('done'));`)]);
      const running = bed.start('run', plan, '--confinement', 'required');
      await bed.pids('A');
      const { worker } = await bed.startedProcessOf('A');
      assert.ok(worker);
      const id = await bed.missionId();
      running.child.kill('SIGKILL');
      await running.ended;
      assert.equal(isAlive(worker.pid), true, 'it goes on under its supervisor');
      const next = bed.start('resume', id, ...decision);
      bed.open('onward');
      const resumed = await next.ended;
      assert.equal(resumed.code, 0, resumed.stdout + resumed.stderr);
      assert.equal(bed.read('lanes/A/done'), 'A');
      const launch = bed.evidence('orphaned', 'A').attempts?.[0]?.launches[0];
      assert.equal(launch?.confinement, 'task_sandbox');
    });

    it('plant nothing that a later launch runs: hooks of git, programs on PATH, what verify runs', async () => {
      const trap = JSON.stringify(bed.at('trap'));
      const plant = `
        const told = {};
        const script = '#!/bin/sh\\\necho x > ' + ${trap} + '\\\n';
        const put = (file) => { try { fs.writeFileSync(file, script, { mode: 0o755 }); told[file] = 'ARRIVED'; } catch (error) { told[file] = error.code; } };
        for (const name of ['post-checkout', 'pre-commit', 'post-index-change']) put('.git/hooks/' + name);
        put(outside('bin/git')); put(outside('bin/cat')); put(outside('.profile')); put(outside('.gitconfig')); put('tools/planted-B.mjs'); put('tools/check.mjs');
        write(own('told'), JSON.stringify(told));`;
      bed.write('tools/check.mjs', '');
      const later = `const { execFileSync } = await import('node:child_process');
        execFileSync('git', ['status']); execFileSync('cat', ['README.md']); write(own('done'));`;
      const verify = [['node', 'tools/check.mjs']];
      const plan = bed.plan('planted', [
        outside(bed, 'A', plant, { verify }),
        outside(bed, 'B', later, { depends_on: ['A'], verify }),
      ]);
      const run = await bed.mission('run', plan, '--confinement', 'required');
      assert.equal(run.code, 3, run.stdout + run.stderr);
      const told = Object.entries(JSON.parse(bed.read('lanes/A/told')) as Record<string, string>);
      // What arrived did so in a layer, which is gone before the next launch.
      assert.deepEqual(
        told.filter(([, answer]) => answer !== 'EROFS'),
        ['tools/planted-B.mjs', 'tools/check.mjs'].map((name) => [name, 'ARRIVED']),
      );
      const again = await bed.mission('rerun-validation', 'planted', 'A', '--by', 'Grace', '--reason', 'not needed');
      assert.equal(again.code, 0, again.stdout + again.stderr);
      assert.equal(bed.exists('trap'), false);
      assert.equal(bed.read('lanes/B/done'), 'B');
    });
  });
}

/** A lane whose module may start a process that nothing but its namespace ends. */
function outside(bed: ConfinedBed, name: string, body: string, more: TaskOptions = {}): TaskOptions {
  const late = `setsid -f env -i /bin/sh -c 'sleep 1; echo x > lanes/${name}/late'`;
  const lane = bed.lane(name, `const spawnLate = () => execSync(${JSON.stringify(late)});\n${body}`, more);
  const script = String(lane.script)
    .replace(
      "import path from 'node:path';",
      "import path from 'node:path';\nimport { execSync } from 'node:child_process';",
    )
    .replace(/^fs\.appendFileSync\(outside\('runs'\).*$/m, '');
  return { ...lane, script };
}
