import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import type { WayView } from '../../src/contracts/page/blockView';
import { ConfinedBed } from './confinedBed';
import { decision, start, type Ended } from './cliBed';

interface Shown {
  readonly blocks: readonly { readonly next: readonly string[]; readonly ways: readonly WayView[] }[];
}

/** A build that takes its time to fail where a program would: it writes where its sandbox may keep it from. */
const builds = (folder: string): string =>
  `fs.mkdirSync('${folder}', { recursive: true }); for (const name of ['a.js', 'b.js']) fs.writeFileSync('${folder}/' + name, 'x');`;

/** The recommended way of real blocks, typed as it is printed and followed to the end of the mission. */
describe('the recommended way out of a block', function () {
  this.timeout(240_000);
  let bed: ConfinedBed;
  beforeEach(function () {
    bed = new ConfinedBed(this);
  });
  afterEach(() => bed.dispose());

  const blocked = async (plan: string): Promise<string> => {
    const run = await bed.mission('run', plan, '--confinement', 'required');
    assert.equal(run.code, 3, run.stdout + run.stderr);
    return run.json.mission_id;
  };
  const waysOf = async (mission: string): Promise<Shown['blocks'][number]> => {
    const { json } = await bed.mission('status', mission);
    return (json.missions as unknown as readonly Shown[])[0]?.blocks[0] ?? assert.fail('no block');
  };
  /** Types the first step of the block, with a name and a reason where it asks for them. */
  const follow = async (mission: string): Promise<Ended> => type((await waysOf(mission)).next[0]);
  const type = async (line = ''): Promise<Ended> => {
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
    const filled = words.map((word) => ({ NAME: 'Grace', TEXT: 'as recommended' })[word] ?? word);
    const ended = await bed.mission(...filled.slice(1));
    assert.equal(ended.code, 0, `${line}\n${ended.stdout}${ended.stderr}`);
    return ended;
  };
  const approveAndRun = async (plan: string): Promise<void> => {
    const approved = await bed.mission('plan', 'approve', plan, '--by', 'Ada', '--yes');
    assert.equal(approved.code, 0, approved.stdout + approved.stderr);
    const run = await bed.mission('run', plan, '--confinement', 'required');
    assert.deepEqual([run.code, run.json.status], [0, 'completed'], run.stdout + run.stderr);
  };

  it('of a write outside the paths judges the work without it, and a revision opens the place', async () => {
    const script = `${start}fs.appendFileSync('docs/out/a', 'a'); ${builds('dist/js')} fs.writeFileSync('top.js', 'x');`;
    const mission = await blocked(bed.plan('stray', [{ script }]));
    const { ways } = await waysOf(mission);
    assert.deepEqual(
      ways.slice(0, 2).map(({ step }) => step.command),
      ['rerun-validation', 'plan revise'],
    );
    const revised = await type((await waysOf(mission)).next[1]);
    const draft = JSON.parse(readFileSync(bed.at(revised.json.plan_path), 'utf8')) as {
      readonly tasks: readonly { readonly paths: readonly string[] }[];
    };
    assert.deepEqual(draft.tasks[0]?.paths, ['docs/out/', 'dist/', 'top.js']);
    await approveAndRun(revised.json.plan_path);
    assert.ok(bed.exists('dist/js/b.js'));
  });

  it('is not needed where git ignores what a command and its verify command write elsewhere', async () => {
    bed.write('.gitignore', 'dist/\n.mission-control/\n');
    bed.write('tools/check.mjs', start + builds('dist'));
    const script = `${start}fs.writeFileSync('docs/out/a', 'a'); ${builds('dist/js')}`;
    const plan = bed.plan('ignored', [{ script, verify: [['node', 'tools/check.mjs']] }]);
    const run = await bed.mission('run', plan, '--confinement', 'required');
    assert.deepEqual([run.code, bed.exists('dist')], [0, false], run.stdout + run.stderr);
  });

  it('of a failed check: once it is mended, the result is judged again, and the task does not run again', async () => {
    const writes = `${start}fs.appendFileSync('docs/out/runs', 'x');`;
    bed.write('tools/check.mjs', 'process.exit(1);');
    const mission = await blocked(bed.plan('check', [{ script: writes, verify: [['node', 'tools/check.mjs']] }]));
    const { ways } = await waysOf(mission);
    assert.match(ways[0]?.does ?? '', /^Mend what the check found first\. /);
    bed.write('tools/check.mjs', '');
    assert.equal((await follow(mission)).json.mission.status, 'completed');
    assert.equal(bed.read('docs/out/runs'), 'x');
  });

  it('of a failed command ends the mission where its retry writes what is there already', async () => {
    const script = `${start}fs.writeFileSync('docs/out/a', 'a'); if (fs.existsSync('.broken')) process.exit(1);`;
    bed.write('.broken', '');
    const mission = await blocked(bed.plan('again', [{ script }]));
    rmSync(bed.at('.broken'));
    assert.equal((await follow(mission)).json.mission.status, 'completed');
    assert.match(bed.read('docs/ops/executions/again/TASK_T1.json'), /"earlier_work": \[\s*"docs\/out\/a"\s*\]/);
    const verified = await bed.mission('evidence', 'verify', 'again');
    assert.equal(verified.code, 0, verified.stdout);
  });

  it('is a revision whose task writes the same again: that is its work', async () => {
    const script = `${start}fs.writeFileSync('docs/out/a', 'a'); if (fs.existsSync('.broken')) process.exit(1);`;
    bed.write('.broken', '');
    const mission = await blocked(bed.plan('same', [{ script }]));
    rmSync(bed.at('.broken'));
    const revised = await bed.mission('plan', 'revise', mission);
    await approveAndRun(revised.json.plan_path);
    const task = bed.read(`docs/ops/executions/${revised.json.plan_id}/TASK_T1.json`);
    assert.match(task, /"earlier_work": \[\s*"docs\/out\/a"\s*\]/);
    const verified = await bed.mission('evidence', 'verify', revised.json.plan_id);
    assert.equal(verified.code, 0, verified.stdout);
  });

  it('of a deadline: more time, then it is tried again', async () => {
    const slow = `${start}${bed.waitAt('go')} fs.writeFileSync('docs/out/a', 'a');`;
    const mission = await blocked(bed.plan('late', [{ script: slow, max_runtime_seconds: 2 }]));
    bed.open('go');
    await follow(mission);
    assert.equal((await follow(mission)).json.mission.status, 'completed');
  });

  it('never leads to a refusal of the plan rules: what git locks, and a folder that is approved itself', async () => {
    const lock = `${start}fs.writeFileSync('.git/index.lock', '');`;
    const { ways } = await waysOf(await blocked(bed.plan('lock', [{ script: lock }])));
    assert.equal(ways[0]?.step.command, 'retry');
    assert.ok(!ways.some(({ label }) => label.startsWith('Let it write')));
    await bed.mission('cancel', 'lock', ...decision);
    bed.write('dist/old', '');
    const clean = `import fs from 'node:fs'; fs.rmSync('dist', { recursive: true });`;
    const second = await waysOf(await blocked(bed.plan('clean', [{ script: clean, paths: ['dist/'] }])));
    assert.match(
      JSON.stringify(second),
      /It may have removed or replaced an approved folder itself, which its sandbox keeps/,
    );
    rmSync(bed.at('dist'), { recursive: true });
  });
});
