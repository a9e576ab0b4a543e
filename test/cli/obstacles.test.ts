import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CliBed, decision, isAlive, start, until } from './cliBed';

interface Shown {
  readonly missions: readonly {
    readonly status: string;
    readonly headline: string;
    readonly attention: { readonly code: string | null; readonly reason: string } | null;
  }[];
}

/** Whatever stands where evidence is written, through `dist/cli.js`. */
describe('mission: obstacles in the place of evidence', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const folder = 'docs/ops/executions/way';
  /** Runs a mission of one task to the moment at which its worker waits. */
  const waiting = async (): Promise<{ readonly run: ReturnType<CliBed['start']>; readonly mission: string }> => {
    const plan = bed.plan('way', [
      { script: `${start}${bed.waitAt('gate')} fs.writeFileSync('docs/out/a.txt', 'a');` },
    ]);
    const run = bed.start('run', plan);
    await bed.waitsAt('gate');
    return { run, mission: await bed.missionId() };
  };

  it('moves empty folders aside and names them in the header', async () => {
    const { run, mission } = await waiting();
    mkdirSync(bed.at(`${folder}/TASK_T1.json`));
    mkdirSync(bed.at(`${folder}/EXECUTION_SUMMARY.md`));
    bed.open('gate');
    const ended = await run.ended;
    assert.deepEqual([ended.code, ended.json.status], [0, 'completed'], ended.stdout + ended.stderr);
    const verified = await bed.mission('evidence', 'verify', 'way');
    assert.deepEqual([verified.code, verified.json.findings], [0, []]);
    const header = bed.json(`${folder}/EXECUTION_HEADER.json`) as unknown as {
      readonly moved_aside: readonly { readonly path: string; readonly moved_to: string }[];
    };
    const aside = `.mission-control/missions/${mission}/moved-aside`;
    assert.deepEqual(header.moved_aside, [
      { path: `${folder}/TASK_T1.json`, moved_to: `${aside}/1-TASK_T1.json` },
      { path: `${folder}/EXECUTION_SUMMARY.md`, moved_to: `${aside}/1-EXECUTION_SUMMARY.md` },
    ]);
    assert.ok(lstatSync(bed.at(`${aside}/1-TASK_T1.json`)).isDirectory());
    const summary = bed.read(`${folder}/EXECUTION_SUMMARY.md`);
    for (const named of ['TASK_T1.json', '1-TASK_T1.json', '1-EXECUTION_SUMMARY.md'])
      assert.ok(summary.includes(named), named);
  });

  it('blocks with the reason where nothing can be moved, accepts no command until that is mended, and then goes on', async () => {
    const { run, mission } = await waiting();
    const aside = bed.at(`.mission-control/missions/${mission}/moved-aside`);
    mkdirSync(bed.at(`${folder}/TASK_T1.json`));
    writeFileSync(aside, '');
    bed.open('gate');
    const halted = await run.ended;
    assert.equal(halted.code, 4, halted.stdout + halted.stderr);
    const status = async (): Promise<Shown['missions'][number] | undefined> =>
      ((await bed.mission('status')).json as unknown as Shown).missions[0];
    const stopped = await status();
    assert.deepEqual([stopped?.status, stopped?.attention?.code], ['blocked', 'EVIDENCE_UNWRITABLE']);
    assert.match(stopped?.attention?.reason ?? '', /moved-aside/);
    assert.match(stopped?.headline ?? '', /moved-aside/);
    for (const verb of ['resume', 'cancel']) {
      const refused = await bed.mission(verb, mission, ...decision);
      assert.deepEqual([refused.code, refused.json.accepted, refused.json.code], [4, false, 'EVIDENCE_UNWRITABLE']);
      assert.match(refused.json.reason, /moved-aside/);
    }
    assert.equal((await status())?.attention?.code, 'EVIDENCE_UNWRITABLE');
    rmSync(aside);
    const resumed = await bed.mission('resume', mission, ...decision);
    assert.equal(resumed.code, 0, resumed.stdout + resumed.stderr);
    assert.deepEqual([(await status())?.status, (await status())?.attention], ['completed', null]);
    assert.equal((await bed.mission('evidence', 'verify', 'way')).code, 0);
  });

  it('resumes a mission whose last evidence could not be written: it is written, and the end is shown', async () => {
    const { run, mission } = await waiting();
    const aside = bed.at(`.mission-control/missions/${mission}/moved-aside`);
    mkdirSync(bed.at(`${folder}/EXECUTION_SUMMARY.md`));
    writeFileSync(aside, '');
    bed.open('gate');
    const halted = await run.ended;
    assert.equal(halted.code, 4, halted.stdout + halted.stderr);
    const early = await bed.mission('resume', mission, ...decision);
    assert.deepEqual([early.code, early.json.accepted, early.json.code], [4, false, 'EVIDENCE_UNWRITABLE']);
    rmSync(aside);
    const resumed = await bed.mission('resume', mission, ...decision);
    assert.deepEqual([resumed.code, resumed.json.accepted], [0, true], resumed.stdout + resumed.stderr);
    assert.equal((await bed.mission('evidence', 'verify', 'way')).code, 0);
    const late = await bed.mission('resume', mission, ...decision);
    assert.deepEqual([late.code, late.json.code], [2, 'MISSION_CLOSED']);
  });

  it('moves aside what stands where handoffs are written', async () => {
    const plan = bed.plan('way', [{ script: `${start}${bed.waitAt('gate')} process.exit(3);` }]);
    const run = bed.start('run', plan);
    await bed.waitsAt('gate');
    const mission = await bed.missionId();
    const handoff = (name: string): string => bed.at(`.mission-control/missions/${mission}/handoff${name}`);
    writeFileSync(handoff(''), 'mine');
    bed.open('gate');
    const ended = await run.ended;
    assert.deepEqual([ended.code, ended.json.status], [3, 'blocked'], ended.stdout + ended.stderr);
    mkdirSync(handoff('/2/bundle.json/deep'), { recursive: true });
    symlinkSync('nowhere', handoff('/2/SHA256SUMS'));
    const exported = await bed.mission('handoff', 'export', mission);
    assert.equal(exported.code, 0, exported.stdout + exported.stderr);
    for (const name of ['/1/bundle.json', '/2/bundle.json', '/2/SHA256SUMS'])
      assert.ok(lstatSync(handoff(name)).isFile(), name);
    const aside = bed.at(`.mission-control/missions/${mission}/moved-aside`);
    assert.deepEqual(readdirSync(aside).sort(), ['1-SHA256SUMS', '1-bundle.json', '1-handoff']);
    assert.equal((await bed.mission('cancel', mission, ...decision)).code, 0);
    const header = bed.json(`${folder}/EXECUTION_HEADER.json`) as unknown as {
      readonly moved_aside: readonly unknown[];
    };
    assert.equal(header.moved_aside.length, 3);
  });

  it('goes on with the locked bytes of the plan wherever they still are', async () => {
    const plan = bed.plan('way', [{ script: `${start}process.exit(3);` }]);
    const { json } = await bed.mission('run', plan);
    const kept = bed.at(`.mission-control/missions/${json.mission_id}/PLAN.locked.json`);
    rmSync(kept);
    mkdirSync(path.join(kept, 'deep'), { recursive: true });
    const exported = await bed.mission('handoff', 'export', json.mission_id);
    assert.equal(exported.code, 0, exported.stdout + exported.stderr);
    const cancelled = await bed.mission('cancel', json.mission_id, ...decision);
    assert.equal(cancelled.code, 0, cancelled.stdout + cancelled.stderr);
    assert.equal((await bed.mission('evidence', 'verify', 'way')).code, 0);
  });

  it('has the locked plan in the evidence at the end, whatever happened to the file meanwhile', async () => {
    const { run } = await waiting();
    rmSync(bed.at(`${folder}/PLAN.locked.json`));
    mkdirSync(bed.at(`${folder}/PLAN.locked.json/deep`), { recursive: true });
    bed.open('gate');
    const ended = await run.ended;
    assert.deepEqual([ended.code, ended.json.code], [3, 'CONCURRENCY_CONFLICT'], ended.stdout + ended.stderr);
    await bed.mission('cancel', ended.json.mission_id, ...decision);
    const verified = await bed.mission('evidence', 'verify', 'way');
    assert.equal(verified.code, 0, verified.stdout);
    assert.equal(bed.read(`${folder}/PLAN.locked.json`), bed.read('docs/plans/PLAN_way.json'));
  });

  it('archives earlier evidence where the archive is no folder', async () => {
    const plan = bed.plan('way', [{ script: `${start}fs.writeFileSync('docs/out/a.txt', String(Math.random()));` }]);
    const first = await bed.mission('run', plan);
    assert.equal(first.code, 0, first.stdout + first.stderr);
    bed.write(`${folder}/archive`, 'mine');
    const unarchived = await bed.mission('evidence', 'verify', 'way');
    assert.deepEqual(
      [unarchived.code, (unarchived.json.findings as readonly { readonly code: string }[]).map(({ code }) => code)],
      [0, ['FILE_UNEXPECTED']],
    );
    const again = await bed.mission('run', plan);
    assert.equal(again.code, 0, again.stdout + again.stderr);
    assert.deepEqual(readdirSync(bed.at(`${folder}/archive`)), [first.json.mission_id]);
    assert.equal((await bed.mission('evidence', 'verify', 'way')).code, 0);
    const { missions } = { missions: readdirSync(bed.at('.mission-control/missions')) };
    const kept = missions.flatMap((id) => {
      const aside = `.mission-control/missions/${id}/moved-aside/1-archive`;
      return bed.exists(aside) ? [bed.read(aside)] : [];
    });
    assert.deepEqual(kept, ['mine']);
  });

  it('ends the worker of a stopped task even when the stop cannot be written for the supervisor', async () => {
    const { run, mission } = await waiting();
    const worker = await bed.waitsAt('gate');
    await until(async () => (await bed.mission('status')).json.missions[0]?.live?.task_id === 'T1');
    mkdirSync(bed.at(`.mission-control/missions/${mission}/runs/1-T1/stop.json/inside`), { recursive: true });
    const cancelled = await bed.mission('cancel', mission, ...decision);
    assert.equal(cancelled.code, 0, cancelled.stdout + cancelled.stderr);
    const ended = await run.ended;
    assert.equal(ended.json.status, 'cancelled', ended.stdout + ended.stderr);
    assert.equal(isAlive(worker), false);
  });

  it('names the path when a worker occupies the place of its exit record', async () => {
    const { run, mission } = await waiting();
    const place = bed.at(`.mission-control/missions/${mission}/runs/1-T1/exit.json`);
    mkdirSync(path.join(place, 'inside'), { recursive: true });
    bed.open('gate');
    const ended = await run.ended;
    assert.deepEqual([ended.code, ended.json.packets[0]?.category], [3, 'run_not_recorded'], ended.stdout);
    assert.ok(ended.json.reason.includes(`A folder stood in the place of ${place}; it was moved to exit.json~`));
  });

  it('moves a link and a pipe aside, unfollowed and unopened; that they were made still blocks', async () => {
    const { run, mission } = await waiting();
    const elsewhere = path.join(bed.scratch, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, bed.at(`${folder}/TASK_T1.json`));
    execFileSync('mkfifo', [bed.at(`${folder}/EXECUTION_SUMMARY.md`)]);
    bed.open('gate');
    const ended = await run.ended;
    assert.deepEqual([ended.code, ended.json.code], [3, 'CONCURRENCY_CONFLICT'], ended.stdout + ended.stderr);
    await bed.mission('cancel', ended.json.mission_id, ...decision);
    const aside = bed.at(`.mission-control/missions/${mission}/moved-aside`);
    assert.ok(lstatSync(path.join(aside, '1-TASK_T1.json')).isSymbolicLink());
    assert.ok(lstatSync(path.join(aside, '1-EXECUTION_SUMMARY.md')).isFIFO());
    assert.deepEqual(readdirSync(elsewhere), []);
    assert.equal((await bed.mission('evidence', 'verify', 'way')).code, 0);
  });
});
