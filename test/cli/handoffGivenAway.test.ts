import assert from 'node:assert/strict';
import { cpSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CliBed, decision, start, type Ended } from './cliBed';

const writes = (name: string): string => `${start}fs.writeFileSync('docs/out/${name}.txt', '${name}\\n');`;
const failing = `${start}if (!fs.existsSync('tools/fixed')) process.exit(7); fs.writeFileSync('docs/out/b.txt', 'b\\n');`;

/** A run that was given away, in the place that gave it: `dist/cli.js` as real processes. */
describe('a run that was given away', function () {
  this.timeout(300_000);
  let bed: CliBed;
  let plan: string;
  let mission: string;
  /** The folder with which it was given away, where the runner wrote it. */
  let given: string;
  /** The handoff that the block wrote before. */
  let earlier: string;
  beforeEach(async () => {
    bed = new CliBed();
    plan = bed.plan('run', [{ script: failing }, { script: writes('c'), depends_on: ['T1'] }]);
    bed.git('add', '.');
    bed.git('commit', '-q', '-m', 'plan');
    const blocked = await bed.mission('run', plan);
    assert.equal(blocked.code, 3, blocked.stderr);
    mission = blocked.json.mission_id;
    earlier = path.join(bed.root, '.mission-control/missions', mission, 'handoff/1');
  });
  afterEach(() => bed.dispose());

  const giveAway = async (): Promise<void> => {
    const moved = await bed.mission('handoff', 'export', 'run', '--move', ...decision);
    assert.equal(moved.code, 0, moved.stdout + moved.stderr);
    given = (moved.json as unknown as { dir: string }).dir;
    assert.match(given, /handoff.2$/);
    bed.write('tools/fixed', '');
  };
  const at = (name: string): string => path.join(bed.scratch, name);
  const inFolder = (folder: string, ...args: string[]): Promise<Ended> => bed.mission(...args, '--workspace', folder);
  /** Another clone takes what was given, and completes it. */
  const taken = async (): Promise<string> => {
    const there = at('there');
    bed.git('clone', '-q', '.', there);
    cpSync(given, at('copied'), { recursive: true });
    const resumed = await inFolder(there, 'handoff', 'resume', at('copied'));
    assert.equal(resumed.code, 3, resumed.stdout + resumed.stderr);
    return there;
  };
  const refused = (ended: Ended): void => {
    assert.deepEqual([ended.code, ended.json.code], [2, 'MISSION_CLOSED'], ended.stdout + ended.stderr);
    assert.match(
      ended.json.reason,
      /^(?:Nothing was written\. )?Grace gave mission [\w-]+ of plan [\w-]+ away at [\d-]+ [\d:]+ UTC with handoff 2 \(bundle [0-9A-F]{8}\): /,
    );
    assert.ok(ended.json.reason.includes(`mission ${mission} of`), ended.json.reason);
    // No step is a command that a person could follow in this place, where it would run the plan again.
    for (const step of ended.json.next) assert.doesNotMatch(step, /^(?:Or: )?mission /);
    assert.ok(ended.json.next.some((step) => step.includes(`.mission-control/missions/${mission}/handoff/2`)));
  };
  const isOnlyMissionHere = async (): Promise<void> => {
    const { missions } = (await bed.mission('list')).json;
    assert.deepEqual(
      missions.map(({ mission_id, status }) => [mission_id, status]),
      [[mission, 'cancelled']],
    );
  };

  it('says that it has ended where its copy cannot be written, and what takes the place of the copy', async () => {
    const moved = await bed.mission('handoff', 'export', 'run', '--move', '--out', '/sys/none/copy', ...decision);
    assert.deepEqual([moved.code, moved.json.code], [4, 'EVIDENCE_UNWRITABLE'], moved.stdout + moved.stderr);
    assert.match(moved.json.reason, /The run has ended here: its handoff is whole\.$/);
    given = /^Copy (.+) yourself\.$/.exec(moved.json.next.join())?.[1] ?? '';
    await taken();
  });

  it('does not go on where it was given away, by no command, before it is taken and after', async () => {
    await giveAway();
    symlinkSync(bed.root, at('link'));
    const ways: readonly (readonly string[])[] = [
      ['run', plan],
      ['resume', 'run', ...decision],
      ['retry', 'run', 'T1', ...decision],
      ['handoff', 'resume', given],
      ['handoff', 'resume', given, ...decision],
      ['handoff', 'resume', earlier],
      ['handoff', 'resume', earlier, ...decision],
      ['handoff', 'resume', given, ...decision, '--workspace', at('link')],
      ['handoff', 'export', 'run', ...decision],
      ['plan', 'revise', 'run'],
      ['packet', 'revise', mission, '--task', 'T1', '--set', 'priority=high', ...decision],
    ];
    for (const words of ways) refused(await bed.mission(...words));
    await isOnlyMissionHere();
    const there = await taken();
    for (const folder of [given, at('copied'), earlier])
      refused(await bed.mission('handoff', 'resume', folder, ...decision));
    writeFileSync(path.join(there, 'tools/fixed'), '');
    const retried = await inFolder(there, 'retry', 'run', 'T1', ...decision);
    assert.equal(retried.json.mission.status, 'completed', retried.stderr);
    for (const words of ways) refused(await bed.mission(...words));
    await isOnlyMissionHere();
  });

  it('does not go on as a revision that was drafted before', async () => {
    const drafted = await bed.mission('plan', 'revise', 'run');
    assert.equal(drafted.code, 0, drafted.stdout + drafted.stderr);
    const revision = readdirSync(path.join(bed.root, 'docs/plans')).find((name) => name !== path.basename(plan));
    assert.ok(revision);
    await giveAway();
    refused(await bed.mission('plan', 'approve', `docs/plans/${revision}`, '--by', 'Ada', '--yes'));
    await isOnlyMissionHere();
  });

  it('leaves a revision that carries its tasks over one way: all tasks are done again, as another run', async () => {
    const parts = bed.plan('parts', [{ script: writes('a') }, { script: `${start}process.exit(7);` }]);
    await giveAway();
    assert.equal((await bed.mission('run', parts)).code, 3);
    const drafted = await bed.mission('plan', 'revise', 'parts');
    assert.equal(drafted.code, 0, drafted.stdout + drafted.stderr);
    const draft = drafted.json.plan_path;
    assert.equal((await bed.mission('handoff', 'export', 'parts', '--move', ...decision)).code, 0);
    const found = (await bed.mission('plan', 'validate', draft)).json.files[0]?.findings ?? [];
    const lost = found.find(({ code }) => code === 'CARRIED_REFUSED');
    assert.match(lost?.message ?? '', /was given away\. Remove supersedes and every carried_from/);
    type Draft = { supersedes?: string; tasks: { carried_from?: unknown }[] };
    const { supersedes: _, ...plain } = JSON.parse(bed.read(draft)) as Draft;
    bed.write(draft, JSON.stringify({ ...plain, tasks: plain.tasks.map(({ carried_from: _from, ...task }) => task) }));
    const approved = await bed.mission('plan', 'approve', draft, '--by', 'Ada', '--yes');
    assert.equal(approved.code, 0, approved.stdout + approved.stderr);
    // It starts; the first task finds its work done, and blocks.
    assert.equal((await bed.mission('run', draft)).code, 3);
  });

  it('comes back with a handoff of the place that took it, also one that a person takes over', async () => {
    await giveAway();
    const there = await taken();
    const written = path.join(there, '.mission-control/missions', mission, 'handoff');
    const [first = ''] = readdirSync(written);
    const unasked = await bed.mission('handoff', 'resume', path.join(written, first));
    assert.deepEqual([unasked.code, unasked.json.code], [2, 'HUMAN_ONLY'], unasked.stdout);
    const back = await inFolder(there, 'handoff', 'export', 'run', '--move', ...decision);
    assert.equal(back.code, 0, back.stdout + back.stderr);
    const home = await bed.mission('handoff', 'resume', (back.json as unknown as { dir: string }).dir);
    assert.equal(home.code, 3, home.stdout + home.stderr);
    const came = home.json.mission.mission_id;
    const ways: readonly (readonly string[])[] = [
      ['retry', mission, 'T1', ...decision],
      ['resume', mission, ...decision],
      ['packet', 'revise', mission, '--task', 'T1', '--set', 'priority=high', ...decision],
      ['plan', 'revise', mission],
    ];
    for (const words of ways) {
      const { code, json, stdout } = await bed.mission(...words);
      assert.deepEqual([code, json.code], [2, 'MISSION_CLOSED'], stdout);
      assert.ok(json.reason.endsWith(`The run came back as mission ${came}.`), json.reason);
      const revise = words[0] === 'plan' ? [`mission plan revise ${came}`] : [];
      assert.deepEqual(json.next, [`mission status ${came}`, ...revise]);
    }
    const done = await bed.mission('retry', came, 'T1', ...decision);
    assert.equal(done.json.mission.status, 'completed', done.stderr);
    // The run is here again and has ended, so its plan may run once more. It finds its work done, and blocks.
    const more = await bed.mission('run', plan);
    assert.equal(more.code, 3, more.stdout + more.stderr);
  });

  it('does not go on where only its committed evidence is, and a handoff of it is resumed there', async () => {
    await giveAway();
    bed.git('add', 'docs/ops');
    bed.git('commit', '-q', '-m', 'evidence');
    const clone = at('clone');
    bed.git('clone', '-q', '.', clone);
    const { code, json, stdout } = await inFolder(clone, 'run', path.join(clone, plan));
    assert.deepEqual([code, json.code], [2, 'MISSION_CLOSED'], stdout);
    assert.match(json.reason, /executions\/run\/EXECUTION_HEADER\.json says that the run of plan run was given away/);
    for (const step of json.next) assert.doesNotMatch(step, /^(?:Or: )?mission /);
    cpSync(given, at('copied'), { recursive: true });
    const resumed = await inFolder(clone, 'handoff', 'resume', at('copied'));
    assert.equal(resumed.code, 3, resumed.stdout + resumed.stderr);
  });

  it('that came back is revised as the mission that goes on, not done again by a draft of before', async () => {
    const parts = bed.plan('parts', [{ script: writes('a') }, { script: failing, depends_on: ['T1'] }]);
    bed.git('add', '.');
    bed.git('commit', '-q', '-m', 'parts');
    const there = at('there');
    bed.git('clone', '-q', '.', there);
    mission = (await bed.mission('run', parts)).json.mission_id;
    const draft = (await bed.mission('plan', 'revise', mission)).json.plan_path;
    const moved = await bed.mission('handoff', 'export', mission, '--move', ...decision);
    const folder = (moved.json as unknown as { dir: string }).dir;
    const resumed = await inFolder(there, 'handoff', 'resume', folder, '--apply-diff');
    assert.equal(resumed.code, 3, resumed.stdout + resumed.stderr);
    const back = await inFolder(there, 'handoff', 'export', 'parts', '--move', ...decision);
    const home = await bed.mission('handoff', 'resume', (back.json as unknown as { dir: string }).dir);
    assert.equal(home.code, 3, home.stdout + home.stderr);
    const came = home.json.mission.mission_id;
    const found = (await bed.mission('plan', 'validate', draft)).json.files[0]?.findings ?? [];
    const lost = found.find(({ code }) => code === 'CARRIED_REFUSED')?.message ?? '';
    const said = `was given away. The run came back as mission ${came}. To revise its plan: mission plan revise ${came}.`;
    assert.ok(lost.endsWith(said), lost);
    const revised = await bed.mission('plan', 'revise', came);
    assert.equal(revised.code, 0, revised.stdout + revised.stderr);
    assert.match(bed.read(revised.json.plan_path), /carried_from/);
  });

  it('comes back as a revision that the taker made: it is approved here, resumed, and goes on', async () => {
    await giveAway();
    const parts = bed.plan('parts', [{ script: writes('a') }, { script: failing, depends_on: ['T1'] }]);
    bed.git('add', '.');
    bed.git('commit', '-q', '-m', 'parts', '--', 'docs/plans');
    const there = at('there');
    bed.git('clone', '-q', '.', there);
    rmSync(path.join(bed.root, 'tools/fixed'));
    const blocked = await bed.mission('run', parts);
    assert.equal(blocked.code, 3, blocked.stderr);
    mission = blocked.json.mission_id;
    const moved = await bed.mission('handoff', 'export', 'parts', '--move', ...decision);
    const folder = (moved.json as unknown as { dir: string }).dir;
    const resumed = await inFolder(there, 'handoff', 'resume', folder, '--apply-diff');
    assert.equal(resumed.code, 3, resumed.stdout + resumed.stderr);

    const revision = 'docs/plans/PLAN_parts-r2.json';
    const first = path.join(there, revision);
    assert.equal((await inFolder(there, 'plan', 'revise', 'parts')).code, 0);
    assert.match(readFileSync(first, 'utf8'), /carried_from/);
    const approved = await inFolder(there, 'plan', 'approve', first, '--by', 'Ada', '--yes');
    assert.equal(approved.code, 0, approved.stdout + approved.stderr);
    const revised = await inFolder(there, 'run', first);
    assert.equal(revised.code, 3, revised.stdout + revised.stderr);
    const back = await inFolder(there, 'handoff', 'export', 'parts-r2', '--move', ...decision);
    assert.equal(back.code, 0, back.stdout + back.stderr);

    cpSync(first, path.join(bed.root, revision));
    const here = await bed.mission('plan', 'approve', revision, '--by', 'Grace', '--yes');
    assert.equal(here.code, 0, here.stdout + here.stderr);
    // Its approval lets nothing run here beside the taker.
    refused(await bed.mission('run', revision));
    const home = await bed.mission('handoff', 'resume', (back.json as unknown as { dir: string }).dir);
    assert.equal(home.code, 3, home.stdout + home.stderr);
    bed.write('tools/fixed', '');
    const done = await bed.mission('retry', home.json.mission.mission_id, 'T2', ...decision);
    assert.equal(done.json.mission.status, 'completed', done.stderr);
    // The revision is the one that goes on here, so it may run once more: T2 finds its work done, and blocks.
    assert.equal((await bed.mission('plan', 'validate', revision)).code, 0);
    const again = await bed.mission('run', revision);
    assert.equal(again.code, 3, again.stdout + again.stderr);
    assert.deepEqual(
      again.json.tasks.map(({ status }) => status),
      ['done', 'blocked'],
    );
    refused(await bed.mission('run', parts));
  });

  it('that is lost is done by another run: a person gives its plan a new plan_id and approves it', async () => {
    await giveAway();
    const told = await bed.mission('run', plan);
    assert.ok(told.json.next.some((step) => /new plan_id and approve it/.test(step)));
    const text = readFileSync(path.join(bed.root, plan), 'utf8');
    bed.write('docs/plans/PLAN_run-again.json', text.replace('"plan_id": "run"', '"plan_id": "run-again"'));
    const again = await bed.mission('run', 'docs/plans/PLAN_run-again.json');
    assert.equal(again.code, 0, again.stdout + again.stderr);
    assert.notEqual(again.json.mission_id, mission);
  });
});
