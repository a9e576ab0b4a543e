import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import type { WayView } from '../../src/contracts/missionView';
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
  const follow = async (mission: string): Promise<Ended> => {
    const [line = ''] = (await waysOf(mission)).next;
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

  for (const [name, ignored, entry] of [
    ['a folder that git ignores becomes scratch', 'dist/\n', { scratch: ['dist'] }],
    ['a folder that is not there yet becomes a path of the task', '', { paths: ['docs/out/', 'dist/'] }],
  ] as const)
    it(`of the edge of the sandbox fills the line in: ${name}`, async () => {
      if (ignored !== '') bed.write('.gitignore', ignored);
      const mission = await blocked(
        bed.plan('edge', [{ script: `${start}fs.appendFileSync('docs/out/a', 'a'); ${builds('dist/js')}` }]),
      );
      const { ways } = await waysOf(mission);
      assert.equal(ways[0]?.recommended, true);
      const { json } = await follow(mission);
      const draft = JSON.parse(readFileSync(bed.at(json.plan_path), 'utf8')) as {
        readonly execution: { readonly scratch?: readonly string[] };
        readonly tasks: readonly { readonly paths: readonly string[] }[];
      };
      const [task] = draft.tasks;
      if ('scratch' in entry) assert.deepEqual(draft.execution.scratch, entry.scratch);
      else assert.deepEqual(task?.paths, entry.paths);
      await approveAndRun(json.plan_path);
      assert.ok(bed.exists('dist/js/b.js'));
    });

  it('of a verify command at the edge is the same', async () => {
    bed.write('.gitignore', 'dist/\n');
    bed.write('tools/check.mjs', start + builds('dist'));
    const verify = [['node', 'tools/check.mjs']];
    const writes = `${start}fs.writeFileSync('docs/out/a', 'a');`;
    const mission = await blocked(bed.plan('verify', [{ script: writes, verify }]));
    await approveAndRun((await follow(mission)).json.plan_path);
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
    assert.match(ways.find(({ label }) => label.startsWith('Let it write'))?.refused?.reason ?? '', /PATH_RESERVED/);
    await bed.mission('cancel', 'lock', ...decision);
    bed.write('dist/old', '');
    const clean = `import fs from 'node:fs'; fs.rmSync('dist', { recursive: true });`;
    const second = await waysOf(await blocked(bed.plan('clean', [{ script: clean, paths: ['dist/'] }])));
    const writes = second.ways.find(({ label }) => label.startsWith('Let it write'));
    assert.match(writes?.refused?.reason ?? '', /^dist is approved itself.* Empty it in place of removing it/);
    rmSync(bed.at('dist'), { recursive: true });
  });
});
