import assert from 'node:assert/strict';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import type { Ended } from './cliBed';
import { usersOfTier } from '../support/users';
import { ConfinedBed } from './confinedBed';

/** Tries every way into the approved folder and says how each ended. */
const attempts = `import fs from 'node:fs';
const tries = {
  create: () => fs.writeFileSync('docs/out/new.txt', ''),
  append: () => fs.appendFileSync('docs/out/old.txt', 'more'),
  replace: () => { fs.writeFileSync('/tmp/other', ''); fs.renameSync('/tmp/other', 'docs/out/old.txt'); },
  remove: () => fs.unlinkSync('docs/out/old.txt'),
  link: () => fs.symlinkSync('old.txt', 'docs/out/link'),
  mode: () => fs.chmodSync('docs/out/old.txt', 0o777),
  folder: () => fs.rmdirSync('docs/out/empty'),
};
for (const [name, attempt] of Object.entries(tries)) {
  try { attempt(); console.log(name + ' WENT THROUGH'); } catch (error) { console.log(name + ' ' + error.code); }
}`;
const reads = { intent: 'research' };

/** A task whose declared intent only reads. Source: seed 004, sandbox control; decision 63. */
describe('a task whose intent only reads', function () {
  this.timeout(120_000);

  for (const user of usersOfTier) {
    it(`changes nothing of its approved paths in the sandbox, nor does what verifies it (as ${user})`, async function () {
      const bed = new ConfinedBed(this, user);
      try {
        bed.write('docs/out/old.txt', 'old');
        bed.write('docs/out/empty/.keep', '');
        bed.write('tools/verify.mjs', attempts);
        const verify = [['node', 'tools/verify.mjs']];
        const run = (id: string, task: object): Promise<Ended> =>
          bed.mission('run', bed.plan(id, [{ ...task, ...reads }]), '--confinement', 'required');
        const looked = await run('looks', { script: attempts });
        assert.equal(looked.json.status, 'blocked', looked.stdout + looked.stderr);
        const [block] = (await bed.view('looks')).blocks;
        assert.match(block?.reason ?? '', /^T1 wrote docs\/out\/.*, although its task only reads; not kept\.$/);
        await bed.mission('cancel', 'looks', '--by', 'Grace', '--reason', 'seen');
        const verified = await run('verifies', { script: '', verify });
        assert.equal(verified.json.status, 'blocked', verified.stdout + verified.stderr);
        const [failed] = (await bed.view('verifies')).blocks;
        assert.match(failed?.reason ?? '', /^The verify commands .*docs\/out\/.*So they did not judge what stays\.$/);
        await bed.mission('cancel', 'verifies', '--by', 'Grace', '--reason', 'seen');
        assert.equal(bed.read('docs/out/old.txt'), 'old');
        for (const name of ['new.txt', 'link']) assert.equal(bed.exists(`docs/out/${name}`), false, name);
        for (const [id, launch] of [
          ['looks', bed.evidence('looks', 'T1').attempts?.at(-1)?.launches[0]],
          ['verifies', bed.evidence('verifies', 'T1').attempts?.at(-1)?.launches[0]],
        ] as const) {
          assert.deepEqual(bed.evidence(id, 'T1').attempts?.at(-1)?.changes, []);
          assert.equal(launch?.sandbox_state, 'read_only');
          assert.match(
            launch.confinement_detail,
            / Its task only reads: the approved paths cannot be written either\.$/,
          );
        }
        const evidence = await bed.mission('evidence', 'verify', 'looks');
        assert.equal(evidence.json.valid, true, evidence.stdout);
      } finally {
        await bed.dispose();
      }
    });
  }

  for (const confinement of ['required', 'off'])
    it(`writes scratch that lies in its approved paths (confinement ${confinement})`, async function () {
      const bed = new ConfinedBed(this);
      try {
        bed.write('.gitignore', '.mission-control/\ndocs/out/cache/\n');
        bed.write('docs/out/cache/.keep', '');
        const script = `import fs from 'node:fs'; fs.writeFileSync('docs/out/cache/' + process.pid, '');`;
        bed.write('tools/verify.mjs', script);
        const task = { script, verify: [['node', 'tools/verify.mjs']], ...reads };
        const plan = bed.plan('caches', [task], { scratch: ['docs/out/cache'] });
        const run = await bed.mission('run', plan, '--confinement', confinement);
        assert.equal(run.json.status, 'completed', run.stdout + run.stderr);
      } finally {
        await bed.dispose();
      }
    });

  it('fails by what it wrote there where nothing holds it back', async function () {
    const bed = new ConfinedBed(this);
    try {
      bed.write('docs/out/old.txt', 'old');
      const run = await bed.mission('run', bed.plan('looks', [{ script: attempts, ...reads }]), '--confinement', 'off');
      assert.equal(run.json.status, 'failed', run.stdout + run.stderr);
      assert.match(run.stdout, /NON_COMPLIANT/);
      const { attempts: all } = bed.json('docs/ops/executions/looks/TASK_T1.json') as unknown as TaskEvidence;
      const changes = all?.at(-1)?.changes ?? [];
      assert.equal(changes.length >= 2, true);
    } finally {
      await bed.dispose();
    }
  });
});
