import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { skipWithReason } from '../support/skip';
import { CliBed, cliFile, decision, isAlive, start, until, type Ended, type Printed } from './cliBed';

/** A workspace of a user who has others: they share the user's own folder and key. */
class SharingBed extends CliBed {
  constructor(private readonly home: string) {
    super();
  }
  override get env(): NodeJS.ProcessEnv {
    return { ...super.env, HOME: this.home, MISSION_CONTROL_HOME: this.home };
  }
}

interface StopPrinted extends Printed {
  readonly stopped: boolean;
  readonly starts_held: boolean;
  readonly workspaces: readonly string[];
  readonly remaining: readonly unknown[];
  readonly problems: readonly { readonly workspace: string; readonly problem: string }[];
}

/** Everything of one user is stopped: `dist/cli.js` as real processes in several workspaces. */
describe('mission stop --all', function () {
  this.timeout(180_000);
  let home: string;
  let beds: SharingBed[];
  const bed = (): SharingBed => {
    const one = new SharingBed(home);
    beds.push(one);
    return one;
  };
  beforeEach(() => {
    home = mkdtempSync(path.join(tmpdir(), 'mission-user-'));
    beds = [];
  });
  afterEach(async () => {
    rmSync(path.join(home, 'stopped.json'), { force: true });
    for (const one of beds) await one.dispose();
    rmSync(home, { recursive: true, force: true });
  });
  const stopAll = async (from: CliBed): Promise<{ readonly code: number | null; readonly json: StopPrinted }> => {
    const ended = await from.mission('stop', '--all', '--by', 'Grace', '--reason', 'the disk burns');
    return { code: ended.code, json: ended.json as StopPrinted };
  };
  const release = (from: CliBed): Promise<Ended> => from.mission('stop', '--release', ...decision);
  const text = async (one: CliBed, ...args: string[]): Promise<string> =>
    (await one.spawn(process.execPath, [cliFile, ...args]).ended).stdout;
  /** A step as a shell takes it apart, with a person's words for NAME and TEXT. */
  const typed = (one: CliBed, step: string): Promise<Ended> => {
    const line = step.replace('NAME', 'Ada').replace('TEXT', 'why');
    const words = execFileSync('sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' })
      .trimEnd()
      .split('\n');
    assert.equal(words[0], 'mission', step);
    return one.mission(...words.slice(1));
  };
  const waiting = (one: CliBed, gate: string, more = ''): string => `${start}${more}${one.waitAt(gate)}`;

  it('ends what runs in every workspace, pauses all of it, and holds every start until a person allows it', async () => {
    const [first, second, third] = [bed(), bed(), bed()];
    const stubborn = "process.on('SIGTERM', () => {});";
    const running = first.start(
      'run',
      first.plan('one', [{ script: waiting(first, 'one', stubborn) }, { script: start }]),
    );
    const orphaned = second.start('run', second.plan('two', [{ script: waiting(second, 'two') }]));
    const pids = [await first.waitsAt('one'), await second.waitsAt('two')];
    orphaned.child.kill('SIGKILL');
    await orphaned.ended;
    assert.deepEqual(pids.map(isAlive), [true, true]);

    const stopped = await stopAll(third);
    assert.equal(stopped.code, 0, JSON.stringify(stopped.json, null, 2));
    assert.deepEqual([stopped.json.stopped, stopped.json.remaining, stopped.json.problems], [true, [], []]);
    assert.deepEqual(stopped.json.workspaces, [first.root, second.root].sort());
    assert.deepEqual(
      (stopped.json.missions as unknown as readonly { readonly reason: string }[]).map(({ reason }) => reason),
      ['Paused.', 'Paused.'],
    );
    assert.deepEqual(pids.map(isAlive), [false, false]);
    assert.equal((await running.ended).code, 3);
    for (const [one, plan] of [
      [first, 'one'],
      [second, 'two'],
    ] as const) {
      const [mission] = (await one.mission('status', plan)).json.missions;
      assert.equal(mission?.ending, null);
      const events = (await one.events(mission.mission_id)).map((event) => JSON.stringify(event));
      assert.ok(
        events.some((event) => event.includes('"MissionPaused"') && event.includes('Grace: the disk burns')),
        plan,
      );
      assert.ok(
        events.some((event) => event.includes('"TaskStopRequested"') && event.includes('Grace')),
        plan,
      );
      for (const verb of [
        ['retry', mission.mission_id, 'T1'],
        ['resume', mission.mission_id],
      ])
        assert.deepEqual(await coded(one, ...verb, ...decision), [2, 'STARTS_HELD'], verb[0]);
    }
    const fresh = third.plan('three', [{ script: `${start}fs.writeFileSync('docs/out/three.txt', '3');` }]);
    const refused = await third.mission('run', fresh);
    assert.deepEqual([refused.code, refused.json.code], [2, 'STARTS_HELD'], refused.stdout);
    assert.match(refused.json.reason, /^Grace stopped everything at .*: the disk burns\. Nothing of this user starts/);
    assert.deepEqual(refused.json.next, ['mission stop --release --by NAME --reason TEXT']);

    assert.match(
      await text(second, 'doctor'),
      /^FAIL starts +Grace stopped everything at .*: the disk burns\. .*\n +fix: mission stop --release --by NAME --reason TEXT$/m,
    );
    const held = await text(second, 'status', 'two');
    assert.match(held, /^Grace stopped everything at .*: the disk burns\./m);
    assert.match(held, /^ {2}next: mission stop --release --by NAME --reason TEXT$/m);
    const listed = (await second.mission('status')).json as unknown as { starts_held?: { code: string } };
    assert.equal(listed.starts_held?.code, 'STARTS_HELD');

    const released = await text(first, 'stop', '--release', ...decision);
    assert.match(released, /^Starts are allowed again\.$/m);
    assert.doesNotMatch(released, /Nothing of this user starts/);
    assert.match(await text(second, 'doctor'), /^ok {3}starts +Missions may start\.$/m);
    assert.doesNotMatch(await text(second, 'status', 'two'), /^Grace stopped everything/m);
    assert.deepEqual(await coded(first, 'stop', '--release', ...decision), [2, 'STARTS_NOT_HELD']);
    assert.equal((await third.mission('run', fresh)).code, 0);
    // What was stopped waits: allowing starts starts nothing.
    assert.equal((await second.mission('status', 'two')).json.missions[0]?.status === 'running', false);
    second.open('two');
    const retried = await second.mission('retry', 'two', 'T1', ...decision);
    assert.deepEqual([retried.code, retried.json.mission.status], [0, 'completed'], retried.stdout);
    assert.equal(readFileSync(path.join(home, 'stops.jsonl'), 'utf8').trim().split('\n').length, 2);
  });

  it('its release says what each mission needs next; the refusal of a resume leads on, as typed', async () => {
    const [first, second] = [bed(), bed()];
    const running = [
      first.start('run', first.plan('one', [{ script: waiting(first, 'one') }])),
      second.start('run', second.plan('two', [{ script: waiting(second, 'two') }])),
    ];
    await first.waitsAt('one');
    await second.waitsAt('two');
    assert.equal((await stopAll(first)).code, 0);
    for (const { ended } of running) assert.equal((await ended).code, 3);
    const [one, two] = [await first.missionId(), await second.missionId()];
    const released = (await release(first)).json as unknown as {
      readonly missions: readonly { readonly mission_id: string; readonly next: readonly string[] }[];
      readonly next: readonly string[];
    };
    assert.deepEqual(released.missions.map(({ mission_id }) => mission_id).sort(), [one, two].sort());
    const nextOf = (id: string): string => released.missions.find(({ mission_id }) => mission_id === id)?.next[0] ?? '';
    assert.deepEqual(
      released.next,
      released.missions.flatMap(({ next }) => next),
    );
    first.open('one');
    second.open('two');
    // Typed in the other workspace, the step leads to its own.
    assert.equal(nextOf(one), `mission retry ${one} T1 --by NAME --reason TEXT`);
    const there = await typed(first, nextOf(two));
    assert.deepEqual([there.code, there.json.mission.status], [0, 'completed'], there.stdout);

    const refused = await first.mission('resume', one, ...decision);
    assert.deepEqual([refused.code, refused.json.code], [2, 'PACKET_OPEN'], refused.stdout);
    assert.match(refused.json.reason, /decides about task T1 \(packet .*\.p1\)\. A retry also resumes the mission\.$/);
    const again = await typed(first, refused.json.next[0] ?? '');
    assert.deepEqual([again.code, again.json.mission.status], [0, 'completed'], again.stdout);
  });

  it('its release names a failure that a person has not seen, and what it cannot read', async () => {
    const [failed, broken] = [bed(), bed()];
    const bad = failed.plan('bad', [{ script: `${start}process.exit(7);` }], { on_block: 'fail' });
    assert.equal((await failed.mission('run', bad)).json.status, 'failed');
    assert.equal((await broken.mission('run', broken.plan('fine', [{ script: start }]))).code === 2, false);
    assert.equal((await stopAll(failed)).code, 0);
    writeFileSync(broken.at('.mission-control/state.db'), 'no database');
    const said = await text(failed, 'stop', '--release', ...decision);
    assert.match(said, /^Starts are allowed again\.$/m);
    assert.doesNotMatch(said, /No mission of this user waits/);
    assert.match(said, /^ {4}next: mission acknowledge \S+ --by NAME --reason TEXT$/m);
    assert.match(said, /^What waits here is not known, because it cannot be read:$/m);
    assert.ok(said.includes(`    next: mission doctor --workspace '${broken.root}'`), said);
  });

  it('a start that races with it starts nothing that is left alive', async () => {
    for (const delay of [0, 150, 400, 700, 1000]) {
      const one = bed();
      const plan = one.plan('race', [{ script: waiting(one, 'race') }]);
      const racing = one.start('run', plan);
      await new Promise((resolve) => setTimeout(resolve, delay));
      const stopped = await stopAll(one);
      assert.equal(stopped.code, 0, `${delay}: ${JSON.stringify(stopped.json)}`);
      const ended = await racing.ended;
      assert.ok(ended.code === 2 || ended.code === 3, `${delay}: ${ended.stdout}`);
      const file = 'docs/out/waits-at-race';
      if (one.exists(file)) assert.equal(isAlive(Number(one.read(file))), false, `${delay}: its worker lives`);
      assert.equal((await release(one)).code, 0);
    }
  });

  const brokenFolders: readonly [what: string, says: RegExp, held: boolean, breaks: () => void, mends: () => void][] = [
    [
      'the stop cannot be recorded',
      /^The stop is not on record, so a process that is frozen now may go on when it wakes\. /,
      true,
      () => mkdirSync(path.join(home, 'stops.jsonl')),
      () => undefined,
    ],
    [
      'starts cannot be forbidden',
      /^Starts are not forbidden, so missions may start again\. /,
      false,
      () => chownSync(home, 65534, 65534),
      () => chownSync(home, 0, 0),
    ],
  ];
  for (const [what, says, held, breaks, mends] of brokenFolders)
    it(`what runs is stopped also where ${what}, which it says`, async function () {
      if (!held && process.getuid?.() !== 0) skipWithReason(this, 'only root gives a folder to another user');
      const one = bed();
      const running = one.start('run', one.plan('broken', [{ script: waiting(one, 'broken') }]));
      const pid = await one.waitsAt('broken');
      breaks();
      const stopped = await stopAll(bed());
      mends();
      assert.equal(isAlive(pid), false, JSON.stringify(stopped.json));
      assert.deepEqual(
        [stopped.code, stopped.json.stopped, stopped.json.starts_held, stopped.json.remaining],
        [3, false, held, []],
      );
      assert.deepEqual(
        stopped.json.problems.map(({ workspace }) => workspace),
        ['this machine'],
      );
      assert.match(stopped.json.problems[0]!.problem, says);
      assert.equal((await running.ended).code, 3);
    });

  it('an owner that does not answer is named, and what it runs is still ended', async () => {
    const one = bed();
    const running = one.start('run', one.plan('silent', [{ script: waiting(one, 'silent') }]));
    const pid = await one.waitsAt('silent');
    running.child.kill('SIGSTOP');
    try {
      const stopped = await stopAll(bed());
      assert.equal(stopped.code, 3, JSON.stringify(stopped.json));
      assert.deepEqual(stopped.json.remaining, []);
      assert.deepEqual(
        stopped.json.problems.map(({ workspace }) => workspace),
        [one.root],
      );
      assert.match(stopped.json.problems[0]!.problem, /does not answer/);
      assert.equal(isAlive(pid), false);
    } finally {
      running.child.kill('SIGCONT');
    }
    assert.equal((await running.ended).code, 3);
    const events = await one.events('silent');
    const ended = events.find((event) => event.type === 'AttemptEnded');
    assert.equal(ended?.failure?.reason, 'The worker was stopped: Grace: the disk burns.');
  });

  it('two stops at once, and a release while they go on: each says what is true then', async () => {
    const one = bed();
    const running = one.start('run', one.plan('twice', [{ script: waiting(one, 'twice') }]));
    const pid = await one.waitsAt('twice');
    running.child.kill('SIGSTOP');
    try {
      const stops = [stopAll(bed()), stopAll(bed())];
      const log = path.join(home, 'stops.jsonl');
      await until(() => existsSync(log) && readFileSync(log, 'utf8').trim().split('\n').length === 2);
      assert.equal((await release(one)).code, 0);
      for (const { code, json } of await Promise.all(stops)) {
        assert.deepEqual([code, json.remaining, json.starts_held], [3, [], false], JSON.stringify(json));
        assert.ok(json.problems.some(({ workspace, problem }) => workspace === one.root && /not answer/.test(problem)));
      }
      assert.equal(isAlive(pid), false);
    } finally {
      running.child.kill('SIGCONT');
    }
    const woken = await running.ended;
    assert.deepEqual([woken.code, woken.json.status], [3, 'paused'], woken.stdout + woken.stderr);
  });

  it('an owner that the stop did not reach pauses as soon as it goes on, even after the release', async () => {
    const one = bed();
    const next = { script: `${start}fs.writeFileSync('docs/out/next.txt', '');` };
    const running = one.start('run', one.plan('woken', [{ script: waiting(one, 'woken') }, next]));
    const pid = await one.waitsAt('woken');
    running.child.kill('SIGSTOP');
    try {
      // What it ran ends by itself, so that nothing but the stop keeps it from going on.
      one.open('woken');
      await until(() => !isAlive(pid));
      assert.equal((await stopAll(bed())).code, 3);
      assert.equal((await release(one)).code, 0);
      assert.match(
        await text(one, 'status', 'woken'),
        /^ {2}Grace stopped everything at .*, and the process that runs this mission has not answered: it pauses when it goes on\.$/m,
      );
    } finally {
      running.child.kill('SIGCONT');
    }
    const woken = await running.ended;
    assert.doesNotMatch(await text(one, 'status', 'woken'), /Grace stopped everything/);
    assert.deepEqual([woken.code, woken.json.status], [3, 'paused'], woken.stdout + woken.stderr);
    assert.equal(one.exists('docs/out/next.txt'), false);
    const paused = (await one.events('woken')).find((event) => event.type === 'MissionPaused');
    assert.match(paused?.reason ?? '', /Grace: the disk burns/);
    const resumed = await one.mission('resume', 'woken', ...decision);
    assert.deepEqual([resumed.code, resumed.json.mission.status], [0, 'completed'], resumed.stdout);
  });

  it('holds where another process of this user has another XDG_STATE_HOME', async () => {
    const one = new CliBed();
    try {
      const env = { ...one.env, XDG_STATE_HOME: path.join(one.scratch, 'elsewhere') };
      const call = (...args: string[]): Promise<Ended> =>
        one.spawn(process.execPath, [cliFile, ...args, '--json'], { env }).ended;
      const running = one.start('run', one.plan('xdg', [{ script: waiting(one, 'xdg') }]));
      const pid = await one.waitsAt('xdg');
      const stopped = await call('stop', '--all', ...decision);
      assert.deepEqual([stopped.code, isAlive(pid)], [0, false], stopped.stdout);
      assert.equal((await running.ended).code, 3);
      const plan = one.plan('after', [{ script: start }]);
      assert.deepEqual(await coded(one, 'run', plan), [2, 'STARTS_HELD']);
      assert.equal((await call('run', plan)).json.code, 'STARTS_HELD');
      assert.equal((await one.mission('stop', '--release', ...decision)).code, 0);
      assert.notEqual((await call('run', plan)).json.code, 'STARTS_HELD');
      // The other way round: a workspace that was run with the other variable is found.
      const there = one.spawn(
        process.execPath,
        [cliFile, 'run', one.plan('there', [{ script: waiting(one, 'there') }]), '--json'],
        { env },
      );
      await one.waitsAt('there');
      assert.equal((await one.mission('stop', '--all', ...decision)).code, 0);
      assert.equal((await there.ended).code, 3);
      assert.equal((await call('stop', '--release', ...decision)).code, 0);
    } finally {
      await one.dispose();
    }
  });

  it('is not asked of a home that is another user’s, such as the one that `su` leaves in HOME', async () => {
    const one = new CliBed();
    const other = mkdtempSync(path.join(tmpdir(), 'mission-other-'));
    try {
      const state = path.join(other, '.local', 'state', 'mission-control');
      if (process.getuid?.() === 0) {
        mkdirSync(state, { recursive: true });
        writeFileSync(path.join(state, 'stopped.json'), '{');
        chownSync(other, 65534, 65534);
      }
      const HOME = process.getuid?.() === 0 ? other : '/root';
      const env = { ...one.env, HOME, XDG_STATE_HOME: path.join(one.scratch, 'own') };
      const plan = one.plan('su', [{ script: `${start}fs.writeFileSync('docs/out/a.txt', 'a');` }]);
      const run = await one.spawn(process.execPath, [cliFile, 'run', plan, '--json'], { env }).ended;
      assert.deepEqual([run.code, run.json.status], [0, 'completed'], run.stdout);
    } finally {
      rmSync(other, { recursive: true, force: true });
      await one.dispose();
    }
  });

  it('is refused where a worker asks for it, and so is the release', async () => {
    const one = bed();
    const calls = ['--all', '--release'].map(
      (flag) =>
        `try { execFileSync(process.execPath, [${JSON.stringify(cliFile)}, 'stop', '${flag}', '--by', 'Grace', '--reason', 'r', '--json']); fs.writeFileSync('docs/out/done', ''); } catch (error) { fs.appendFileSync('docs/out/said', String(error.status) + error.stdout); }`,
    );
    const script = `${start}const { execFileSync } = await import('node:child_process');\n${calls.join('\n')}`;
    const run = await one.mission('run', one.plan('inside', [{ script }], { confinement: 'off' }));
    assert.equal(run.code, 0, run.stdout);
    assert.equal(one.exists('docs/out/done'), false);
    assert.equal(one.read('docs/out/said').split('NON_COMPLIANT').length, 3);
    assert.equal(existsSync(path.join(home, 'stopped.json')), false);
  });

  it('a hold that cannot be read holds', async () => {
    const one = bed();
    const plan = one.plan('held', [{ script: `${start}fs.writeFileSync('docs/out/a.txt', 'a');` }]);
    writeFileSync(path.join(home, 'stopped.json'), '{');
    assert.deepEqual(await coded(one, 'run', plan), [2, 'STARTS_HELD']);
    assert.equal((await release(one)).code, 0);
    assert.equal((await one.mission('run', plan)).code, 0);
  });

  it('stands alone', async () => {
    const one = bed();
    for (const args of [
      ['stop'],
      ['stop', 'T1', '--all'],
      ['stop', '--all', '--release'],
      ['stop', '--all', '--task', 'T1'],
    ])
      assert.deepEqual(await coded(one, ...args, ...decision), [2, 'USAGE'], args.join(' '));
    assert.equal(existsSync(path.join(home, 'stopped.json')), false);
    // A folder in a workspace is not a workspace, and this is about every one.
    one.write('deep/er/x', '');
    const below = await one.spawn(process.execPath, [cliFile, 'stop', '--all', ...decision, '--json'], {
      cwd: one.at('deep/er'),
    }).ended;
    assert.deepEqual([below.code, (below.json as StopPrinted).stopped], [0, true], below.stdout);
  });

  async function coded(one: CliBed, ...args: string[]): Promise<readonly [number | null, string]> {
    const { code, json } = await one.mission(...args);
    return [code, json.code];
  }
});
