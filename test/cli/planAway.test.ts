import assert from 'node:assert/strict';
import { CliBed, cliFile, decision, start, type Ended, type Printed } from './cliBed';

interface Shown extends Printed {
  readonly headline: string;
  readonly plan_differs?: string;
  readonly attention: { readonly code: string; readonly reason: string; readonly next: readonly string[] } | null;
  readonly tasks: readonly { readonly task_id: string; readonly status: string; readonly attempts: number }[];
}

/** Sources: anthropics/claude-code#36323 (a branch switched under a running session); seed 001, plan hash lock. */
describe('a plan file that is gone for a while', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const writes = (name: string): string => `${start}fs.writeFileSync('docs/out/${name}', '${name}');`;
  const status = async (id: string): Promise<Shown> =>
    (await bed.mission('status', id)).json.missions[0] as unknown as Shown;
  const launches = async (id: string): Promise<number> =>
    (await bed.events(id)).filter(({ type }) => type === 'LaunchRequested').length;
  const why = ({ stdout, stderr }: Ended): string => stdout + stderr;

  /** A mission whose first task is done, and that a person paused before its second. */
  const pausedAfterOne = async (plan: string): Promise<string> => {
    const running = bed.start('run', plan);
    await bed.waitsAt('go');
    const id = await bed.missionId();
    await bed.mission('pause', id, ...decision);
    bed.open('go');
    const run = await running.ended;
    assert.deepEqual([run.code, run.json.status], [3, 'paused'], why(run));
    return id;
  };

  it('waits while another branch is checked out, in a pause and between two attempts, and completes when it is back', async () => {
    bed.git('branch', 'other');
    const plan = bed.plan('branch', [
      { script: `${start}${bed.waitAt('go')} fs.writeFileSync('docs/out/a', 'a');` },
      {
        script: `${start}fs.writeFileSync('docs/out/b', String(process.pid)); if (!fs.existsSync('tools/fixed')) process.exit(7);`,
      },
    ]);
    bed.git('add', 'docs/plans');
    bed.git('commit', '-q', '-m', 'plan');
    const id = await pausedAfterOne(plan);

    bed.git('switch', '-q', 'other');
    assert.equal(bed.exists(plan), false);
    const refused = await bed.mission('resume', id, ...decision);
    assert.deepEqual([refused.code, refused.json.code], [2, 'PLAN_HASH_MISMATCH'], why(refused));
    assert.match(refused.json.reason, /^docs\/plans\/PLAN_branch\.json is not the approved plan\. The file is gone\./);
    assert.match(refused.json.next[0] ?? '', /git checkout.*docs\/plans\/PLAN_branch\.json/);
    const gone = await status(id);
    assert.equal(gone.status, 'paused');
    assert.match(
      gone.plan_differs ?? '',
      /^docs\/plans\/PLAN_branch\.json is not the approved plan\. The file is gone\./,
    );
    assert.match(gone.next[0] ?? '', /git checkout.*docs\/plans\/PLAN_branch\.json/);
    assert.equal(await launches(id), 1);

    bed.git('switch', '-q', 'main');
    assert.equal((await status(id)).plan_differs, undefined);
    const resumed = await bed.mission('resume', id, ...decision);
    assert.equal(resumed.json.mission.status, 'blocked', why(resumed));
    bed.git('switch', '-q', 'other');
    bed.write('tools/fixed', '');
    const before = await launches(id);
    const retried = await bed.mission('retry', id, 'T2', ...decision);
    assert.deepEqual([retried.code, retried.json.mission.status], [3, 'paused'], why(retried));
    const shown = await status(id);
    assert.equal(shown.attention?.code, 'PLAN_HASH_MISMATCH');
    assert.match(shown.headline, /PLAN_branch\.json is not the approved plan\. The file is gone\./);
    assert.match(shown.attention.next.join('\n'), /git checkout[^]*\nmission resume /);
    const printed = (await bed.spawn(process.execPath, [cliFile, 'status', id]).ended).stdout;
    assert.match(printed, /live: .*; nothing runs$/m);
    assert.equal(await launches(id), before, 'something was launched without the approved plan');
    const early = await bed.mission('resume', id, ...decision);
    assert.deepEqual([early.code, early.json.code], [2, 'PLAN_HASH_MISMATCH'], why(early));

    bed.git('switch', '-q', 'main');
    const back = await bed.mission('resume', id, ...decision);
    assert.deepEqual([back.code, back.json.mission.status], [0, 'completed'], why(back));
    const verified = await bed.mission('evidence', 'verify', 'branch');
    assert.equal(verified.code, 0, why(verified));
  });

  it('waits while a stash has it with everything else, and completes after git stash pop', async () => {
    const plan = bed.plan('stash', [
      { script: `${start}${bed.waitAt('go')} fs.writeFileSync('docs/out/a', 'a');` },
      { script: writes('b') },
    ]);
    const id = await pausedAfterOne(plan);
    bed.git('stash', '-q', '-u');
    const refused = await bed.mission('resume', id, ...decision);
    assert.deepEqual([refused.code, refused.json.code], [2, 'PLAN_HASH_MISMATCH'], why(refused));
    bed.git('stash', 'pop', '-q');
    const back = await bed.mission('resume', id, ...decision);
    assert.deepEqual([back.code, back.json.mission.status], [0, 'completed'], why(back));
    assert.equal((await bed.mission('evidence', 'verify', 'stash')).code, 0);
  });

  it('is not resumed with other bytes: the refusal shows the line that differs', async () => {
    const plan = bed.plan('format', [
      { script: `${start}${bed.waitAt('go')} fs.writeFileSync('docs/out/a', 'a');` },
      { script: writes('b') },
    ]);
    const id = await pausedAfterOne(plan);
    const approved = bed.read(plan);
    for (const [changed, words] of [
      [
        approved.replace('Task T2', 'Another task'),
        /In line \d+ `"description": "Task T2",` was approved, and `"description": "Another task",` is there now\./,
      ],
      [JSON.stringify(JSON.parse(approved)), /Only white space or the order of fields changed\./],
      [approved.replaceAll('\n', '\r\n'), /Only line ends or the byte-order mark changed/],
    ] as const) {
      bed.write(plan, changed);
      const refused = await bed.mission('resume', id, ...decision);
      assert.deepEqual([refused.code, refused.json.code], [2, 'PLAN_HASH_MISMATCH'], why(refused));
      assert.match(refused.json.reason, words);
      assert.match(refused.json.reason, /The approved SHA-256 is [0-9A-F]{12}, and the file has [0-9A-F]{12}\./);
      // The same before it is tried, with all ways on.
      const shown = await status(id);
      assert.equal(shown.status, 'paused');
      assert.match(shown.plan_differs ?? '', words);
      const ways = shown.next.map((step) =>
        step.replace(/^(Bring the approved bytes back|mission [a-z]+( revise)?).*/, '$1'),
      );
      assert.deepEqual(ways, [
        'Bring the approved bytes back',
        'mission resume',
        'mission cancel',
        'mission plan revise',
      ]);
      const said = await bed.spawn(process.execPath, [cliFile, 'status', id]).ended;
      assert.match(said.stdout, words);
      assert.match(said.stdout, / A resume is refused before the approved bytes are back\.\n {2}next: Bring/);
    }
    bed.write(plan, bed.read(`.mission-control/missions/${id}/PLAN.locked.json`));
    const back = await bed.mission('resume', id, ...decision);
    assert.deepEqual([back.code, back.json.mission.status], [0, 'completed'], why(back));
  });
});
